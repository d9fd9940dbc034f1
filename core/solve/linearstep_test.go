package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/design"
	"ifmlab/core/fm"
)

// Rows that each weigh 1 are the same problem, but w takes passes of its own there.
func TestDescentTakesTheSameStepsWhetherWHasPassesOfItsOwnOrNot(t *testing.T) {
	for _, kind := range kinds {
		for _, lambda := range []float64{0, 7} {
			z, y := table(3, 6)
			ones := make([]float64, len(y))
			for i := range ones {
				ones[i] = 1
			}
			var losses [2][]float64
			for i, source := range []Batches{Whole(z, y), Weighted(z, y, ones)} {
				a := NewAGD()
				p := run(t, a, Problem{Source: source, Penalty: L2(lambda)}, fm.New(kind, 6, 3), 4, 0)
				assert.Equal(t, i == 0, a.linear.gram != nil)
				for range 30 {
					losses[i] = append(losses[i], p.Loss)
					p = advance(t, a, 1)
				}
			}
			// Rounding, which thirty steps make ten times larger at most.
			assert.InEpsilonSlice(t, losses[1], losses[0], 1e-11, "%v, λ = %g", kind, lambda)
		}
	}
}

func TestTheGatheredGradientIsThatOfTheResiduals(t *testing.T) {
	for _, kind := range kinds {
		a, _, z, _ := started(t, kind, .5)
		advance(t, a, 100)
		n, d := z.Dims()
		for j := range d {
			want, size := 0.0, 0.0
			for i := range n {
				want += z.Row(i)[j] * a.residual[i]
				size += math.Abs(z.Row(i)[j] * a.residual[i])
			}
			assert.InDelta(t, want, a.linear.zr[j], 1e-13*size+1e-11, "%v, column %d", kind, j)
		}
	}
}

// Two columns that are nearly one leave a line on which gᵀ(ZᵀZ)g is nothing but
// rounding; a step as long as that says would be of any length.
func TestALineThatTheGramMatrixCannotMeasureTakesItsPass(t *testing.T) {
	const n = 200
	x, y := make([]float64, 2*n), make([]float64, n)
	for i := range y {
		common, own := float64(i%2*2-1), 1e-6*float64(i/2%2*2-1)
		x[2*i], x[2*i+1] = common+own, common-own
		y[i] = own
	}
	a := NewAGD()
	start := run(t, a, Problem{Source: Whole(design.NewDense(n, 2, x), y)}, fm.New(fm.IFM, 2, 1), 1, 0)
	_, ok := a.linear.curvature([]float64{1, -1})
	assert.False(t, ok)
	_, ok = a.linear.curvature([]float64{1, 1})
	assert.True(t, ok)
	end := advance(t, a, 1)
	// What is left is the rounding of 1 ± 1e-6.
	assert.InDeltaSlice(t, []float64{.5, -.5}, a.model.W, 1e-4)
	assert.Less(t, end.Loss, 1e-8*start.Loss)
}
