package vtec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/vtec/sky"
)

// fakeNet is a triangular lattice of stations .7° apart, of which number 3 is
// the test station.
func fakeNet(stations int) sky.Network {
	net := sky.Network{Test: 3}
	columns := int(math.Ceil(math.Sqrt(float64(stations))))
	for i := range stations {
		row := i / columns
		net.Stations = append(net.Stations, sky.Station{
			Name: string(rune('A' + i)),
			Lat:  30 + .7*float64(row),
			Lon:  115 + .8*(float64(i%columns)+.5*float64(row%2)),
		})
	}
	for i, a := range net.Stations {
		for j, b := range net.Stations[:i] {
			if math.Hypot(a.Lat-b.Lat, (a.Lon-b.Lon)*math.Cos(30*math.Pi/180)) < .85 {
				net.Edges = append(net.Edges, [2]int{j, i})
			}
		}
	}
	return net
}

// fakeSnapshot puts satellites at random places of the sky over a net, under a
// bent field with noise. The first is highest.
func fakeSnapshot(rng *rand.Rand, net sky.Network, satellites int) sky.Snapshot {
	var s sky.Snapshot
	for i := range satellites {
		s.Satellites = append(s.Satellites, string(rune('a'+i)))
		azimuth, elevation := 2*math.Pi*(float64(i)+.4*rng.Float64())/float64(satellites), .4+.3*rng.Float64()
		if i == 0 {
			elevation = 1.45
		}
		for _, at := range net.Stations {
			bent := elevation + .017*(at.Lat-30) + .001*rng.NormFloat64()
			zenith := math.Asin(6371. / 6771 * math.Cos(bent))
			away := (math.Pi/2 - bent - zenith) * 180 / math.Pi
			turned := math.Mod(azimuth+.017*(at.Lon-115)+.001*rng.NormFloat64()+2*math.Pi, 2*math.Pi)
			p := sky.Point{
				Lat:       at.Lat + away*math.Cos(turned),
				Lon:       at.Lon + away*math.Sin(turned)/math.Cos(30*math.Pi/180),
				Zenith:    zenith,
				Azimuth:   turned,
				Elevation: bent,
			}
			p.Clean = 3 + .1*p.Lat + .05*math.Sin(1.5*p.Lat+p.Lon) + .02*math.Cos(2*p.Lon-p.Lat)
			p.Delay = p.Clean + .003*rng.NormFloat64()
			s.Points = append(s.Points, p)
		}
	}
	return s
}

func fakeWindow(t testing.TB, seed uint64, satellites, stations int) *Window {
	t.Helper()
	net := fakeNet(stations)
	s := fakeSnapshot(rand.New(rand.NewPCG(seed, 1)), net, satellites)
	return must(NewWindow(&net, &s))
}

func TestEveryPointBelongsToItsNearestCentreAndEveryCentreIsTheMeanOfItsPoints(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 2))
		points, centres := make([]place, 60), make([]place, 6)
		for i := range points {
			points[i] = place{rng.NormFloat64() + 3*float64(i%4), rng.NormFloat64()}
		}
		for g := range centres {
			centres[g] = place{3 * rng.NormFloat64(), rng.NormFloat64()}
		}
		kMeans(points, centres)
		sums, counts := make([]place, 6), make([]float64, 6)
		for _, p := range points {
			best := 0
			for g, c := range centres {
				if math.Hypot(p.lat-c.lat, p.lon-c.lon) < math.Hypot(p.lat-centres[best].lat, p.lon-centres[best].lon) {
					best = g
				}
			}
			require.Equal(t, best, nearest(centres, p))
			sums[best].lat += p.lat
			sums[best].lon += p.lon
			counts[best]++
		}
		for g, c := range centres {
			if counts[g] == 0 {
				continue // and where did it stay? see below
			}
			require.Equal(t, place{sums[g].lat / counts[g], sums[g].lon / counts[g]}, c)
		}
	}
}

func TestACentreWithoutPointsStaysAndOfTwoEqualOnesTheFirstTakesAll(t *testing.T) {
	points := []place{{0, 0}, {0, 2}, {4, 0}, {4, 2}}
	centres := []place{{0, 1}, {100, 100}, {0, 1}, {5, 1}}
	kMeans(points, centres)
	assert.Equal(t, []place{{0, 1}, {100, 100}, {0, 1}, {4, 1}}, centres)
	assert.Equal(t, 0, nearest(centres, place{0, 0}))
	assert.Equal(t, 0, nearest([]place{{1, 0}, {-1, 0}}, place{0, 0}), "a tie")
}

// encodeSlowly writes Enc(x) down as the paper does and standardizes whole
// columns.
func encodeSlowly(w *Window, centres []place, test int) []float64 {
	x := make([]float64, len(w.points)*w.D)
	for p, q := range w.points {
		g := nearest(centres, place{q.Lat, q.Lon})
		row := x[p*w.D:][:w.D]
		row[2*g], row[2*g+1] = q.Lat-centres[g].lat, q.Lon-centres[g].lon
		for j, f := range []float64{math.Sin(q.Zenith), math.Cos(q.Zenith), q.Zenith, math.Pow(q.Zenith, 2), math.Sin(q.Azimuth), math.Cos(q.Azimuth), q.Azimuth, math.Pow(q.Azimuth, 2)} {
			row[2*w.M+j] = f
		}
	}
	rms := [2]float64{}
	training := 0.0
	for p := range w.points {
		if p%w.stations == test {
			continue
		}
		training++
		for j := range 2 * w.M {
			rms[j%2] += x[p*w.D+j] * x[p*w.D+j]
		}
	}
	for p := range w.points {
		for j := range 2 * w.M {
			x[p*w.D+j] /= math.Sqrt(rms[j%2] / training)
		}
	}
	for j := 2 * w.M; j < w.D; j++ {
		mean, variance := 0.0, 0.0
		for p := range w.points {
			if p%w.stations != test {
				mean += x[p*w.D+j] / training
			}
		}
		for p := range w.points {
			if p%w.stations != test {
				variance += math.Pow(x[p*w.D+j]-mean, 2) / training
			}
		}
		for p := range w.points {
			x[p*w.D+j] = (x[p*w.D+j] - mean) / math.Sqrt(variance)
		}
	}
	return x
}

func TestTheEncodingIsThePapersStandardizedOverTheTrainingPoints(t *testing.T) {
	for seed := range uint64(10) {
		w := fakeWindow(t, seed, 7, 17)
		require.Equal(t, 2*7+8, w.D)
		centres := make([]place, w.M)
		var training []place
		for p, q := range w.points {
			if p%17 != 3 {
				training = append(training, place{q.Lat, q.Lon})
				centres[p/17].lat += q.Lat / 16
				centres[p/17].lon += q.Lon / 16
			}
		}
		kMeans(training, centres)
		want := encodeSlowly(w, centres, 3)
		// Variances are differences of sums here and there: θ² varies by 1e-3 of its
		// square or so, which costs as many digits.
		assert.InDeltaSlice(t, want, w.X, 1e-9)
		for p := range w.points {
			for j := range 2 * w.M {
				if j/2 != int(w.Cluster[p]) {
					require.Zero(t, w.X[p*w.D+j])
				}
			}
		}
	}
}

func TestAColumnThatDoesNotVaryIsZero(t *testing.T) {
	net := fakeNet(17)
	s := fakeSnapshot(rand.New(rand.NewPCG(3, 1)), net, 6)
	for i := range s.Points {
		s.Points[i].Azimuth = .7
		if i%17 == net.Test {
			s.Points[i].Azimuth = .8 // of which training knows nothing
		}
		s.Points[i].Lon = 115 + .1*float64(i/17)
	}
	w := must(NewWindow(&net, &s))
	for p := range s.Points {
		for j := 4; j < 8; j++ {
			require.Zero(t, w.X[p*w.D+2*w.M+j])
		}
		require.InDelta(t, 0, w.X[p*w.D+2*int(w.Cluster[p])], 10)
	}
	for _, v := range append(append(w.X, w.Z...), w.ZTest...) {
		require.False(t, math.IsNaN(v))
	}
}

func TestDifferencesJoinTrainingStationsOrTheTestStationToThem(t *testing.T) {
	net := fakeNet(17)
	s := fakeSnapshot(rand.New(rand.NewPCG(4, 1)), net, 7)
	w := must(NewWindow(&net, &s))
	assert.Zero(t, w.Reference, "the highest satellite")
	assert.Len(t, append(w.Train, w.Test...), 6*len(net.Edges))
	check := func(of []Difference, z, y []float64, test bool) {
		for i, d := range of {
			e := net.Edges[d.Edge]
			require.Equal(t, test, e[0] == net.Test || e[1] == net.Test)
			require.NotEqual(t, int32(w.Reference), d.Satellite)
			a, b, c, f := int(d.Satellite)*17+e[0], int(d.Satellite)*17+e[1], w.Reference*17+e[0], w.Reference*17+e[1]
			require.Equal(t, [4]int32{int32(a), int32(b), int32(c), int32(f)}, d.Points)
			// The same four terms in another order.
			require.InDelta(t, (s.Points[a].Delay-s.Points[c].Delay)-(s.Points[b].Delay-s.Points[f].Delay), y[i], 1e-14)
			for j := range w.D {
				require.InDelta(t, (w.X[a*w.D+j]-w.X[c*w.D+j])-(w.X[b*w.D+j]-w.X[f*w.D+j]), z[i*w.D+j], 1e-13)
			}
		}
	}
	check(w.Train, w.Z, w.Y, false)
	check(w.Test, w.ZTest, w.YTest, true)
}

func TestANetMayLieAcrossTheDateLine(t *testing.T) {
	net := fakeNet(17)
	s := fakeSnapshot(rand.New(rand.NewPCG(6, 1)), net, 7)
	here := must(NewWindow(&net, &s))
	for i := range s.Points {
		s.Points[i].Lon += 64.5
		if s.Points[i].Lon > 180 {
			s.Points[i].Lon -= 360
		}
	}
	there := must(NewWindow(&net, &s))
	assert.Equal(t, here.Cluster, there.Cluster)
	assert.InDeltaSlice(t, here.X, there.X, 1e-10, "degrees around 180 have four digits less than displacements")
}

func TestAWindowThatCannotBeUsedSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		satellites int
		change     func(*sky.Network, *sky.Snapshot)
		reason     string
	}{
		"three satellites":               {3, func(*sky.Network, *sky.Snapshot) {}, "satellites in view of every station: 3, expected at least 4"},
		"more satellites than there are": {101, func(*sky.Network, *sky.Snapshot) {}, "satellites in view of every station: 101, expected at most 100. Leave some out, or check that each satellite keeps the same name"},
		"the test station alone": {5, func(net *sky.Network, _ *sky.Snapshot) {
			net.Edges = [][2]int{{1, 2}}
		}, "no training station is joined to the test station D, so there is nothing to test on. Join stations that are further apart"},
		"training stations apart": {5, func(net *sky.Network, _ *sky.Snapshot) {
			net.Edges = [][2]int{{0, 3}, {3, 4}}
		}, "no two training stations are joined, so there is nothing to learn from. Join stations that are further apart"},
		"too many differences": {35, joinAll, "120 pairs of training stations see 35 satellites: 4080 differences, expected at most 4000. Join only stations that are closer to each other"},
		"a TEC that is none": {5, func(_ *sky.Network, s *sky.Snapshot) {
			s.Points[17+2].Delay = math.NaN()
		}, "satellite b at station C has a coordinate, an angle or a TEC of NaN, expected finite numbers"},
		"an endless angle": {5, func(_ *sky.Network, s *sky.Snapshot) {
			s.Points[0].Azimuth = math.Inf(1)
		}, "satellite a at station A has a coordinate, an angle or a TEC of +Inf, expected finite numbers"},
	} {
		t.Run(name, func(t *testing.T) {
			net := fakeNet(17)
			s := fakeSnapshot(rand.New(rand.NewPCG(7, 1)), net, c.satellites)
			c.change(&net, &s)
			_, err := NewWindow(&net, &s)
			var unusable *sky.UnusableError
			require.ErrorAs(t, err, &unusable)
			assert.Equal(t, c.reason, unusable.Reason)
		})
	}
	net := fakeNet(17)
	s := fakeSnapshot(rand.New(rand.NewPCG(7, 1)), net, 34)
	joinAll(&net, &s)
	w := must(NewWindow(&net, &s))
	assert.Len(t, w.Train, 3960)
	assert.Equal(t, 100, fakeWindow(t, 7, 100, 17).M)
}

func joinAll(net *sky.Network, _ *sky.Snapshot) {
	net.Edges = nil
	for i := range net.Stations {
		for j := range i {
			net.Edges = append(net.Edges, [2]int{j, i})
		}
	}
}

// A satellite that the test station does not see says as much of the field above all
// others as if it saw it; the test goes on with those that it sees.
func TestATestStationIsTestedOnTheSatellitesThatItSees(t *testing.T) {
	net := fakeNet(9)
	whole := fakeSnapshot(rand.New(rand.NewPCG(3, 1)), net, 7)
	few := sky.Snapshot{Satellites: whole.Satellites, Points: append([]sky.Point(nil), whole.Points...)}
	unseen := map[int32]bool{2: true, 5: true}
	for satellite := range unseen {
		p := &few.Points[int(satellite)*len(net.Stations)+net.Test]
		*p = few.Points[int(satellite)*len(net.Stations)]
		p.Unseen = true
	}
	want := must(NewWindow(&net, &whole))
	got := must(NewWindow(&net, &few))
	assert.Equal(t, want.Train, got.Train)
	assert.Equal(t, want.Y, got.Y)
	tuning := Tuning{Ridge: {Penalty: 1e-3}, FM: {Rank: 2, Penalty: 1e-3, Linear: 1e-3}, IFM: {Rank: 2, Penalty: 1e-3, Linear: 1e-3}}
	for _, m := range []Method{Ridge, IFM} {
		all, some := make([]float64, len(want.Test)), make([]float64, len(got.Test))
		require.NoError(t, want.Predict(all, m, tuning[m], rand.New(rand.NewPCG(1, 1))))
		require.NoError(t, got.Predict(some, m, tuning[m], rand.New(rand.NewPCG(1, 1))))
		k := 0
		for j, d := range want.Test {
			if unseen[d.Satellite] {
				continue
			}
			assert.Equal(t, d, got.Test[k])
			assert.Equal(t, want.YTest[j], got.YTest[k])
			assert.Equal(t, all[j], some[k], "%v is trained on the same", m)
			k++
		}
		assert.Equal(t, k, len(got.Test))
	}
	fix, err := got.fix(&net, []Method{Ridge}, new(Settings).believed, func(dst []float64, m Method) error {
		return got.Predict(dst, m, tuning[m], nil)
	}, rand.New(rand.NewPCG(2, 2)))
	require.NoError(t, err)
	assert.Positive(t, fix.Tried)

	// Of another station that is left out, the satellites are those of all others.
	other := net
	other.Test = 4
	w := must(NewWindow(&other, &few))
	assert.Equal(t, 5, w.M)

	for satellite := range len(few.Satellites) - 1 {
		few.Points[satellite*len(net.Stations)+net.Test].Unseen = true
	}
	_, err = NewWindow(&net, &few)
	assert.EqualError(t, err, "satellites in view of the test station D: 1, expected at least 2")
}

func TestAPositionNeedsFourSatellitesOfTheTestStation(t *testing.T) {
	net := fakeNet(9)
	s := fakeSnapshot(rand.New(rand.NewPCG(3, 1)), net, 7)
	for satellite := range 4 {
		s.Points[satellite*len(net.Stations)+net.Test].Unseen = true
	}
	w := must(NewWindow(&net, &s))
	_, err := w.fix(&net, []Method{Ridge}, nil, nil, nil)
	assert.EqualError(t, err, "satellites in view of the test station: 3, expected at least 4")
}

// must returns what a call that succeeds returns.
func must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}
