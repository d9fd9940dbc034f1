package cell

import (
	"math/bits"
	"strings"
)

// MarkEvidence counts the cells that show which mark is decimal and which separates
// thousands, in a column or a table. A cell that can be read both ways, such as 1.234, is
// counted separately.
type MarkEvidence struct {
	Comma, Point int // cells in which the mark is decimal
	MaybeComma   int // cells such as 1,234
	MaybePoint   int
	Fractions    int // cells whose mark can only be decimal: -1,5 or 3,05
	long         int // without a mark and with more than three digits

	// bare and marked count different cells, without a mark and with one before three
	// digits, by the bits of their whole part: about 10 bits more if it counts thousands.
	bare, marked [11]int

	CommaText, PointText           string // the first cell of each kind
	MaybeCommaText, MaybePointText string
}

// MarkHint is what one cell shows about its marks.
type MarkHint int

const (
	noHint MarkHint = iota // a space or an apostrophe says nothing of fractions
	hintBare
	hintLong
	hintComma
	hintPoint
	HintMaybeComma
	HintMaybePoint
)

// MarkHintOf returns what the body of an amount shows about its marks. Of two different
// marks, the last is decimal. A mark that occurs twice separates thousands if three
// digits follow each. A single mark is decimal, unless the body can be read both ways:
// one to three digits, the first not 0, then the mark and three digits. O(len(body)).
func MarkHintOf(body string) MarkHint {
	commas, points := strings.Count(body, ","), strings.Count(body, ".")
	point, others := byte('.'), strings.ContainsAny(body, "' \u00a0\u202f’")
	if last := strings.LastIndexAny(body, ",."); last >= 0 {
		if point = body[last]; commas > 1 && points == 0 || points > 1 && commas == 0 {
			point = '.' + ',' - point
		}
	}
	a := Amount{Body: body}
	switch _, ok := a.Number(point); {
	case !ok || commas+points == 0 && others:
		return noHint
	case commas+points < 2 && !others:
		return PlainMarkHint(body, point)
	case point == ',':
		return hintComma
	}
	return hintPoint
}

// PlainMarkHint is MarkHintOf for a body that [ParseNumber] accepts with point.
func PlainMarkHint(body string, point byte) MarkHint {
	at := strings.IndexByte(body, point)
	if at < 0 {
		if len(strings.TrimLeft(body, "0")) > 3 {
			return hintLong
		}
		return hintBare
	}
	maybe := at >= 1 && at <= 3 && body[0] != '0' && len(body) == at+4 && body[at+1]-'0' <= 9 && body[at+2]-'0' <= 9 // the e of an exponent is one of them
	switch {
	case point == ',' && maybe:
		return HintMaybeComma
	case point == ',':
		return hintComma
	case maybe:
		return HintMaybePoint
	}
	return hintPoint
}

// Add counts cells with the same text and hint.
func (e *MarkEvidence) Add(text string, saw MarkHint, cells int) {
	keep := func(count *int, first *string) {
		if *count += cells; *first == "" {
			*first = Clip(text)
		}
	}
	whole, _ := digitsOf(text[strings.IndexAny(text, "0123456789"):], 1, 3)
	size := bits.Len(uint(whole))
	if at := strings.IndexAny(text, ".,") + 1; (saw == hintComma || saw == hintPoint) && (text[0] == '-' || at < len(text)-1 && text[at] == '0') {
		e.Fractions += cells
	}
	switch saw {
	case hintBare:
		e.bare[size]++
	case hintLong:
		e.long += cells
	case hintComma:
		keep(&e.Comma, &e.CommaText)
	case hintPoint:
		keep(&e.Point, &e.PointText)
	case HintMaybeComma:
		e.marked[size]++
		keep(&e.MaybeComma, &e.MaybeCommaText)
	case HintMaybePoint:
		e.marked[size]++
		keep(&e.MaybePoint, &e.MaybePointText)
	}
}

// MarkChoice is the decimal mark of a column and the reason.
type MarkChoice struct {
	Point byte
	Why   string // "" if it is obvious
	Ask   bool   // both marks are possible
}

// IsForeign reports whether a column writes its marks otherwise than all other columns do,
// and may hold two counts in a cell instead of fractions. all is the evidence of the table.
func (e *MarkEvidence) IsForeign(all MarkEvidence) bool {
	mine, others, same := e.Comma, all.Point, all.Comma
	if e.Comma == 0 {
		mine, others, same = e.Point, all.Comma, all.Point
	}
	return mine > 0 && (e.Comma == 0 || e.Point == 0) && same == mine && others > mine/2 && 50*e.Fractions < mine
}

// sizes compares the cells without a mark with those that look like 1.234. If these are
// fractions, the others lie among them. If they are thousands, the others lie right
// below. It returns the evidence for each: 0 none, 1 some, 2 enough by itself.
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

// span returns the first and the last size with cells, and how many cells there are,
// without zeros.
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

// Decide chooses the decimal mark of a column. usual is the mark of most columns. The
// column's own evidence counts first. If all its marked cells look like 1.234, the
// evidence of the other columns counts, unless the sizes of the cells contradict it. If the
// others show nothing, clear sizes decide. Otherwise both marks are possible.
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
		return MarkChoice{Point: mark, Why: "other columns have this decimal mark"}
	case opposite > 0 && same == 0 && e.long == 0 && fractions == 0:
		return MarkChoice{Point: other, Why: "other columns have the other decimal mark"}
	case (same > 0) == (opposite > 0) && enough && fractions == 2:
		return MarkChoice{Point: mark, Why: "all cells are of a similar size then"}
	case (same > 0) == (opposite > 0) && enough && thousands == 2:
		return MarkChoice{Point: other, Why: "cells without a mark are all below 1000"}
	case thousands == 2, opposite > 0 && same == 0 && e.long == 0, mark == ',' && usual == '.':
		return MarkChoice{Point: other, Ask: true}
	}
	return MarkChoice{Point: mark, Ask: true}
}
