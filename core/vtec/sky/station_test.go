package sky

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newLattice(t *testing.T, lat, lon, spacing, edge float64, seed uint64) Network {
	net := must(lattice(lat, lon, spacing, edge, rand.New(rand.NewPCG(seed, 0))))
	require.Len(t, net.Stations, 17)
	return net
}

// haversine is the distance on the sphere by the formula of navigators, km.
func haversine(a, b Station) float64 {
	sin := func(degrees float64) float64 { return math.Sin(degrees * radian / 2) }
	h := sin(b.Lat-a.Lat)*sin(b.Lat-a.Lat) + math.Cos(a.Lat*radian)*math.Cos(b.Lat*radian)*sin(b.Lon-a.Lon)*sin(b.Lon-a.Lon)
	return 2 * 6371 * math.Asin(math.Sqrt(h))
}

func TestTheTestStationStandsInTheMiddleOf16Others(t *testing.T) {
	net := newLattice(t, 30, 115, 75, 90, 1)
	assert.Zero(t, net.Test)
	assert.Equal(t, Station{"S01", 30, 115}, net.Stations[0])
	assert.Equal(t, "S17", net.Stations[16].Name)
	var lat, lon float64
	for i, s := range net.Stations[1:] {
		lat += s.Lat / 16
		lon += s.Lon / 16
		// 4.5 km of irregularity each way; none of the 32 is off by five of them.
		want := []float64{75, 75 * math.Sqrt(3), 150}[i/6]
		assert.InDelta(t, want, haversine(net.Stations[0], s), 22)
		for _, side := range []float64{-1, 1} { // left out: the net is wider than high otherwise
			assert.Greater(t, haversine(Station{"", 30, 115 + side*150/degree/math.Cos(30*radian)}, s), 50.)
		}
	}
	// The mean of 16 irregularities is 1.1 km, .01°.
	assert.InDelta(t, 30, lat, .05)
	assert.InDelta(t, 115, lon, .05)
}

func TestNeighboursAreJoined(t *testing.T) {
	for seed := range uint64(50) {
		net := newLattice(t, 30, 115, 75, 90, seed)
		var near [][2]int // in order, each pair once
		for i := range net.Stations {
			for j := i + 1; j < 17; j++ {
				if haversine(net.Stations[i], net.Stations[j]) <= 90 {
					near = append(near, [2]int{i, j})
				}
			}
		}
		assert.ElementsMatch(t, near, net.Edges)
	}
	// 36 lie side by side. At 100 km none is too far, and none behind it, at 130 km, near enough.
	assert.Len(t, newLattice(t, 30, 115, 75, 100, 1).Edges, 36)
}

func TestStationsAreOffTheirNodesBySixPerCent(t *testing.T) {
	var sum, mean float64
	var n int
	for seed := range uint64(400) {
		net := newLattice(t, 0, 0, 75, 90, seed)
		for _, s := range net.Stations[7:13] { // √3 away, first at 30°
			off := haversine(net.Stations[0], s) - 75*math.Sqrt(3)
			sum += off * off
			mean += off
			n++
		}
	}
	// What is across the distance adds (4.5 km)²/(2·130 km) = .08 km. The standard
	// error of the mean is 4.5 km/√2400 = .09 km, of a standard deviation 1/√(2n) = 1.4 %.
	assert.InDelta(t, .08, mean/float64(n), .45)
	assert.InEpsilon(t, .06*75, math.Sqrt(sum/float64(n)), .05)
}

func TestANetHasTheSameShapeEverywhere(t *testing.T) {
	home := newLattice(t, 0, 0, 75, 90, 3)
	for _, at := range [][2]float64{{70, 20}, {-70, 100}, {30, 180}, {30, -180}, {-45, 179.9}} {
		net := newLattice(t, at[0], at[1], 75, 90, 3)
		assert.Equal(t, home.Edges, net.Edges)
		for i := range net.Stations {
			assert.InDelta(t, at[1], net.Stations[i].Lon, 10, "in one piece, on the date line too")
			for j := range i {
				// On a sphere, from the centre: the same to rounding, 6371 km·√ε at the worst.
				assert.InDelta(t, haversine(home.Stations[i], home.Stations[j]), haversine(net.Stations[i], net.Stations[j]), 1e-4)
			}
		}
	}
}

func TestANetWithoutAnEdgeToItsTestStationIsRefused(t *testing.T) {
	_, err := lattice(30, 115, 120, 90, rand.New(rand.NewPCG(1, 0)))
	var far *EdgeError
	require.ErrorAs(t, err, &far)
	assert.Greater(t, far.Nearest, 100.)
	assert.Regexp(t, `^no station is within 90 km of the test station; join stations up to 1[23]\d km apart \(the nearest is at 1[01]\d\.\d km\), or set them closer$`, err.Error())
}

func TestOtherEdgesDoNotStandInForTheTestStations(t *testing.T) {
	others := 0
	for seed := range uint64(200) {
		net, err := lattice(30, 115, 75, 68, rand.New(rand.NewPCG(seed, 0)))
		own := slices.ContainsFunc(net.Edges, func(e [2]int) bool { return e[0] == net.Test })
		assert.Equal(t, own, err == nil)
		if !own && len(net.Edges) > 0 {
			others++
		}
	}
	assert.Greater(t, others, 10)
}
