package fm

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
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
		}
	}
}

// forward is testdata/forward.json: predictions in exact rational arithmetic.
type forward struct {
	D, K     int
	W0       float64
	W        []float64
	U, V, X  [][]float64
	ExactFM  []float64 `json:"exact_fm"`
	ExactGFM []float64 `json:"exact_gfm"`
	ExactIFM []float64 `json:"exact_ifm"`
}

func flatten(rows [][]float64, scale float64) (out []float64) {
	for _, row := range rows {
		for _, v := range row {
			out = append(out, v*scale)
		}
	}
	return out
}

func exact(t *testing.T) (want forward) {
	t.Helper()
	text, err := os.ReadFile("testdata/forward.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &want))
	return want
}

func TestPredictMatchesExactArithmetic(t *testing.T) {
	want := exact(t)
	for kind, exact := range map[Kind][]float64{FM: want.ExactFM, GFM: want.ExactGFM, IFM: want.ExactIFM} {
		m := New(kind, want.D, want.K)
		m.B = want.W0
		copy(m.W, want.W)
		scale := 1.0
		if kind == FM {
			scale = math.Sqrt(.5) // the file's sum runs over i < j: half of ours
		}
		copy(m.U, flatten(want.U, scale))
		copy(m.V, flatten(want.V, 1))
		got := make([]float64, len(exact))
		m.Predict(got, design.NewDense(len(exact), want.D, flatten(want.X, 1)), nil)
		for i, x := range want.X {
			_, size := pairwise(m, x)
			assert.InDelta(t, exact[i], got[i], 1e-12*size, "%v, row %d", kind, i)
		}
	}
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
