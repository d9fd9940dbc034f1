package sky

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A field that turns with the Sun is the same in its own longitude at all times:
// where it is linear between the nodes, and a map later by whole columns, turning
// the maps gives it back without an error.
func TestBetweenMapsTheFieldTurnsWithTheSun(t *testing.T) {
	turning := field(func(second, lat, lon float64) (float64, bool) {
		x := math.Mod(lon+second/240+720, 360) / 5 // in columns
		i := math.Floor(x)
		node := func(i float64) float64 { return float64(int(i*7+3)%72%31) + 1 }
		return node(i)*(1-(x-i)) + node(math.Mod(i+1, 72))*(x-i), true
	})
	day := readMaps(t, written(t, turning, world)).Days()[0]
	for second := 0.; second <= 86400; second += 777 {
		for _, lon := range []float64{-180, -179.99, -62.1, 0, 3, 177.7, 179.9, 180, 250, 539} {
			want, _ := turning(second, 0, lon)
			got, ok := day.TEC(second, 11, lon)
			require.True(t, ok)
			require.InDelta(t, want, got, 1e-9, "at %g s, longitude %g", second, lon) // rounding of places of 360°, times slopes of 6 a degree
		}
	}
}

func TestARegionIsInterpolatedWhereItStands(t *testing.T) {
	grows := field(func(second, lat, lon float64) (float64, bool) { return 10 + second/8640 + lat/5 + (lon-110)/5, true })
	m := readMaps(t, written(t, grows, small))
	day := m.Days()[0]
	for _, second := range []float64{0, 1, 20000, 43200, 60001, 86400} {
		want, _ := grows(second, 21.3, 117.7)
		got, ok := day.TEC(second, 21.3, 117.7)
		require.True(t, ok)
		assert.InDelta(t, want, got, .005, "at %g s", second)
	}
	assert.Contains(t, strings.Join(m.Notices, "\n"), "do not go round the globe")
	for _, off := range [][3]float64{{0, 19.9, 115}, {0, 25.1, 115}, {0, 22, 109.9}, {0, 22, 120.1}, {0, 22, -115}, {-1, 22, 115}, {86401, 22, 115}, {math.NaN(), 22, 115}, {0, math.NaN(), 115}, {0, 22, math.NaN()}, {0, 22, math.Inf(1)}} {
		_, ok := day.TEC(off[0], off[1], off[2])
		assert.False(t, ok, "%v", off)
	}
}

func TestAGridWithoutItsLastColumnGoesRoundTheGlobe(t *testing.T) {
	full := Grid{-10, 10, 0, 355, 5, 5, 360}
	day := readMaps(t, written(t, field(smooth), full)).Days()[0]
	closed := readMaps(t, written(t, field(smooth), Grid{-10, 10, 0, 360, 5, 5, 360})).Days()[0]
	for second := 0.; second <= 86400; second += 1200 { // at 0:00 nothing is turned, later the seam is elsewhere
		for _, lon := range []float64{0, 354, 355, 357.5, 359.999, 360, -.001, -2, -180} {
			want, ok := closed.TEC(second, 3, lon)
			require.True(t, ok)
			got, ok := day.TEC(second, 3, lon)
			require.True(t, ok)
			require.InDelta(t, want, got, 1e-9, "at %g s, longitude %g", second, lon)
		}
	}
	assert.Equal(t, 360., day.Bounds().East)
}

func TestDaysAreThoseBetweenMaps(t *testing.T) {
	text := written(t, field(smooth), Grid{20, 25, 110, 120, 2.5, 5, 360})
	head, body, _ := strings.Cut(text, pad("", labelHeader))
	body = strings.TrimSuffix(body, pad("", labelFile))
	next := strings.NewReplacer("    12     5", "    12     6", "    12     4", "    12     5").Replace(body)
	_, next, _ = strings.Cut(next, "END OF TEC MAP      \n") // the first of that day is there already
	twoDays := readMaps(t, head+pad("", labelHeader)+body+next+pad("", labelFile))
	names := func(m *Maps) (names []string) {
		for _, d := range m.Days() {
			names = append(names, d.Date)
		}
		return names
	}
	assert.Equal(t, []string{"2010-12-04", "2010-12-05"}, names(twoDays))
	one, two := twoDays.Days()[0], twoDays.Days()[1]
	a, ok := one.TEC(86400, 22, 112)
	require.True(t, ok)
	b, ok := two.TEC(0, 22, 112)
	require.True(t, ok)
	assert.Equal(t, a, b, "24:00 of one day is 0:00 of the next")
	_, ok = one.TEC(86401, 22, 112)
	assert.True(t, ok, "the next day's maps are known")

	gap := strings.Replace(head+pad("", labelHeader)+body+pad("", labelFile), "  2010    12     5     0     0     0                        EPOCH OF CURRENT", "  2010    12     6     0     0     0                        EPOCH OF CURRENT", 1)
	apart := readMaps(t, gap)
	assert.Equal(t, []string{"2010-12-04"}, names(apart), "the map of two days later is the only one of its day")
	_, ok = apart.Days()[0].TEC(18*3600, 22, 112)
	assert.True(t, ok)
	_, ok = apart.Days()[0].TEC(18*3600+1, 22, 112)
	assert.False(t, ok, "within the gap")
	assert.Contains(t, strings.Join(apart.Notices, "\n"), "between 2010-12-04 18:00 and 2010-12-06 00:00 there is no map")
	same := strings.ReplaceAll(gap, "  2010    12     6     0     0     0", "  2010    12     4    24     0     0")
	assert.Equal(t, []string{"2010-12-04"}, names(readMaps(t, same)), "24:00 may be written so")
}
