package cell

import (
	"math/bits"
	"strings"
)

// MarkEvidence counts the cells of a column, or of a table, that show which mark is
// decimal and which separates thousands. A cell that can be read both ways, such as
// 1.234, is no evidence.
type MarkEvidence struct {
	Comma, Point int // that show the mark to be decimal
	MaybeComma   int // with one mark before three digits, as in 1,234
	MaybePoint   int
	long         int // without a mark and with more than three digits

	// bare and marked count different cells, without a mark and with one before three
	// digits, by the bits of their whole part: about 10 bits more if it counts thousands.
	bare, marked [11]int

	CommaText, PointText           string // the first cell of each
	MaybeCommaText, MaybePointText string
}

// Sighting is what one cell says of its marks.
type Sighting int

const (
	sawNothing Sighting = iota // a space or an apostrophe says nothing of fractions
	sawBare
	sawLong
	sawComma
	sawPoint
	SawMaybeComma
	SawMaybePoint
)

// Sight returns what the body of an amount shows about its marks. Of two different
// marks, the last is decimal. A mark that stands twice separates thousands, if three
// digits follow each. A single mark is decimal, unless one to three digits stand
// before it, the first not 0, and three behind: that can be read both ways. Any
// other body shows nothing. O(len(body)).
func Sight(body string) Sighting {
	commas, points := strings.Count(body, ","), strings.Count(body, ".")
	point, others := byte('.'), strings.ContainsAny(body, "' \u00a0\u202f")
	if last := strings.LastIndexAny(body, ",."); last >= 0 {
		if point = body[last]; commas > 1 && points == 0 || points > 1 && commas == 0 {
			point = '.' + ',' - point
		}
	}
	a := Amount{Body: body}
	switch _, ok := a.Number(point); {
	case !ok || commas+points == 0 && others:
		return sawNothing
	case commas+points < 2 && !others:
		return SightPlain(body, point)
	case point == ',':
		return sawComma
	}
	return sawPoint
}

// SightPlain is sight for what [ParseNumber] reads with point, which it does not
// look at twice.
func SightPlain(body string, point byte) Sighting {
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
		return SawMaybeComma
	case point == ',':
		return sawComma
	case maybe:
		return SawMaybePoint
	}
	return sawPoint
}

// Add counts cells with a text, of which saw was seen.
func (e *MarkEvidence) Add(text string, saw Sighting, cells int) {
	keep := func(count *int, first *string) {
		if *count += cells; *first == "" {
			*first = Clip(text)
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
		keep(&e.Comma, &e.CommaText)
	case sawPoint:
		keep(&e.Point, &e.PointText)
	case SawMaybeComma:
		e.marked[size]++
		keep(&e.MaybeComma, &e.MaybeCommaText)
	case SawMaybePoint:
		e.marked[size]++
		keep(&e.MaybePoint, &e.MaybePointText)
	}
}

// MarkChoice says which mark stands before decimal fractions and why.
type MarkChoice struct {
	Point byte
	Why   string // "" where nothing needs to be said
	Ask   bool   // both readings are possible
}

// sizes compares the cells without a mark, zeros aside, to those that look like 1.234.
// If these are fractions, the others lie among them; if they are thousands, right
// below. It returns what speaks for each: 0 nothing, 1 something, 2 enough if nothing
// else says anything.
func (e *MarkEvidence) sizes() (fractions, thousands int) {
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

// Decide settles the decimal mark of a column from its evidence and that of the
// other columns; usual is the file's. The column's own evidence counts first. Where
// all marked cells look like 1.234, the other columns count next: the mark is
// decimal if it is so there, and not if the other mark is. Where the sizes of the
// cells contradict, nobody can know. If the other columns say nothing, the sizes
// decide where they are clear.
func (e *MarkEvidence) Decide(others MarkEvidence, usual byte) MarkChoice {
	switch {
	case e.Comma > e.Point:
		return MarkChoice{Point: ',', Ask: e.Point > 0}
	case e.Point > 0:
		return MarkChoice{Point: '.', Ask: e.Comma > 0}
	case e.MaybeComma > 0 && e.MaybePoint > 0:
		return MarkChoice{Point: usual, Ask: true}
	case e.MaybeComma+e.MaybePoint == 0:
		return MarkChoice{Point: usual}
	}
	mark, other, same, opposite := byte('.'), byte(','), others.Point, others.Comma
	if e.MaybeComma > 0 {
		mark, other, same, opposite = ',', '.', others.Comma, others.Point
	}
	fractions, thousands := e.sizes()
	enough := e.MaybeComma+e.MaybePoint >= 3
	switch {
	case same > 0 && opposite == 0 && thousands == 0:
		return MarkChoice{Point: mark, Why: "other columns write fractions with this mark"}
	case opposite > 0 && same == 0 && e.long == 0 && fractions == 0:
		return MarkChoice{Point: other, Why: "other columns write fractions with the other mark"}
	case (same > 0) == (opposite > 0) && enough && fractions == 2:
		return MarkChoice{Point: mark, Why: "all cells are of a similar size then"}
	case (same > 0) == (opposite > 0) && enough && thousands == 2:
		return MarkChoice{Point: other, Why: "cells without a mark are all below 1000"}
	case thousands == 2, opposite > 0 && same == 0 && e.long == 0, mark == ',' && usual == '.':
		return MarkChoice{Point: other, Ask: true}
	}
	return MarkChoice{Point: mark, Ask: true}
}
