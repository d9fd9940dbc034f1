package core_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/runtest"
)

// What package core says of one-hot columns: the error that training leaves, as a share of the
// linear model's, tells whether a rank represents the blocks between columns. Levels of a
// column are a block of features, and a row never sees M within one.
//
// Any FM of rank q that represents the blocks of three columns has U_g = A_g·T_g with
// T_gT_hᵀ = S_gh·I. So T_1T_1ᵀ = P is positive definite, and what is left of columns 2
// and 3 after column 1 has the block S_23·I − S_12·S_13·P⁻¹ between them. Where the product of
// the signs is negative, that is ±(I + P⁻¹), of rank k, and q is at least 2k.
//
// Where all blocks are negative, T_gT_hᵀ = −I makes FM's Gram matrix a positive definite one
// of mk rows less one of rank k. Its rank is (m − 1)k at least, and m − 1 times does. iFM has −U.
//
// At half of the truth's rank iFM has as many columns as the truth, one of each sign, and
// T_1·diag(1, −1)·T_1ᵀ = ±I has none.
func TestTheRankThatTheBlocksOfOneHotColumnsTake(t *testing.T) {
	const three, four = "d=18&k=2&pairs=", "d=24&k=1&pairs="
	for _, c := range []struct {
		truth, fit string
		from, to   float64
	}{
		{three + "1,1,-1", "models=fm&rank=2", .15, 1},
		{three + "1,1,-1", "models=fm&rank=3", .03, 1},
		{three + "1,1,-1", "models=fm&rank=4", 0, 1e-6},
		{three + "1,1,-1", "models=ifm&rank=1", .05, 1},
		{three + "1,1,-1", "models=ifm&rank=2", 0, 1e-3},
		{three + "1,1,1", "models=ifm&rank=1", .05, 1},
		{four + "1,1,-1,1,-1,-1", "models=fm&rank=1", 0, 1e-6}, // two groups of columns: balanced
		{four + "1,1,1,1,1,-1", "models=fm&rank=1", .1, 1},
		{four + "1,1,1,1,1,-1", "models=fm&rank=2", 0, 1e-6},
		{four + "1,1,1,1,1,-1", "models=ifm&rank=1", 0, 1e-3},
		{four + "-1,-1,-1,-1,-1,-1", "models=fm&rank=2", .1, 1}, // it has iFM's numbers
		{four + "-1,-1,-1,-1,-1,-1", "models=fm&rank=3", 0, 1e-6},
		{four + "-1,-1,-1,-1,-1,-1", "models=ifm&rank=1", 0, 1e-6},
	} {
		for seed := range 2 {
			query := fmt.Sprintf("%s&%s&seed=%d&features=onehot&levels=6&scenario=mixed", c.truth, c.fit, seed+1)
			query += "&n=1000&test=300&solver=scaled&iterations=400"
			run, records := runtest.Train(t, query, 0, nil)
			theory, _ := run.Theory()
			least := math.Inf(1)
			for _, r := range records {
				least = min(least, r.Test/theory.SecondOrder)
			}
			assert.GreaterOrEqual(t, least, c.from, query)
			assert.LessOrEqual(t, least, c.to, query)
		}
	}
}
