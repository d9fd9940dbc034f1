package sky

import (
	"math"
	"strings"

	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/order"
)

// signal has the fields that identify a row.
type signal struct {
	time               int64 // milliseconds since 1970, or since 0:00
	row                int32 // of the table
	arc                int32
	satellite, station uint16
}

// pairKey returns a key for the satellite and the station, above the keys that include a
// time.
func (s *signal) pairKey() uint64 {
	return 1<<63 | uint64(s.satellite)<<16 | uint64(s.station)
}

// rangeOf describes the valid cells of a column, with their range in degrees.
func (b *recordingBuilder) rangeOf(column int) (text string, least, most float64) {
	switch column {
	case columnLat, columnReceiverLat:
		return "degrees from -90 to 90", -90, 90
	case columnLon, columnReceiverLon:
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

// readRows checks every row and sets the signals of those of use.
func (b *recordingBuilder) readRows() error {
	b.bad, b.badCount = b.Table.Bad, b.Table.BadCount
	inTime, err := b.timeScale()
	if err != nil {
		return err
	}
	satellites, stations := map[string]uint16{}, map[string]uint16{}
	lastText, lastTime, lastOK, zoneless := "", int64(0), false, false
	b.signals = make([]signal, 0, b.Rows)
rows:
	for row := range b.Rows {
		for c := columnLat; c < numbers; c++ {
			if b.at[c] < 0 {
				continue
			}
			v := b.Number(b.at[c], row)
			if v != v && b.IsMissing(b.at[c], row) || c == columnTEC && (math.Abs(v) == 999 || math.Abs(v) == noValue) {
				b.countMissing(row)
				continue rows
			}
			if text, least, most := b.rangeOf(c); !(v >= least && v <= most) {
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
			if b.secondsOfDay {
				t = min(t, 1000*secondsPerDay*(1+int64(v/secondsPerDay))-1) // rounding changes no day
			}
		} else {
			text := b.Text(b.at[columnTime], row)
			if text == "" {
				b.countMissing(row)
				continue
			}
			if text != lastText {
				lastText = text
				var zoned bool
				lastTime, zoned, lastOK = parseMoment(text)
				zoneless = zoneless || lastOK && !zoned
			}
			if !lastOK || b.secondsOfDay || lastTime < 0 {
				b.refuseCell(columnTime, row, "a time such as "+inTime.example)
				continue
			}
			t = lastTime
		}
		satellite, one := b.numberOf(satellites, columnSatellite, row)
		station, two := b.numberOf(stations, columnStation, row)
		if !one || !two {
			if len(satellites) >= mostNames || len(stations) >= mostNames {
				return b.fail(fault.TooLarge, "", "", "there are more than %d satellites or stations; see whether these columns hold their names (%s and %s)", mostNames, b.Names()[b.at[columnSatellite]], b.Names()[b.at[columnStation]])
			}
			b.countMissing(row)
			continue
		}
		b.signals = append(b.signals, signal{time: t, row: int32(row), satellite: satellite, station: station})
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
		b.notice("rows left out for an empty cell, or a TEC of ±999 or ±9999: %d, the first on line %d", b.missing, b.missingLine)
	}
	if zoneless {
		b.notice("times have no zone and are taken as UT")
	}
	return nil
}

// refuseCell lists a row with an invalid cell.
func (b *recordingBuilder) refuseCell(column, row int, want string) {
	e := b.CellError(b.at[column], row, want)
	b.refuse(&e)
}

// refuse lists a row of no use.
func (b *recordingBuilder) refuse(e *fault.RowError) {
	const listed = 1000
	if b.badCount++; len(b.bad) < 2*listed { // rows that could not be read are among them
		b.bad = append(b.bad, *e)
	}
}

func (b *recordingBuilder) countMissing(row int) {
	if b.missing++; b.missing == 1 {
		b.missingLine = b.Line(row)
	}
}

// numberOf returns the number of a name, a new one if needed. ok is false for an empty name
// and if there are too many.
func (b *recordingBuilder) numberOf(known map[string]uint16, column, row int) (n uint16, ok bool) {
	text := b.Text(b.at[column], row)
	if column == columnSatellite && b.los != nil {
		text = b.satelliteText(text, row)
	}
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

// sorted returns the names in order, and the place of each number in it.
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

// numericTime is the unit of numbers in the column of times.
type numericTime struct {
	least, most float64
	want        string
	example     string
}

// timeScale returns the unit of the column of times, by its first number.
func (b *recordingBuilder) timeScale() (numericTime, error) {
	const example = "2010-12-04T22:05:00Z"
	for row := range b.Rows {
		v := b.Number(b.at[columnTime], row)
		if v != v && b.Text(b.at[columnTime], row) != "" {
			return numericTime{1, 0, "a time such as " + example + ", as in the rows before", example}, nil
		}
		switch {
		case v != v:
		case v >= 0 && v < secondsPerDay, v >= 0 && v < mostDays*secondsPerDay && b.timeSpan(v) >= 60:
			// A table may begin on a later day. Numbers that span less than a minute are days.
			b.secondsOfDay = true
			return numericTime{0, mostDays * secondsPerDay, message.Sprintf("seconds since the beginning of the first day, below %d (%d days), as in the rows before", mostDays*secondsPerDay, mostDays), "79500 (seconds of the day, as in the rows before)"}, nil
		case v >= 1e8 && v < 1e10:
			return numericTime{1e8, 1e10, "seconds since 1970, as in the rows before", example}, nil
		default:
			advice := "Use one of these"
			if v >= 1e10 {
				advice = "Divide it by 1000 if it is in milliseconds"
			}
			e := b.CellError(b.at[columnTime], row, "")
			return numericTime{}, &fault.FileError{Problem: fault.Undeclared, File: e.File, Line: e.Line, Column: e.Column, Field: e.Field, Found: e.Found,
				Message: message.Sprintf("the first time is %s, expected a time such as %s, seconds since 1970, or seconds of the day below 86400. %s", e.Found, example, advice)}
		}
	}
	return numericTime{}, nil
}

// timeSpan returns the largest difference of any time from this one.
func (b *recordingBuilder) timeSpan(time float64) (most float64) {
	for row := range b.Rows {
		if by := math.Abs(b.Number(b.at[columnTime], row) - time); by > most {
			most = by
		}
	}
	return most
}

// groupMinutes groups the signals by minute and adds the points of those that are used.
func (b *recordingBuilder) groupMinutes() error {
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
		if !b.secondsOfDay {
			name = dateName(day)
		}
		n := len(b.days)
		if n == 0 || b.days[n-1].name != name {
			b.days = append(b.days, recordingDay{name: name, starts: []int{len(b.points)}})
			n++
		}
		clear(seen)
		for _, i := range rows {
			s := &b.signals[i]
			key := uint64(s.time%minute)<<32 | uint64(s.satellite)<<16 | uint64(s.station)
			if before, twice := seen[key]; twice {
				b.refuseRepeated(&b.signals[before], s)
				continue
			}
			seen[key] = i
			if before, some := seen[s.pairKey()]; !some || s.time < b.signals[before].time {
				seen[s.pairKey()] = i
			}
		}
		for _, i := range rows {
			if s := &b.signals[i]; s.time < first+sameInstant && seen[s.pairKey()] == i {
				b.addPoint(s)
			}
		}
		d := &b.days[n-1]
		d.minutes, d.starts = append(d.minutes, of), append(d.starts, len(b.points))
	}
	if n := len(b.days); b.secondsOfDay && n > 0 {
		if b.days[n-1].name == "day 1" {
			b.notice("times are taken as seconds of one day")
		} else {
			b.notice("times are taken as seconds since the beginning of day 1, the last on %s", b.days[n-1].name)
		}
	}
	return nil
}

// addPoint appends a row to the points.
func (b *recordingBuilder) addPoint(s *signal) {
	var v [numbers]float64
	for c := columnLat; c < numbers; c++ {
		if b.at[c] >= 0 {
			v[c] = b.Number(b.at[c], int(s.row))
		}
	}
	p := measurement{
		lat: v[columnLat], lon: v[columnLon], zenith: v[columnZenith] * radian, azimuth: v[columnAzimuth] * radian,
		elevation: v[columnElevation] * radian, tec: v[columnTEC], satellite: s.satellite, station: s.station, arc: s.arc,
	}
	if b.los != nil {
		b.addGeometry(&p, &v)
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
	if b.los == nil && b.at[columnElevation] < 0 {
		p.elevation = math.Acos(min(1, (earth+shell)/earth*math.Sin(p.zenith)))
	}
	b.points = append(b.points, p)
}

// refuseRepeated lists the later of two rows of the same signal and time.
func (b *recordingBuilder) refuseRepeated(one, two *signal) {
	before, line := b.Line(int(one.row)), b.Line(int(two.row))
	satellite, station := b.satellites[one.satellite], b.stations[one.station]
	b.refuse(&fault.RowError{Problem: fault.Repeated, File: b.Recording.Name, Line: line, Field: b.Names()[b.at[columnSatellite]], Found: shorten(satellite),
		Message: message.Sprintf("%s at %s is already on line %d for the same time. Delete line %d or line %d", shorten(satellite), shorten(station), before, before, line)})
}
