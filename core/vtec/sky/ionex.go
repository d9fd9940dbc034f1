package sky

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"ifmlab/core/fault"
	"ifmlab/core/message"
)

// The labels of IONEX that a reader must know. They end their lines, from column 61 on. Other
// labels are comments.
const (
	labelVersion   = "IONEX VERSION / TYPE"
	labelCount     = "# OF MAPS IN FILE"
	labelRadius    = "BASE RADIUS"
	labelDimension = "MAP DIMENSION"
	labelHeights   = "HGT1 / HGT2 / DHGT"
	labelLatitudes = "LAT1 / LAT2 / DLAT"
	labelLongs     = "LON1 / LON2 / DLON"
	labelExponent  = "EXPONENT"
	labelAux       = "START OF AUX DATA"
	labelAuxEnd    = "END OF AUX DATA"
	labelHeader    = "END OF HEADER"
	labelEpoch     = "EPOCH OF CURRENT MAP"
	labelRow       = "LAT/LON1/LON2/DLON/H"
	labelFile      = "END OF FILE"
	labelStart     = "START OF " // and "TEC MAP", "RMS MAP" or "HEIGHT MAP"
	labelEnd       = "END OF "
)

var labels = [...]string{labelVersion, labelCount, labelRadius, labelDimension, labelHeights, labelLatitudes, labelLongs,
	labelExponent, labelAux, labelAuxEnd, labelHeader, labelEpoch, labelRow, labelFile,
	"START OF TEC MAP", "START OF RMS MAP", "START OF HEIGHT MAP", "END OF TEC MAP", "END OF RMS MAP", "END OF HEIGHT MAP"}

const (
	noValue       = 9999 // in a file, for any exponent
	usualExponent = -1
	mostTEC       = 1000    // TECU
	usualTEC      = 250     // the largest content ever observed
	leastTEC      = -5      // smoothing may make small values negative
	mostValues    = 1 << 25 // of a file: 256 MB
	mostAxis      = 1 << 14 // of a grid, along one side
)

// isIONEX reports whether a file with this beginning has maps, even if it is damaged.
func isIONEX(sample []byte) bool {
	for _, label := range [...]string{"IONEX VERSION", labelCount, "START OF TEC MAP", labelRow} {
		if bytes.Contains(sample, []byte(label)) {
			return true
		}
	}
	return false
}

// readIONEX reads two-dimensional maps of the TEC in the format IONEX 1.0, once and as a
// stream. Records of the header may be in any order. Rows and columns may run either way.
// Lines may end after their last visible character. An EXPONENT holds for all maps, or for
// the map that contains it; the default is −1. 9999 is a missing value. Maps of RMS and
// height are skipped.
//
// It returns a [*fault.FileError], with line, column and what to do, for a file of another
// kind, a file that is cut short, or one that contradicts itself. It returns a
// [*fault.ReaderError] if r fails. It costs O(bytes) and 8 bytes a value.
func readIONEX(name string, r io.Reader) (*Maps, error) {
	x := &ionex{lines: lines{Reader: buffer(r), name: name}, m: &Maps{Name: name}, exponent: usualExponent}
	if err := x.file(); err != nil {
		return nil, err
	}
	x.m.Bytes = x.bytes
	return x.m, nil
}

// ionex is a file that is being read.
type ionex struct {
	lines
	m            *Maps
	text         []byte // of the present line, before its label
	content      []byte // the present line
	ended        bool   // there are no more lines
	exponent     int
	exponentLine int // its line, 0 for none
	lat, lon     axis
	dimension    int
	declaredMaps int // the number of maps in the header
	values       int // of all maps
}

// axis is one side of the grid as the header gives it: from, to, by.
type axis struct {
	from, by float64
	n        int // 0 until read
}

func (a *axis) at(i int) float64 { return a.from + float64(i)*a.by }

// fail returns an error of the present line.
func (x *ionex) fail(column int, field, found, format string, args ...any) error {
	return &fault.FileError{Problem: fault.Damaged, File: x.name, Line: x.line, Column: column, Field: field, Found: found, Message: message.Sprintf(format, args...)}
}

// advance reads the next line and returns its label, "" if it has no known one. At the end of
// the file it returns an error with the message ended.
func (x *ionex) advance(ended string, args ...any) (label string, err error) {
	x.content, err = x.next()
	if x.ended = err == io.EOF; x.ended {
		return "", x.fail(0, labelFile, "", "the file ends here, "+ended+": it is cut short; fetch or save it again", args...)
	}
	if err != nil {
		return "", err
	}
	x.content = bytes.TrimRight(x.content, " \t\x00\x1a")
	x.text = x.content
	if n := len(x.content); n > 0 && x.content[n-1]-'A' < 26 {
		for _, l := range labels {
			if bytes.HasSuffix(x.content, []byte(l)) {
				x.text = x.content[:n-len(l)]
				return l, nil
			}
		}
	}
	return "", nil
}

func (x *ionex) file() error {
	if err := x.header(); err != nil {
		return err
	}
	for {
		after := message.Sprintf("after map %d", len(x.m.times))
		if x.declaredMaps > len(x.m.times) {
			after += message.Sprintf(" of %d", x.declaredMaps)
		}
		label, err := x.advance("%s and without END OF FILE", after)
		if x.ended && x.declaredMaps > 0 && len(x.m.times) >= x.declaredMaps { // as in files of the IGS
			x.m.Notices = append(x.m.Notices, "the file has no END OF FILE; all maps that its header speaks of are there")
			return x.finish()
		}
		if err != nil {
			return err
		}
		switch {
		case label == labelFile:
			return x.finish()
		case label == labelExponent:
			err = x.readExponent(&x.exponent, &x.exponentLine)
		case label == "START OF TEC MAP":
			err = x.tec()
		case strings.HasPrefix(label, labelStart):
			err = x.skip(label[len(labelStart):])
		case label != "":
			err = x.fail(1, label, string(x.content), "found %s between maps, expected START OF TEC MAP or END OF FILE. A line was lost or doubled: fetch the file again", label)
		case x.isNumbers():
			err = x.fail(1, "", x.quotedLine(), "found %q between maps, expected START OF TEC MAP or END OF FILE. A line was lost or doubled: fetch the file again", x.quotedLine())
		}
		if err != nil {
			return err
		}
	}
}

// isNumbers reports whether the present line consists of numbers.
func (x *ionex) isNumbers() bool {
	for _, c := range x.content {
		if c != ' ' && c != '-' && c-'0' > 9 {
			return false
		}
	}
	return len(bytes.TrimSpace(x.content)) > 0
}

// quotedLine returns the present line for a message.
func (x *ionex) quotedLine() string { return shorten(string(bytes.TrimSpace(x.content))) }

// shorten cuts a text for a message.
func shorten(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

func (x *ionex) header() error {
	if err := x.first(); err != nil {
		return err
	}
	for {
		label, err := x.advance("within the header, which END OF HEADER ends")
		if err != nil {
			return err
		}
		var v [3]float64
		switch label {
		case labelCount:
			if err = x.numbers(label, v[:1]); err == nil && (v[0] != math.Trunc(v[0]) || v[0] < 0 || v[0] > 1e6) {
				err = x.fail(1, label, x.quotedText(), "%s is %g, expected a whole number. Correct it", label, v[0])
			}
			x.declaredMaps = int(v[0])
		case labelRadius:
			err = x.numbers(label, v[:1])
			x.m.radius = v[0]
		case labelDimension:
			if err = x.numbers(label, v[:1]); err == nil && v[0] != 2 {
				err = x.fail(1, label, x.quotedText(), "MAP DIMENSION is %g, expected 2: maps of several heights cannot be read. Choose a file of vertical TEC", v[0])
			}
		case labelHeights:
			if err = x.numbers(label, v[:]); err == nil && (v[2] != 0 || v[0] != v[1]) {
				err = x.fail(1, label, x.quotedText(), "heights run from %g to %g km by %g, expected one height (DHGT 0): maps of several heights cannot be read. Choose a file of vertical TEC", v[0], v[1], v[2])
			}
			x.m.Height = v[0]
		case labelLatitudes:
			err = x.axis(&x.lat, label, -90, 90, 180)
		case labelLongs:
			err = x.axis(&x.lon, label, -360, 360, 360)
		case labelExponent:
			err = x.readExponent(&x.exponent, &x.exponentLine)
		case labelAux:
			for label != labelAuxEnd && err == nil {
				label, err = x.advance("within the auxiliary data, which END OF AUX DATA ends")
				if err == nil && (label == labelHeader || label == labelRow) {
					err = x.fail(1, label, "", "found %s before END OF AUX DATA. Add that line above it", label)
				}
			}
		case labelHeader:
			for _, a := range [...]struct {
				label string
				axis  *axis
			}{{labelLatitudes, &x.lat}, {labelLongs, &x.lon}} {
				if a.axis.n == 0 {
					return x.fail(1, a.label, "", "the header ends without %s, which describes the grid. Add the line, or fetch the file again", a.label)
				}
			}
			return x.grid()
		case labelRow, labelEpoch, labelFile:
			err = x.fail(1, label, "", "found %s before END OF HEADER. Add that line above it, or fetch the file again", label)
		default:
			if label == "" && len(x.m.Notices) == 0 && bytes.HasPrefix(x.content, []byte(simulatedBy)) {
				x.m.Notices = append(x.m.Notices, simulatedNotice)
			}
			if strings.HasPrefix(label, labelStart) {
				err = x.fail(1, label, "", "found %s before END OF HEADER. Add that line above it, or fetch the file again", label)
			}
		}
		if err != nil {
			return err
		}
	}
}

// first reads the first record of the format.
func (x *ionex) first() error {
	other := func(format string, args ...any) error {
		err := x.fail(1, labelVersion, x.quotedLine(), format, args...)
		err.(*fault.FileError).Problem = fault.OtherType
		return err
	}
	for {
		label, err := x.advance("before anything was found")
		switch {
		case err != nil:
			return err
		case label == labelVersion:
			version := strings.TrimSpace(string(x.text[:min(len(x.text), 20)]))
			v, err := strconv.ParseFloat(version, 64)
			if err != nil || v < 1 || v >= 2 {
				return other("the version of the format is %q, expected 1.0 (or another 1.x). Choose a file of that version", shorten(version))
			}
			if len(x.text) > 20 && x.text[20] != 'I' && x.text[20] != ' ' {
				return other("the type of the file is %q, expected I, for ionosphere maps. Choose another file", string(rune(x.text[20])))
			}
			return nil
		case bytes.HasSuffix(x.content, []byte("RINEX VERSION / TYPE")):
			return other("this is a RINEX file of observations or orbits, expected IONEX maps. Choose another file")
		case len(x.content) > 0:
			return other("the file begins with %q, expected a first line that ends in %q. Choose an IONEX file, or a CSV table of pierce points", x.quotedLine(), labelVersion)
		}
	}
}

// quotedText returns the present line without its label, for a message.
func (x *ionex) quotedText() string { return shorten(string(bytes.TrimSpace(x.text))) }

// numbers fills dst with numbers from the present record. A sign begins a number, so
// -87.5-180.0 is two.
func (x *ionex) numbers(label string, dst []float64) error {
	n, i := 0, 0
	text := x.text
	for i < len(text) && n < len(dst) {
		if text[i] == ' ' {
			i++
			continue
		}
		from := i
		for i++; i < len(text) && (text[i] == '.' || text[i]-'0' <= 9); i++ {
		}
		v, err := strconv.ParseFloat(string(text[from:i]), 64)
		if err != nil {
			for i < len(text) && text[i] != ' ' {
				i++
			}
			word := shorten(string(text[from:i]))
			return x.fail(from+1, label, word, "%s is %q, expected a number. Correct it, or fetch the file again", label, word)
		}
		dst[n] = v
		n++
	}
	if n < len(dst) {
		return x.fail(len(text)+1, label, x.quotedText(), "%s has %d of its %d numbers; add what is missing, or fetch the file again", label, n, len(dst))
	}
	return nil
}

// axis reads one side of the grid.
func (x *ionex) axis(a *axis, label string, least, most, width float64) error {
	var v [3]float64
	if err := x.numbers(label, v[:]); err != nil {
		return err
	}
	from, to, by := v[0], v[1], v[2]
	cells := (to - from) / by
	n := math.Round(cells)
	switch {
	case min(from, to) < least || max(from, to) > most || max(from, to)-min(from, to) > width:
		return x.fail(1, label, x.quotedText(), "the grid runs from %g to %g degrees, expected %g to %g. Correct it", from, to, least, most)
	case by == 0 || from == to:
		return x.fail(1, label, x.quotedText(), "the grid runs from %g to %g by %g, expected at least two grid lines. Correct it", from, to, by)
	case n < 0:
		return x.fail(1, label, x.quotedText(), "the grid runs from %g to %g by %g, away from its end; change the sign of the step", from, to, by)
	case math.Abs(cells-n) > 1e-3 || n < 1:
		return x.fail(1, label, x.quotedText(), "the grid runs from %g to %g by %g, which does not divide it; correct the step or the end", from, to, by)
	case n >= mostAxis:
		return x.fail(1, label, x.quotedText(), "the grid runs from %g to %g by %g, that is %g steps, expected less than %d. Choose coarser maps", from, to, by, n, mostAxis)
	}
	*a = axis{from, by, int(n) + 1}
	return nil
}

// grid sets the grid of the maps from the header.
func (x *ionex) grid() error {
	m := x.m
	m.rows, m.cols = x.lat.n, x.lon.n
	m.dlat, m.dlon = math.Abs(x.lat.by), math.Abs(x.lon.by)
	m.south, m.west = min(x.lat.from, x.lat.at(m.rows-1)), min(x.lon.from, x.lon.at(m.cols-1))
	if turn := math.Round(360 / m.dlon); math.Abs(turn*m.dlon-360) < 1e-3 && m.cols >= int(turn) {
		m.turn = int(turn)
	} else {
		m.Notices = append(m.Notices, "the maps do not go round the globe, so what lies between them in time is taken at the same place, not turned with the Sun")
	}
	if m.Height != 0 && m.Height != shell/1e3 {
		m.Notices = append(m.Notices, message.Sprintf("the maps hold for a shell at %g km and are taken as they are for ours at %g km", m.Height, shell/1e3))
	}
	if x.exponentLine == 0 {
		m.Notices = append(m.Notices, message.Sprintf("the header has no EXPONENT, so values are tenths of TECU (exponent %d)", usualExponent))
	}
	return nil
}

// readExponent reads the present record into to and notes its line.
func (x *ionex) readExponent(to, line *int) error {
	found := x.quotedText()
	v, err := strconv.Atoi(found)
	if err != nil || v < -9 || v > 9 {
		return x.fail(1, labelExponent, found, "EXPONENT is %q, expected a whole number from -9 to 9, usually -1. Correct it", found)
	}
	*to, *line = v, x.line
	return nil
}

// finish checks the file as a whole.
func (x *ionex) finish() error {
	m := x.m
	m.exponent = x.exponent
	n := len(m.times)
	switch {
	case n == 0:
		return x.fail(1, labelFile, "", "the file contains no TEC map, expected at least two. Choose another file")
	case n == 1:
		return x.fail(1, labelFile, "1 map", "the file contains one TEC map, expected at least two to interpolate between. Choose another file")
	case len(m.Days()) == 0:
		return x.fail(1, labelFile, "", "all maps are more than %d hours apart, too far to interpolate between them. Choose another file", longestGap/3600)
	case m.missing == x.values:
		return x.fail(1, labelFile, "", "all values of all maps are missing (9999); choose another file")
	}
	if x.declaredMaps > 0 && x.declaredMaps != n {
		m.Notices = append(m.Notices, message.Sprintf("the header speaks of %d maps and the file holds %d, which are used", x.declaredMaps, n))
	}
	if m.largest < 1 {
		m.Notices = append(m.Notices, message.Sprintf("no value is above %.2g TECU, which is very little: see whether the EXPONENT (%d) is right", m.largest, m.exponent))
	}
	if m.largest > usualTEC {
		m.Notices = append(m.Notices, message.Sprintf("a value is %.4g TECU, and the ionosphere has held %d: see whether the EXPONENT (%d) is right", m.largest, usualTEC, m.exponent))
	}
	for k := 1; k < n; k++ {
		if m.times[k]-m.times[k-1] > longestGap {
			m.Notices = append(m.Notices, message.Sprintf("between %s and %s there is no map: nothing is known there", instant(m.times[k-1]), instant(m.times[k])))
			break
		}
	}
	return nil
}
