package solve

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/design"
	"ifmlab/core/fm"
)

// A model of rank 0 is a linear one, whatever fits it.
func TestWithoutFactorsEverySolverFitsTheLinearPart(t *testing.T) {
	const n, d = 400, 4
	rng := random(3)
	x := gaussian(rng, n*d)
	standardizeRows(x, n, d)
	w := gaussian(rng, d)
	y := make([]float64, n)
	for i := range y {
		for j, v := range w {
			y[i] += v * x[i*d+j]
		}
	}
	for _, solver := range []Solver{NewAGD(), NewScaledGD(), NewGaussNewton(), NewAlgorithm1()} {
		for _, kind := range kinds {
			if _, ok := solver.(*Algorithm1); ok && kind == fm.FM {
				continue
			}
			name := fmt.Sprintf("%T, %v", solver, kind)
			m := fm.New(kind, d, 0)
			progress := run(t, solver, Problem{Source: Whole(design.NewDense(n, d, x), y)}, m, 1, 0)
			for range 60 {
				if progress.Stop != "" {
					break
				}
				progress = advance(t, solver, 1)
			}
			assert.InDeltaSlice(t, w, m.W, 1e-6, name)
			assert.Less(t, progress.RMSE, 1e-6, name)
		}
	}
}

// standardizeRows centres the columns of x and divides them by their root mean square.
func standardizeRows(x []float64, n, d int) {
	for j := range d {
		var mean, square float64
		for i := range n {
			mean += x[i*d+j] / float64(n)
		}
		for i := range n {
			x[i*d+j] -= mean
			square += x[i*d+j] * x[i*d+j] / float64(n)
		}
		for i := range n {
			x[i*d+j] /= math.Sqrt(square)
		}
	}
}
