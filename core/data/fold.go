package data

import (
	"cmp"
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/order"
)

// Part returns rows of the table in the features of e, which [Plan.Encode] has settled
// for a split of p. O(rows·(columns + features)).
func (p *Plan) Part(e *design.Encoding, rows []int32) design.Part { return p.encode(e, rows) }

// Folds draws each of the rows to one of k folds, alike in size, and returns it; where
// models learn classes, each fold has as many rows of either class as the others, or one
// more.
// Where p splits by groups, all rows of a group are in one fold: of the groups that are
// left the largest goes to the smallest fold, so that with fewer than k groups some
// stay empty. O(rows), and O(groups·(log² groups + k)).
func (p *Plan) Folds(rows []int32, k int, rng *rand.Rand) (fold []int) {
	fold = make([]int, len(rows))
	if p.Cut.Kind != SplitGroup {
		turn := rng.Perm(len(rows))
		if p.Classes() != nil { // those of one class first
			y := make([]float64, len(rows))
			p.targets(y, rows)
			order.Sort(turn, func(a, b int) int { return cmp.Compare(y[a], y[b]) })
		}
		for at, i := range turn {
			fold[i] = at % k
		}
		return fold
	}
	by, err := p.column(p.Cut)
	if err != nil {
		panic(err) // that it can be done was seen when the plan was made
	}
	group, first := p.Table.columns[by].classes(rows)
	sizes := make([]int, len(first))
	for _, g := range group {
		sizes[g]++
	}
	turn, of, full := rng.Perm(len(first)), make([]int, len(first)), make([]int, k)
	order.Sort(turn, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	for _, g := range turn {
		least := 0
		for i, size := range full {
			if size < full[least] {
				least = i
			}
		}
		of[g] = least
		full[least] += sizes[g]
	}
	for i, g := range group {
		fold[i] = of[g]
	}
	return fold
}
