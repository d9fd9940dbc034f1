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
	orthonormalizeRows(q, r, size, d)
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
	assert.Equal(t, []int{1, 4, 2}, largestEigenvalues(nil, e, 6, signCounts{2, 1}, 6, 0))
	assert.Equal(t, []int{4, 2, 0, 5}, largestEigenvalues(nil, e, 6, signCounts{6, 0}, 6, 0))
	assert.Equal(t, []int{4, 2, 0}, largestEigenvalues(nil, e, 6, signCounts{6, 0}, 6, 1e-15), "rounding is left out")
	assert.Equal(t, []int{1}, largestEigenvalues(nil, e, 6, signCounts{6, 6}, 1, 0))
}

// The one of few columns goes through a basis of V and C, the other through the whole
// matrix, as this oracle does.
func TestARetractionIsTheTruncatedMatrix(t *testing.T) {
	const d = 7
	for _, m := range []int{2, 3, 4} {
		rng := random(uint64(m))
		limit := signCounts{m, 1}
		g := newTruncation(d, limit.within(d), limit)
		from, to := tall(d, g.capacity), tall(d, g.capacity)
		from.m = m
		rows := gaussian(rng, m*d)
		orthonormalizeRows(rows, make([]float64, m*m), m, d)
		for f := range m {
			from.s[f] = float64(2 - f)
			for j := range d {
				from.v[j*m+f] = rows[f*d+j]
			}
		}
		c := gaussian(rng, d*m)
		whole := make([]float64, d*d)
		for i := range d {
			for j := range d {
				for f := range m {
					whole[i*d+j] += from.s[f]*from.v[i*m+f]*from.v[j*m+f] + from.v[i*m+f]*c[j*m+f] + c[i*m+f]*from.v[j*m+f]
				}
			}
		}
		want := tall(d, g.capacity)
		newTruncation(d, limit.within(d), limit).truncate(want, whole)
		g.retract(to, from, c)
		assert.Equal(t, want.m, to.m)
		assert.InDeltaSlice(t, want.matrix(d), to.matrix(d), 1e-12, "m = %d", m)
	}
}

func tall(d, most int) *point {
	return &point{v: make([]float64, d*most), s: make([]float64, most)}
}

// matrix returns V·diag(s)·Vᵀ.
func (p *point) matrix(d int) []float64 {
	out := make([]float64, d*d)
	for i := range d {
		for j := range d {
			for f, s := range p.s[:p.m] {
				out[i*d+j] += s * p.v[i*p.m+f] * p.v[j*p.m+f]
			}
		}
	}
	return out
}
