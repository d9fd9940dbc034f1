package sky

import (
	"io"
	"math"
	"strings"

	"ifmlab/core/data"
	"ifmlab/core/message"
	"ifmlab/core/order"
)

// Recording is a reader's own table of pierce points. It does not change.
//
// The table is a CSV file with a header and one row for each signal,
//
//	time,sat,station,lat,lon,zenith,azimuth,elevation,vtec_tecu
//
// its columns in any order and under their usual names; others are left aside.
//
//	time       ISO 8601, in UT where there is no zone; or seconds since 1970; or of the day,
//	           which run on past 86400 into days 2, 3, … 31
//	lat, lon   of the pierce point, degrees
//	zenith     of the signal at the shell, degrees
//	azimuth    of the satellite at the station, degrees from north by east
//	elevation  of the satellite at the station, degrees; without the column it follows from zenith
//	tec        the content: tec, vtec or stec with _tecu or _m; ±999 and ±9999 are none
//
// Comments above the header may say what its name does not, which stations are
// joined, and which is tested:
//
//	# unit: TECU, vertical
//	# edges: S01-S02 S01-S03
//	# test: S01
//
// Rows may stand in any order. Of each minute counts what is recorded within half
// a second of its first row, and of that the first of each signal.
type Recording struct {
	Name     string
	Bytes    int64
	Bad      []data.RowError // rows that cannot be used, the first 1000 by line
	BadCount int
	Notices  []string // what was assumed

	stations   []string // in the order of their names
	satellites []string
	days       []recordedDay
	points     []recorded // of a minute side by side
	rows       int
	preamble   preamble
	column     string // of the TEC
	unit       string // that it is in by its name or a comment: "tecu", "metres" or ""
	mapping    string // likewise: "vertical", "slant" or ""
}

type recordedDay struct {
	name    string
	minutes []int
	starts  []int // of their points; one more than minutes
}

// recorded is a row that counts.
type recorded struct {
	lat, lon, zenith, azimuth, elevation, tec float64 // degrees made radians but for lat and lon
	satellite, station                        uint16
}

// The columns of a recording.
const (
	columnTime = iota
	columnSatellite
	columnStation
	columnLat
	columnLon
	columnZenith
	columnAzimuth
	columnTEC
	columnElevation // may be missing
	columns
)

// columnNames are what the columns may be called: small letters, and neither
// spaces nor signs.
var columnNames = [columns]string{
	"time epoch datetime timestamp utc seconds sod",
	"sat satellite prn sv svid",
	"station site receiver marker",
	"lat latitude ipplat latipp",
	"lon lng long longitude ipplon lonipp",
	"zenith zen zenithangle",
	"azimuth az azi",
	"tec tectecu tecm tecmetres tecmeters vtec vtectecu vtecm vtecmetres vtecmeters stec stectecu stecm stecmetres stecmeters",
	"elevation el elev",
}

const (
	mostNames    = 1000 // of stations, and of satellites
	fewestMap    = 3    // stations: two that are joined to learn from, one to test on
	sameInstant  = 500  // ms
	largestAngle = 75   // of zenith at the shell; at the horizon it is 70.2° for a shell at 400 km
	mostDays     = 31   // of a table whose times are seconds
	largestTEC   = 1e6  // in either unit, so that no sum of squares overflows
)

// readRecording reads a table of pierce points, once and as a stream, in any of
// the forms that [data.Read] understands.
//
// Rows that cannot be used are listed in Bad. It returns what data.Read does, a
// [*data.FileError] for a table that is none of pierce points, and a
// [*data.TooManyBadRowsError] if more than a tenth of the rows cannot be used. It
// costs O(bytes), and of memory what the table takes as numbers.
func readRecording(name string, r io.Reader) (*Recording, error) {
	p, rest, err := readPreamble(name, r)
	if err != nil {
		return nil, err
	}
	t, err := data.Read(rest, data.Options{Name: name})
	if err != nil {
		return nil, err
	}
	b := &recordingBuilder{Table: t, Recording: &Recording{
		Name: name, Bytes: p.bytes + t.Bytes - int64(p.lines), Notices: t.Notices, preamble: p, unit: p.unit, mapping: p.mapping, rows: t.Rows(),
	}}
	if p.simulated {
		b.notice(wasSimulated)
	}
	for _, step := range [...]func() error{b.findColumns, b.checkAngles, b.readRows, b.group, b.check} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.Recording, nil
}

// recordingBuilder makes a Recording of a table.
type recordingBuilder struct {
	*Recording
	*data.Table
	at         [columns]int // where the columns are, −1 for none
	fromGround bool         // zenith is that at the station
	bad        []data.RowError
	badCount   int
	missing    int // rows without a cell
	missingOn  int // the line of the first
	daily      bool

	signals []signal // the rows that can be used
}

// signal is what tells rows apart.
type signal struct {
	time               int64 // milliseconds since 1970, or since 0:00
	row                int32 // of the table
	satellite, station uint16
}

// whenever returns a number of the satellite and the station, above those that
// stand for a time as well.
func (s *signal) whenever() uint64 {
	return 1<<63 | uint64(s.satellite)<<16 | uint64(s.station)
}

func (b *recordingBuilder) fail(problem data.FileProblem, field, found, format string, args ...any) error {
	return &data.FileError{Problem: problem, File: b.Recording.Name, Line: b.preamble.lines + 1, Column: 1, Field: field, Found: shorten(found), Message: message.Sprintf(format, args...)}
}

func (b *recordingBuilder) notice(format string, args ...any) {
	b.Recording.Notices = append(b.Recording.Notices, message.Sprintf(format, args...))
}

// plain returns the letters of a name, made small, without a unit of degrees.
func plain(name string) string {
	letters := make([]byte, 0, len(name))
	for i := range len(name) {
		if c := name[i] | 0x20; c-'a' < 26 {
			letters = append(letters, c)
		}
	}
	name = string(letters)
	if cut := strings.TrimSuffix(strings.TrimSuffix(name, "degrees"), "deg"); cut != "" {
		return cut
	}
	return name
}

func (b *recordingBuilder) findColumns() error {
	names := b.Columns()
	if !b.Header {
		return b.fail(data.BadHeader, "", names[0], "the first line holds numbers, want a header such as time,sat,station,lat,lon,zenith,azimuth,vtec_tecu; write one above it")
	}
	var extra, lacking []string
	for i := range b.at {
		b.at[i] = -1
	}
	for i, name := range names {
		used := false
		for c, known := range columnNames {
			if p := plain(name); b.at[c] < 0 && p != "" && strings.Contains(" "+known+" ", " "+p+" ") {
				b.at[c], used = i, true
				break
			}
		}
		if !used {
			extra = append(extra, shorten(name))
		}
	}
	for c, known := range columnNames {
		if b.at[c] < 0 && c != columnElevation {
			first, _, _ := strings.Cut(known, " ")
			lacking = append(lacking, first)
		}
	}
	const listed = 10
	if len(lacking) > 0 {
		have := "all other columns are known"
		if n := len(extra); n > 0 {
			have = "unknown are " + list(extra, listed)
		}
		return b.fail(data.BadHeader, lacking[0], strings.Join(names, ","), "a table of pierce points has the columns time, sat, station, lat, lon, zenith, azimuth and tec, and this one has no %s (%s); add the column, or give it that name", list(lacking, listed), have)
	}
	if len(extra) > 0 {
		b.notice("not used: %s", list(extra, listed))
	}
	b.column = names[b.at[columnTEC]]
	tec := plain(b.column)
	declare := func(what *string, is, name string) error {
		if *what != "" && *what != is {
			return b.fail(data.Undeclared, b.column, b.column, "the column %s says %s and the comment above the table says %s; correct one of them", b.column, is, *what)
		}
		*what = is
		return nil
	}
	var err error
	switch {
	case tec[0] == 'v':
		err = declare(&b.mapping, "vertical", b.column)
	case tec[0] == 's':
		err = declare(&b.mapping, "slant", b.column)
	}
	if _, unit, _ := strings.Cut(tec, "tec"); unit != "" && err == nil {
		if unit == "tecu" {
			err = declare(&b.unit, "tecu", b.column)
		} else {
			err = declare(&b.unit, "metres", b.column)
		}
	}
	return err
}

// list names things in a sentence: at most so many of them.
func list(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		return strings.Join(names[:most], ", ") + message.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// checkAngles tells radians from degrees, and the zenith angle at the shell from
// that at the station.
func (b *recordingBuilder) checkAngles() error {
	widest, highest, sums, both := 0.0, 0.0, 0, 0
	for row := range b.Rows() {
		zenith := b.Number(b.at[columnZenith], row)
		if azimuth := math.Abs(b.Number(b.at[columnAzimuth], row)); azimuth > widest {
			widest = azimuth
		}
		if zenith > highest {
			highest = zenith
		}
		if b.at[columnElevation] >= 0 {
			// Within half a degree the two are told apart below 80°.
			if elevation := b.Number(b.at[columnElevation], row); elevation < 80 && zenith == zenith {
				both++
				if math.Abs(zenith+elevation-90) < .05 {
					sums++
				}
			}
		}
	}
	if b.Rows() > 1 && widest > 0 && widest <= 2*math.Pi+.001 && highest <= math.Pi/2+.001 {
		return b.fail(data.Undeclared, b.Columns()[b.at[columnAzimuth]], message.Sprintf("%.3g", widest), "no azimuth is above %.3g and no zenith angle above %.3g, as in radians, want degrees; multiply the angles by 180/π", widest, highest)
	}
	if both > 0 && 10*sums >= 9*both {
		b.fromGround = true
		b.notice("zenith is 90° less the elevation, which is that at the station; what it is at the shell was computed from it, for a shell at %g km", shell/1e3)
	}
	if b.at[columnElevation] < 0 {
		b.notice("there is no column elevation; it was computed from the zenith angle, for a shell at %g km", shell/1e3)
	}
	return nil
}

// want says what the cells of a column are to be, with their range in degrees.
func (b *recordingBuilder) want(column int) (text string, least, most float64) {
	switch column {
	case columnLat:
		return "degrees from -90 to 90", -90, 90
	case columnLon:
		return "degrees from -180 to 360", -180, 360
	case columnAzimuth:
		return "degrees from 0 to 360", -180, 360
	case columnElevation:
		return "degrees from -90 to 90", -90, 90
	case columnZenith:
		if b.fromGround {
			return "degrees from 0 to 180", 0, 180
		}
		return "degrees of the zenith angle at the shell, from 0 to 75", 0, largestAngle
	}
	return "a finite number of at most a million", -largestTEC, largestTEC
}

// readRows looks at every row, and keeps of those that can be used what tells
// them apart.
func (b *recordingBuilder) readRows() error {
	b.bad, b.badCount = b.Table.Bad, b.Table.BadCount
	inTime, err := b.scale()
	if err != nil {
		return err
	}
	satellites, stations := map[string]uint16{}, map[string]uint16{}
	lastText, lastTime, lastOK, zoneless := "", int64(0), false, false
	b.signals = make([]signal, 0, b.Rows())
rows:
	for row := range b.Rows() {
		for c := columnLat; c < columns; c++ {
			if b.at[c] < 0 {
				continue
			}
			v := b.Number(b.at[c], row)
			if v != v && b.IsMissing(b.at[c], row) || c == columnTEC && (math.Abs(v) == 999 || math.Abs(v) == noValue) {
				b.lacks(row)
				continue rows
			}
			if text, least, most := b.want(c); !(v >= least && v <= most) {
				b.refuseCell(c, row, text)
				continue rows
			}
		}
		var t int64
		if v := b.Number(b.at[columnTime], row); v == v {
			if !(v >= inTime.least && v < inTime.most) {
				b.refuseCell(columnTime, row, inTime.want)
				continue
			}
			t = int64(math.Round(1000 * v))
			if b.daily {
				t = min(t, 1000*secondsPerDay*(1+int64(v/secondsPerDay))-1) // rounding changes no day
			}
		} else {
			text := b.Text(b.at[columnTime], row)
			if text == "" {
				b.lacks(row)
				continue
			}
			if text != lastText {
				lastText = text
				lastTime, lastOK = parseMoment(text)
				zoneless = zoneless || lastOK && !strings.ContainsAny(text[10:], "Zz+-")
			}
			if !lastOK || b.daily || lastTime < 0 {
				b.refuseCell(columnTime, row, "a time such as "+inTime.example)
				continue
			}
			t = lastTime
		}
		satellite, one := b.name(satellites, columnSatellite, row)
		station, two := b.name(stations, columnStation, row)
		if !one || !two {
			if len(satellites) >= mostNames || len(stations) >= mostNames {
				return b.fail(data.TooLarge, "", "", "there are more than %d satellites or stations; see whether these columns hold their names (%s and %s)", mostNames, b.Columns()[b.at[columnSatellite]], b.Columns()[b.at[columnStation]])
			}
			b.lacks(row)
			continue
		}
		b.signals = append(b.signals, signal{t, int32(row), satellite, station})
	}
	var place []uint16
	b.satellites, place = sorted(satellites)
	for i := range b.signals {
		b.signals[i].satellite = place[b.signals[i].satellite]
	}
	b.stations, place = sorted(stations)
	for i := range b.signals {
		b.signals[i].station = place[b.signals[i].station]
	}
	if b.missing > 0 {
		b.notice("rows left out for an empty cell, or a TEC of ±999 or ±9999: %d, the first on line %d", b.missing, b.missingOn)
	}
	if zoneless {
		b.notice("times have no zone and are taken as UT")
	}
	return nil
}

// refuseCell lists a row of which a cell is not what is wanted.
func (b *recordingBuilder) refuseCell(column, row int, want string) {
	e := b.Refuse(b.at[column], row, want)
	b.refuse(&e)
}

// refuse lists a row that cannot be used.
func (b *recordingBuilder) refuse(e *data.RowError) {
	const listed = 1000
	if b.badCount++; len(b.bad) < 2*listed { // those that could not be read are among them
		b.bad = append(b.bad, *e)
	}
}

func (b *recordingBuilder) lacks(row int) {
	if b.missing++; b.missing == 1 {
		b.missingOn = b.Line(row)
	}
}

// name returns the number of a name, which is new or known; ok is false for none,
// and where there are too many.
func (b *recordingBuilder) name(known map[string]uint16, column, row int) (n uint16, ok bool) {
	text := b.Text(b.at[column], row)
	if n, ok = known[text]; ok {
		return n, true
	}
	if text == "" || len(known) >= mostNames {
		return 0, false
	}
	n = uint16(len(known))
	known[text] = n
	return n, true
}

// sorted returns the names in their order, and the place there of each by its
// number.
func sorted(known map[string]uint16) (names []string, place []uint16) {
	byNumber := make([]string, len(known))
	for name, n := range known {
		byNumber[n] = name
	}
	names, place = make([]string, len(known)), make([]uint16, len(known))
	for i, n := range order.Of(len(known), func(i, j int) int { return strings.Compare(byNumber[i], byNumber[j]) }) {
		names[i], place[n] = byNumber[n], uint16(i)
	}
	return names, place
}

// numericTime says what numbers in the column of times are.
type numericTime struct {
	least, most float64
	want        string
	example     string
}

// scale tells what numbers the column of times holds, by the first.
func (b *recordingBuilder) scale() (numericTime, error) {
	const example = "2010-12-04T22:05:00Z"
	for row := range b.Rows() {
		v := b.Number(b.at[columnTime], row)
		if v != v && b.Text(b.at[columnTime], row) != "" {
			return numericTime{1, 0, "a time such as " + example + ", as in the rows before", example}, nil
		}
		switch {
		case v != v:
		case v >= 0 && v < secondsPerDay:
			b.daily = true
			return numericTime{0, mostDays * secondsPerDay, message.Sprintf("seconds since the beginning of the first day, below %d (%d days), as in the rows before", mostDays*secondsPerDay, mostDays), "79500 (seconds of the day, as in the rows before)"}, nil
		case v >= 1e8 && v < 1e10:
			return numericTime{1e8, 1e10, "seconds since 1970, as in the rows before", example}, nil
		default:
			advice := "write it so"
			if v >= 1e10 {
				advice = "divide it by 1000 if it is in milliseconds"
			}
			e := b.Refuse(b.at[columnTime], row, "")
			return numericTime{}, &data.FileError{Problem: data.Undeclared, File: e.File, Line: e.Line, Column: e.Column, Field: e.Field, Found: e.Found,
				Message: message.Sprintf("the first time is %s, want a time such as %s, seconds since 1970, or seconds of the day below 86400; %s", e.Found, example, advice)}
		}
	}
	return numericTime{}, nil
}

// group puts together what belongs to a minute and keeps of it what counts.
func (b *recordingBuilder) group() error {
	const minute = 60000 // ms
	number := map[int64]int{}
	var minutes []int64
	var counts []int
	of := make([]int32, len(b.signals)) // the minute of each
	last, at := int64(-1), 0
	for i := range b.signals {
		if m := b.signals[i].time / minute; m != last {
			known := false
			if at, known = number[m]; !known {
				at = len(minutes)
				number[m] = at
				minutes, counts = append(minutes, m), append(counts, 0)
			}
			last = m
		}
		of[i] = int32(at)
		counts[at]++
	}
	starts := make([]int, len(minutes)+1)
	for m, n := range counts {
		starts[m+1] = starts[m] + n
	}
	members, next := make([]int32, len(of)), append([]int(nil), starts...)
	for i, m := range of {
		members[next[m]] = int32(i)
		next[m]++
	}
	seen := map[uint64]int32{}
	for _, m := range order.Of(len(minutes), func(i, j int) int { return int(minutes[i] - minutes[j]) }) {
		rows := members[starts[m]:starts[m+1]]
		first := b.signals[rows[0]].time
		for _, i := range rows {
			first = min(first, b.signals[i].time)
		}
		day, of := int(minutes[m]/1440), int(minutes[m]%1440)
		name := message.Sprintf("day %d", day+1)
		if !b.daily {
			name = dateName(day)
		}
		n := len(b.days)
		if n == 0 || b.days[n-1].name != name {
			b.days = append(b.days, recordedDay{name: name, starts: []int{len(b.points)}})
			n++
		}
		clear(seen)
		for _, i := range rows {
			s := &b.signals[i]
			key := uint64(s.time%minute)<<32 | uint64(s.satellite)<<16 | uint64(s.station)
			if before, twice := seen[key]; twice {
				b.repeated(&b.signals[before], s)
				continue
			}
			seen[key] = i
			if before, some := seen[s.whenever()]; !some || s.time < b.signals[before].time {
				seen[s.whenever()] = i
			}
		}
		for _, i := range rows {
			if s := &b.signals[i]; s.time < first+sameInstant && seen[s.whenever()] == i {
				b.keep(s)
			}
		}
		d := &b.days[n-1]
		d.minutes, d.starts = append(d.minutes, of), append(d.starts, len(b.points))
	}
	if n := len(b.days); b.daily && n > 0 {
		if b.days[n-1].name == "day 1" {
			b.notice("times are taken as seconds of one day")
		} else {
			b.notice("times are taken as seconds since the beginning of day 1, the last on %s", b.days[n-1].name)
		}
	}
	return nil
}

// keep appends a row to the points.
func (b *recordingBuilder) keep(s *signal) {
	var v [columns]float64
	for c := columnLat; c < columns; c++ {
		if b.at[c] >= 0 {
			v[c] = b.Number(b.at[c], int(s.row))
		}
	}
	p := recorded{
		lat: v[columnLat], lon: v[columnLon], zenith: v[columnZenith] * radian, azimuth: v[columnAzimuth] * radian,
		elevation: v[columnElevation] * radian, tec: v[columnTEC], satellite: s.satellite, station: s.station,
	}
	if b.fromGround {
		p.zenith = math.Asin(earth / (earth + shell) * math.Sin(p.zenith))
	}
	if p.azimuth < 0 {
		p.azimuth += 2 * math.Pi
	}
	if p.azimuth >= 2*math.Pi {
		p.azimuth = 0
	}
	if b.at[columnElevation] < 0 {
		p.elevation = math.Acos(min(1, (earth+shell)/earth*math.Sin(p.zenith)))
	}
	b.points = append(b.points, p)
}

// repeated lists the later of two rows of the same signal and time.
func (b *recordingBuilder) repeated(one, two *signal) {
	before, line := b.Line(int(one.row)), b.Line(int(two.row))
	satellite, station := b.satellites[one.satellite], b.stations[one.station]
	b.refuse(&data.RowError{Problem: data.Repeated, File: b.Recording.Name, Line: line, Field: b.Columns()[b.at[columnSatellite]], Found: shorten(satellite),
		Message: message.Sprintf("%s at %s stands on line %d already for the same time, want it once; delete line %d or line %d", shorten(satellite), shorten(station), before, before, line)})
}

// check says whether what was read is of use.
func (b *recordingBuilder) check() error {
	const listed = 1000
	order.Sort(b.bad, func(i, j data.RowError) int { return i.Line - j.Line })
	b.Recording.Bad, b.Recording.BadCount = b.bad[:min(len(b.bad), listed)], b.badCount
	if rows := b.Rows() + b.Table.BadCount; 10*b.badCount > rows {
		return &data.TooManyBadRowsError{File: b.Recording.Name, Bad: b.Recording.Bad, Count: b.badCount, Rows: rows}
	}
	field := func(column int) string { return b.Columns()[b.at[column]] }
	switch n, m := len(b.stations), len(b.satellites); {
	case len(b.points) == 0:
		return b.fail(data.HeaderOnly, "", "", "no row is complete: all %d have an empty cell or no TEC; fill in the cells", b.missing)
	case n < fewestMap:
		return b.fail(data.Damaged, field(columnStation), message.Sprintf("%d", n), "stations in the file: %d (%s), want at least %d: two that are joined to learn from and one to test on; open a file of more stations", n, list(b.stations, fewestMap), fewestMap)
	case m < FewestSatellites:
		return b.fail(data.Damaged, field(columnSatellite), message.Sprintf("%d", m), "satellites in the file: %d (%s), want at least %d; open a file of more satellites", m, list(b.satellites, FewestSatellites), FewestSatellites)
	}
	windows := 0
	for _, d := range b.days {
		windows += len(d.minutes)
	}
	if windows == 1 {
		b.notice("all rows are of one minute, so there is one window")
	}
	return nil
}

// describe says what the file holds.
func (r *Recording) describe() Description {
	d := Description{Name: r.Name, Bytes: r.Bytes, Bad: r.Bad, BadCount: r.BadCount, Notices: r.Notices}
	minutes := 0
	for _, day := range r.days {
		d.Days = append(d.Days, day.name)
		minutes += len(day.minutes)
	}
	edges := "by distance"
	if n := len(r.preamble.edges); n > 0 {
		edges = message.Sprintf("%d, listed in the file", n)
	}
	said := func(s string) string {
		switch s {
		case "":
			return "not said"
		case "tecu":
			return "TECU"
		}
		return s
	}
	d.Facts = [][2]string{
		{"rows", message.Sprintf("%d", r.rows)},
		{"minutes", message.Sprintf("%d", minutes)},
		{"stations", message.Sprintf("%d: %s", len(r.stations), list(r.stations, 20))},
		{"satellites", message.Sprintf("%d: %s", len(r.satellites), list(r.satellites, 40))},
		{"unit", said(r.unit)},
		{"direction", said(r.mapping)},
		{"edges", edges},
	}
	return d
}
