package trial

import "ifmlab/core/synth"

// unseenPairs returns the number of pairs of columns, and of those whose interaction no row
// tells. With cⱼ the value of more than half of column j's rows, or else any, pair (i, j) is
// unseen if in all rows
//
//	(xᵢ − cᵢ)(xⱼ − cⱼ) = 0,  so that  xᵢxⱼ = cⱼxᵢ + cᵢxⱼ − cᵢcⱼ
//
// The design of all pairs is then singular: any Mᵢⱼ fits the rows as well, with other
// weights and another bias. Only the rank of M can still tell Mᵢⱼ. Pairs of continuous
// columns are never unseen. The converse does not hold: with few rows, a pair's column can
// also be a combination of other pairs' columns.
//
// Levels of one table column are no pair of OneHot features: they meet in no row at all.
//
// X is n×D. It costs O(n·D) for continuous columns and O(n·D²/64) at most.
func unseenPairs(x []float64, c synth.Config) (unseen, pairs int) {
	d, block := c.D, 1
	if c.Features == synth.OneHot {
		block = c.Levels
	}
	common, lead := make([]float64, d), make([]int, d) // the majority vote of Boyer and Moore (1991)
	for i, v := range x {
		switch j := i % d; {
		case lead[j] == 0:
			common[j], lead[j] = v, 1
		case v == common[j]:
			lead[j]++
		default:
			lead[j]--
		}
	}
	words := (len(x)/d + 63) / 64
	other := make([]uint64, d*words) // the rows of each column with other values, a bit each
	for i, v := range x {
		if j, row := i%d, i/d; v != common[j] {
			other[j*words+row/64] |= 1 << (row % 64)
		}
	}
	for i := range d {
		for j := (i/block + 1) * block; j < d; j++ {
			pairs++
			if !meet(other[i*words:][:words], other[j*words:][:words]) {
				unseen++
			}
		}
	}
	return unseen, pairs
}

// meet reports whether two sets of rows share one.
func meet(a, b []uint64) bool {
	for i, v := range a {
		if v&b[i] != 0 {
			return true
		}
	}
	return false
}
