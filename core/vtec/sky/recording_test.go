package sky

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/data"
)

// dated is a source whose days have dates.
type dated struct{ Source }

func (d dated) Days() []Day {
	days := slices.Clone(d.Source.Days())
	for i := range days {
		days[i].Name = dateName(dayNumber(2010, 12, 4+i))
	}
	return days
}

// saved returns a day of s as a table, every stride-th minute of it.
func saved(t testing.TB, s Source, day, stride int) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WritePoints(&b, s, day, stride, ""))
	return b.String()
}

func recording(t testing.TB, text string) *Recording {
	t.Helper()
	r, err := readRecording("a.csv", strings.NewReader(text))
	require.NoError(t, err)
	return r
}

func source(t testing.TB, text string) *Recorded {
	t.Helper()
	s, err := recording(t, text).Source(Reading{Edge: 90})
	require.NoError(t, err)
	return s
}

// few is four minutes of a simulated day, a row for each signal.
func few(t testing.TB) string { return saved(t, dated{newSimulator(t, usual())}, 0, 360) }

// edit returns the table with each row changed: fields by column, of the header
// that the writer writes.
func edit(text string, change func(fields []string) []string) string {
	var out []string
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if !strings.HasPrefix(line, "#") {
			line = strings.Join(change(strings.Split(line, ",")), ",")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n") + "\n"
}

func TestASimulatedDayThatIsSavedGivesTheSameSnapshots(t *testing.T) {
	simulator := newSimulator(t, usual())
	text := saved(t, simulator, 3, 60)
	got := source(t, text)
	net, want := got.Network(), simulator.Network()
	assert.Equal(t, want.Edges, net.Edges)
	assert.Equal(t, want.Test, net.Test)
	require.Len(t, net.Stations, len(want.Stations))
	for i, s := range net.Stations {
		assert.Equal(t, want.Stations[i].Name, s.Name)
		// Angles are written to 5e-8°, and their errors averaged.
		assert.InDelta(t, want.Stations[i].Lat, s.Lat, 1e-6)
		assert.InDelta(t, want.Stations[i].Lon, s.Lon, 1e-6)
	}
	require.Len(t, got.Days(), 1)
	assert.Equal(t, "day 1", got.Days()[0].Name)
	require.Len(t, got.Days()[0].Minutes, 24)
	for _, minute := range got.Days()[0].Minutes {
		a, b := snapshot(t, simulator, 3, minute), snapshot(t, got, 0, minute)
		require.Equal(t, a.Satellites, b.Satellites)
		require.Len(t, b.Points, len(a.Points))
		for i := range a.Points {
			p, q := a.Points[i], b.Points[i]
			require.InDelta(t, p.Lat, q.Lat, 5.1e-8)
			require.InDelta(t, p.Lon, q.Lon, 5.1e-8)
			require.InDelta(t, p.Zenith, q.Zenith, 1e-9)
			require.InDelta(t, p.Azimuth, q.Azimuth, 1e-9)
			require.InDelta(t, p.Elevation, q.Elevation, 1e-9)
			require.InDelta(t, p.Delay, q.Delay, 1e-8)
			require.True(t, math.IsNaN(q.Clean), "nobody knows")
		}
	}
	// What was read and is saved again is the same table, but for the last digits.
	same(t, got, source(t, saved(t, got, 0, 1)), 1e-7)
}

func TestASavedTableHasTheWindowsOfItsStride(t *testing.T) {
	s := holes{newSimulator(t, usual())}
	assert.Equal(t, []Day{{"day 1", []int{3, 125, 240, 1439}}}, source(t, saved(t, s, 0, 120)).Days())
	assert.Equal(t, []Day{{"day 1", []int{3, 5, 125, 130, 240, 1439}}}, source(t, saved(t, s, 0, 1)).Days())
}

// holes is a source with few minutes.
type holes struct{ Source }

func (holes) Days() []Day { return []Day{{"a day", []int{3, 5, 125, 130, 240, 1439}}} }

func TestDaysOfASavedTableHaveTheirDates(t *testing.T) {
	text := few(t)
	assert.Contains(t, text, "\n2010-12-04T06:00:00Z,G")
	assert.Contains(t, text, "# unit: TECU, vertical\n")
	r := recording(t, text)
	d := r.describe()
	assert.Equal(t, []string{"2010-12-04"}, d.Days)
	assert.Equal(t, int64(len(text)), d.Bytes)
	assert.Contains(t, d.Facts, [2]string{"minutes", "4"})
	assert.Contains(t, d.Facts, [2]string{"unit", "TECU"})
	assert.Contains(t, d.Facts, [2]string{"direction", "vertical"})
	assert.Contains(t, d.Facts[2][1], "17: S01, S02")
	assert.Empty(t, d.Notices)
	assert.Empty(t, d.Bad)
	next := edit(text, func(f []string) []string {
		f[0] = strings.Replace(f[0], "12-04", "12-31", 1)
		return f
	})
	next = next[strings.Index(next, "vtec_tecu\n")+10:]
	two := source(t, text+strings.ReplaceAll(next, "2010-12-31", "2011-01-01"))
	require.Len(t, two.Days(), 2)
	assert.Equal(t, Day{"2011-01-01", []int{0, 360, 720, 1080}}, two.Days()[1])
	for i, p := range snapshot(t, two, 0, 360).Points {
		require.Equal(t, p.Delay, snapshot(t, two, 1, 360).Points[i].Delay)
	}
}

// same requires that two sources see the same to within a tolerance.
func same(t *testing.T, want, got Source, tolerance float64) {
	t.Helper()
	require.Equal(t, want.Days(), got.Days())
	assert.Equal(t, want.Network().Edges, got.Network().Edges)
	for day, d := range want.Days() {
		for _, minute := range d.Minutes {
			a, b := snapshot(t, want, day, minute), snapshot(t, got, day, minute)
			require.Equal(t, a.Satellites, b.Satellites)
			for i := range a.Points {
				p, q := a.Points[i], b.Points[i]
				for k, v := range [...]float64{p.Lat - q.Lat, p.Lon - q.Lon, p.Zenith - q.Zenith, p.Azimuth - q.Azimuth, p.Elevation - q.Elevation, p.Delay - q.Delay} {
					require.LessOrEqual(t, math.Abs(v), tolerance, "number %d of point %d", k, i)
				}
			}
		}
	}
}

func TestTheFormOfTheTableDoesNotMatter(t *testing.T) {
	text := few(t)
	want := source(t, text)
	comments, table, _ := strings.Cut(text, "time,")
	table = "time," + table
	head, rows, _ := strings.Cut(table, "\n")
	lines := strings.Split(strings.TrimSuffix(rows, "\n"), "\n")
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	for name, form := range map[string]string{
		"rows in any order":                comments + head + "\n" + strings.Join(lines, "\n"),
		"columns in any order":             edit(text, func(f []string) []string { return []string{f[8], f[3], f[2], f[7], f[0], f[6], f[5], f[4], f[1]} }),
		"other names":                      strings.Replace(text, "time,sat,station,lat,lon,zenith,azimuth,elevation,vtec_tecu", "Epoch,PRN,Site,IPP Lat,IPP_Lon,Zenith (deg),AZ,El [deg],vTEC (TECU)", 1),
		"columns of others":                edit(text, func(f []string) []string { return append([]string{"x"}, append(f, "y")...) }),
		"semicolons and commas":            comments + strings.ReplaceAll(strings.ReplaceAll(table, ",", ";"), ".", ","),
		"tabs":                             comments + strings.ReplaceAll(table, ",", "\t"),
		"CRLF":                             strings.ReplaceAll(text, "\n", "\r\n"),
		"CR":                               strings.ReplaceAll(text, "\n", "\r"),
		"a byte order mark":                "\uFEFF" + text,
		"blank lines":                      strings.Replace(text, "# unit", "\n\n# unit", 1),
		"quoted comments":                  strings.Replace(strings.Replace(text, "# unit: TECU, vertical", `"# unit: TECU, vertical",,,,,,,,`, 1), "# test: S01", "# test: S01,,,,,,,,", 1),
		"a list of edges on several lines": strings.Replace(text, "# edges: ", "# edges: S01-S02 S02-S01\n# edges: ", 1),
		"other colons":                     strings.ReplaceAll(text, "S01-S02", "S01:S02"),
		"names that end on -":              strings.ReplaceAll(text, "S02", "S-2"),
		"a zone":                           strings.ReplaceAll(text, "0:00Z", "0:00+00:00"),
		"a fraction":                       strings.ReplaceAll(text, "0:00Z", "0:00.0004Z"),
	} {
		t.Run(name, func(t *testing.T) {
			got := source(t, form)
			if name == "names that end on -" { // it sorts before the others
				assert.Len(t, got.Network().Edges, len(want.Network().Edges))
				return
			}
			same(t, want, got, 0)
		})
	}
	for _, r := range []interface{ Read([]byte) (int, error) }{iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
		got, err := readRecording("a.csv", r)
		require.NoError(t, err)
		assert.Equal(t, want.recording.points, got.points)
	}
}

func TestAColumnThatIsNotUsedIsNamed(t *testing.T) {
	text := edit(few(t), func(f []string) []string { return append(f, f[0], "5") })
	text = strings.Replace(text, "vtec_tecu,time,5", "vtec_tecu,snr,flag", 1)
	assert.Contains(t, recording(t, text).Notices, "not used: snr, flag")
}

func TestSlantAndMetresAreMadeVerticalMetres(t *testing.T) {
	text := few(t)
	want := source(t, text)
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		return v
	}
	slant := edit(strings.Replace(text, "# unit: TECU, vertical\n", "", 1), func(f []string) []string {
		if f[8] == "vtec_tecu" {
			f[8] = "stec_m"
			return f
		}
		f[8] = strconv.FormatFloat(number(f[8])*metresPerTECU/math.Cos(number(f[5])*radian), 'g', -1, 64)
		return f
	})
	same(t, want, source(t, slant), 1e-12)
	undeclared := strings.Replace(slant, "stec_m", "tec", 1)
	same(t, want, source(t, "# units: metres slant\n"+undeclared), 1e-12)
	r := recording(t, undeclared)
	for _, choice := range [][2]string{{"", ""}, {"auto", "auto"}, {"metres", "auto"}, {"auto", "slant"}} {
		_, err := r.Source(Reading{Unit: choice[0], Mapping: choice[1], Edge: 90})
		var file *data.FileError
		require.ErrorAs(t, err, &file)
		assert.Equal(t, data.Undeclared, file.Problem)
		assert.Equal(t, "tec", file.Field)
	}
	got, err := r.Source(Reading{Unit: "metres", Mapping: "slant", Edge: 90})
	require.NoError(t, err)
	same(t, want, got, 1e-12)
	// What is chosen counts more than what the file says, and that is said.
	got, err = recording(t, slant).Source(Reading{Unit: "tecu", Mapping: "vertical", Edge: 90})
	require.NoError(t, err)
	assert.Contains(t, got.Notices, "the TEC is taken as tecu, as was chosen; the file says metres")
	assert.Contains(t, got.Notices, "the TEC is taken as vertical, as was chosen; the file says slant")
	a, b := snapshot(t, want, 0, 0).Points[0], snapshot(t, got, 0, 0).Points[0]
	assert.InDelta(t, a.Delay*metresPerTECU/math.Cos(a.Zenith), b.Delay, 1e-12)
}

func TestAnglesThatAreMissingAreComputed(t *testing.T) {
	text := few(t)
	want := source(t, text)
	number := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
	// The elevation follows from the zenith angle to its seven places, times tan θ/tan ε < 9.
	without := edit(text, func(f []string) []string { return append(f[:7], f[8]) })
	got := source(t, without)
	same(t, want, got, 1e-8)
	assert.Contains(t, got.recording.Notices, "there is no column elevation; it was computed from the zenith angle, for a shell at 400 km")
	ground := edit(text, func(f []string) []string {
		if f[5] != "zenith" {
			f[5] = strconv.FormatFloat(90-number(f[7]), 'f', 7, 64)
		}
		return f
	})
	got = source(t, ground)
	same(t, want, got, 1e-8)
	assert.Contains(t, got.recording.Notices, "zenith is 90° less the elevation, which is that at the station; what it is at the shell was computed from it, for a shell at 400 km")
	signed := edit(text, func(f []string) []string { // azimuths from −180°
		if v := number(f[6]); v > 180 {
			f[6] = strconv.FormatFloat(v-360, 'f', 7, 64)
		}
		return f
	})
	same(t, want, source(t, signed), 1e-14)
}

func TestEdgesAreMadeByDistanceWhereTheFileListsNone(t *testing.T) {
	text := few(t)
	lines := strings.SplitAfter(text, "\n")
	plain := strings.Join(slices.DeleteFunc(lines, func(s string) bool { return strings.HasPrefix(s, "# edges") || strings.HasPrefix(s, "# test") }), "")
	s := source(t, plain)
	want := newSimulator(t, usual()).Network()
	assert.Equal(t, want.Edges, s.Network().Edges)
	assert.Equal(t, want.Test, s.Network().Test, "the one in the middle")
	notices := strings.Join(s.Notices, "\n")
	assert.Contains(t, notices, "the test station is S01, the one in the middle")
	assert.Contains(t, notices, "the file lists no edges, so stations up to 90 km apart are joined: "+strconv.Itoa(len(want.Edges))+" pairs")
	r := recording(t, plain)
	other, err := r.Source(Reading{Edge: 90, Station: "S05"})
	require.NoError(t, err)
	assert.Equal(t, 4, other.Network().Test)
	_, err = r.Source(Reading{Edge: 30})
	var edge *EdgeError
	require.ErrorAs(t, err, &edge)
	assert.Greater(t, edge.Nearest, 50.)
	_, err = r.Source(Reading{Edge: 90, Station: "S99"})
	assert.EqualError(t, err, "a.csv: there is no station S99 to test on; choose one of S01, S02, S03, S04, S05, S06, S07, S08, S09, S10, S11, S12, S13, S14, S15, S16, S17")
	// Of the others, some have no neighbour that near.
	close, err := r.Source(Reading{Edge: edge.Nearest + .01})
	require.NoError(t, err)
	assert.Contains(t, strings.Join(close.Notices, "\n"), "joined to no other, as none is within")
}

func TestANetAcrossTheDateLineIsInOnePiece(t *testing.T) {
	for _, middle := range []float64{179.9, -179.9} {
		c := usual()
		c.Longitude = middle
		simulator := newSimulator(t, c)
		for _, east := range []bool{true, false} { // the side of the first row
			text := saved(t, dated{simulator}, 0, 360)
			head, rows, _ := strings.Cut(text, "vtec_tecu\n")
			first := func(line string) bool {
				v, err := strconv.ParseFloat(strings.Split(line, ",")[4], 64)
				require.NoError(t, err)
				return wrap(v) > 0 == east
			}
			lines := strings.SplitAfter(strings.TrimSuffix(rows, "\n"), "\n")
			i := slices.IndexFunc(lines, first)
			require.GreaterOrEqual(t, i, 0)
			lines[0], lines[i] = strings.TrimSpace(lines[i])+"\n", strings.TrimSpace(lines[0])+"\n"
			for name, lon := range map[string]func(v float64) float64{
				"from -180": wrap,
				"from 0":    func(v float64) float64 { return v - 360*math.Floor(v/360) },
				"as it is":  func(v float64) float64 { return v },
			} {
				got := source(t, edit(head+"vtec_tecu\n"+strings.Join(lines, ""), func(f []string) []string {
					if v, err := strconv.ParseFloat(f[4], 64); err == nil {
						f[4] = strconv.FormatFloat(lon(v), 'f', 7, 64)
					}
					return f
				}))
				for _, s := range got.Network().Stations {
					assert.InDelta(t, 0, wrap(s.Lon-middle), 5, name)
				}
				for _, minute := range got.Days()[0].Minutes {
					want := snapshot(t, simulator, 0, minute).Points
					for i, p := range snapshot(t, got, 0, minute).Points {
						require.InDelta(t, got.Network().Stations[0].Lon, p.Lon, 30, name)
						require.InDelta(t, 0, wrap(p.Lon-want[i].Lon), 1e-7, name)
						require.InDelta(t, want[i].Delay, p.Delay, 1e-8, name)
					}
				}
			}
		}
	}
}

func TestOfEachMinuteTheFirstHalfSecondCounts(t *testing.T) {
	text := few(t)
	want := source(t, text)
	_, rows, _ := strings.Cut(text, "vtec_tecu\n")
	later := func(by string) string { // the same rows with another TEC
		return edit(rows, func(f []string) []string {
			f[0] = strings.Replace(f[0], ":00Z", by, 1)
			f[8] = "1" + f[8]
			return f
		})
	}
	same(t, want, source(t, text+later(":30Z")+later(":00.5Z")), 0)
	half := source(t, text[:len(text)-len(rows)]+later(":59Z")+edit(rows, func(f []string) []string {
		if f[2] > "S05" { // some clocks are off
			f[0] = strings.Replace(f[0], ":00Z", ":00.013Z", 1)
		}
		return f
	}))
	same(t, want, half, 0)

	// Ten rows a second: the first counts, wherever in the file it stands.
	again := later(":00.1Z")
	same(t, want, source(t, text+again+later(":00.2Z")), 0)
	same(t, want, source(t, text[:len(text)-len(rows)]+again+rows), 0)

	// Two rows of one station do not stand in for one that is not there.
	lacking := strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "2010-12-04T06:00") && strings.Contains(line, ",S03,")
	}), "")
	twice := strings.Join(slices.DeleteFunc(strings.SplitAfter(again, "\n"), func(line string) bool {
		return !strings.Contains(line, ",S05,")
	}), "")
	for _, text := range []string{lacking, lacking + twice} {
		_, err := source(t, text).Snapshot(0, 360)
		assert.ErrorContains(t, err, "satellites above 15° at all 17 stations: 0, want at least 4; S03 sees 0")
	}
}

func TestASatelliteCountsWhereAllStationsSeeIt(t *testing.T) {
	text := few(t)
	whole := source(t, text)
	all := snapshot(t, whole, 0, 0).Satellites
	require.GreaterOrEqual(t, len(all), 5)
	lines := strings.SplitAfter(text, "\n")
	drop := func(starts ...string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(lines), func(s string) bool {
			return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(s, start) })
		}), "")
	}
	at := "2010-12-04T00:00:00Z,"
	one := source(t, drop(at+all[1]+",S07,"))
	shot := snapshot(t, one, 0, 0)
	assert.Equal(t, append([]string{all[0]}, all[2:]...), shot.Satellites)
	net := one.Network()
	for i, p := range shot.Points { // the others keep their places
		satellite, station := i/len(net.Stations), i%len(net.Stations)
		want := snapshot(t, whole, 0, 0).Points[slices.Index(all, shot.Satellites[satellite])*len(net.Stations)+station]
		require.Equal(t, want.Delay, p.Delay)
	}
	low := source(t, strings.Replace(text, lineOf(text, at+all[0]+",S03,"), lower(lineOf(text, at+all[0]+",S03,")), 1))
	assert.Equal(t, all[1:], snapshot(t, low, 0, 0).Satellites, "at one station it stands at 14°")
	var starts []string
	for _, s := range all[3:] {
		starts = append(starts, at+s+",S11,")
	}
	three := source(t, drop(starts...))
	_, err := three.Snapshot(0, 0)
	var unusable *UnusableError
	require.ErrorAs(t, err, &unusable)
	assert.Equal(t, "2010-12-04, 00:00: satellites above 15° at all 17 stations: 3, want at least 4; S11 sees 3", err.Error())
	assert.Contains(t, three.Notices, "in 1 of 4 minutes fewer than 4 satellites are above 15° at all stations")
	_, err = three.Snapshot(0, 17)
	assert.EqualError(t, err, "2010-12-04, 00:17: the file has no row in this minute")
	require.ErrorAs(t, err, &unusable)
	assert.Equal(t, 17, unusable.Minute)
	// A station that is there in one minute of four is left out, in two it is not.
	gone := []string{"2010-12-04T00:00:00Z,G", "2010-12-04T06:00:00Z,G", "2010-12-04T12:00:00Z,G"}
	away := func(times ...string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(lines), func(s string) bool {
			return slices.ContainsFunc(times, func(at string) bool { return strings.HasPrefix(s, at) }) && strings.Contains(s, ",S17,")
		}), "")
	}
	rest := source(t, away(gone...))
	assert.Len(t, rest.Network().Stations, 16)
	assert.Contains(t, rest.Notices, "stations left out, because they are there in less than half of the minutes: S17")
	assert.Contains(t, strings.Join(rest.Notices, "\n"), "edges left out with their stations: ")
	assert.Equal(t, all, snapshot(t, rest, 0, 0).Satellites)
	assert.Len(t, source(t, away(gone[:2]...)).Network().Stations, 17)
}

func lineOf(text, start string) string {
	at := strings.Index(text, "\n"+start) + 1
	return text[at : at+strings.IndexByte(text[at:], '\n')+1]
}

// lower returns a row with a satellite at 14°.
func lower(line string) string {
	f := strings.Split(line, ",")
	f[7] = "14.0"
	return strings.Join(f, ",")
}

func TestMomentsAreReadInTheFormsOfISO8601(t *testing.T) {
	const day = 1291420800000 // 2010-12-04
	for text, want := range map[string]int64{
		"2010-12-04":                   day,
		"2010-12-04T22:05:30Z":         day + 79530000,
		"2010-12-04 22:05:30":          day + 79530000,
		"2010/12/04 22:05":             day + 79500000,
		"2010-12-04t22:05:30.25z":      day + 79530250,
		"2010-12-04T22:05:30.9999999Z": day + 79531000,
		"2010-12-04T22:05:30+08:00":    day + 79530000 - 8*3600000,
		"2010-12-04T22:05:30-0330":     day + 79530000 + 3*3600000 + 1800000,
		"2010-12-04T22:05:30+08":       day + 79530000 - 8*3600000,
		"2010-12-04T23:59:60Z":         day + 86400000,
		"1970-01-01T00:00:00Z":         0,
	} {
		got, ok := parseMoment(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "2010", "2010-12-4 10:00", "2010-12-04X10:00", "2010-12-04T", "2010-12-04T1:00", "2010-12-04T24:00", "2010-12-04T10:60", "2010-12-04T10:00:61",
		"2010-12-04T10:00:", "2010-12-04T10:00:1", "2010-12-04T10:00:0x", "2010-12-04T10:00 UTC", "2010-12-04T10:00+8", "2010-12-04T10:00+99:00", "2010-02-30", "2010-12-04T10.00", "2010-12-04T10:00:-1", "2010-12-04T10:00:00.0.0", "2010-12-04T10:00:00+"} {
		_, ok := parseMoment(text)
		assert.False(t, ok, text)
	}
}

func TestTimesMayBeSeconds(t *testing.T) {
	text := few(t)
	want := source(t, text)
	seconds := func(since int64, last string) string {
		return edit(text, func(f []string) []string {
			if ms, ok := parseMoment(f[0]); ok {
				f[0] = strconv.FormatInt(ms/1000-since, 10) + last
			}
			return f
		})
	}
	same(t, want, source(t, seconds(0, "")), 0)
	same(t, want, source(t, seconds(0, ".0000002")), 0)
	daily := source(t, seconds(1291420800, ""))
	assert.Equal(t, []Day{{"day 1", []int{0, 360, 720, 1080}}}, daily.Days())
	assert.Contains(t, daily.recording.Notices, "times are taken as seconds of one day")
	late := source(t, strings.ReplaceAll(seconds(1291420800, ""), "\n64800,", "\n86399.9999,"))
	assert.Equal(t, []Day{{"day 1", []int{0, 360, 720, 1439}}}, late.Days())

	// The last two of four times run on: into the next day, and that after a day without any.
	on := strings.NewReplacer("\n43200,", "\n86400,", "\n64800,", "\n237600,").Replace(seconds(1291420800, ""))
	days := source(t, on)
	assert.Equal(t, []Day{{"day 1", []int{0, 360}}, {"day 2", []int{0}}, {"day 3", []int{1080}}}, days.Days())
	for _, at := range [][3]int{{720, 1, 0}, {1080, 2, 1080}} {
		want, got := snapshot(t, daily, 0, at[0]), snapshot(t, days, at[1], at[2])
		assert.Equal(t, want.Satellites, got.Satellites)
		for i, p := range got.Points {
			p.Clean, want.Points[i].Clean = 0, 0 // NaN in both
			require.Equal(t, want.Points[i], p)
		}
	}
	assert.Contains(t, days.recording.Notices, "times are taken as seconds since the beginning of day 1, the last on day 3")
	long := recording(t, strings.Replace(on, "\n237600,", "\n2678400,", 1))
	require.Equal(t, 1, long.BadCount)
	assert.Contains(t, long.Bad[0].Message, `"2678400", want seconds since the beginning of the first day, below 2678400 (31 days), as in the rows before`)

	local := source(t, strings.ReplaceAll(text, ":00Z", ":00"))
	same(t, want, local, 0)
	assert.Contains(t, local.recording.Notices, "times have no zone and are taken as UT")
}

// Each message says where, what was found and what to do.
func TestABrokenTableOfPiercePointsSaysWhatIsWrong(t *testing.T) {
	text := few(t)
	plain := text[strings.Index(text, "time,"):]
	number := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
	column := func(i int, to func(old string) string) string {
		return edit(text, func(f []string) []string {
			if f[1] != "sat" {
				f[i] = to(f[i])
			}
			return f
		})
	}
	keep := func(i int, names ...string) string {
		var out []string
		for _, line := range strings.SplitAfter(plain, "\n") {
			if f := strings.Split(line, ","); len(f) > i && (f[1] == "sat" || slices.Contains(names, f[i])) {
				out = append(out, line)
			}
		}
		return strings.Join(out, "")
	}
	radians := func(s string) string { return strconv.FormatFloat(number(s)*radian, 'f', 8, 64) }
	for name, c := range map[string]struct{ text, want string }{
		"nothing":             {"", "a.csv:1:1: the file is empty, want a header and rows; choose another file"},
		"comments only":       {"# unit: TECU\n", "a.csv:1:1: the file is empty, want a header and rows; choose another file"},
		"gzip":                {"\x1f\x8b\x08", "a.csv:1:1: this is a gzip archive, want a table of text; unpack it and drop the table inside"},
		"no header":           {strings.SplitN(plain, "\n", 2)[1], "a.csv:1:1: the first line holds numbers, want a header such as time,sat,station,lat,lon,zenith,azimuth,vtec_tecu; write one above it"},
		"other columns":       {strings.Replace(text, "zenith,azimuth", "theta,phi", 1), "a.csv:5:1: a table of pierce points has the columns time, sat, station, lat, lon, zenith, azimuth and tec, and this one has no zenith, azimuth (unknown are theta, phi); add the column, or give it that name"},
		"no TEC":              {edit(text, func(f []string) []string { return f[:8] }), "a.csv:5:1: a table of pierce points has the columns time, sat, station, lat, lon, zenith, azimuth and tec, and this one has no tec (all other columns are known); add the column, or give it that name"},
		"no unit":             {strings.Replace(plain, "vtec_tecu", "tec", 1), "a.csv:1: the column tec does not say the unit of the TEC, nor whether it is vertical or along the signal, want TECU or metres, and vertical or slant; call it vtec_tecu or the like, write # unit: TECU, vertical (or metres, slant) above the header, or choose it here"},
		"half a unit":         {strings.Replace(plain, "vtec_tecu", "tec_m", 1), "a.csv:1: the column tec_m does not say whether the TEC is vertical or along the signal, want vertical or slant; call it vtec_m or the like, write # unit: TECU, vertical (or metres, slant) above the header, or choose it here"},
		"slant of what":       {strings.Replace(plain, "vtec_tecu", "stec", 1), "a.csv:1: the column stec does not say the unit of the TEC, want TECU or metres; call it stec_tecu or the like, write # unit: TECU, vertical (or metres, slant) above the header, or choose it here"},
		"another unit":        {strings.Replace(text, "unit: TECU", "unit: feet", 1), `a.csv:2:9: the unit is "feet", want TECU or metres, and vertical or slant, as in # unit: TECU, vertical; correct it`},
		"two units":           {strings.Replace(text, "unit: TECU", "unit: m", 1), "a.csv:5:1: the column vtec_tecu says tecu and the comment above the table says metres; correct one of them"},
		"two directions":      {strings.Replace(text, "vertical", "slant", 1), "a.csv:5:1: the column vtec_tecu says vertical and the comment above the table says slant; correct one of them"},
		"no such edge":        {strings.Replace(text, "edges: ", "edges: S01-S77 ", 1), "a.csv:3: the edge S01-S77 does not join two stations, as no row that can be used is of a station S77; correct it, or delete the edge"},
		"no such edges":       {strings.Replace(text, "edges: ", "edges: S76-S77 ", 1), "a.csv:3: the edge S76-S77 does not join two stations, want two of their names with a hyphen, as in S01-S02; correct it"},
		"half an edge":        {strings.Replace(text, "edges: ", "edges: S01 ", 1), "a.csv:3: the edge S01 does not join two stations, want two of their names with a hyphen, as in S01-S02; correct it"},
		"an edge to itself":   {strings.Replace(text, "edges: ", "edges: S01-S01 ", 1), "a.csv:3: the edge S01-S01 does not join two stations, want two of their names with a hyphen, as in S01-S02; correct it"},
		"rows cut":            {"# unit: TECU, vertical\n# edges: S01-S02 S04-S01\n" + keep(2, "S01", "S02", "S03"), "a.csv:2: the edge S04-S01 does not join two stations, as no row that can be used is of a station S04; correct it, or delete the edge"},
		"a hyphen in a name":  {strings.ReplaceAll(strings.Replace(text, "edges: ", "edges: S-01-S77 ", 1), "S01", "S-01"), "a.csv:3: the edge S-01-S77 does not join two stations, as no row that can be used is of a station S77; correct it, or delete the edge"},
		"no such test":        {strings.Replace(text, "test: S01", "test: S77", 1), "a.csv:4: there is no station S77 to test on; choose one of S01, S02, S03, S04, S05, S06, S07, S08, S09, S10, S11, S12, S13, S14, S15, S16, S17"},
		"no edge to the test": {"# edges: S02-S03\n# test: S01\n" + plain, "a.csv:1: no edge joins the test station S01, want one at least; add it to the list, or choose another test station"},
		"radians": {edit(column(5, radians), func(f []string) []string {
			f[6] = map[bool]string{true: radians(f[6]), false: f[6]}[f[6] != "azimuth"]
			return f
		}), "a.csv:5:1: no azimuth is above 6.28 and no zenith angle above 1.13, as in radians, want degrees; multiply the angles by 180/π"},
		"milliseconds":     {column(0, func(string) string { return "1291420800000" }), "a.csv:6: the first time is 1291420800000, want a time such as 2010-12-04T22:05:00Z, seconds since 1970, or seconds of the day below 86400; divide it by 1000 if it is in milliseconds"},
		"days":             {column(0, func(string) string { return "734481.5" }), "a.csv:6: the first time is 734481.5, want a time such as 2010-12-04T22:05:00Z, seconds since 1970, or seconds of the day below 86400; write it so"},
		"no time":          {column(0, func(string) string { return "noon" }), "a.csv: 476 of 476 rows cannot be used, want at most one in ten; the first: a.csv:6:1: time is \"noon\", want a time such as 2010-12-04T22:05:00Z; fix the cell or delete line 6"},
		"two stations":     {keep(2, "S01", "S02"), "a.csv:1:1: stations in the file: 2 (S01, S02), want at least 3: two that are joined to learn from and one to test on; open a file of more stations"},
		"three satellites": {keep(1, "G03", "G07", "G13"), ""},
		"zenith on the ground": {edit(text, func(f []string) []string {
			if f[5] != "zenith" {
				f[5] = "76.5"
			}
			return append(f[:7], f[8])
		}), "a.csv: 476 of 476 rows cannot be used, want at most one in ten; the first: a.csv:6: zenith is \"76.5\", want degrees of the zenith angle at the shell, from 0 to 75; fix the cell or delete line 6"},
		"below the mask":    {column(7, func(string) string { return "9" }), "a.csv: no station sees 4 satellites above 15° in any minute, want that many; see whether the angles are in degrees"},
		"empty cells":       {column(8, func(string) string { return "" }), "a.csv:5:1: no row is complete: all 476 have an empty cell or no TEC; fill in the cells"},
		"nothing in common": {keepOne(text), "a.csv: in no minute are there 4 satellites above 15° at all 17 stations, at most 3 are; open a file in which stations see the same satellites at the same time"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := readRecording("a.csv", strings.NewReader(c.text))
			if err == nil {
				edges := 90.
				_, err = r.Source(Reading{Edge: edges})
			}
			require.Error(t, err)
			if name == "three satellites" {
				assert.Regexp(t, `^a.csv:1:1: satellites in the file: \d \(.*\), want at least 4; open a file of more satellites$`, err.Error())
				return
			}
			assert.Equal(t, c.want, err.Error())
		})
	}
}

// keepOne leaves four satellites to each station but three to one, in every minute.
func keepOne(text string) string {
	seen := map[string]int{}
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool {
		f := strings.Split(line, ",")
		if len(f) < 9 || f[1] == "sat" {
			return false
		}
		seen[f[0]+f[2]]++
		if f[2] == "S09" { // the last of four another one
			return seen[f[0]+f[2]] < 2 || seen[f[0]+f[2]] > 5
		}
		return seen[f[0]+f[2]] > 4
	}), "")
}

func TestRowsThatCannotBeUsedAreListed(t *testing.T) {
	text := few(t)
	lines := strings.SplitAfter(text, "\n")
	fields := func(i int) []string { return strings.Split(strings.TrimSuffix(lines[i], "\n"), ",") }
	set := func(line, column int, to string) { // line counts from 1
		f := fields(line - 1)
		f[column] = to
		lines[line-1] = strings.Join(f, ",") + "\n"
	}
	set(10, 8, "12x")
	set(20, 3, "95")
	set(30, 0, "2010-13-01T00:00:00Z")
	set(40, 6, "-181")
	set(45, 8, "-1e7")
	set(50, 8, "") // missing: left out, not bad
	set(51, 8, "-999.0")
	set(52, 8, "9999")
	lines[60-1] = "a,b,c\n"
	lines[70-1] = lines[69-1]
	r := recording(t, strings.Join(lines, ""))
	var got []string
	for _, e := range r.Bad {
		got = append(got, e.Error())
	}
	satellite := fields(69 - 1)[1] + " at " + fields(69 - 1)[2]
	assert.Equal(t, []string{
		`a.csv:10:` + strconv.Itoa(strings.Index(lines[9], "12x")+1) + `: vtec_tecu is "12x", want a finite number of at most a million; fix the cell or delete line 10`,
		`a.csv:20: lat is "95.0", want degrees from -90 to 90; fix the cell or delete line 20`,
		`a.csv:30:1: time is "2010-13-01T00:00:00Z", want a time such as 2010-12-04T22:05:00Z; fix the cell or delete line 30`,
		`a.csv:40: azimuth is "-181", want degrees from 0 to 360; fix the cell or delete line 40`,
		`a.csv:45: vtec_tecu is "-1e7", want a finite number of at most a million; fix the cell or delete line 45`,
		`a.csv:60:1: found 3 fields, want 9 as in the header; add the missing cells`,
		`a.csv:70: ` + satellite + ` stands on line 69 already for the same time, want it once; delete line 69 or line 70`,
	}, withPoint(got))
	assert.Equal(t, 7, r.BadCount)
	assert.Equal(t, "vtec_tecu", r.Bad[0].Field)
	assert.Equal(t, "12x", r.Bad[0].Found)
	assert.Contains(t, r.Notices, "rows left out for an empty cell, or a TEC of ±999 or ±9999: 3, the first on line 50")
	// One row in ten is too much.
	for i := 100; i < 160; i++ {
		set(i, 8, "?")
	}
	_, err := readRecording("a.csv", strings.NewReader(strings.Join(lines, "")))
	var many *data.TooManyBadRowsError
	require.ErrorAs(t, err, &many)
	assert.Equal(t, 67, many.Count)
	assert.Equal(t, len(lines)-1-5, many.Rows)
	assert.Equal(t, 10, many.Bad[0].Line)
}

// withPoint lets 95 be written 95.0.
func withPoint(messages []string) []string {
	for i, m := range messages {
		messages[i] = strings.Replace(m, `lat is "95"`, `lat is "95.0"`, 1)
	}
	return messages
}

// wide is a table of stations along a parallel, each some km east of the last, that
// all see the same satellites.
func wide(stations int, km float64) string {
	var b strings.Builder
	b.WriteString("# unit: TECU, vertical\ntime,sat,station,lat,lon,zenith,azimuth,tec\n")
	place := func(k int) float64 { return float64(k) * km / 111.19 }
	for satellite := range 5 {
		for k := range stations {
			// Overhead at 7° above the station's zenith to the north: the pierce point is a fraction of a degree away.
			zenith := 7 + float64(satellite)
			psi := math.Asin(math.Sin(zenith*radian)*(earth+shell)/earth)/radian - zenith
			b.WriteString("2010-12-04,G" + strconv.Itoa(satellite) + ",N" + padded(k, 3) + "," + strconv.FormatFloat(psi, 'f', 6, 64) + "," + strconv.FormatFloat(place(k), 'f', 6, 64) + "," + strconv.FormatFloat(zenith, 'f', 6, 64) + ",0,20\n")
		}
	}
	return b.String()
}

func TestOfManyStationsThoseNearTheTestStationAreUsed(t *testing.T) {
	r := recording(t, wide(100, 80))
	s, err := r.Source(Reading{Edge: 90, Station: "N030"})
	require.NoError(t, err)
	net := s.Network()
	require.Len(t, net.Stations, mostStations)
	assert.Equal(t, "N030", net.Stations[net.Test].Name)
	for i, station := range net.Stations {
		number, err := strconv.Atoi(station.Name[1:])
		require.NoError(t, err)
		assert.LessOrEqual(t, math.Abs(float64(number-30)), 20., station.Name)
		assert.InDelta(t, 0, station.Lat, 1e-5)
		assert.InDelta(t, float64(number)*80/111.19, station.Lon, 1e-5)
		if i > 0 {
			assert.Less(t, net.Stations[i-1].Name, station.Name)
		}
	}
	assert.Len(t, net.Edges, mostStations-1, "each with its neighbours")
	assert.Contains(t, s.Notices, "of 100 stations, the 40 next to the test station N030 are used")
	for _, p := range snapshot(t, s, 0, 0).Points {
		assert.InDelta(t, 20*metresPerTECU, p.Delay, 1e-15)
	}
	_, err = readRecording("a.csv", strings.NewReader(wide(1001, 1)))
	assert.EqualError(t, err, "a.csv:2:1: there are more than 1000 satellites or stations; see whether these columns hold their names (sat and station)")
}

func TestASingleMinuteIsSaid(t *testing.T) {
	r := recording(t, saved(t, newSimulator(t, usual()), 0, 1440))
	assert.Contains(t, r.Notices, "all rows are of one minute, so there is one window")
}

func TestAUnitThatCannotBeIsDoubted(t *testing.T) {
	for scale, doubted := range map[float64]bool{1: false, 30: true, .003: true} {
		text := edit(few(t), func(f []string) []string {
			if v, err := strconv.ParseFloat(f[8], 64); err == nil {
				f[8] = strconv.FormatFloat(scale*v, 'f', 7, 64)
			}
			return f
		})
		assert.Equal(t, doubted, strings.Contains(strings.Join(source(t, text).Notices, "\n"), "see whether its unit is right"), scale)
	}
}

func TestAReaderThatFailsIsToldFromABadTable(t *testing.T) {
	text := few(t)
	why := errors.New("stopped")
	for _, n := range []int{0, 10, 3000, len(text)} {
		_, err := readRecording("a.csv", &stopping{strings.NewReader(text[:n]), why})
		assert.ErrorIs(t, err, why, "after %d bytes", n)
		var reader *data.ReaderError
		assert.ErrorAs(t, err, &reader)
	}
}

func TestAFileThatHasEndedIsNotReadOn(t *testing.T) {
	text := few(t)
	for _, form := range []string{text, text[strings.Index(text, "time"):]} {
		_, err := readRecording("a.csv", &ending{text: form})
		require.NoError(t, err)
	}
}

// ending is a reader that must not be asked again once it has ended.
type ending struct {
	text string
	over bool
}

func (e *ending) Read(b []byte) (int, error) {
	if e.over {
		return 0, errors.New("read on")
	}
	n := copy(b, e.text)
	e.text = e.text[n:]
	if e.text == "" {
		e.over = true
		return n, io.EOF
	}
	return n, nil
}

type stopping struct {
	*strings.Reader
	err error
}

func (s *stopping) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if err != nil {
		err = s.err
	}
	return n, err
}

func TestNothingIsWrittenOfADayThatCannotBeUsed(t *testing.T) {
	var unusable *UnusableError
	assert.ErrorAs(t, WritePoints(&bytes.Buffer{}, empty{}, 0, 1, ""), &unusable)
	assert.Error(t, WritePoints(&failing{}, newSimulator(t, usual()), 0, 60, ""))
}

// empty is a source that sees nothing.
type empty struct{ field }

func (empty) Days() []Day { return []Day{{"2010-12-04", []int{0, 1}}} }

func TestNamesThatACellCannotHoldAreQuoted(t *testing.T) {
	s := renamed{newSimulator(t, usual()), strings.NewReplacer("S01", `a "b", c`, "S02", "Ünter den Linden")}
	text := saved(t, s, 0, 360)
	assert.Contains(t, text, `,"a ""b"", c",`)
	assert.NotContains(t, text, "# edges")
	got := source(t, text)
	assert.Contains(t, got.recording.stations, `a "b", c`)
	assert.Contains(t, got.recording.stations, "Ünter den Linden")
	assert.Equal(t, `a "b", c`, got.Network().Stations[got.Network().Test].Name, "it is in the middle")
}

type renamed struct {
	Source
	names *strings.Replacer
}

func (r renamed) Network() Network {
	net := r.Source.Network()
	net.Stations = slices.Clone(net.Stations)
	for i := range net.Stations {
		net.Stations[i].Name = r.names.Replace(net.Stations[i].Name)
	}
	return net
}

// The files of testdata are what the writers made of a simulated day; the simulator
// need not make the same any more.
func TestTheSmallFilesAreReadAsTheyStand(t *testing.T) {
	open := func(name string) *os.File {
		f, err := os.Open("testdata/" + name)
		require.NoError(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	points, err := readRecording("points.csv", open("points.csv"))
	require.NoError(t, err)
	s, err := points.Source(Reading{Edge: 90})
	require.NoError(t, err)
	assert.Empty(t, points.Bad)
	assert.Empty(t, s.Notices)
	require.Equal(t, []Day{{"2010-12-04", []int{0, 720}}}, s.Days())
	assert.Len(t, s.Network().Stations, 17)
	first := snapshot(t, s, 0, 0)
	assert.Equal(t, "G02", first.Satellites[0])
	p := first.Points[0]
	assert.Equal(t, 32.0817892, p.Lat)
	assert.Equal(t, 112.9914446, p.Lon)
	assert.InDelta(t, 36.4080551, p.Zenith/radian, 1e-12)
	assert.InDelta(t, 320.9344164, p.Azimuth/radian, 1e-12)
	assert.InDelta(t, 50.8910779, p.Elevation/radian, 1e-12)
	assert.InDelta(t, 12.5473564*.162372, p.Delay, 1e-12)

	maps, err := readIONEX("region.10i", open("region.10i"))
	require.NoError(t, err)
	day := maps.Days()[0]
	assert.Equal(t, Bounds{South: 25, North: 35, West: 105, East: 125, First: 0, Last: 86400}, day.Bounds())
	for _, c := range [][3]float64{{35, 105, 11.88}, {35, 125, 13.41}, {30, 115, 12.91}, {25, 120, 13.99}} {
		v, ok := day.TEC(0, c[0], c[1])
		require.True(t, ok)
		assert.Equal(t, c[2], v)
	}
}

func FuzzReadRecording(f *testing.F) {
	text := few(f)
	lines := strings.SplitAfter(text, "\n")
	f.Add(text)
	f.Add(strings.Join(lines[:60], ""))
	f.Add("# unit: m slant\n# edges: a-b b-c\ntime,sat,station,lat,lon,zenith,azimuth,tec\n1,G1,a,1,2,3,4,5\n")
	f.Add(strings.ReplaceAll(text, "2010-12-04T", ""))
	f.Add(strings.ReplaceAll(strings.ReplaceAll(text, ",", ";"), ".", ","))
	f.Fuzz(func(t *testing.T, text string) {
		r, err := readRecording("f", strings.NewReader(text))
		if err != nil {
			return
		}
		r.describe()
		s, err := r.Source(Reading{Unit: "tecu", Mapping: "slant", Edge: 500})
		if err != nil {
			return
		}
		net := s.Network()
		for _, station := range net.Stations {
			if !(math.Abs(station.Lat) <= 360 && math.Abs(station.Lon) <= 720) { // NaN least of all
				t.Fatal(station)
			}
		}
		for _, e := range net.Edges {
			if !(0 <= e[0] && e[0] < e[1] && e[1] < len(net.Stations)) {
				t.Fatal(e)
			}
		}
		for day, d := range s.Days() {
			if !slices.IsSorted(d.Minutes) {
				t.Fatal(d.Minutes)
			}
			for _, minute := range d.Minutes {
				shot, err := s.Snapshot(day, minute)
				if err != nil {
					continue
				}
				if len(shot.Points) != len(shot.Satellites)*len(net.Stations) || len(shot.Satellites) < FewestSatellites {
					t.Fatal(len(shot.Points))
				}
				for _, p := range shot.Points {
					if p.Elevation < mask || !(p.Azimuth >= 0 && p.Azimuth < 2*math.Pi) || math.IsNaN(p.Delay) {
						t.Fatal(p)
					}
				}
			}
		}
	})
}

func BenchmarkReadRecording(b *testing.B) {
	text := saved(b, dated{newSimulator(b, usual())}, 0, 4)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := readRecording("f", strings.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
