package linear

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
)

// testdata/softmax.py made the numbers with scikit-learn, whose own tolerance leaves some 1e-8.
func TestSoftmaxEqualsScikitLearnsMultinomialLogisticRegression(t *testing.T) {
	text, err := os.ReadFile("testdata/softmax.json")
	require.NoError(t, err)
	var want struct {
		X         [][]float64
		Y, Weight []float64
		Fits      []struct {
			Penalty     float64
			Weighted    bool
			Coef, Proba [][]float64
			Intercept   []float64
		}
	}
	require.NoError(t, json.Unmarshal(text, &want))
	z := design.NewDense(len(want.X), len(want.X[0]), slices.Concat(want.X...))
	for _, of := range want.Fits {
		weight := want.Weight
		if !of.Weighted {
			weight = nil
		}
		s, err := NewSoftmax(z, want.Y, weight, 4)
		require.NoError(t, err)
		fit, err := s.Fit(of.Penalty)
		require.NoError(t, err)
		f := make([]float64, len(want.Y)*4)
		fit.Predict(f, z)
		for c, own := range fit.Classes {
			assert.InDeltaSlice(t, of.Coef[c], own.W, 1e-6, "λ = %g, class %d", of.Penalty, c)
			assert.InDelta(t, of.Intercept[c], own.B, 1e-6)
		}
		for i, p := range of.Proba {
			kernel.Softmax(f[:4], f[4*i:][:4])
			assert.InDeltaSlice(t, p, f[:4], 1e-7)
		}
	}
}

// drawn returns rows of classes that columns tell in part.
func drawn(n, d, classes int) (*design.Dense, []float64) {
	rng := rand.New(rand.NewPCG(3, 5))
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range y {
		y[i] = float64(i % classes)
		for j := range d {
			x[i*d+j] = rng.NormFloat64() + math.Sin(y[i]*float64(j+1))
		}
	}
	return design.NewDense(n, d, x), y
}

func TestSoftmaxOfTwoClassesIsLogisticAtHalfThePenalty(t *testing.T) {
	z, y := drawn(60, 3, 2)
	two, one := softmax(t, z, y, 2, 2), fitted(t, z, y, nil, 1) // ½·2·(‖w/2‖² + ‖−w/2‖²) = ½·1·‖w‖²
	for j, w := range one.W {
		assert.InDelta(t, w, two.Classes[1].W[j]-two.Classes[0].W[j], 1e-7) // both stop at a share of 1e-12 of the loss
	}
	assert.InDelta(t, one.B, two.Classes[1].B-two.Classes[0].B, 1e-7)
}

func TestSoftmaxOfSeparableRowsSaysSo(t *testing.T) {
	z, y := design.NewDense(9, 1, []float64{1, 2, 3, 11, 12, 13, 21, 22, 23}), []float64{0, 0, 0, 1, 1, 1, 2, 2, 2}
	assert.True(t, softmax(t, z, y, 3, 1e-3).Separable)
	y[0] = 2
	assert.False(t, softmax(t, z, y, 3, 1e-3).Separable)
}
