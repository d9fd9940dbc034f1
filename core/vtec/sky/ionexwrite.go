package sky

import (
	"io"
	"math"
	"strconv"

	"ifmlab/core/cell"
	"ifmlab/core/message"
)

// Grid has the places and times of the maps of [WriteIONEX]. Degrees are multiples of a
// tenth, as in the format.
type Grid struct {
	South, North, West, East float64
	DLat, DLon               float64 // > 0
	Minutes                  int     // between maps
}

// GridAround returns a fine grid over the net's pierce points: 14° to either side of the test
// station, every half degree, every quarter of an hour.
func GridAround(net Network) Grid {
	s := net.Stations[net.Test]
	lat, lon := math.Round(s.Lat), math.Round(s.Lon)
	wide := math.Ceil(14 / math.Cos(lat*math.Pi/180))
	g := Grid{max(lat-14, -87.5), min(lat+14, 87.5), lon - wide, lon + wide, .5, .5, 15}
	if g.West < -180 {
		g.West, g.East = g.West+360, g.East+360
	}
	return g
}

// check returns an error for a grid that the format cannot hold.
func (g Grid) check() error {
	for _, a := range [...][3]float64{{g.South, g.North, g.DLat}, {g.West, g.East, g.DLon}} {
		n := (a[1] - a[0]) / a[2]
		tenths := a[0]*10 + a[2]*10
		if !(n >= 1 && n < mostAxis) || math.Abs(n-math.Round(n)) > 1e-6 || math.Abs(tenths-math.Round(tenths)) > 1e-6 || math.Abs(a[2]*10-math.Round(a[2]*10)) > 1e-6 {
			return &GridError{message.Sprintf("the grid runs from %g to %g by %g degrees, expected tenths of degrees and a step that divides the range. Choose other values", a[0], a[1], a[2])}
		}
	}
	if g.Minutes < 1 || 1440%g.Minutes != 0 {
		return &GridError{message.Sprintf("the maps are %d minutes apart, expected a number that divides a day. Choose another", g.Minutes)}
	}
	return nil
}

// GridError says why maps cannot be written on a grid.
type GridError struct{ Message string }

func (e *GridError) Error() string { return "vtec: " + e.Message }

func (*GridError) Kind() string { return "GridError" }

// WriteIONEX writes the TEC of a day of s, from 0:00 to 24:00, as an IONEX 1.0
// file. [Read] returns it to half a unit of the last place: hundredths of TECU if all values
// are below 99.98, tenths if below 999.8, else whole ones. Unknown values are written as
// 9999. A day whose name is no date is written as one of January 2000, with a comment.
// Another comment gives the settings of a simulated sky, unless "".
//
// It returns a [*GridError], also if no value is known, and the error of w. It costs a call
// of s.TEC for each map.
func WriteIONEX(w io.Writer, s Source, day int, g Grid, settings string) error {
	if err := g.check(); err != nil {
		return err
	}
	rows, cols := int(math.Round((g.North-g.South)/g.DLat))+1, int(math.Round((g.East-g.West)/g.DLon))+1
	lats, lons := make([]float64, rows), make([]float64, cols)
	for i := range lats {
		lats[i] = g.North - float64(i)*g.DLat
	}
	for j := range lons {
		lons[j] = g.West + float64(j)*g.DLon
	}
	maps := 1440/g.Minutes + 1
	values := make([]float64, 0, maps*rows*cols)
	largest, known := 0.0, 0
	for k := range maps {
		values = append(values, s.TEC(day, float64(60*g.Minutes*k), lats, lons)...)
	}
	for _, v := range values {
		if v-v == 0 {
			known++
			largest = max(largest, math.Abs(v))
		}
	}
	if known == 0 {
		return &GridError{"nothing is known of the TEC on the grid, as of that between pierce points; save the pierce points instead"}
	}
	exponent := 0
	for exponent > -2 && largest*math.Pow10(1-exponent) < noValue-1 {
		exponent--
	}
	name := s.Days()[day].Name
	number, dated := parseDate(name)
	if !dated {
		number, _ = cell.Day(2000, 1, 1)
		number += day
	}
	p := &ionexWriter{w: w}
	p.text(labelVersion, "     1.0            IONOSPHERE MAPS     MIX")
	p.text("PGM / RUN BY / DATE", "iFM Lab")
	p.text("DESCRIPTION", "TEC of "+name+", as the ionosphere experiment knows it")
	if settings != "" {
		p.text("COMMENT", simulatedBy+":")
		for rest := settings; rest != ""; rest = rest[min(58, len(rest)):] {
			p.text("COMMENT", "  "+rest[:min(58, len(rest))])
		}
	}
	if !dated {
		p.text("COMMENT", "The day has no date: "+dateName(number)+" stands for it")
	}
	p.epoch("EPOCH OF FIRST MAP", number, 0)
	p.epoch("EPOCH OF LAST MAP", number, 1440)
	p.record("INTERVAL", 0, 6, 0, float64(60*g.Minutes))
	p.record(labelCount, 0, 6, 0, float64(maps))
	p.text("MAPPING FUNCTION", "  COSZ")
	p.record("ELEVATION CUTOFF", 0, 8, 1, 0)
	p.text("OBSERVABLES USED", "")
	p.record(labelRadius, 0, 8, 1, earth/1e3)
	p.record(labelDimension, 0, 6, 0, 2)
	p.record(labelHeights, 2, 6, 1, shell/1e3, shell/1e3, 0)
	p.record(labelLatitudes, 2, 6, 1, g.North, g.South, -g.DLat)
	p.record(labelLongs, 2, 6, 1, g.West, g.East, g.DLon)
	p.record(labelExponent, 0, 6, 0, float64(exponent))
	p.text("COMMENT", message.Sprintf("TEC in TECU / %g; 9999: no value", math.Pow10(-exponent)))
	p.text(labelHeader, "")
	for k := range maps {
		p.record("START OF TEC MAP", 0, 6, 0, float64(k+1))
		p.epoch(labelEpoch, number, k*g.Minutes)
		for i := range rows {
			p.record(labelRow, 2, 6, 1, lats[i], g.West, g.East, g.DLon, shell/1e3)
			for j, v := range values[(k*rows+i)*cols:][:cols] {
				n := float64(noValue)
				if v-v == 0 {
					n = math.Round(v * math.Pow10(-exponent))
				}
				p.number(n, 5, 0)
				if j%16 == 15 || j == cols-1 {
					p.line = append(p.line, '\n')
				}
			}
		}
		p.record("END OF TEC MAP", 0, 6, 0, float64(k+1))
		p.write()
	}
	p.text(labelFile, "")
	p.write()
	return p.err
}

// ionexWriter writes records of 80 columns.
type ionexWriter struct {
	w    io.Writer
	line []byte // those that are not yet written
	err  error
}

// text writes a record of text.
//
//go:noinline
func (p *ionexWriter) text(label, text string) {
	p.line = append(p.line, text...)
	p.end(label, len(text))
}

// record writes a record of numbers, after blank columns. Each number is right-aligned in
// width columns, with some places after the point.
//
//go:noinline
func (p *ionexWriter) record(label string, blank, width, places int, numbers ...float64) {
	p.pad(blank)
	for _, v := range numbers {
		p.number(v, width, places)
	}
	p.end(label, blank+width*len(numbers))
}

// epoch writes a record of a time.
//
//go:noinline
func (p *ionexWriter) epoch(label string, day, minute int) {
	y, m, d := cell.Civil(day + minute/1440)
	minute %= 1440
	p.record(label, 0, 6, 0, float64(y), float64(m), float64(d), float64(minute/60), float64(minute%60), 0)
}

// number writes one.
//
//go:noinline
func (p *ionexWriter) number(v float64, width, places int) {
	text := strconv.FormatFloat(v+0, 'f', places, 64) // −0 is 0
	p.pad(width - len(text))
	p.line = append(p.line, text...)
}

// end ends a record of so many columns.
//
//go:noinline
func (p *ionexWriter) end(label string, columns int) {
	p.pad(60 - columns)
	p.line = append(p.line, label...)
	p.pad(20 - len(label))
	p.line = append(p.line, '\n')
}

func (p *ionexWriter) pad(n int) {
	for range n {
		p.line = append(p.line, ' ')
	}
}

// write writes the lines.
func (p *ionexWriter) write() {
	if p.err == nil {
		_, p.err = p.w.Write(p.line)
	}
	p.line = p.line[:0]
}
