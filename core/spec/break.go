package spec

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Break is the settings of the chapter in which a reader paints the interactions of
// six features. The zero value is not useful; start from [ParseBreak].
type Break struct {
	M     string // Mᵢⱼ of the pairs i < j, row by row; see [Break.Pairs]
	Draws int    // number of random matrices
	Seed  uint64 // of the random matrices
}

// BreakPairs is the number of pairs of six features.
const BreakPairs = 15

// BreakFields declares its settings, in the order of a link.
func BreakFields() []Of[Break] { // a function for the reason of [ViewFields]
	return []Of[Break]{
		{Field: Field{Key: "m", Kind: Text, Default: "-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0", Doc: "interactions of six features, the 15 pairs row by row, each from −1 to 1 in hundredths"}, ref: func(b *Break) any { return &b.M }},
		{Field: Field{Key: "draws", Kind: Int, Default: "100", Min: 10, Max: 1000, Doc: "matrices drawn at random"}, ref: func(b *Break) any { return &b.Draws }},
		{Field: Field{Key: "seed", Kind: Int, Default: "1", Min: 0, Max: 1<<53 - 1, Doc: "seed of every random draw"}, ref: func(b *Break) any { return &b.Seed }},
	}
}

// ParseBreak reads a query as [Parse] does. An invalid matrix is replaced by the default.
func ParseBreak(query string) (Break, []Notice) {
	var b Break
	fields := BreakFields()
	notices := parse(fields, &b, query)
	if _, ok := b.Pairs(); !ok {
		instead := fields[0].Default
		notices = slices.DeleteFunc(notices, func(n Notice) bool { return n.Key == "m" }) // such as one that it was too long
		notices = append(notices, Notice{"m", b.M, "the link's m was " + quote(b.M) + "; used " + quote(instead) + " instead"})
		b.M = instead
	}
	return b, notices
}

// Pairs returns the elements of M, rounded to hundredths. ok is false unless M is 15
// numbers from −1 to 1, separated by commas.
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
