package sky

import (
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// usual is the sky of the page's first table.
func usual() Config {
	return Config{Seed: 1, Systems: 1, Latitude: 30, Longitude: 115, Spacing: 75, Edge: 90, Waves: 1, Phase: 4}
}

func newSimulator(t testing.TB, c Config) *Simulator {
	return must(NewSimulator(c))
}

func snapshot(t testing.TB, s Source, day, minute int) Snapshot {
	shot := must(s.Snapshot(day, minute))
	require.Len(t, shot.Points, len(shot.Satellites)*len(s.Network().Stations))
	return shot
}

// above returns the content above one place.
func above(s Source, day int, second, lat, lon float64) (tec float64, ok bool) {
	tec = s.TEC(day, second, []float64{lat}, []float64{lon})[0]
	return tec, tec == tec
}

func TestASnapshotIsTheSameWhateverWasAskedBefore(t *testing.T) {
	c := usual()
	c.Systems = 2
	s := newSimulator(t, c)
	want := map[[2]int]Snapshot{}
	for day := range 3 {
		for minute := 0; minute < 1440; minute += 160 {
			want[[2]int{day, minute}] = snapshot(t, s, day, minute)
		}
	}
	another := newSimulator(t, c)
	for minute := 155; minute < 165; minute++ { // every minute, before and after
		snapshot(t, another, 1, minute)
	}
	var group sync.WaitGroup
	for day := 2; day >= 0; day-- { // backwards, and all days at once
		group.Go(func() {
			for minute := 1440 - 160; minute >= 0; minute -= 160 {
				above(another, day, float64(minute), 31, 114)
				shot := must(another.Snapshot(day, minute))
				assert.Equal(t, want[[2]int{day, minute}], shot)
			}
		})
	}
	group.Wait()
}

func TestDaysAreAsActiveAsTheyShouldBe(t *testing.T) {
	s := newSimulator(t, usual())
	var night, active, crests []float64
	for number := range 2000 {
		day := s.drawDay(number, "")
		assert.Equal(t, 86400*float64(number), day.start)
		night = append(night, day.background.night)
		active = append(active, day.background.active)
		crests = append(crests, day.background.crests)
	}
	for sigma, draws := range map[float64][]float64{.1: night, .22: active, .25: crests} {
		mean, sd := logMoments(draws)
		// Five standard errors, σ/√2000 and σ/√4000.
		assert.InDelta(t, 0, mean, .11*sigma)
		assert.InEpsilon(t, sigma, sd, .08)
	}
}

func TestFiveDaysAreForTuningAndNineForTheTest(t *testing.T) {
	s := newSimulator(t, usual())
	days := s.Days()
	require.Len(t, days, 9)
	assert.Equal(t, "TestDay1", days[0].Name)
	assert.Equal(t, "TestDay9", days[8].Name)
	for _, d := range days {
		require.Len(t, d.Minutes, 1440)
		assert.True(t, slices.IsSorted(d.Minutes))
		assert.Equal(t, 1439, d.Minutes[1439])
	}
	tuning := s.TuningDays()
	assert.Len(t, tuning.Days(), 5)
	assert.Equal(t, "TuningDay5", tuning.Days()[4].Name)
	assert.Equal(t, s.Network(), tuning.Network())
	assert.Len(t, s.Days(), 9, "which are still there")
	// The day after the last for tuning is the first of the test: the satellites go on.
	last, first := tuning.days[4].start, s.days[0].start
	assert.Equal(t, last+86400, first)
}

func TestASatelliteIsSeenOnlyIfAllStationsSeeIt(t *testing.T) {
	s := newSimulator(t, usual())
	for minute := 0; minute < 1440; minute += 30 {
		shot := snapshot(t, s, 0, minute)
		for i := range s.satellites {
			o := &s.satellites[i]
			place := o.at(6*86400 + 60*float64(minute))
			all := true
			for _, station := range s.network.Stations {
				up := newReceiver(station.Lat, station.Lon).up
				all = all && angle(up, place.along(up, -earth)) <= 75*radian
			}
			assert.Equal(t, all, slices.Contains(shot.Satellites, o.name), "%s at minute %d", o.name, minute)
		}
	}
}

func TestAPointsDelayIsTheContentAboveItAndNoise(t *testing.T) {
	c := usual()
	s := newSimulator(t, c)
	c.Phase = 0
	silent := newSimulator(t, c)
	c.Phase = 8
	loud := newSimulator(t, c)
	shot, quiet, noisy := snapshot(t, s, 1, 420), snapshot(t, silent, 1, 420), snapshot(t, loud, 1, 420)
	for i, p := range shot.Points {
		tec, ok := above(s, 1, 60*420, p.Lat, p.Lon)
		assert.True(t, ok)
		assert.InDelta(t, metresPerTECU*tec, p.Clean, 1e-12, "phases of a thousand radians are rounded at 1e-13")
		assert.Equal(t, p.Clean, quiet.Points[i].Clean)
		assert.Equal(t, p.Clean, quiet.Points[i].Delay)
		// A delay of 10 m is rounded at 2e-15.
		assert.InDelta(t, 2*(p.Delay-p.Clean), noisy.Points[i].Delay-p.Clean, 1e-14)
	}
}

// 4 mm/sin ε along the signal, at every elevation.
func TestNoiseIsThatOfTheSlantDelay(t *testing.T) {
	c := usual()
	c.Systems = 2
	s := newSimulator(t, c)
	var sums, counts [4]float64 // of 15° to 30°, to 45°, to 60°, and above
	for day := range s.Days() {
		for minute := 0; minute < 1440; minute += 30 { // after which a link has forgotten
			for _, p := range snapshot(t, s, day, minute).Points {
				slant := (p.Delay - p.Clean) / math.Cos(p.Zenith)
				band := min(3, int(p.Elevation/radian/15)-1)
				sums[band] += math.Pow(slant*math.Sin(p.Elevation)/.004, 2)
				counts[band]++
			}
		}
	}
	for band, n := range counts {
		require.Greater(t, n, 3000.)
		assert.InDelta(t, 1, sums[band]/n, 5*math.Sqrt(2/n), "band %d", band)
	}
}

// The sum of cosines, place by place, of what the grid makes of rows and columns.
func TestAGridHasTheContentOfItsPlaces(t *testing.T) {
	c := usual()
	simulators := []*Simulator{newSimulator(t, c)}
	c.Longitude = 179.5
	simulators = append(simulators, newSimulator(t, c))
	c.Maps = []MapDay{{"2010-12-04", flat{bounds: Bounds{-90, 40, -180, 180, 0, 86400}}}}
	simulators = append(simulators, newSimulator(t, c))
	lats, lons := []float64{-20, 29.5, 30, 44, 28.25}, []float64{c.Longitude - 190, c.Longitude - 14, c.Longitude, c.Longitude + .5, c.Longitude + 14, -c.Longitude}
	for n, s := range simulators {
		for second := 0.; second <= 86400; second += 7777 {
			d := &s.days[0]
			waves := ripplesAt(&d.waves, s.config.Latitude, s.config.Longitude, second)
			grid := s.TEC(0, second, lats, lons)
			require.Len(t, grid, len(lats)*len(lons))
			for i, lat := range lats {
				for j, lon := range lons {
					want, ok := d.tec(&waves, second, lat, lon)
					require.Equal(t, n < 2 || lat <= 40, ok)
					if got := grid[i*len(lons)+j]; ok {
						// Phases of a thousand radians are rounded at 1e-13, and there are 57.
						require.InDelta(t, want, got, 1e-11)
					} else {
						require.True(t, math.IsNaN(got))
					}
				}
			}
		}
	}
	assert.Empty(t, simulators[0].TEC(0, 0, nil, lons))
	assert.Empty(t, simulators[0].TEC(0, 0, lats, nil))
}

// disturbance returns how much of the content above a place is the disturbances'.
func disturbance(s *Simulator, day int, second, lat, lon float64) (tec float64, ok bool) {
	d := &s.days[day]
	waves := ripplesAt(&d.waves, s.config.Latitude, s.config.Longitude, second)
	tec, ok = d.tec(&waves, second, lat, lon)
	quiet, _ := d.undisturbed(second, lat, lon)
	return tec - quiet, ok
}

func TestDisturbancesAreWhatTheirAmplitudeSays(t *testing.T) {
	c := usual()
	once := newSimulator(t, c)
	c.Waves = 0
	none := newSimulator(t, c)
	c.Waves = 2
	twice := newSimulator(t, c)
	most := 0.
	for day := range 9 {
		for second := 0.; second < 86400; second += 500 {
			for _, p := range [][2]float64{{30, 115}, {34, 109}} {
				quiet, _ := above(none, day, second, p[0], p[1])
				wavy, _ := above(once, day, second, p[0], p[1])
				d, ok := disturbance(once, day, second, p[0], p[1])
				assert.True(t, ok)
				assert.InDelta(t, wavy-quiet, d, 1e-12)
				double, _ := disturbance(twice, day, second, p[0], p[1])
				assert.InDelta(t, 2*d, double, 1e-12)
				nothing, _ := disturbance(none, day, second, p[0], p[1])
				assert.Zero(t, nothing)
				waves := ripplesAt(&once.days[day].waves, 30, 115, second)
				assert.InDelta(t, (.5+quiet/60)*waves.tec(p[0], p[1]), d, 1e-12, "higher where there is more to disturb")
				most = max(most, math.Abs(d))
			}
		}
	}
	assert.True(t, most > 1 && most < 10, "%g TECU at most", most)
}

func TestLargeWavesLeaveNoLessThanNothing(t *testing.T) {
	sky := usual()
	sky.Seed, sky.Waves = 4, 10
	s := newSimulator(t, sky)
	least := 0
	for second := 0.; second < secondsPerDay; second += 300 {
		for lat := 20.; lat <= 40; lat += 2 {
			v, ok := above(s, 0, second, lat, 115)
			require.True(t, ok)
			require.GreaterOrEqual(t, v, 0.)
			if v == 0 {
				least++
			}
		}
	}
	assert.Positive(t, least, "no wave reached the ground")
	sky.Maps = []MapDay{{"2010-12-04", constant(-2)}}
	sky.Waves = 0
	v, _ := above(newSimulator(t, sky), 0, 0, 30, 115)
	assert.Equal(t, -2., v, "maps are taken as they are")
}

// constant is a field that has one value everywhere.
type constant float64

func (c constant) TEC(float64, float64, float64) (float64, bool) { return float64(c), true }

func (constant) Bounds() Bounds { return globe }

// must returns what a call that succeeds returns.
func must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

// flat is a day of maps of 20 TECU and one more per 10° of latitude, with bounds
// and a hole.
type flat struct {
	bounds Bounds
	hole   float64 // no value north of it
}

func (f flat) Bounds() Bounds { return f.bounds }

func (f flat) TEC(second, lat, lon float64) (float64, bool) {
	b := f.bounds
	if second < b.First || second > b.Last || !b.holds(lat, lon) || lon < -180 || lon >= 180 || f.hole != 0 && lat > f.hole {
		return math.NaN(), false
	}
	return 20 + lat/10, true
}

// globe are bounds of maps of all places and times.
var globe = Bounds{-87.5, 87.5, -180, 180, 0, 86400}

func overMaps(f flat, waves float64) Config {
	c := usual()
	c.Waves = waves
	c.Maps = []MapDay{{"2010-12-04", f}, {"2010-12-05", f}}
	return c
}

func TestMapsTakeThePlaceOfTheBackground(t *testing.T) {
	c := overMaps(flat{bounds: globe}, 0)
	for _, c.Longitude = range []float64{115, 180, -179} {
		s := newSimulator(t, c)
		days := s.Days()
		require.Len(t, days, 2)
		assert.Equal(t, "2010-12-04", days[0].Name)
		for minute := 0; minute < 1440; minute += 240 {
			for _, p := range snapshot(t, s, 1, minute).Points {
				assert.InDelta(t, metresPerTECU*(20+p.Lat/10), p.Clean, 1e-12)
				assert.NotEqual(t, p.Clean, p.Delay, "receivers have their noise")
			}
		}
		tec, ok := above(s, 0, 86400, 10, 500)
		assert.True(t, ok)
		assert.InDelta(t, 21, tec, 1e-12)
	}
}

func TestAWindowThatTheMapsDoNotCoverSaysWhy(t *testing.T) {
	far := Bounds{20, 40, 105, 125, 7200, 79200}
	for _, c := range []struct {
		name   string
		field  flat
		minute int
		want   string
	}{
		{"too late", flat{bounds: far}, 1321, `^2010-12-04, 22:01: the maps end at 22:00$`},
		{"too early", flat{bounds: far}, 30, `^2010-12-04, 00:30: the maps begin at 02:00$`},
		{"outside", flat{bounds: Bounds{29, 31, 114, 116, 0, 86400}}, 720,
			`^2010-12-04, 12:00: a signal goes through the ionosphere at \d+\.\d°N \d+\.\d°E, and the maps cover 29\.0°N to 31\.0°N, 114\.0°E to 116\.0°E; choose a latitude and a longitude further inside$`},
		{"hole", flat{bounds: globe, hole: 30.5}, 720, `^2010-12-04, 12:00: a signal goes through the ionosphere at \d+\.\d°N \d+\.\d°E, where the maps have no value at that time$`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSimulator(t, overMaps(c.field, 1))
			_, err := s.Snapshot(0, c.minute)
			var unusable *UnusableError
			require.ErrorAs(t, err, &unusable)
			assert.Equal(t, c.minute, unusable.Minute)
			assert.Regexp(t, c.want, err.Error())
			_, ok := above(s, 0, 60*float64(c.minute), 45, 115)
			assert.False(t, ok, "nor does the picture show what nobody knows")
			_, ok = disturbance(s, 0, 60*float64(c.minute), 45, 115)
			assert.False(t, ok)
		})
	}
}

func TestMapsThatCoverNoStationAreRefused(t *testing.T) {
	for want, f := range map[string]flat{
		`^the maps cover 30\.0°N to 70\.0°N and 30\.0°W to 40\.0°E, the stations stand at 28\.\d°N to 31\.\d°N and 113\.\d°E to 116\.\d°E; choose a latitude and a longitude within the maps$`: {bounds: Bounds{30, 70, -30, 40, 0, 86400}},
		`^the maps have no values above the stations; choose a latitude and a longitude where they have$`:                                                                                      {bounds: globe, hole: -20},
	} {
		s, err := NewSimulator(overMaps(f, 1))
		assert.Nil(t, s)
		require.ErrorAs(t, err, new(*CoverageError))
		assert.Regexp(t, want, err.Error())
	}
	_, err := NewSimulator(overMaps(flat{bounds: Bounds{25, 35, 110, 120, 3600, 3600}}, 1))
	assert.NoError(t, err, "one map is one instant")
	c := overMaps(flat{bounds: Bounds{25, 35, 175, 179.3, 0, 86400}}, 1)
	c.Longitude = -180
	_, err = NewSimulator(c)
	assert.NoError(t, err, "a station at 181°W stands at 179°E")
}

func TestBoundsHoldPlacesEitherWayRoundTheGlobe(t *testing.T) {
	pacific := Bounds{-10, 10, 170, 200, 0, 86400}
	for lon, in := range map[float64]bool{175: true, -175: true, 185: true, -185: true, 165: false, -155: false, 545: true, 535: true, 450: false, 529.5: false} {
		assert.Equal(t, in, pacific.holds(0, lon), "%g", lon)
	}
	assert.False(t, pacific.holds(11, 175))
	assert.Equal(t, "160.0°W", longitude(200))
	assert.Equal(t, "180.0°E", longitude(180))
	assert.Equal(t, "87.5°S", latitude(-87.5))
	assert.Equal(t, "22:05", clock(79500))
	assert.Equal(t, "22:05:07", clock(79507))
}

func TestSatellitesOverMapsAreThoseOfTheirDate(t *testing.T) {
	s := newSimulator(t, overMaps(flat{bounds: globe}, 0))
	for i := range s.days {
		date := time.Date(2010, 12, 4+i, 0, 0, 0, 0, time.UTC)
		assert.Equal(t, float64(date.Unix()), s.days[i].start)
	}
	c := overMaps(flat{bounds: globe}, 0)
	c.Maps[0].Date = "a day"
	assert.Equal(t, 6*86400., newSimulator(t, c).days[0].start, "the first test day's for want of a better one")
}
