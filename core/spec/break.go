package spec

import (
	"math"
	"strconv"
	"strings"
)

// Break is the settings of a chapter of the page, in which a reader paints the
// interactions of six features. The zero value is not useful; start from
// [ParseBreak].
type Break struct {
	M     string // Mᵢⱼ of the pairs i < j, row by row; see [Break.Pairs]
	Draws int    // matrices that the chapter draws at random
	Seed  uint64 // of these
}

// BreakPairs is how many pairs six features have.
const BreakPairs = 15

// BreakFields returns its declaration, in the order in which a link lists them.
func BreakFields() []Of[Break] { // a function for the reason of [ViewFields]
	return []Of[Break]{
		{Field: Field{Key: "m", Kind: Text, Default: "-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0", Doc: "interactions of six features, the 15 pairs row by row, each from −1 to 1 in hundredths"}, ref: func(b *Break) any { return &b.M }},
		{Field: Field{Key: "draws", Kind: Int, Default: "100", Min: 10, Max: 1000, Doc: "matrices drawn at random"}, ref: func(b *Break) any { return &b.Draws }},
		{Field: Field{Key: "seed", Kind: Int, Default: "1", Min: 0, Max: 1<<53 - 1, Doc: "seed of every random draw"}, ref: func(b *Break) any { return &b.Seed }},
	}
}

// ParseBreak reads a query as [Parse] does. A matrix that is none is passed over.
func ParseBreak(query string) (Break, []Notice) {
	var b Break
	fields := BreakFields()
	notices := parse(fields, &b, query)
	if _, ok := b.Pairs(); !ok {
		instead := fields[0].Default
		notices = append(notices, Notice{"m", b.M, "the link's m was " + quote(b.M) + "; used " + quote(instead) + " instead"})
		b.M = instead
	}
	return b, notices
}

// Pairs returns the numbers of M, rounded to hundredths; ok is false unless it is 15
// numbers from −1 to 1 with commas between them.
func (b Break) Pairs() (pairs []float64, ok bool) {
	for part := range strings.SplitSeq(b.M, ",") {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || !(math.Abs(v) <= 1) || strings.ContainsAny(part, "xXpP_iInN") {
			return nil, false
		}
		pairs = append(pairs, math.Floor(float64(100*v)+.5)/100)
	}
	return pairs, len(pairs) == BreakPairs
}
