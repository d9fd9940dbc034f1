package sky

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
	"ifmlab/core/tabletest"
)

func readMaps(t testing.TB, text string) *Maps {
	t.Helper()
	return must(readIONEX("a.10i", strings.NewReader(text)))
}

// realMaps returns the file of the IGS.
func realMaps(t testing.TB) []byte {
	t.Helper()
	root := os.Getenv("IFMLAB_DATA")
	if root == "" {
		t.Skip("IFMLAB_DATA is not set: the maps of the IGS are not here")
	}
	return must(os.ReadFile(filepath.Join(root, "ionex", "igrg3380.10i")))
}

func TestTheMapsOfTheIGSAreReadValueByValue(t *testing.T) {
	file := realMaps(t)
	m := must(readIONEX("igrg3380.10i", bytes.NewReader(file)))
	assert.Equal(t, int64(len(file)), m.Bytes)
	assert.Equal(t, 13, len(m.values))
	assert.Equal(t, 450., m.Height)
	assert.Equal(t, 72, m.turn)
	days := m.Days()
	require.Len(t, days, 1)
	assert.Equal(t, "2010-12-04", days[0].Date)
	assert.Equal(t, Bounds{South: -87.5, North: 87.5, West: -180, East: 180, First: 0, Last: 86400}, days[0].Bounds())

	// The slow, obvious way: cut at the labels, split at spaces.
	checked := 0
	for k, part := range strings.Split(string(file), "START OF TEC MAP")[1:] {
		part, _, _ = strings.Cut(part, "END OF TEC MAP")
		for i, row := range strings.Split(part, "LAT/LON1/LON2/DLON/H")[1:] {
			fields := strings.Fields(row)
			if i < 70 {
				fields = fields[:73] // the next row's numbers follow
			}
			for j, f := range fields[:73] {
				v := must(strconv.ParseFloat(f, 64))
				got, ok := days[0].TEC(float64(7200*k), 87.5-2.5*float64(i), -180+5*float64(j))
				require.True(t, ok)
				if j < 72 { // the last column is at 180°, where the first is found
					require.InDelta(t, v/10, got, 1e-9, "map %d, row %d, column %d", k, i, j) // rounding of the place
				}
				require.Equal(t, v/10, m.values[k][(70-i)*73+j])
				checked++
			}
		}
	}
	assert.Equal(t, 13*71*73, checked)
	facts := m.describe()
	assert.Contains(t, facts.Facts, [2]string{"grid", "71 × 73, every 2.5° × 5°"})
	assert.Contains(t, facts.Facts, [2]string{"interval", "2 h"})
	assert.Contains(t, facts.Facts, [2]string{"last map", "2010-12-05 00:00"})
	assert.Equal(t, []string{"2010-12-04"}, facts.Days)
}

func TestRowsAndColumnsMayRunEitherWay(t *testing.T) {
	text := written(t, field(smooth), small)
	want := readMaps(t, text)
	for _, turned := range []struct{ south, west bool }{{true, false}, {false, true}, {true, true}} {
		var out []string
		lines := strings.Split(text, "\n")
		for i := 0; i < len(lines); i++ {
			line := lines[i]
			switch {
			case strings.Contains(line, labelLatitudes) && turned.south:
				line = strings.Replace(line, "  25.0  20.0  -2.5", "  20.0  25.0   2.5", 1)
			case strings.Contains(line, labelLongs) && turned.west:
				line = strings.Replace(line, " 110.0 120.0   5.0", " 120.0 110.0  -5.0", 1)
			case strings.HasSuffix(line, labelRow):
				rows := lines[i : i+6]
				i += 5
				for k := range 3 {
					at := k
					if turned.south {
						at = 2 - k
					}
					head, values := rows[2*at], rows[2*at+1]
					if turned.west {
						head = strings.Replace(head, " 110.0 120.0   5.0", " 120.0 110.0  -5.0", 1)
						values = values[10:15] + values[5:10] + values[:5]
					}
					out = append(out, head, values)
				}
				continue
			}
			out = append(out, line)
		}
		got := readMaps(t, strings.Join(out, "\n"))
		assert.Equal(t, want.values, got.values, "%v", turned)
		assert.Equal(t, want.Days()[0].Bounds(), got.Days()[0].Bounds())
	}
}

func TestFormsAndDoubtsOfMapsAreReadAsRecorded(t *testing.T) {
	constant := func(v float64) string {
		return written(t, field(func(_, _, _ float64) (float64, bool) { return v, true }), small)
	}
	for name, text := range map[string]string{
		"forms.txt": written(t, field(smooth), small), "exponents.txt": constant(12.34), "doubtful.txt": constant(.5),
	} {
		tabletest.Edits(t, name, text, func(t *testing.T, text string) string {
			m, err := readIONEX("a.10i", strings.NewReader(text))
			if err != nil {
				return err.Error()
			}
			return strings.Join(append([]string{fmt.Sprint(m.values)}, m.Notices...), "\n")
		})
	}
}

// right returns s to the right of width columns.
func right(s string, width int) string { return strings.Repeat(" ", width-len(s)) + s }

// pad writes a record.
func pad(text, label string) string {
	return text + strings.Repeat(" ", 60-len(text)) + label + strings.Repeat(" ", 20-len(label)) + "\n"
}

func TestABrokenFileOfMapsSaysWhatIsWrong(t *testing.T) {
	says := func(t *testing.T, text string) string {
		m, err := readIONEX("a.10i", strings.NewReader(text))
		require.Nil(t, m)
		var file *fault.FileError
		require.ErrorAs(t, err, &file)
		assert.Equal(t, "a.10i", file.File)
		return err.Error()
	}
	tabletest.Edits(t, "broken.txt", written(t, field(smooth), small), says)
	assert.Equal(t, "a.10i:1:1: the line is longer than 1024 kB; choose another file", says(t, strings.Repeat("x", 2<<20)))
	assert.Contains(t, says(t, written(t, field(smooth), Grid{20, 25, 110, 120, 2.5, 5, 720})), "a.10i:46:1: all maps are more than 6 hours apart")
}

func TestAFileOfMapsIsKnownByWhatIsLeftOfIt(t *testing.T) {
	text := written(t, field(smooth), small)
	lines := strings.SplitAfter(text, "\n")
	for _, from := range []int{0, 1, 3, 20, 24} {
		assert.True(t, isIONEX([]byte(strings.Join(lines[from:], "")[:1200])), "from line %d", from+1)
	}
	assert.False(t, isIONEX([]byte(few(t))))
	_, err := readIONEX("a.10i", strings.NewReader(strings.Join(lines[1:], "")))
	assert.ErrorContains(t, err, "expected a first line that ends in \"IONEX VERSION / TYPE\"")
}

func FuzzReadIONEX(f *testing.F) {
	good := written(f, field(smooth), Grid{20, 25, 110, 120, 2.5, 5, 360})
	f.Add(good)
	f.Add(good[:1500])
	f.Add(strings.Replace(good, "-2.5", "0.01", 1))
	f.Add(strings.ReplaceAll(good, "\n", "\r"))
	f.Add(strings.ReplaceAll(good, " 110.0 120.0   5.0", "-180.0 175.0   5.0"))
	f.Fuzz(func(t *testing.T, text string) {
		m, err := readIONEX("f", strings.NewReader(text))
		if err != nil {
			return
		}
		m.describe()
		days := m.Days()
		if len(days) == 0 {
			t.Fatal("no days")
		}
		for _, values := range m.values {
			if len(values) != m.rows*m.cols {
				t.Fatal("a map is cut short")
			}
			for _, v := range values {
				if math.IsInf(v, 0) || v > mostTEC || v < leastTEC {
					t.Fatal(v)
				}
			}
		}
		for _, day := range days {
			b := day.Bounds()
			for i := range 5 {
				for j := range 5 {
					for k := range 5 {
						at := func(lo, hi float64, i int) float64 { return lo + (hi-lo)*float64(i)/4 }
						if v, ok := day.TEC(at(b.First, b.Last, i), at(b.South, b.North, j), at(b.West, b.East, k)); ok && (v != v || v > mostTEC+1e-6 || v < leastTEC-1e-6) {
							t.Fatal(v)
						}
					}
				}
			}
		}
	})
}

// field is a Source of nothing but TEC.
type field func(second, lat, lon float64) (float64, bool)

func (f field) Network() Network { return Network{Stations: []Station{{"A", 30, 115}}} }

func (f field) Days() []Day { return []Day{{Name: "2010-12-04"}} }

func (f field) Snapshot(day, minute int) (Snapshot, error) {
	return Snapshot{}, &UnusableError{Reason: "there are no stations"}
}

func (f field) TEC(_ int, second float64, lats, lons []float64) (grid []float64) {
	for _, lat := range lats {
		for _, lon := range lons {
			v, ok := f(second, lat, lon)
			if !ok {
				v = math.NaN()
			}
			grid = append(grid, v)
		}
	}
	return grid
}

// smooth is a field with all that maps have: it follows the Sun and has two crests.
func smooth(second, lat, lon float64) (float64, bool) {
	hour := second/3600 + lon/15
	return 30 + 20*math.Cos((hour-14)*math.Pi/12)*math.Cos(lat/57) + 9*math.Sin(lat/9), true
}

// world is the grid of the maps of the IGS.
var world = Grid{-87.5, 87.5, -180, 180, 2.5, 5, 120}

// small is a grid that can be looked through.
var small = Grid{South: 20, North: 25, West: 110, East: 120, DLat: 2.5, DLon: 5, Minutes: 360}

func written(t testing.TB, s Source, g Grid) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteIONEX(&b, s, 0, g, ""))
	return b.String()
}

func TestMapsThatWeWriteAreReadBackToHalfAUnit(t *testing.T) {
	for name, c := range map[string]struct {
		grid  Grid
		scale float64 // of the field
		half  float64 // of the last place
	}{
		"the world, in hundredths":   {world, 1, .005},
		"the world, in tenths":       {world, 10, .05},
		"a region, in hundredths":    {GridAround(field(smooth).Network()), 1, .005},
		"a region over the dateline": {Grid{-10, 10, 170, 200, .5, .5, 360}, 1, .005},
	} {
		t.Run(name, func(t *testing.T) {
			source := field(func(second, lat, lon float64) (float64, bool) {
				v, ok := smooth(second, lat, lon)
				return c.scale * v, ok
			})
			text := written(t, source, c.grid)
			assert.Contains(t, text, pad(right(strconv.Itoa(int(math.Round(math.Log10(2*c.half)))), 6), labelExponent))
			for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
				require.LessOrEqual(t, len(line), 80, "line %d", i+1)
				if strings.Trim(line, " -0123456789.") != "" {
					require.Len(t, line, 80, "line %d", i+1)
					require.NotEqual(t, byte(' '), line[60], "line %d", i+1)
				}
			}
			m := readMaps(t, text)
			day := m.Days()[0]
			assert.Equal(t, "2010-12-04", day.Date)
			for minute := 0; minute <= 1440; minute += c.grid.Minutes {
				for lat := c.grid.South; lat <= c.grid.North; lat += c.grid.DLat {
					for lon := c.grid.West; lon <= c.grid.East; lon += c.grid.DLon {
						got, ok := day.TEC(float64(60*minute), lat, lon)
						want, _ := source(float64(60*minute), lat, lon)
						if !ok || math.Abs(got-want) > c.half+1e-9 || got != got {
							t.Fatalf("minute %d at %g, %g: %g, %v, want %g", minute, lat, lon, got, ok, want)
						}
					}
				}
			}
		})
	}
}

func TestWhatTheSourceDoesNotKnowIsWrittenAsNoValue(t *testing.T) {
	source := field(func(second, lat, lon float64) (float64, bool) { return 12, lat != 22.5 || lon != 115 })
	text := written(t, source, small)
	assert.Contains(t, text, " 1200 9999 1200\n")
	day := readMaps(t, text).Days()[0]
	_, ok := day.TEC(0, 22.5, 115)
	assert.False(t, ok, "at the hole")
	_, ok = day.TEC(0, 23, 114)
	assert.False(t, ok, "beside it")
	v, ok := day.TEC(0, 22.5, 110)
	assert.True(t, ok, "a node whose neighbour is missing")
	assert.Equal(t, 12., v)
	v, ok = day.TEC(0, 25, 113)
	assert.True(t, ok, "an edge of the cell that has the hole at another corner")
	assert.InDelta(t, 12, v, 1e-12)
	assert.Contains(t, readMaps(t, text).describe().Facts, [2]string{"values missing", "5"})
}

func TestADayWithoutADateIsWrittenWithOneAndSaysSo(t *testing.T) {
	s := newSimulator(t, usual())
	var b bytes.Buffer
	require.NoError(t, WriteIONEX(&b, s, 2, GridAround(s.Network()), ""))
	assert.Contains(t, b.String(), "The day has no date: 2000-01-03 stands for it")
	m := readMaps(t, b.String())
	require.Equal(t, "2000-01-03", m.Days()[0].Date)
	for _, hour := range []float64{0, 6, 14, 24} {
		want, _ := above(s, 2, 3600*hour, 30, 115)
		got, ok := m.Days()[0].TEC(3600*hour, 30, 115)
		require.True(t, ok)
		assert.InDelta(t, want, got, .005+1e-9)
	}
}

func TestAGridThatTheFormatCannotHoldIsRefused(t *testing.T) {
	for _, g := range []Grid{{0, 10, 0, 10, 3, 5, 60}, {0, 10, 0, 10, .25, 5, 60}, {0, 10, 0, 10, 5, 0, 60}, {10, 0, 0, 10, 5, 5, 60}, {0, 10, 0, 10, 5, 5, 50}, {0, 10, 0, 10, 5, 5, 0}} {
		assert.ErrorAs(t, WriteIONEX(io.Discard, field(smooth), 0, g, ""), new(*GridError), "%v", g)
	}
	var nothing *GridError
	require.ErrorAs(t, WriteIONEX(io.Discard, field(func(_, _, _ float64) (float64, bool) { return 0, false }), 0, small, ""), &nothing)
	assert.Contains(t, nothing.Error(), "save the pierce points instead")
	assert.Error(t, WriteIONEX(&failing{}, field(smooth), 0, small, ""))
}

type failing struct{}

func (*failing) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

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
	first := strings.NewReplacer("2010    12     4", "1970     1     1", "2010    12     5", "1970     1     2").Replace(text)
	assert.Equal(t, []string{"1970-01-01"}, names(readMaps(t, first)))
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
