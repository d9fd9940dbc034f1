package solve

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/fm"
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

func TestAwkwardTablesAreFittedAndNotTheirRounding(t *testing.T) {
	for _, c := range awkward {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(5) {
				const n = 200
				rng := random(seed)
				x, y := make([]float64, n*c.d), gaussian(rng, n)
				for i := range n {
					row := x[i*c.d:][:c.d]
					c.row(row, rng)
					for _, v := range row {
						y[i] += v
					}
					y[i] += 3 + .5*row[0]*row[c.d-1]
				}
				z := design.NewDense(n, c.d, x)
				for _, kind := range kinds {
					for _, lambda := range []float64{0, 2} {
						m, a := fm.New(kind, c.d, c.k), NewAGD()
						last, err := a.Start(Problem{Source: Whole(z, y), Penalty: L2(lambda)}, m, random(seed+100))
						require.NoError(t, err)
						for range 300 {
							now, err := a.Step()
							require.NoError(t, err)
							// Where nothing moves any more, rounding does.
							require.LessOrEqual(t, now.Loss, last.Loss*(1+1e-14), "%v, λ = %g, seed %d, iteration %d", kind, lambda, seed, now.Iteration)
							last = now
						}
						// The loss that was reported is that of the model. A residual that 300
						// updates kept current is rounded to a few hundred times 1e-16.
						require.InEpsilon(t, objective(m, z, y, lambda), last.Loss, 1e-12, "%v, λ = %g, seed %d", kind, lambda, seed)
					}
				}
			}
		})
	}
}
