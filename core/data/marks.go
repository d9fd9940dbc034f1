package data

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// evidence says how the numbers of a column, or of a table, write fractions and
// thousands: counts of cells. A mark is evidence only where it can be read in one
// way; 1.234 may be 1234.
type evidence struct {
	comma, point int // that show the mark to be decimal
	maybeComma   int // with one mark before three digits, as in 1,234
	maybePoint   int
	bare, long   int // without a mark; of these with more than three digits

	commaText, pointText           string // the first cell of each
	maybeCommaText, maybePointText string
}

// sighting is what one cell says of its marks.
type sighting int

const (
	sawNothing sighting = iota // a space or an apostrophe says nothing of fractions
	sawBare
	sawLong
	sawComma
	sawPoint
	sawMaybeComma
	sawMaybePoint
)

// sight returns what the body of an amount says. Of two marks, the last is
// decimal; a mark that stands twice is not, if three digits follow each; one mark
// is decimal unless one to three digits stand before it, the first not 0, and
// three behind. A body that cannot be read so says nothing. withPoint says whether
// it is a number with a decimal point; one that is not is a number with a comma.
// O(len(body)).
func sight(body string, withPoint bool) sighting {
	commas, points, others := 0, 0, false
	for i := range len(body) {
		switch c := body[i]; {
		case c == ',':
			commas++
		case c == '.':
			points++
		default:
			others = others || c == '\'' || c == ' ' || c >= utf8.RuneSelf // of a wider space
		}
	}
	reads := func(point byte) bool {
		if point == '.' || !withPoint {
			return (point == '.') == withPoint
		}
		a := amount{body: body}
		_, ok := a.number(point)
		return ok
	}
	proves := func(point byte, is sighting) sighting {
		if reads(point) {
			return is
		}
		return sawNothing
	}
	switch {
	case commas > 0 && points > 0:
		if strings.LastIndexByte(body, '.') > strings.LastIndexByte(body, ',') {
			return proves('.', sawPoint)
		}
		return proves(',', sawComma)
	case commas > 1:
		return proves('.', sawPoint)
	case points > 1:
		return proves(',', sawComma)
	case commas+points == 0 && others:
		return sawNothing
	case commas == 1 && others:
		return proves(',', sawComma)
	case others:
		return proves('.', sawPoint)
	}
	mark := byte('.')
	if commas > 0 {
		mark = ','
	}
	if !reads(mark) {
		return sawNothing
	}
	return sightPlain(body, mark)
}

// sightPlain is sight for what [parseNumber] reads with point, which it does not
// look at twice.
func sightPlain(body string, point byte) sighting {
	at := strings.IndexByte(body, point)
	if at < 0 {
		if len(strings.TrimLeft(body, "0")) > 3 {
			return sawLong
		}
		return sawBare
	}
	maybe := at >= 1 && at <= 3 && body[0] != '0' && len(body) == at+4 && body[at+1]-'0' <= 9 && body[at+2]-'0' <= 9 // the e of an exponent is one of them
	switch {
	case point == ',' && maybe:
		return sawMaybeComma
	case point == ',':
		return sawComma
	case maybe:
		return sawMaybePoint
	}
	return sawPoint
}

// add counts cells with a text, of which saw was seen.
func (e *evidence) add(text string, saw sighting, cells int) {
	keep := func(count *int, first *string) {
		if *count += cells; *first == "" {
			*first = clip(text)
		}
	}
	switch saw {
	case sawBare:
		e.bare += cells
	case sawLong:
		e.bare += cells
		e.long += cells
	case sawComma:
		keep(&e.comma, &e.commaText)
	case sawPoint:
		keep(&e.point, &e.pointText)
	case sawMaybeComma:
		keep(&e.maybeComma, &e.maybeCommaText)
	case sawMaybePoint:
		keep(&e.maybePoint, &e.maybePointText)
	}
}

// verdict says which mark stands before decimal fractions and why.
type verdict struct {
	point byte
	why   string // "" where nothing needs to be said
	ask   bool   // both readings are possible
}

// decide settles the decimal mark of a column from its evidence and that of the
// other columns; usual is the file's. It is TABLES' rule: the column's own
// evidence counts first. Where all marked cells look like 1.234, they are
// thousands if there are three and every bare cell is below 1000, or if other
// columns show the other mark as decimal and no bare cell has more than three
// digits; fractions if other columns show the same mark as decimal; else nobody
// can know, as where the evidence contradicts itself.
func (e *evidence) decide(others evidence, usual byte) verdict {
	switch {
	case e.comma > 0 && e.point > 0:
		if e.comma > e.point {
			return verdict{point: ',', ask: true}
		}
		return verdict{point: '.', ask: true}
	case e.comma > 0:
		return verdict{point: ','}
	case e.point > 0:
		return verdict{point: '.'}
	case e.maybeComma > 0 && e.maybePoint > 0:
		return verdict{point: usual, ask: true}
	case e.maybeComma+e.maybePoint == 0:
		return verdict{point: usual}
	}
	mark, other, same, opposite := byte('.'), byte(','), others.point, others.comma
	if e.maybeComma > 0 {
		mark, other, same, opposite = ',', '.', others.comma, others.point
	}
	small := e.bare > 0 && e.long == 0
	switch {
	case small && e.maybeComma+e.maybePoint >= 3:
		return verdict{point: other, why: "cells without a mark are all below 1000"}
	case e.long == 0 && opposite > 0 && same == 0:
		return verdict{point: other, why: "other columns write fractions with the other mark"}
	case same > 0 && opposite == 0:
		return verdict{point: mark, why: "other columns write fractions with this mark"}
	case mark == ',' && usual == '.':
		return verdict{point: '.', ask: true}
	}
	return verdict{point: mark, ask: true}
}

// weigh keeps what the numbers of a dictionary say of their marks, before it is
// given up for numbers, and whether more has to be looked at. It returns, an
// entry each, whether its mark may be decimal or not.
func (c *column) weigh(entries []entry) (maybe []bool) {
	maybe = make([]bool, len(entries))
	for i, e := range entries {
		if e.number == e.number {
			maybe[i] = c.weighCell(e.text, e.count)
		}
	}
	w := &c.written
	c.open = !c.told && w.comma+w.point == 0 && w.maybeComma+w.maybePoint > 0
	return maybe
}

// fractions reports whether some number of the second form is not whole.
func (c *column) fractions() bool {
	for _, block := range c.values {
		if slices.ContainsFunc(block, func(v float64) bool { return v != math.Trunc(v) && v == v }) {
			return true
		}
	}
	return false
}

func (c *column) weighCell(text string, cells int) (maybe bool) {
	unsigned := text
	if text != "" && (text[0] == '+' || text[0] == '-') {
		unsigned = text[1:]
	}
	saw := sightPlain(unsigned, c.point)
	c.written.add(text, saw, cells)
	return saw == sawMaybeComma || saw == sawMaybePoint
}

// watch weighs a further number of an open column.
func (c *column) watch(row int, cell string) {
	if c.weighCell(cell, 1) {
		c.maybe = append(c.maybe, int32(row))
	}
	if c.written.comma+c.written.point > 0 {
		c.open, c.maybe = false, nil
	}
}
