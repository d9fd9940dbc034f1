package data

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// evidence says how the numbers of a column, or of a table, write fractions and
// thousands: counts of cells. A mark is evidence only where it can be read in one
// way; 1.234 may be 1234.
type evidence struct {
	comma, point int // that show the mark to be decimal
	maybeComma   int // with one mark before three digits, as in 1,234
	maybePoint   int
	long         int // without a mark and with more than three digits

	// bare and marked count different cells, without a mark and with one before three
	// digits, by the bits of their whole part: about 10 bits more if it counts thousands.
	bare, marked [11]int

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
// three behind. A body that cannot be read so says nothing. O(len(body)).
func sight(body string) sighting {
	commas, points := strings.Count(body, ","), strings.Count(body, ".")
	point, others := byte('.'), strings.ContainsAny(body, "' \u00a0\u202f")
	if last := strings.LastIndexAny(body, ",."); last >= 0 {
		if point = body[last]; commas > 1 && points == 0 || points > 1 && commas == 0 {
			point = '.' + ',' - point
		}
	}
	a := amount{body: body}
	switch _, ok := a.number(point); {
	case !ok || commas+points == 0 && others:
		return sawNothing
	case commas+points < 2 && !others:
		return sightPlain(body, point)
	case point == ',':
		return sawComma
	}
	return sawPoint
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
	whole, _ := digitsOf(text[strings.IndexAny(text, "0123456789"):], 1, 3)
	size := bits.Len(uint(whole))
	switch saw {
	case sawBare:
		e.bare[size]++
	case sawLong:
		e.long += cells
	case sawComma:
		keep(&e.comma, &e.commaText)
	case sawPoint:
		keep(&e.point, &e.pointText)
	case sawMaybeComma:
		e.marked[size]++
		keep(&e.maybeComma, &e.maybeCommaText)
	case sawMaybePoint:
		e.marked[size]++
		keep(&e.maybePoint, &e.maybePointText)
	}
}

// verdict says which mark stands before decimal fractions and why.
type verdict struct {
	point byte
	why   string // "" where nothing needs to be said
	ask   bool   // both readings are possible
}

// sizes compares the cells without a mark, zeros aside, to those that look like 1.234.
// If these are fractions, the others lie among them; if they are thousands, right
// below. It returns what speaks for each: 0 nothing, 1 something, 2 enough if nothing
// else says anything.
func (e *evidence) sizes() (fractions, thousands int) {
	least, most, marked := span(e.marked)
	low, top, bare := span(e.bare)
	if bare == 0 || e.long > 0 {
		return 0, 0
	}
	usually := 0 // without a mark and where nine tenths of the marked ones are: the largest may be far away
	for k, below := least, 0; 10*below < 9*marked; k++ {
		below += e.marked[k]
		usually += e.bare[k]
	}
	gap := least + 10 - top // in powers of 2, between bare cells and thousands
	switch {
	case gap > 5 && low >= least-1 && top <= most+1:
		fractions = 2
	case gap > 3 || 2*usually > bare:
		fractions = 1
	}
	switch {
	case gap <= 3 && 2*usually < bare && bare > 1:
		thousands = 2
	case gap <= 5 && (2*usually < bare || 5*bare >= marked):
		thousands = 1
	}
	return fractions, thousands
}

// span returns the first and the last size that some cell has, zeros aside, and how
// many cells there are.
func span(sizes [11]int) (first, last, cells int) {
	for k, n := range sizes[1:] {
		if n > 0 {
			if last = k + 1; first == 0 {
				first = last
			}
			cells += n
		}
	}
	return first, last, cells
}

// decide settles the decimal mark of a column from its evidence and that of the
// other columns; usual is the file's. The column's own evidence counts first. Where
// all marked cells look like 1.234, the other columns count next: the mark is
// decimal if it is so there, and not if the other mark is. Where the sizes of the
// cells contradict, nobody can know. If the other columns say nothing, the sizes
// decide where they are clear.
func (e *evidence) decide(others evidence, usual byte) verdict {
	switch {
	case e.comma > e.point:
		return verdict{point: ',', ask: e.point > 0}
	case e.point > 0:
		return verdict{point: '.', ask: e.comma > 0}
	case e.maybeComma > 0 && e.maybePoint > 0:
		return verdict{point: usual, ask: true}
	case e.maybeComma+e.maybePoint == 0:
		return verdict{point: usual}
	}
	mark, other, same, opposite := byte('.'), byte(','), others.point, others.comma
	if e.maybeComma > 0 {
		mark, other, same, opposite = ',', '.', others.comma, others.point
	}
	fractions, thousands := e.sizes()
	enough := e.maybeComma+e.maybePoint >= 3
	switch {
	case same > 0 && opposite == 0 && thousands == 0:
		return verdict{point: mark, why: "other columns write fractions with this mark"}
	case opposite > 0 && same == 0 && e.long == 0 && fractions == 0:
		return verdict{point: other, why: "other columns write fractions with the other mark"}
	case (same > 0) == (opposite > 0) && enough && fractions == 2:
		return verdict{point: mark, why: "all cells are of a similar size then"}
	case (same > 0) == (opposite > 0) && enough && thousands == 2:
		return verdict{point: other, why: "cells without a mark are all below 1000"}
	case thousands == 2, opposite > 0 && same == 0 && e.long == 0, mark == ',' && usual == '.':
		return verdict{point: other, ask: true}
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
