package assess

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
)

func TestASpreadIsFoundWhereErrorsGrowAndNotWhereTheyDoNot(t *testing.T) {
	const n = 1000
	rng := rand.New(rand.NewPCG(12, 3))
	x, even, growing, fold := make([]float64, n), make([]float64, n), make([]float64, n), make([]int, n)
	for i := range n {
		x[i], even[i], fold[i] = rng.NormFloat64(), rng.NormFloat64(), i%intervalFolds
		growing[i] = even[i] * math.Exp(.3*x[i])
	}
	z := design.NewDense(n, 1, x)
	interval, scores, err := spreads(z, even, fold)
	require.NoError(t, err)
	assert.Nil(t, interval.W)
	assert.Equal(t, math.Abs(even[0]), scores[0])
	interval, scores, err = spreads(z, growing, fold)
	require.NoError(t, err)
	require.Len(t, interval.W, 1)
	assert.InDelta(t, .2, interval.W[0], .1, "what is added to each error flattens it, and so does the penalty")
	for i, s := range scores {
		assert.InDelta(t, math.Abs(growing[i])/math.Exp(max(interval.Least, min(interval.B+interval.W[0]*x[i], interval.Most))), s, .2*s, "row %d: its spread without its fold", i)
	}
}
