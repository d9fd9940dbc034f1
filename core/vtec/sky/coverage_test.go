package sky

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	for lon, in := range map[float64]bool{175: true, -175: true, 185: true, -185: true, 165: false, -155: false, 545: true, 535: true, 450: false} {
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
