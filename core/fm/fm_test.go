package fm

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/eigen"
)

var kinds = []Kind{FM, GFM, IFM}

func gaussian(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// random returns a model without a zero in it.
func random(rng *rand.Rand, kind Kind, d, rank int) *Model {
	m := New(kind, d, rank)
	m.B = rng.NormFloat64()
	copy(m.W, gaussian(rng, d))
	copy(m.U, gaussian(rng, d*rank))
	copy(m.V, gaussian(rng, d*rank))
	return m
}

// pairwise is the definition: the sum over all pairs i ≠ j, and i = j for gFM,
// of ⟨uᵢ, vⱼ⟩·xᵢ·xⱼ. size is the sum of the absolute values of its terms.
func pairwise(m *Model, x []float64) (f, size float64) {
	add := func(v float64) { f, size = f+v, size+math.Abs(v) }
	v := m.V
	if m.Kind == FM {
		v = m.U
	}
	add(m.B)
	for i := range x {
		add(x[i] * m.W[i])
		for j := range x {
			for k := range m.Rank {
				if i != j || m.Kind == GFM {
					add(m.U[i*m.Rank+k] * v[j*m.Rank+k] * x[i] * x[j])
				}
			}
		}
	}
	return f, size
}

func TestPredictMatchesPairwiseSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 20))
	for _, kind := range kinds {
		for _, shape := range [][3]int{{1, 1, 1}, {5, 3, 2}, {127, 4, 7}, {128, 9, 1}, {129, 6, 8}, {300, 13, 5}, {3, 2, 5}, {4, 3, 0}} {
			n, d, rank := shape[0], shape[1], shape[2]
			m := random(rng, kind, d, rank)
			z := design.NewDense(n, d, gaussian(rng, n*d))
			got := make([]float64, n)
			m.Predict(got, z, nil)
			for i := range n {
				want, size := pairwise(m, z.Row(i))
				// Rounding of d²k terms, each relative to the size of all; the fast
				// form also adds and removes the diagonal, which is not in size.
				require.InDelta(t, want, got[i], 1e-14*(1+float64(rank*d))*(1+size), "%v, %v, row %d", kind, shape, i)
			}
			classes, scores := &Model{Kind: kind, D: d, Rank: rank, Classes: []*Model{m, random(rng, kind, d, rank), m}}, make([]float64, 3*n)
			classes.Predict(scores, z, nil)
			for i, want := range got {
				require.Equal(t, []float64{want, want}, []float64{scores[3*i], scores[3*i+2]}, "of classes, row %d", i)
			}
		}
	}
}

// forward is testdata/forward.json: predictions in exact rational arithmetic.
type forward struct {
	X       [][]float64
	ExactFM []float64 `json:"exact_fm"`
}

func exact(t *testing.T) (want forward) {
	t.Helper()
	text, err := os.ReadFile("testdata/forward.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &want))
	return want
}

func TestInteractionIsTheSymmetricPart(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 22))
	const d, rank = 11, 3
	for _, kind := range kinds {
		m := random(rng, kind, d, rank)
		v := m.Right()
		got := m.Interaction()
		for i := range d {
			for j := range d {
				want := 0.0
				for k := range rank {
					want += (m.U[i*rank+k]*v[j*rank+k] + m.U[j*rank+k]*v[i*rank+k]) / 2
				}
				if i == j && kind != GFM {
					want = 0
				}
				require.InDelta(t, want, got[i*d+j], 1e-14, "%v, %d, %d", kind, i, j)
				require.Equal(t, got[j*d+i], got[i*d+j], "%v, %d, %d", kind, i, j)
			}
		}
	}
}

// predict is f(x) of a model written out.
func predict(c Coefficients, x []float64) float64 {
	f := c.B
	for i, v := range x {
		f += v * c.W[i]
		for j, w := range x {
			f += v * c.M[i*len(x)+j] * w
		}
	}
	return f
}

// encoding returns an encoding of d features of means and scales like those of
// a table: years, fractions, levels.
func encoding(rng *rand.Rand, d int) design.Encoding {
	enc := design.Encoding{Target: design.Target{Name: "price", Mean: 3.5e5, Scale: 1.25e5}}
	for j := range d {
		f := design.Feature{Name: fmt.Sprintf("x%d", j), Column: fmt.Sprintf("x%d", j), Kind: design.FeatureValue,
			Mean: 20 * rng.NormFloat64(), Scale: math.Exp(3 * rng.NormFloat64())}
		if j%3 == 2 {
			f = design.Feature{Name: "make=" + f.Name, Column: "make", Kind: design.FeatureLevel, Level: f.Name, Scale: 1}
		}
		enc.Features = append(enc.Features, f)
	}
	return enc
}

func TestOnlyFeaturesThatMeetInARowHaveAnObservableInteraction(t *testing.T) {
	var features []design.Feature
	for _, f := range []design.Feature{{Column: "a", Kind: design.FeatureLevel}, {Column: "b", Kind: design.FeatureKnot}, {Column: "c", Kind: design.FeatureEntry}} {
		features = append(features, f, f)
	}
	m := random(rand.New(rand.NewPCG(1, 23)), IFM, len(features), 2)
	want := m.Interaction()
	want[1], want[len(features)] = 0, 0 // two levels of one column
	assert.Equal(t, want, m.Observable(features))
}

func TestRawCoefficientsPredictInTheReadersUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 24))
	const n, d, rank = 40, 9, 3
	for _, kind := range kinds {
		m, enc := random(rng, kind, d, rank), encoding(rng, d)
		z, raw := gaussian(rng, n*d), make([]float64, n*d)
		level := 0 // of the row, so that two levels never meet
		for i := range z {
			f := enc.Features[i%d]
			if i%d == 0 {
				level = 3*rng.IntN(4) + 2
			}
			if f.Kind == design.FeatureLevel {
				z[i] = 0
				if i%d == level {
					z[i] = 1
				}
			}
			raw[i] = f.Mean + f.Scale*z[i]
		}
		f := make([]float64, n)
		m.Predict(f, design.NewDense(n, d, z), nil)
		c := m.Raw(enc)
		for i := range n {
			x := raw[i*d:][:d]
			want := f[i] * enc.Target.Scale
			require.InDelta(t, want, predict(c, x), 1e-10*magnitude(c, x), "%v, row %d", kind, i)
		}
	}
}

func TestKindsReadBack(t *testing.T) {
	for _, kind := range kinds {
		got, err := ParseKind(kind.String())
		require.NoError(t, err)
		assert.Equal(t, kind, got)
	}
	got, err := ParseKind("iFM")
	require.NoError(t, err)
	assert.Equal(t, IFM, got)
	_, err = ParseKind("lasso")
	assert.EqualError(t, err, `fm: the model is "lasso", expected "fm", "gfm" or "ifm"`)
	assert.Equal(t, "Kind(9)", Kind(9).String())
}

func clone(m *Model) *Model {
	c := New(m.Kind, m.D, m.Rank)
	c.Set(m)
	return c
}

// magnitude is the size of the terms that make a prediction: what its rounding
// is relative to.
func magnitude(c Coefficients, x []float64) float64 {
	size := math.Abs(c.B)
	for i := range x {
		size += math.Abs(x[i] * c.W[i])
		for j := range x {
			size += math.Abs(x[i] * c.M[i*len(x)+j] * x[j])
		}
	}
	return size
}

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
		minus := New(GFM, m.D, m.Rank)
		copy(minus.U, m.U)
		copy(minus.V, m.U)
		scale(minus.V, -1)
		for _, v := range minus.Eigenvalues(nil) {
			require.LessOrEqual(t, v, 0.0, "nor has its negative one above 0")
		}
		lowest = min(lowest, slices.Min(wholeValues(m, nil)))
	}
	assert.Negative(t, lowest, "the test is one")
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
