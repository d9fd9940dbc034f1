package fm

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/eigen"
)

// wholeValues returns the eigenvalues of the whole D×D matrix with its diagonal,
// largest first, the slow way: every element is written out.
func wholeValues(m *Model, weights []float64) []float64 {
	d := m.D
	a := (&Model{Kind: GFM, D: d, Rank: m.Rank, U: m.U, V: m.Right()}).Interaction()
	for i := range a {
		if weights != nil {
			a[i] *= weights[i/d] * weights[i%d]
		}
	}
	e := eigen.New(d)
	e.ValuesOf(a, d)
	slices.Sort(e.Values)
	slices.Reverse(e.Values)
	return e.Values
}

func scale(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}

// norm returns the Frobenius norm of diag(weights)·x.
func norm(x, weights []float64) float64 {
	sum := 0.0
	for i, v := range x {
		if weights != nil {
			v *= weights[i/(len(x)/len(weights))]
		}
		sum += v * v
	}
	return math.Sqrt(sum)
}

func TestEigenvaluesAreThoseOfTheMatrixWrittenOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 60))
	for _, shape := range [][2]int{{1, 1}, {2, 1}, {5, 2}, {9, 3}, {4, 4}, {5, 4}, {3, 7}, {1, 3}, {40, 6}} {
		d, k := shape[0], shape[1]
		weights := make([]float64, d)
		for i := range weights {
			weights[i] = math.Exp(rng.NormFloat64())
		}
		for name, spoil := range map[string]func(m *Model){
			"Gaussian": func(*Model) {},
			"zero":     func(m *Model) { clear(m.U); clear(m.V) },
			"U alone":  func(m *Model) { clear(m.V) },
			"V is U":   func(m *Model) { copy(m.V, m.U) },
			"V is −U":  func(m *Model) { copy(m.V, m.U); scale(m.V, -1) },
			"V is nearly U": func(m *Model) {
				for i, u := range m.U {
					m.V[i] = u * (1 + 1e-14*float64(i%3))
				}
			},
			"signs by turns": func(m *Model) {
				for i, u := range m.U {
					m.V[i%len(m.V)] = u * float64(1-2*(i%k%2))
				}
			},
			"a zero column": func(m *Model) {
				for i := range d {
					m.U[i*k] = 0
				}
			},
			"equal columns": func(m *Model) {
				for i := range d * k {
					m.U[i] = m.U[i/k*k]
				}
			},
			"a zero row": func(m *Model) { clear(m.U[:k]); clear(m.V[:min(k, len(m.V))]) },
		} {
			for _, kind := range kinds {
				m := random(rng, kind, d, k)
				if kind == FM {
					m.V = make([]float64, d*k) // for spoil, which writes there
				}
				spoil(m)
				if kind == FM {
					m.V = nil
				}
				for _, weights := range [][]float64{nil, weights} {
					before := clone(m)
					found := m.Eigenvalues(weights)
					require.Equal(t, before, m, "the model is left as it is")
					want := wholeValues(m, weights)
					require.LessOrEqual(t, len(found), d)
					require.True(t, slices.IsSortedFunc(found, func(a, b float64) int { return int(math.Copysign(1, b-a)) }))
					// The others are 0 by the matrix' form.
					all := append(slices.Clone(found), make([]float64, d-len(found))...)
					slices.Sort(all)
					slices.Reverse(all)
					// Rounding of some d reflections and rotations of numbers of the
					// size of the factors, weights and all.
					size := 1e-14 * float64(d) * norm(m.U, weights) * norm(m.Right(), weights)
					assert.InDeltaSlice(t, want, all, size, "%v, %d×%d, %s", kind, d, k, name)
				}
			}
		}
	}
}

// Of a matrix that has fewer eigenvalues than rank, rounding makes numbers of
// both signs; FM has none below 0 all the same.
func TestFMHasNoNegativeEigenvalues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 62))
	lowest := 0.0 // of the matrices written out
	for range 200 {
		m := random(rng, FM, 1+rng.IntN(9), 1+rng.IntN(6))
		for i := range m.U { // every column alike
			m.U[i] = m.U[i/m.Rank*m.Rank]
		}
		for _, v := range m.Eigenvalues(nil) {
			require.GreaterOrEqual(t, v, 0.0)
			require.False(t, math.Signbit(v), "0 and not −0")
		}
		lowest = min(lowest, slices.Min(wholeValues(m, nil)))
	}
	assert.Negative(t, lowest, "the test is one")
}

func TestTheEigenvaluesOfTheNegativeModelAreTheNegatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 63))
	for range 50 {
		m := random(rng, IFM, 1+rng.IntN(12), 1+rng.IntN(5))
		values := m.Eigenvalues(nil)
		scale(m.V, -1)
		flipped := m.Eigenvalues(nil)
		slices.Reverse(flipped)
		scale(flipped, -1)
		assert.Equal(t, values, flipped)
	}
}

// A browser shows what the tests here see.
func TestEigenvaluesHaveTheSameBitsEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 64))
	digest := fnv.New64a()
	for _, kind := range kinds {
		for _, v := range random(rng, kind, 31, 5).Eigenvalues(gaussian(rng, 31)) {
			digest.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	assert.Equal(t, uint64(0xc860bb7ec319b134), digest.Sum64())
}

func TestAFactorHasTwoEigenvaluesAndASquareOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 61))
	for _, c := range []struct {
		kind       Kind
		d, k, want int
	}{{GFM, 12, 4, 8}, {IFM, 12, 4, 8}, {FM, 12, 4, 4}, {FM, 3, 4, 3}, {IFM, 7, 4, 7}, {IFM, 3, 0, 0}} {
		m := random(rng, c.kind, c.d, c.k)
		assert.Len(t, m.Eigenvalues(nil), c.want, "%+v", c)
		if c.kind != FM && c.k < c.d/2 {
			copy(m.V, m.U)
			assert.Len(t, m.Eigenvalues(nil), c.k, "%+v", c)
		}
	}
}
