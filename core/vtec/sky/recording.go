package sky

import (
	"io"
	"math"
	"strings"

	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/order"
	"ifmlab/core/read"
	"ifmlab/core/table"
)

// Recording is a reader's own table of pierce points, or of Madrigal's line-of-sight
// TEC. It does not change.
//
// The table is a CSV file with a header and one row for each signal,
//
//	time,sat,station,lat,lon,zenith,azimuth,elevation,vtec_tecu
//
// with columns in any order and under their usual names. Other columns are ignored.
//
//	time       ISO 8601, in UT without a zone; or seconds since 1970; or seconds of the first
//	           day, which run on past 86400 into days 2, 3, … 31
//	lat, lon   of the pierce point, degrees
//	zenith     of the signal at the shell, degrees
//	azimuth    of the satellite at the station, degrees from north by east
//	elevation  of the satellite at the station, degrees; without the column, from zenith
//	tec        the content: tec, vtec or stec with _tecu or _m; ±999 and ±9999 are missing
//
// Comments above the header may give the unit, the edges and the test station:
//
//	# unit: TECU, vertical
//	# edges: S01-S02 S01-S03
//	# test: S01
//
// A table of Madrigal's line-of-sight TEC needs
//
//	ut1_unix,sat_id,gps_site,gdlat,glon,azm,elm,los_tec
//
// and may have gdlatr and gdlonr, the place of the receiver, gnss_type, and pierce_alt, the
// height of pierce points, 350 km by default. Cells are separated as in other tables, or by
// blanks. "missing" is a missing number. Only changes within an arc are used: see findArcs.
//
// Rows may be in any order. Each minute is represented by the rows within half a second of
// its first, and of these by the first of each signal.
type Recording struct {
	Name     string
	Bytes    int64
	Bad      []fault.RowError // rows that cannot be used, the first 1000 by line
	BadCount int
	Notices  []string // what was assumed

	stations   []string // in order
	satellites []string
	days       []recordingDay
	points     []measurement // those of a minute in a row
	rows       int
	preamble   preamble
	column     string // of the TEC
	unit       string // by the column's name or a comment: "tecu", "metres" or ""
	mapping    string // likewise: "vertical", "slant" or ""

	// Of line-of-sight TEC:
	arcs   *arcs     // or nil
	places []Station // of the stations, by the file; or nil
}

type recordingDay struct {
	name    string
	minutes []int
	starts  []int // of their points; one more than minutes
}

// measurement is a row that is used.
type measurement struct {
	lat, lon, zenith, azimuth, elevation, tec float64 // radians, except for lat and lon
	satellite, station                        uint16
	arc                                       int32 // its arc, 0 if there are none
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
	columnReceiverLat
	columnReceiverLon
	numbers      // later columns are texts or optional numbers
	columnHeight = iota - 1
	columnSystem
	columnVertical
	columns
)

// pointNames are what the columns of a table of pierce points may be called, and
// losNames what Madrigal calls those of its line-of-sight TEC. Letters alone count, see
// [plain]. Messages use the first name.
var (
	pointNames = [columns]string{
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
	losNames = [columns]string{"ut1_unix", "sat_id", "gps_site", "gdlat", "glon", "", "azm", "los_tec", "elm", "gdlatr", "gdlonr", "pierce_alt", "gnss_type", "tec"}
)

// columnOf returns which column has such a name, −1 for none.
func columnOf(names *[columns]string, name string) int {
	p := letters(name)
	for c, known := range names {
		for _, alias := range strings.Fields(known) {
			if p != "" && p == letters(alias) && !strings.HasPrefix(name, "ut2") { // the end of an epoch
				return c
			}
		}
	}
	return -1
}

const (
	mostNames      = 1000 // of stations, and of satellites
	fewestStations = 3    // stations: two that are joined to learn from, one to test on
	sameInstant    = 500  // ms
	largestAngle   = 75   // of zenith at the shell; at the horizon it is 70.2° for a shell at 400 km
	mostDays       = 31   // of a table whose times are seconds
	largestTEC     = 1e6  // in either unit, so that no sum of squares overflows
)

// readRecording reads a table of pierce points, once and as a stream, in any of
// the forms that [read.Read] understands.
//
// Rows of no use are listed in Bad. It returns the errors of [read.Read], a
// [*fault.FileError] for another kind of table, and a [*fault.TooManyBadRowsError] if more
// than a tenth of the rows is of no use. It costs O(bytes), and memory for the table's
// numbers.
func readRecording(name string, r io.Reader) (*Recording, error) {
	p, rest, err := readPreamble(name, r)
	if err != nil {
		return nil, err
	}
	options := read.Options{Name: name, WholeDates: true}
	los := p.lineOfSight(&options)
	t, err := read.Read(rest, options)
	if err != nil {
		return nil, err
	}
	b := &recordingBuilder{Table: t, los: los, Recording: &Recording{
		Name: name, Bytes: p.bytes + t.Bytes - int64(p.lines), Notices: t.Notes.Texts(), preamble: p, unit: p.unit, mapping: p.mapping, rows: t.Rows,
	}}
	if p.simulated {
		b.notice(simulatedNotice)
	}
	steps := [...]func() error{b.findColumns, b.checkAngles, b.readRows, b.groupMinutes, b.check}
	if los != nil {
		steps = [...]func() error{b.findLineOfSight, b.checkElevations, b.readRows, b.groupArcs, b.check}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.Recording, nil
}

// recordingBuilder makes a Recording of a table.
type recordingBuilder struct {
	*Recording
	*table.Table
	at           [columns]int // the index of each column, −1 for none
	los          *lineOfSight // or nil
	fromGround   bool         // zenith is the angle at the station
	bad          []fault.RowError
	badCount     int
	missing      int // rows without a cell
	missingLine  int // the line of the first
	secondsOfDay bool

	signals []signal // the rows that can be used
}

func (b *recordingBuilder) fail(problem fault.FileProblem, field, found, format string, args ...any) error {
	return &fault.FileError{Problem: problem, File: b.Recording.Name, Line: b.preamble.lines + 1, Column: 1, Field: field, Found: shorten(found), Message: message.Sprintf(format, args...)}
}

func (b *recordingBuilder) notice(format string, args ...any) {
	b.Recording.Notices = append(b.Recording.Notices, message.Sprintf(format, args...))
}

// letters returns the letters of a name in lower case, without a unit of degrees.
func letters(name string) string {
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

// locate sets the indices of the columns with these names. It returns the names of missing
// columns, up to the column upTo, and of unknown ones.
func (b *recordingBuilder) locate(names *[columns]string, upTo int) (lacking, extra []string) {
	for i := range b.at {
		b.at[i] = -1
	}
	for i, name := range b.Names() {
		if c := columnOf(names, name); c >= 0 && b.at[c] < 0 {
			b.at[c] = i
		} else {
			extra = append(extra, shorten(name))
		}
	}
	for c, known := range names[:upTo+1] {
		if first, _, _ := strings.Cut(known, " "); first != "" && b.at[c] < 0 {
			lacking = append(lacking, first)
		}
	}
	return lacking, extra
}

func (b *recordingBuilder) findColumns() error {
	names := b.Names()
	if !b.Header {
		return b.fail(fault.BadHeader, "", names[0], "the first line contains numbers, expected a header such as time,sat,station,lat,lon,zenith,azimuth,vtec_tecu. Write one above it")
	}
	lacking, extra := b.locate(&pointNames, columnTEC)
	const listed = 10
	if len(lacking) > 0 {
		have := "all other columns are known"
		if n := len(extra); n > 0 {
			have = "unknown are " + joinNames(extra, listed)
		}
		return b.fail(fault.BadHeader, lacking[0], strings.Join(names, ","), "a table of pierce points has the columns time, sat, station, lat, lon, zenith, azimuth and tec, and this one has no %s (%s); add the column, or give it that name", joinNames(lacking, listed), have)
	}
	if len(extra) > 0 {
		b.notice("not used: %s", joinNames(extra, listed))
	}
	b.column = names[b.at[columnTEC]]
	tec := letters(b.column)
	declare := func(what *string, is, name string) error {
		if *what != "" && *what != is {
			return b.fail(fault.Undeclared, b.column, b.column, "the column %s says %s and the comment above the table says %s; correct one of them", b.column, is, *what)
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

// joinNames returns at most most of the names for a sentence.
func joinNames(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		return strings.Join(names[:most], ", ") + message.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// checkAngles tells the zenith angle at the shell from that at the station.
func (b *recordingBuilder) checkAngles() error {
	if err := b.checkRadians(columnZenith, "zenith angle", 2*math.Pi); err != nil {
		return err
	}
	if b.at[columnElevation] < 0 {
		b.notice("there is no column elevation; it was computed from the zenith angle, for a shell at %g km", shell/1e3)
		return nil
	}
	sums, both := 0, 0
	for row := range b.Rows {
		zenith, elevation := b.Number(b.at[columnZenith], row), b.Number(b.at[columnElevation], row)
		if elevation < 80 && zenith == zenith { // above, half a degree does not tell the two apart
			both++
			if math.Abs(zenith+elevation-90) < .05 {
				sums++
			}
		}
	}
	if both > 0 && 10*sums >= 9*both {
		b.fromGround = true
		b.notice("zenith is 90° less the elevation, which is that at the station; what it is at the shell was computed from it, for a shell at %g km", shell/1e3)
	}
	return nil
}

// checkRadians tells radians from degrees, by the azimuths and another angle.
func (b *recordingBuilder) checkRadians(column int, angle string, widest float64) error {
	var largest [2]float64
	for i, c := range [2]int{columnAzimuth, column} {
		for row := range b.Rows {
			if v := math.Abs(b.Number(b.at[c], row)); v > largest[i] {
				largest[i] = v
			}
		}
	}
	if b.Rows > 1 && largest[0] > 0 && largest[0] <= widest+.001 && largest[1] <= math.Pi/2+.001 {
		return b.fail(fault.Undeclared, b.Names()[b.at[columnAzimuth]], message.Sprintf("%.3g", largest[0]), "no azimuth is above %.3g and no %s above %.3g, which suggests radians, expected degrees. Multiply the angles by 180/π", largest[0], angle, largest[1])
	}
	return nil
}

// tooMany returns an error if more than a tenth of the rows is of no use.
func (b *recordingBuilder) tooMany() error {
	const listed = 1000
	order.Sort(b.bad, func(i, j fault.RowError) int { return i.Line - j.Line })
	b.Recording.Bad, b.Recording.BadCount = b.bad[:min(len(b.bad), listed)], b.badCount
	if rows := b.Rows + b.Table.BadCount; 10*b.badCount > rows {
		return &fault.TooManyBadRowsError{File: b.Recording.Name, Bad: b.Recording.Bad, Count: b.badCount, Rows: rows}
	}
	return nil
}

// check returns an error if the table is of no use.
func (b *recordingBuilder) check() error {
	if err := b.tooMany(); err != nil {
		return err
	}
	field := func(column int) string { return b.Names()[b.at[column]] }
	switch n, m := len(b.stations), len(b.satellites); {
	case len(b.points) == 0:
		return b.fail(fault.HeaderOnly, "", "", "no row is complete: all %d have an empty cell or no TEC; fill in the cells", b.missing)
	case n < fewestStations:
		return b.fail(fault.Damaged, field(columnStation), message.Sprintf("%d", n), "stations in the file: %d (%s), expected at least %d: two joined ones for training and one for testing. Open a file with more stations", n, joinNames(b.stations, fewestStations), fewestStations)
	case m < FewestSatellites:
		return b.fail(fault.Damaged, field(columnSatellite), message.Sprintf("%d", m), "satellites in the file: %d (%s), expected at least %d. Open a file with more satellites", m, joinNames(b.satellites, FewestSatellites), FewestSatellites)
	}
	if b.los != nil {
		b.compareGeometry()
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

// describe returns the description of the file.
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
		{"stations", message.Sprintf("%d: %s", len(r.stations), joinNames(r.stations, 20))},
		{"satellites", message.Sprintf("%d: %s", len(r.satellites), joinNames(r.satellites, 40))},
		{"unit", said(r.unit)},
		{"direction", said(r.mapping)},
		{"edges", edges},
	}
	if a := r.arcs; a != nil {
		short := ""
		if a.shortCount > 0 {
			short = message.Sprintf("; %d shorter ones are left out", a.shortCount)
		}
		d.Facts = append(d.Facts,
			[2]string{"arcs", message.Sprintf("%d of %d minutes or more, without a gap above %.3g minutes%s", a.count, shortestArc/60, a.gap/60, short)},
			[2]string{"slips", message.Sprintf("%d, jumps beyond %.3g TECU, in %d of %d pairs of a station and a satellite", a.slips, a.limit, a.slippingLinks, a.links)},
		)
	}
	return d
}
