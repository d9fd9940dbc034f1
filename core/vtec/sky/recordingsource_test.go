package sky

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
)

func source(t testing.TB, text string) *RecordingSource {
	t.Helper()
	return must(recording(t, text).Source(RecordingOptions{Edge: 90}))
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

func TestSlantAndMetresAreMadeVerticalMetres(t *testing.T) {
	text := few(t)
	want := source(t, text)
	number := func(s string) float64 {
		return must(strconv.ParseFloat(s, 64))
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
		_, err := r.Source(RecordingOptions{Unit: choice[0], Mapping: choice[1], Edge: 90})
		var file *fault.FileError
		require.ErrorAs(t, err, &file)
		assert.Equal(t, fault.Undeclared, file.Problem)
		assert.Equal(t, "tec", file.Field)
	}
	got := must(r.Source(RecordingOptions{Unit: "metres", Mapping: "slant", Edge: 90}))
	same(t, want, got, 1e-12)
	// What is chosen counts more than what the file says, and that is said.
	got = must(recording(t, slant).Source(RecordingOptions{Unit: "tecu", Mapping: "vertical", Edge: 90}))
	assert.Contains(t, got.Notices, "the TEC is taken as tecu, as was chosen; the file says metres")
	assert.Contains(t, got.Notices, "the TEC is taken as vertical, as was chosen; the file says slant")
	a, b := snapshot(t, want, 0, 0).Points[0], snapshot(t, got, 0, 0).Points[0]
	assert.InDelta(t, a.Delay*metresPerTECU/math.Cos(a.Zenith), b.Delay, 1e-12)
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
	other := must(r.Source(RecordingOptions{Edge: 90, Station: "S05"}))
	assert.Equal(t, 4, other.Network().Test)
	_, err := r.Source(RecordingOptions{Edge: 30})
	var edge *EdgeError
	require.ErrorAs(t, err, &edge)
	assert.Greater(t, edge.Nearest, 50.)
	_, err = r.Source(RecordingOptions{Edge: 90, Station: "S99"})
	assert.EqualError(t, err, "a.csv: there is no station S99 to test on; choose one of S01, S02, S03, S04, S05, S06, S07, S08, S09, S10, S11, S12, S13, S14, S15, S16, S17")
	// Of the others, some have no neighbour that near.
	close := must(r.Source(RecordingOptions{Edge: edge.Nearest + .01}))
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
				v := must(strconv.ParseFloat(strings.Split(line, ",")[4], 64))
				return wrapDegrees(v) > 0 == east
			}
			lines := strings.SplitAfter(strings.TrimSuffix(rows, "\n"), "\n")
			i := slices.IndexFunc(lines, first)
			require.GreaterOrEqual(t, i, 0)
			lines[0], lines[i] = strings.TrimSpace(lines[i])+"\n", strings.TrimSpace(lines[0])+"\n"
			for name, lon := range map[string]func(v float64) float64{
				"from -180": wrapDegrees,
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
					assert.InDelta(t, 0, wrapDegrees(s.Lon-middle), 5, name)
				}
				for _, minute := range got.Days()[0].Minutes {
					want := snapshot(t, simulator, 0, minute).Points
					for i, p := range snapshot(t, got, 0, minute).Points {
						require.InDelta(t, got.Network().Stations[0].Lon, p.Lon, 30, name)
						require.InDelta(t, 0, wrapDegrees(p.Lon-want[i].Lon), 1e-7, name)
						require.InDelta(t, want[i].Delay, p.Delay, 1e-8, name)
					}
				}
			}
		}
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
	assert.Equal(t, "2010-12-04, 00:00: satellites above 15° at all 17 stations: 3, expected at least 4; S11 sees 3", err.Error())
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
	assert.Contains(t, r.Notices, "all rows are of one minute, so there is one window")
	s := must(r.Source(RecordingOptions{Edge: 90, Station: "N030"}))
	net := s.Network()
	require.Len(t, net.Stations, mostStations)
	assert.Equal(t, "N030", net.Stations[net.Test].Name)
	for i, station := range net.Stations {
		number := must(strconv.Atoi(station.Name[1:]))
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
	_, err := readRecording("a.csv", strings.NewReader(wide(1001, 1)))
	assert.EqualError(t, err, "a.csv:2:1: there are more than 1000 satellites or stations; see whether these columns hold their names (sat and station)")
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

func TestATestStationThatSeesFewerSatellitesUsesThoseThatItSees(t *testing.T) {
	text := few(t)
	want := source(t, text)
	minute := want.Days()[0].Minutes[0]
	all := snapshot(t, want, 0, minute)
	lost := all.Satellites[1]
	blind := strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool { return strings.Contains(line, ","+lost+",S01,") }), "")
	got := source(t, blind)
	shot := snapshot(t, got, 0, minute)
	assert.Equal(t, all.Satellites, shot.Satellites)
	stations := len(got.Network().Stations)
	for i, p := range shot.Points {
		if i == stations {
			assert.True(t, p.Unseen)
			continue
		}
		assert.False(t, p.Unseen)
		assert.Equal(t, all.Points[i].Delay, p.Delay)
	}
	assert.Contains(t, strings.Join(got.Notices, "\n"), "minutes the test station S01 sees fewer satellites than all others do; it is tested on those that it sees")
	assert.Equal(t, 1, strings.Count(saved(t, want, 0, 720), "T00:00:00Z,"+lost+",S01,"))
	assert.Zero(t, strings.Count(saved(t, got, 0, 720), lost+",S01,"))

	// Where it is there in fewer than half of the minutes, it may still be chosen.
	rare := strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool {
		return strings.Contains(line, ",S01,") && !strings.Contains(line, "T00:00")
	}), "")
	got = source(t, rare)
	assert.Equal(t, 0, got.Network().Test)
	assert.Equal(t, all.Satellites, snapshot(t, got, 0, minute).Satellites)
	_, err := got.Snapshot(0, 720)
	var unusable *UnusableError
	require.ErrorAs(t, err, &unusable)
	assert.Contains(t, unusable.Reason, "above 15° at all others, the test station S01 sees 0, expected at least 2")
}

// aDay is a simulated day as a file of either kind.
func aDay(t *testing.T) map[string]string {
	t.Helper()
	s := newSimulator(t, usual())
	var maps bytes.Buffer
	require.NoError(t, WriteIONEX(&maps, s, 1, GridAround(s.Network()), ""))
	return map[string]string{"maps": maps.String(), "points": saved(t, s, 1, 360)}
}

func TestAFileIsToldByWhatStandsInIt(t *testing.T) {
	for what, content := range aDay(t) {
		name := map[string]string{"maps": "day.csv", "points": "day.inx"}[what]
		for _, r := range []io.Reader{strings.NewReader(content), iotest.OneByteReader(strings.NewReader(content)), iotest.DataErrReader(strings.NewReader(content))} {
			file := must(Read(name, r))
			assert.Equal(t, what, file.Kind())
			assert.Equal(t, name, file.Name)
			assert.EqualValues(t, len(content), file.Bytes)
			assert.Len(t, file.Description.Days, 1)
			assert.NotEmpty(t, file.Facts)
		}
	}
}

func TestAFileWhoseReaderFailsSaysHowFarItWasRead(t *testing.T) {
	gone := errors.New("the disk is gone")
	for what, content := range aDay(t) {
		for _, after := range []int{0, 100, 12_000} {
			_, err := Read("day", io.MultiReader(strings.NewReader(content[:after]), iotest.ErrReader(gone)))
			require.ErrorIs(t, err, gone, "%s after %d bytes", what, after)
			var reader *fault.ReaderError
			require.ErrorAs(t, err, &reader)
			assert.LessOrEqual(t, reader.Bytes, int64(after), what)
			assert.True(t, what != "maps" || reader.Bytes == int64(after), "line by line")
		}
	}
}

// stalled returns neither bytes nor an error after those that it has.
type stalled struct{ io.Reader }

func (s stalled) Read(b []byte) (int, error) {
	n, _ := s.Reader.Read(b)
	return n, nil
}

func TestAFileThatNeitherGoesOnNorEndsIsGivenUp(t *testing.T) {
	for what, content := range aDay(t) {
		for _, after := range []int{0, 100, 4096, 10_000} {
			_, err := Read("day", stalled{strings.NewReader(content[:after])})
			require.ErrorIs(t, err, io.ErrNoProgress, "%s after %d bytes", what, after)
			assert.ErrorAs(t, err, new(*fault.ReaderError))
		}
	}
}

func TestAFileOfAnotherTypeSaysWhatASkyMayBe(t *testing.T) {
	const want = ", not maps of the TEC in IONEX or a table of pierce points. "
	for content, says := range map[string]string{
		"\x1f\x9d\x90" + "codg":     "this is a compressed file" + want + "Unpack it, as gunzip or 7-Zip does, and open the file inside",
		"\x1f\x8b\x08\x00codg":      "this is a gzip archive" + want + "Unpack it, as gunzip or 7-Zip does, and open the file inside",
		"PK\x03\x04codg":            "this is an Excel workbook or a zip archive" + want + "Save the sheet as CSV, or unpack the archive",
		"<html><body>Log in</body>": "this is a web page or XML" + want + "Save the table as CSV",
	} {
		_, err := Read("codg3380.10i.Z", strings.NewReader(content))
		var bad *fault.FileError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, fault.OtherType, bad.Problem)
		assert.Equal(t, "codg3380.10i.Z:1:1: "+says, err.Error())
	}
}
