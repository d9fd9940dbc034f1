package sky

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/tabletest"
)

// dated is a source whose days have dates.
type dated struct{ Source }

func (d dated) Days() []Day {
	days := slices.Clone(d.Source.Days())
	for i := range days {
		days[i].Name = "2010-12-0" + strconv.Itoa(4+i)
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
	return must(readRecording("a.csv", strings.NewReader(text)))
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
		"columns in any order":             edit(text, func(f []string) []string { return []string{f[7], f[3], f[2], f[8], f[0], f[6], f[5], f[4], f[1]} }),
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
		assert.ErrorContains(t, err, "satellites above 15° at all 17 stations: 0, expected at least 4; S03 sees 0")
	}
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

func TestTimesMayBeSeconds(t *testing.T) {
	text := few(t)
	want := source(t, text)
	seconds := func(since int64, last string) string {
		return edit(text, func(f []string) []string {
			if ms, _, ok := parseMoment(f[0]); ok {
				f[0] = strconv.FormatInt(ms/1000-since, 10) + last
			}
			return f
		})
	}
	same(t, want, source(t, seconds(0, "")), 0)
	same(t, want, source(t, seconds(0, ".0000002")), 0)
	first := source(t, strings.ReplaceAll(text, "2010-12-04", "1970-01-01"))
	assert.Equal(t, []Day{{"1970-01-01", want.Days()[0].Minutes}}, first.Days(), "from the first second of 1970 on")
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

	// A file may begin on a later day.
	second := source(t, seconds(1291420800-86400, ""))
	assert.Equal(t, []Day{{"day 2", []int{0, 360, 720, 1080}}}, second.Days())
	assert.Equal(t, snapshot(t, daily, 0, 0).Satellites, snapshot(t, second, 0, 0).Satellites)
	long := recording(t, strings.Replace(on, "\n237600,", "\n2678400,", 1))
	require.Equal(t, 1, long.BadCount)
	assert.Contains(t, long.Bad[0].Message, `"2678400", expected seconds since the beginning of the first day, below 2678400 (31 days), as in the rows before`)

	local := source(t, strings.ReplaceAll(text, ":00Z", ":00"))
	same(t, want, local, 0)
	assert.Contains(t, local.recording.Notices, "times have no zone and are taken as UT")
}

func TestABrokenTableOfPiercePointsSaysWhatIsWrong(t *testing.T) {
	text := few(t)
	tabletest.Edits(t, "points.txt", text, func(t *testing.T, text string) string {
		r, err := readRecording("a.csv", strings.NewReader(text))
		var s *RecordingSource
		if err == nil {
			s, err = r.Source(RecordingOptions{Edge: 90})
		}
		if err != nil {
			return fmt.Sprintf("%T %v", err, err)
		}
		said := fmt.Sprintln(r.BadCount, "bad rows")
		for _, bad := range r.Bad {
			said += fmt.Sprintf("%v, field %q, found %q\n", &bad, bad.Field, bad.Found)
		}
		return said + strings.Join(append(r.Notices, s.Notices...), "\n")
	})
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
		"no TEC":             {edit(text, func(f []string) []string { return f[:8] }), "a.csv:5:1: a table of pierce points has the columns time, sat, station, lat, lon, zenith, azimuth and tec, and this one has no tec (all other columns are known); add the column, or give it that name"},
		"rows cut":           {"# unit: TECU, vertical\n# edges: S01-S02 S04-S01\n" + keep(2, "S01", "S02", "S03"), "a.csv:2: the edge S04-S01 does not join two stations, as no row that can be used is of a station S04; correct it, or delete the edge"},
		"a hyphen in a name": {strings.ReplaceAll(strings.Replace(text, "edges: ", "edges: S-01-S77 ", 1), "S01", "S-01"), "a.csv:3: the edge S-01-S77 does not join two stations, as no row that can be used is of a station S77; correct it, or delete the edge"},
		"radians": {edit(column(5, radians), func(f []string) []string {
			f[6] = map[bool]string{true: radians(f[6]), false: f[6]}[f[6] != "azimuth"]
			return f
		}), "a.csv:5:1: no azimuth is above 6.28 and no zenith angle above 1.13, which suggests radians, expected degrees. Multiply the angles by 180/π"},
		"milliseconds": {column(0, func(string) string { return "1291420800000" }), "a.csv:6: the first time is 1291420800000, expected a time such as 2010-12-04T22:05:00Z, seconds since 1970, or seconds of the day below 86400. Divide it by 1000 if it is in milliseconds"},
		"days":         {column(0, func(string) string { return "734481.5" }), "a.csv:6: the first time is 734481.5, expected a time such as 2010-12-04T22:05:00Z, seconds since 1970, or seconds of the day below 86400. Use one of these"},
		"no time":      {column(0, func(string) string { return "noon" }), "a.csv: 476 of 476 rows cannot be used, more than one in ten; the first: a.csv:6:1: time is \"noon\", expected a time such as 2010-12-04T22:05:00Z. Correct the cell or delete line 6"},
		"two stations": {keep(2, "S01", "S02"), "a.csv:1:1: stations in the file: 2 (S01, S02), expected at least 3: two joined ones for training and one for testing. Open a file with more stations"},
		"two stations at a time": {strings.Join(slices.DeleteFunc(strings.SplitAfter(plain, "\n"), func(line string) bool {
			return strings.Contains(line, ",S") && !strings.HasPrefix(line, "2010-12-04T00") && !strings.Contains(line, ",S01,") && !strings.Contains(line, ",S02,")
		}), ""), "a.csv: only 2 stations have data in at least half of the minutes, expected at least 3. Open a file with more simultaneous stations"},
		"three satellites": {keep(1, "G03", "G07", "G13"), ""},
		"zenith on the ground": {edit(text, func(f []string) []string {
			if f[5] != "zenith" {
				f[5] = "76.5"
			}
			return append(f[:7], f[8])
		}), "a.csv: 476 of 476 rows cannot be used, more than one in ten; the first: a.csv:6: zenith is \"76.5\", expected degrees of the zenith angle at the shell, from 0 to 75. Correct the cell or delete line 6"},
		"below the mask":    {column(7, func(string) string { return "9" }), "a.csv: no station sees 4 satellites above 15° in any minute. Check whether the angles are in degrees"},
		"empty cells":       {column(8, func(string) string { return "" }), "a.csv:5:1: no row is complete: all 476 have an empty cell or no TEC; fill in the cells"},
		"nothing in common": {keepOne(text), "a.csv: in no minute are there 4 satellites above 15° at all 17 stations, at most 3 are; open a file in which stations see the same satellites at the same time"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := readRecording("a.csv", strings.NewReader(c.text))
			if err == nil {
				edges := 90.
				_, err = r.Source(RecordingOptions{Edge: edges})
			}
			require.Error(t, err)
			if name == "three satellites" {
				assert.Regexp(t, `^a.csv:1:1: satellites in the file: \d \(.*\), expected at least 4. Open a file with more satellites$`, err.Error())
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

func FuzzReadRecording(f *testing.F) {
	text := few(f)
	lines := strings.SplitAfter(text, "\n")
	f.Add(text)
	f.Add(strings.Join(lines[:60], ""))
	f.Add("# unit: m slant\n# edges: a-b b-c\ntime,sat,station,lat,lon,zenith,azimuth,tec\n1,G1,a,1,2,3,4,5\n")
	f.Add(strings.ReplaceAll(text, "2010-12-04T", ""))
	f.Add(strings.ReplaceAll(strings.ReplaceAll(text, ",", ";"), ".", ","))
	f.Add(strings.Join(strings.SplitAfter(losFile(f), "\n")[:40], "")) // Madrigal's
	f.Fuzz(func(t *testing.T, text string) {
		r, err := readRecording("f", strings.NewReader(text))
		if err != nil {
			return
		}
		r.describe()
		s, err := r.Source(RecordingOptions{Unit: "tecu", Mapping: "slant", Edge: 500})
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
					if p.Elevation < leastElevation || !(p.Azimuth >= 0 && p.Azimuth < 2*math.Pi) || math.IsNaN(p.Delay) {
						t.Fatal(p)
					}
				}
			}
		}
	})
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

func TestNothingIsWrittenOfADayThatCannotBeUsed(t *testing.T) {
	assert.ErrorAs(t, WritePoints(&bytes.Buffer{}, empty{}, 0, 1, ""), new(*UnusableError))
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
