package solve

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/eigen"
)

func TestOrthonormalRowsMultiplyBackAndDependentOnesVanish(t *testing.T) {
	const size, d = 4, 9
	rng := random(5)
	w := gaussian(rng, size*d)
	for j := range d {
		w[2*d+j] = w[j] - 3*w[d+j]
	}
	q, r := slices.Clone(w), make([]float64, size*size)
	factorize(q, r, size, d)
	for f := range size {
		for j := range d {
			product := 0.0
			for e := range size {
				product += r[e*size+f] * q[e*d+j]
			}
			require.InDelta(t, w[f*d+j], product, 1e-13)
		}
	}
	assert.Equal(t, make([]float64, d), q[2*d:3*d])
	assert.Zero(t, r[2*size+2])
}

func TestTopKeepsTheLargestOfEachSign(t *testing.T) {
	e := eigen.New(6)
	copy(e.Values, []float64{1, -5, 3, -2, 4, 1e-20})
	assert.Equal(t, []int{1, 4, 2}, top(nil, e, 6, signs{2, 1}, 6, 0))
	assert.Equal(t, []int{4, 2, 0, 5}, top(nil, e, 6, signs{6, 0}, 6, 0))
	assert.Equal(t, []int{4, 2, 0}, top(nil, e, 6, signs{6, 0}, 6, 1e-15), "rounding is left out")
	assert.Equal(t, []int{1}, top(nil, e, 6, signs{6, 6}, 1, 0))
}
