package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"

	"ifmlab/core/design"
	"ifmlab/core/fm"
)

// classesOf returns rows of classes that a product of two columns tells.
func classesOf(n, classes int) (*design.Dense, []float64, []float64) {
	rng := rand.New(rand.NewPCG(5, 9))
	x, y, weight := make([]float64, 0, 3*n), make([]float64, n), make([]float64, n)
	for i := range n {
		a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		x = append(x, a, b, c)
		y[i] = math.Mod(math.Abs(math.Floor(2*a*b+c+.3*rng.NormFloat64())), float64(classes))
		weight[i] = float64(1 + i%3)
	}
	return design.NewDense(n, 3, x), y, weight
}

// softmaxObjective is the softmax loss and the penalty, slow and obvious.
func softmaxObjective(m *fm.Model, z *design.Dense, y, weight []float64, w, l float64) (sum float64) {
	k := len(m.Classes)
	f := make([]float64, len(y)*k)
	m.Predict(f, z, nil)
	for i, class := range y {
		all := 0.0
		for _, v := range f[i*k:][:k] {
			all += math.Exp(v)
		}
		sum += weight[i] * (math.Log(all) - f[i*k+int(class)])
	}
	for _, of := range m.Classes {
		for _, v := range of.W {
			sum += w / 2 * v * v
		}
		for _, v := range append(append([]float64(nil), of.U...), of.V...) {
			sum += l / 2 * v * v
		}
	}
	return sum
}

// parameters lists pointers to all numbers of a model.
func parameters(m *fm.Model) (all []*float64) {
	for _, of := range m.Classes {
		all = append(all, &of.B)
		for _, block := range [][]float64{of.W, of.U, of.V} {
			for i := range block {
				all = append(all, &block[i])
			}
		}
	}
	return all
}

// The sweeps never raise the objective, end where all its derivatives vanish, and report it.
func TestSweepsOverClassesDescendToAStationaryPointOfTheSoftmaxLoss(t *testing.T) {
	z, y, weight := classesOf(90, 3)
	for _, kind := range []fm.Kind{fm.FM, fm.GFM, fm.IFM} {
		m, s := fm.NewClasses(kind, 3, 1, 3), &ALS{Weights: 2}
		p, err := s.Start(Problem{Source: Weighted(z, y, weight), Loss: Softmax, Penalty: L2(3)}, m, rand.New(rand.NewPCG(1, 2)))
		require.NoError(t, err)
		for range 600 {
			next := advance(t, s, 1)
			require.LessOrEqual(t, next.Loss, p.Loss*(1+1e-12))
			p = next
		}
		assert.InEpsilon(t, softmaxObjective(m, z, y, weight, 2, 3), p.Loss, 1e-10)
		all := parameters(m)
		at := make([]float64, len(all))
		for i, v := range all {
			at[i] = *v
		}
		gradient := fd.Gradient(nil, func(x []float64) float64 {
			for i, v := range x {
				*all[i] = v
			}
			return softmaxObjective(m, z, y, weight, 2, 3)
		}, at, &fd.Settings{Formula: fd.Central})
		for _, g := range gradient {
			assert.InDelta(t, 0, g, 1e-3*p.Loss, "%v", kind) // sweeps converge linearly
		}
	}
}
