package design

// A column of levels becomes dense if it makes so few features, else sparse: a row
// has a one in one of its features, whatever their number. BenchmarkElement
// measures where they meet. A row of 32 numbers and ten columns of levels takes,
// in the four products of an iteration at k = 4, as WebAssembly with SIMD
//
//	levels of each      2    3    4    6    8
//	ns, dense          69   84   94  119  141
//	ns, sparse         79   79   79   79   78
//
// at k = 8 105 to 112 ns at two levels and 127 to 112 at three; natively 173 to
// 174 and 207 to 174.
const denseUpTo = 2

// Group is the features of one column of the table: features[lo:hi].
type Group struct{ Lo, Hi int }

// Groups returns the features of each column of the table.
func (e *Encoding) Groups() (all []Group) {
	for lo := 0; lo < len(e.Features); {
		hi := lo + 1
		for hi < len(e.Features) && e.Features[hi].Column == e.Features[lo].Column {
			hi++
		}
		all = append(all, Group{lo, hi})
		lo = hi
	}
	return all
}

// Sparse returns, a feature each, whether it is sparse. A column's number never
// is, nor are its hats; its flag, and the features of a column of levels, are as
// denseUpTo says, and all of them where dense ones would be too many.
func (e *Encoding) Sparse() []bool {
	sparse := make([]bool, len(e.Features))
	for _, g := range e.Groups() {
		if e.Features[g.Lo].Kind == FeatureEntry {
			for j := g.Lo; j < g.Hi; j++ {
				sparse[j] = true
			}
			continue
		}
		ones := g
		for ones.Lo < g.Hi && !e.Features[ones.Lo].IsIndicator() {
			ones.Lo++
		}
		if ones.Hi-ones.Lo > denseUpTo || e.AllSparse {
			for j := ones.Lo; j < ones.Hi; j++ {
				sparse[j] = true
			}
		}
	}
	return sparse
}

// Bytes returns the memory that the design of so many rows takes at most.
func (e *Encoding) Bytes(rows int) int64 {
	sparse, perRow, any := e.Sparse(), 0, false
	for _, g := range e.Groups() {
		if e.Features[g.Lo].Kind == FeatureEntry {
			any = true
			continue
		}
		one := false // a row has at most one of a column's sparse features
		for j := g.Lo; j < g.Hi; j++ {
			if !sparse[j] && e.Features[j].Kind != FeatureKnot {
				perRow += 8
			}
			one = one || sparse[j]
		}
		if e.Features[g.Lo].Kind == FeatureKnot {
			perRow += 12
		}
		if one {
			perRow, any = perRow+4, true
		}
	}
	if any {
		perRow += 4 // where the row starts
	}
	return int64(rows)*int64(perRow) + int64(float64(rows)*12*e.EntriesPerRow)
}
