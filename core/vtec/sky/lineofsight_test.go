package sky

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
)

// losRow is a row as Madrigal exports them.
type losRow struct {
	second             int // of the day
	station, satellite int
	lat, lon           float64 // of the pierce point
	azimuth, elevation float64
	tec, bias          float64 // along the signal, without its bias, and that
}

// losRows is what stations see from one minute of a simulated day to another, an
// epoch every step seconds. Each station sees satellites from 10° on, and is off by
// a bias for each.
func losRows(s *Simulator, stations, from, to, step int) (rows []losRow) {
	rng := rand.New(rand.NewPCG(11, 12))
	d := &s.days[0]
	bias := make([]float64, stations*len(s.satellites))
	for i := range bias {
		bias[i] = 20 * rng.NormFloat64()
	}
	for second := 60 * from; second <= 60*to; second += step {
		waves := ripplesAt(&d.waves, s.config.Latitude, s.config.Longitude, float64(second))
		for k := range stations {
			for i := range s.satellites {
				place := s.satellites[i].at(d.start + float64(second))
				if _, up := s.receivers[k].pierce(place, s.config.Longitude); !up {
					continue
				}
				p, _ := s.receivers[k].pierce(place, s.config.Longitude)
				tec, _ := d.tec(&waves, float64(second), p.Lat, p.Lon)
				azimuth := p.Azimuth / radian
				if azimuth > 180 {
					azimuth -= 360
				}
				rows = append(rows, losRow{second, k, i, p.Lat, p.Lon, azimuth, p.Elevation / radian, tec/math.Cos(p.Zenith) + .02*rng.NormFloat64(), bias[k*len(s.satellites)+i]})
			}
		}
	}
	return rows
}

const losHeader = "ut1_unix,pierce_alt,gps_site,sat_id,gnss_type,gdlatr,gdlonr,los_tec,dlos_tec,tec,azm,elm,gdlat,glon,rec_bias"

// losText writes rows as a table, from 6 June 2011 on.
func losText(s *Simulator, rows []losRow) string {
	b := []byte(losHeader + "\n")
	number := func(v float64, digits int) { b = strconv.AppendFloat(append(b, ','), v, 'f', digits, 64) }
	for _, r := range rows {
		station := s.network.Stations[r.station]
		b = strconv.AppendFloat(b, float64(1307318400+r.second), 'f', 1, 64)
		b = append(b, ",400.0,"+strings.ToLower(station.Name)+"a,"+strconv.Itoa(r.satellite+1)+",GPS     "...)
		number(station.Lat, 5)
		number(station.Lon, 5)
		number(r.tec+r.bias, 4)
		number(.2, 1)
		number((r.tec+r.bias)*math.Cos(groundAngle(r.elevation*radian, shell)), 4)
		number(r.azimuth, 4)
		number(r.elevation, 4)
		number(r.lat, 4)
		number(r.lon, 4)
		number(r.bias-15000, 1)
		b = append(b, '\n')
	}
	return string(b)
}

// los is what seven stations see in an hour, an epoch every minute.
func los(t testing.TB) (*Simulator, []losRow) {
	s := newSimulator(t, usual())
	return s, losRows(s, 7, 720, 780, 60)
}

// losColumns changes the cells of all rows below the header.
func losColumns(text string, change func(f []string) []string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.Join(change(strings.Split(line, ",")), ",")
	}
	return strings.Join(lines, "\n") + "\n"
}

// without returns the text without the columns of these names.
func without(text string, names ...string) string {
	all := strings.Split(losHeader, ",")
	return losColumns(text, func(f []string) (kept []string) {
		for i, cell := range f {
			if !slices.Contains(names, all[i]) {
				kept = append(kept, cell)
			}
		}
		return kept
	})
}

// fact returns what the description of a file says of something.
func fact(t *testing.T, r *Recording, what string) string {
	t.Helper()
	for _, f := range r.describe().Facts {
		if f[0] == what {
			return f[1]
		}
	}
	t.Fatalf("nothing is said of %s", what)
	return ""
}

// losFile is the file in testdata, in which a satellite has a gap at one station,
// another a slip, and cells and rows are missing; UPDATE=1 writes it anew.
func losFile(t testing.TB) string {
	s, rows := los(t)
	odd := rows[:0:0]
	for _, r := range rows {
		minute := r.second/60 - 720
		if r.satellite == rows[0].satellite && r.station == 2 && minute > 20 && minute < 32 {
			continue
		}
		if r.satellite == rows[1].satellite && r.station == 4 && minute >= 40 {
			r.tec += 7.3
		}
		odd = append(odd, r)
	}
	text := losText(s, odd)
	lines := strings.SplitAfter(text, "\n")
	cells := strings.Split(lines[100], ",")
	cells[7] = "nan"
	lines[100] = strings.Join(cells, ",")
	return strings.Join(lines, "")
}

func TestTheFileOfLineOfSightTECIsWhatTheSimulatorSees(t *testing.T) {
	const name = "testdata/los.csv.gz"
	want := losFile(t)
	if os.Getenv("UPDATE") != "" {
		var packed bytes.Buffer
		w := must(gzip.NewWriterLevel(&packed, gzip.BestCompression))
		_, err := io.WriteString(w, want)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		require.NoError(t, os.WriteFile(name, packed.Bytes(), 0o644))
	}
	f := must(os.Open(name))
	defer f.Close()
	packed := must(gzip.NewReader(f))
	text := must(io.ReadAll(packed))
	require.True(t, want == string(text), "the simulator sees something else now: UPDATE=1 writes the file anew")

	r := recording(t, want)
	assert.Empty(t, r.Bad)
	assert.Equal(t, "1, jumps beyond 1 TECU, in 1 of "+strconv.Itoa(r.arcs.links)+" pairs of a station and a satellite", fact(t, r, "slips"))
	assert.Equal(t, r.arcs.links+2-r.arcs.shortCount, r.arcs.count, "a gap and a slip make two arcs of one")
	assert.Contains(t, fact(t, r, "arcs"), " of 10 minutes or more, without a gap above 5 minutes")
	assert.Equal(t, []string{"s01a", "s02a", "s03a", "s04a", "s05a", "s06a", "s07a"}, r.stations)
	assert.Equal(t, "G", r.satellites[0][:1])
	got := must(r.Source(RecordingOptions{Edge: 90}))
	net := got.Network()
	require.Len(t, net.Stations, 7)
	assert.Equal(t, 0, net.Test, "in the middle")
	simulator := newSimulator(t, usual())
	for i, station := range net.Stations {
		assert.InDelta(t, simulator.network.Stations[i].Lat, station.Lat, 1e-5)
		assert.InDelta(t, simulator.network.Stations[i].Lon, station.Lon, 1e-5)
	}
	assert.Contains(t, strings.Join(got.Notices, "\n"), "what is predicted is the change of the TEC")
	assert.Equal(t, "2011-06-06", got.Days()[0].Name)
}

// The change since the reference is that of the true TEC, whatever the biases:
// within noise of .02 TECU at both ends, six of its standard deviations.
func TestWhatIsPredictedIsTheChangeOfTheTECWhateverTheBias(t *testing.T) {
	s, rows := los(t)
	truth := map[[3]int]losRow{}
	for _, r := range rows {
		truth[[3]int{r.station, r.satellite, r.second / 60}] = r
	}
	compared := 0
	for _, vertical := range []bool{false, true} {
		text := losText(s, rows)
		if vertical {
			text = without(text, "los_tec")
		}
		got := must(recording(t, text).Source(RecordingOptions{Edge: 90}))
		_, err := got.Snapshot(0, 720)
		require.Error(t, err, "nothing has changed yet")
		minutes := got.Days()[0].Minutes
		require.Equal(t, []int{721, 780}, []int{minutes[0], minutes[len(minutes)-1]})
		for _, minute := range minutes {
			shot := snapshot(t, got, 0, minute)
			for j, p := range shot.Points {
				satellite, _ := strconv.Atoi(shot.Satellites[j/7][1:])
				first := 0
				for m := 720; first == 0; m++ {
					seen := true
					for k := range 7 {
						r, up := truth[[3]int{k, satellite - 1, m}]
						seen = seen && up && r.elevation >= 15
					}
					if seen {
						first = m
					}
				}
				now, then := truth[[3]int{j % 7, satellite - 1, minute}], truth[[3]int{j % 7, satellite - 1, first}]
				want := (now.tec - then.tec) * math.Cos(p.Zenith) * metresPerTECU
				require.InDelta(t, want, p.Delay, 2e-4*metresPerTECU, "digits of the file")
				assert.InDelta(t, groundAngle(now.elevation*radian, shell), p.Zenith, 1e-6)
				compared++
			}
		}
	}
	assert.Greater(t, compared, 4000)
}

func TestTheFormOfLineOfSightTECDoesNotMatter(t *testing.T) {
	s, rows := los(t)
	text := losText(s, rows)
	want := must(recording(t, text).Source(RecordingOptions{Edge: 90}))
	head, body, _ := strings.Cut(text, "\n")
	shuffled := strings.Split(strings.TrimSpace(body), "\n")
	rng := rand.New(rand.NewPCG(3, 4))
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	whole := losColumns(text, func(f []string) []string {
		if f[0] == "ut1_unix" {
			return append([]string{"datetime", "YEAR", "MONTH", "DAY", "HOUR", "MIN", "SEC", "RECNO", "KINDAT", "KINST", "UT2_UNIX"}, f...)
		}
		return append([]string{"2011-06-06 12:00:00", "2011", "6", "6", "12", "0", "0", "7", "3505", "8000", f[0]}, f...)
	})
	for name, form := range map[string]string{
		"rows in any order":    head + "\n" + strings.Join(shuffled, "\n"),
		"columns in any order": losColumns(text, func(f []string) []string { slices.Reverse(f); return f }),
		"all of the export":    whole,
		"capitals":             strings.ToUpper(head) + "\n" + body,
		"blanks":               " " + strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), ",", "     ") + "   ",
		"blanks and CRLF":      strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), ",", "  "), "\n", " \r\n"),
		"quotes":               losColumns(text, func(f []string) []string { f[2] = `"` + f[2] + `"`; return f }),
		"a comment":            "# from Madrigal\n" + text,
		"the columns asked of": without(text, "pierce_alt", "dlos_tec", "tec", "rec_bias", "gnss_type"),
		"no receivers":         without(text, "gdlatr", "gdlonr"),
	} {
		t.Run(name, func(t *testing.T) {
			r := recording(t, form)
			assert.Empty(t, r.Bad)
			got := must(r.Source(RecordingOptions{Edge: 90}))
			unsorted := slices.ContainsFunc(r.Notices, func(s string) bool { return strings.Contains(s, "they were sorted") })
			assert.Equal(t, name == "rows in any order", unsorted)
			if name != "the columns asked of" { // its pierce points are taken for 350 km high
				same(t, want, got, 0)
			} else {
				assert.Equal(t, want.recording.satellites[0][1:], r.satellites[0], "of a system that nobody tells")
				assert.InDelta(t, groundAngle(r.points[0].elevation, 350e3), r.points[0].zenith, 1e-15)
			}
		})
	}
}

func TestSatellitesHaveTheLetterOfTheirSystem(t *testing.T) {
	s, rows := los(t)
	text := losText(s, rows)
	for system, letter := range map[string]string{"GLONASS ": "R", "BEIDOU  ": "C", "GALILEO ": "E", "GPS     ": "G"} {
		for _, satellite := range recording(t, strings.ReplaceAll(text, "GPS     ", system)).satellites {
			assert.Equal(t, letter, satellite[:1])
		}
	}
}

func TestASlipAndAGapEndAnArc(t *testing.T) {
	s, rows := los(t)
	plain := recording(t, losText(s, rows))
	assert.Zero(t, plain.arcs.slips, "nature does not slip")
	for name, c := range map[string]struct {
		from, to    int     // minutes of the first satellite at the first station
		tec         float64 // is added there, or the rows are left out where it is 0
		arcs, slips int
	}{
		"a slip of two TECU":                        {30, 99, -2, 1, 1},
		"one wild epoch":                            {30, 31, 50, 1, 2},
		"a wild first epoch, which belongs to none": {0, 1, 50, 0, 0},
		"a gap of eight minutes":                    {31, 38, 0, 1, 0},
		"a gap of four minutes":                     {31, 34, 0, 0, 0},
		"a short arc, which is left out":            {55, 99, 9, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var edited []losRow
			for _, r := range rows {
				minute := r.second/60 - 720
				if r.station == rows[0].station && r.satellite == rows[0].satellite && c.from <= minute && minute < c.to {
					if r.tec += c.tec; c.tec == 0 {
						continue
					}
				}
				edited = append(edited, r)
			}
			r := recording(t, losText(s, edited))
			assert.Equal(t, plain.arcs.count+c.arcs, r.arcs.count)
			assert.Equal(t, c.slips, r.arcs.slips)
			source := must(r.Source(RecordingOptions{Edge: 90}))
			for _, minute := range source.Days()[0].Minutes {
				for _, p := range snapshot(t, source, 0, minute).Points {
					require.Less(t, math.Abs(p.Delay), 15*metresPerTECU, "no change has a slip in it")
				}
			}
		})
	}
}

// jumpOf is the slow and obvious form of link.jump.
func jumpOf(time, tec []float64, i int) float64 {
	steps := len(time) - 1
	var near []int
	rates := map[int]float64{}
	from := min(max(i-2, 0), max(steps-5, 0))
	for k := from; k < min(from+5, steps); k++ {
		if k != i {
			near = append(near, k)
			rates[k] = (tec[k+1] - tec[k]) / (time[k+1] - time[k])
		}
	}
	if len(near) < 2 {
		return 0
	}
	var off []float64
	for a := range near {
		for b := range a {
			at := func(k int) float64 { return (time[k] + time[k+1]) / 2 }
			p, q := near[a], near[b]
			share := (at(i) - at(p)) / (at(q) - at(p))
			off = append(off, (tec[i+1]-tec[i])/(time[i+1]-time[i])-(1-share)*rates[p]-share*rates[q])
		}
	}
	slices.Sort(off)
	lower, upper := off[(len(off)-1)/2], off[len(off)/2]
	if math.Abs(upper) < math.Abs(lower) {
		lower = upper
	}
	return lower * (time[i+1] - time[i])
}

func TestEpochsThatAreFarApartAreNoSlips(t *testing.T) {
	s := newSimulator(t, usual())
	for step, most := range map[int]int{30: 0, 120: 0, 300: 5} {
		r := recording(t, losText(s, losRows(s, 3, 0, 300, step)))
		assert.LessOrEqual(t, r.arcs.slips, most, "every %d s", step)
		assert.Greater(t, r.arcs.count, 20)
	}
}

func TestAStepIsComparedWithThoseAroundIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	for n := 2; n < 12; n++ {
		l := link{}
		now := 0.
		for range n {
			now += 30 * float64(1+rng.IntN(3))
			l.time, l.tec = append(l.time, now), append(l.tec, 10*rng.NormFloat64())
		}
		for i := range n - 1 {
			assert.InDelta(t, jumpOf(l.time, l.tec, i), l.jump(i, 0, n), 1e-10)
		}
	}
}

func TestLineOfSightTECThatIsOfNoUseIsRefusedWithWhatWouldDo(t *testing.T) {
	s, rows := los(t)
	text := losText(s, rows)
	keep := func(keep func(r losRow) bool) string {
		return losText(s, slices.DeleteFunc(slices.Clone(rows), func(r losRow) bool { return !keep(r) }))
	}
	slipping := slices.DeleteFunc(slices.Clone(rows), func(r losRow) bool { return r.second > 730*60 }) // ten minutes
	for i, r := range slipping {
		slipping[i].tec += 40 * float64((r.second/60+r.station+r.satellite)/6) // every sixth minute
	}
	for name, c := range map[string]struct{ text, want string }{
		"one station":              {keep(func(r losRow) bool { return r.station == 0 }), "a.csv:1:1: stations in the file: 1 (s01a), expected at least 3: two joined ones for training and one for testing. Open a file with more stations"},
		"no arc long enough":       {keep(func(r losRow) bool { return r.second < 728*60 }), "a.csv:1:1: the longest arc without a gap above 5 minutes lasts 7.0 minutes (G"},
		"slips in all":             {losText(s, slipping), "a.csv:1:1: slips, jumps beyond "},
		"no gdlat":                 {without(text, "gdlat"), "a.csv:1:1: Madrigal's line-of-sight TEC has the columns ut1_unix, gps_site, sat_id, los_tec, azm, elm, gdlat and glon, and this table has no gdlat; have it written with that column, too"},
		"no TEC":                   {without(text, "los_tec", "tec"), "this table has no los_tec; "},
		"no times":                 {without(text, "ut1_unix"), "this table has no ut1_unix; "},
		"each epoch twice":         {text + text[len(losHeader)+1:], "rows cannot be"},
		"stations too far apart":   {losColumns(text, func(f []string) []string { return f }), "no station is within 30 km of the test station; join stations up to "},
		"receivers at one place":   {losColumns(text, func(f []string) []string { return replaced(replaced(f, 5, "30"), 6, "115") }), "a.csv: all stations are within 1 km of the test station "},
		"angles that are radians":  {losColumns(text, radians(t)), "which suggests radians, expected degrees. Multiply the angles by 180/π"},
		"nothing but missing TECs": {losColumns(text, func(f []string) []string { return replaced(f, 7, "missing") }), "a.csv:1:1: no row is complete: all "},
	} {
		t.Run(name, func(t *testing.T) {
			edge := 90.
			if name == "stations too far apart" {
				edge = 30
			}
			r, err := readRecording("a.csv", strings.NewReader(c.text))
			if err == nil {
				_, err = r.Source(RecordingOptions{Edge: edge})
			}
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
			switch err.(type) {
			case *fault.FileError, *fault.TooManyBadRowsError, *EdgeError:
			default:
				t.Errorf("%T is none of the errors that the page knows", err)
			}
		})
	}
}

func replaced(f []string, column int, cell string) []string {
	if f[0] != "ut1_unix" {
		f[column] = cell
	}
	return f
}

func radians(t *testing.T) func(f []string) []string {
	return func(f []string) []string {
		for _, column := range []int{10, 11} {
			if v, err := strconv.ParseFloat(f[column], 64); err == nil {
				f[column] = strconv.FormatFloat(v*radian, 'f', 6, 64)
			}
		}
		return f
	}
}

func TestPiercePointsThatDoNotFitTheirReceiversAreTold(t *testing.T) {
	s, rows := los(t)
	told := func(text string) string { return strings.Join(recording(t, text).Notices, "\n") }
	assert.Empty(t, told(losText(s, rows)))
	off := losColumns(losText(s, rows), func(f []string) []string {
		if f[2] == "s03a" {
			f[12] = f[5] // the receiver's place instead
			f[13] = f[6]
		}
		return f
	})
	assert.Contains(t, told(off), "at 1 of 7 stations gdlat and glon do not fit gdlatr, gdlonr, azm and elm, by up to ")
}

func TestOfTwoReceiversAtOnePlaceOneCounts(t *testing.T) {
	s, rows := los(t)
	text := losText(s, rows)
	twin := strings.ReplaceAll(text[len(losHeader)+1:], "s04a", "s04b")
	both := text + strings.Join(slices.DeleteFunc(strings.SplitAfter(twin, "\n"), func(line string) bool { return !strings.Contains(line, "s04b") }), "")
	got := must(recording(t, both).Source(RecordingOptions{Edge: 90}))
	assert.Len(t, got.Network().Stations, 7)
	assert.Contains(t, got.Notices, "stations left out, because another receiver stands within 1 km: s04b")
	got = must(recording(t, both).Source(RecordingOptions{Edge: 90, Station: "s04b"}))
	assert.Contains(t, got.Notices, "stations left out, because another receiver stands within 1 km: s04a")
}

func TestAStationWithoutAnArcCannotBeTestedOn(t *testing.T) {
	s, rows := los(t)
	rows = slices.DeleteFunc(rows, func(r losRow) bool { return r.station == 0 && r.second > 723*60 })
	r := recording(t, losText(s, rows))
	_, err := r.Source(RecordingOptions{Edge: 90, Station: "s01a"})
	require.ErrorAs(t, err, new(*fault.FileError))
	assert.Contains(t, err.Error(), "the test station s01a sees no satellite above 15° in any minute; choose another")
	got := must(r.Source(RecordingOptions{Edge: 90}))
	for _, station := range got.Network().Stations {
		assert.True(t, station.Lat > 0 && station.Lon > 0, "%v", station)
	}
}

func TestAStationThatCostsTheOthersSatellitesIsLeftOut(t *testing.T) {
	s, rows := los(t)
	rows = slices.DeleteFunc(rows, func(r losRow) bool {
		return r.station == 5 && (r.satellite == rows[0].satellite || r.satellite == rows[1].satellite)
	})
	got := must(recording(t, losText(s, rows)).Source(RecordingOptions{Edge: 90}))
	assert.Len(t, got.Network().Stations, 6)
	assert.Contains(t, strings.Join(got.Notices, "\n"), "only those count that all see: s06a")
}

func TestWhatIsSavedOfLineOfSightTECIsTheSameExperiment(t *testing.T) {
	s, rows := los(t)
	want := must(recording(t, losText(s, rows)).Source(RecordingOptions{Edge: 90}))
	got := source(t, saved(t, want, 0, 1))
	for minute := 721; minute <= 780; minute++ {
		a, b := snapshot(t, want, 0, minute), snapshot(t, got, 0, minute)
		require.Equal(t, a.Satellites, b.Satellites)
		for i := range a.Points {
			require.InDelta(t, a.Points[i].Delay, b.Points[i].Delay, 2e-8)
		}
	}
}
