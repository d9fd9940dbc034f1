package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// awkward are designs of the kinds that tables lead to. In the first three no
// two columns are ever nonzero together, so M is 0 whatever the factors and the
// gradients of the factors are nothing but rounding.
var awkward = []struct {
	name string
	d, k int
	row  func(x []float64, rng *rand.Rand)
}{
	{"one column", 1, 2, func(x []float64, rng *rand.Rand) { x[0] = rng.NormFloat64() }},
	{"a column with gaps and the flag that marks them", 2, 2, func(x []float64, rng *rand.Rand) {
		if rng.IntN(4) == 0 {
			x[1] = 1
		} else {
			x[0] = rng.NormFloat64()
		}
	}},
	{"the levels of one category", 4, 2, func(x []float64, rng *rand.Rand) { x[rng.IntN(4)] = 1 }},
	{"two categories, one of them rare", 6, 2, func(x []float64, rng *rand.Rand) {
		x[rng.IntN(4)] = 1
		if rng.IntN(20) == 0 {
			x[4] = 1
		} else {
			x[5] = 1
		}
	}},
	{"collinear columns", 4, 2, func(x []float64, rng *rand.Rand) {
		x[0], x[1] = rng.NormFloat64(), rng.NormFloat64()
		x[2], x[3] = x[0], -2*x[1]
	}},
	{"one huge element in a column", 3, 2, func(x []float64, rng *rand.Rand) {
		x[0], x[1], x[2] = rng.NormFloat64(), rng.NormFloat64(), .01*rng.NormFloat64()
		if rng.IntN(150) == 0 {
			x[2] = 14
		}
	}},
	{"a rank above the columns", 2, 5, func(x []float64, rng *rand.Rand) { x[0], x[1] = rng.NormFloat64(), rng.NormFloat64() }},
}

// awkwardRows are n rows of a design of the list.
func awkwardRows(at int, n int, seed uint64) (*design.Dense, []float64) {
	c := awkward[at]
	rng := random(seed)
	x, y := make([]float64, n*c.d), gaussian(rng, n)
	for i := range n {
		row := x[i*c.d:][:c.d]
		c.row(row, rng)
		y[i] += 3 + .5*row[0]*row[c.d-1] + kernel.Sum(row)
	}
	return design.NewDense(n, c.d, x), y
}

func TestAwkwardTablesAreFittedAndNotTheirRounding(t *testing.T) {
	for at, c := range awkward {
		for seed := range uint64(4) {
			for _, n := range []int{1, 2, 3, 200} {
				z, y := awkwardRows(at, n, seed)
				for _, kind := range kinds {
					for _, lambda := range []float64{0, 2} {
						for _, s := range []Solver{NewAGD(), NewScaledGD(), NewGaussNewton()} {
							_, isNewton := s.(*GaussNewton)
							if !isNewton && n < 200 {
								continue
							}
							m, name := fm.New(kind, c.d, c.k), fmt.Sprintf("%T, %s: %v, n = %d, λ = %g, seed %d", s, c.name, kind, n, lambda, seed)
							p := run(t, s, Problem{Source: Whole(z, y), Penalty: L2(lambda)}, m, seed+100, 0)
							for p.Stop == "" && p.Iteration < 300 {
								last := p
								p = advance(t, s, 1)
								// Where nothing moves any more, rounding does.
								require.LessOrEqual(t, p.Loss, last.Loss*(1+1e-13), name)
							}
							want := objective(m, z, y, lambda)
							if isNewton {
								want = slowLoss(m, z, y, lambda)
							}
							// What is reported is what the model does, rounded once more: the targets
							// are about 3 and their squares are summed.
							require.InDelta(t, want, p.Loss, 1e-10*(1+p.Loss), name)
							require.Less(t, floats.Norm(m.U, math.Inf(1)), 1e3, name)
						}
					}
				}
			}
		}
	}
}
