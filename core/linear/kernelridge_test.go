package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
)

// kernelRidge fits f(z) = Σᵢ cᵢ·exp(−γ‖z − zᵢ‖²), a bump on every row, with
// (K + αI)·c = y. Distances are more exact without the columns' means.
type kernelRidge struct {
	rows, mean, y, squares []float64
}

func newKernelRidge(z *design.Dense, y []float64) kernelRidge {
	n, d := z.Dims()
	k := kernelRidge{mean: make([]float64, d), y: y, squares: make([]float64, n*n)}
	for i := range n {
		for j, v := range z.Row(i) {
			k.mean[j] += v / float64(n)
		}
	}
	k.rows = k.centred(z)
	Distances(k.squares, k.rows, nil, d)
	return k
}

func (k kernelRidge) centred(z *design.Dense) (rows []float64) {
	n, _ := z.Dims()
	for i := range n {
		for j, v := range z.Row(i) {
			rows = append(rows, v-k.mean[j])
		}
	}
	return rows
}

func (k kernelRidge) fit(alpha, gamma float64) (c []float64, err error) {
	c, bumps := make([]float64, len(k.y)), make([]float64, len(k.squares))
	Gaussian(bumps, k.squares, gamma)
	return c, SolveKernel(c, bumps, k.y, alpha)
}

func (k kernelRidge) predict(c []float64, gamma float64, z *design.Dense) []float64 {
	n, d := z.Dims()
	bumps, p := make([]float64, n*len(c)), make([]float64, n)
	Distances(bumps, k.centred(z), k.rows, d)
	Gaussian(bumps, bumps, gamma)
	for i := range p {
		for j, v := range c {
			p[i] += v * bumps[i*len(c)+j]
		}
	}
	return p
}

func TestKernelRidgeMatchesScikitLearn(t *testing.T) {
	for _, name := range []string{"diabetes", "diabetes_raw", "synth"} {
		ref, x, y := load(t, name)
		train, test := denseOf(x[:ref.Train]), denseOf(x[ref.Train:])
		k := newKernelRidge(train, y[:ref.Train])
		require.Len(t, ref.KernelRidge, 6*5)
		for _, want := range ref.KernelRidge {
			c := must(k.fit(want.Alpha, want.Gamma))
			// K's eigenvalues go up to the number of rows, so its condition number is
			// 342/α where bumps are wide, as they are on columns of norm 1.
			tolerance := 1e-9
			if want.Alpha < 1e-5 && name == "diabetes" {
				tolerance = 1e-6
			}
			p := k.predict(c, want.Gamma, test)
			for i, v := range want.TestPred {
				require.InDelta(t, v, p[i], tolerance*largest(y), "%s, α = %g, γ = %g, row %d", name, want.Alpha, want.Gamma, i)
			}
			sum := 0.0
			for i, v := range y[ref.Train:] {
				sum += (p[i] - v) * (p[i] - v) / float64(len(p))
			}
			require.InEpsilon(t, want.TestRMSE, math.Sqrt(sum), tolerance, "%s, α = %g, γ = %g", name, want.Alpha, want.Gamma)
		}
	}
}

func TestRowsAlikeAreAtDistanceZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 55))
	const d = 24
	a := gaussian(rng, 70*d)
	copy(a[69*d:], a[:d])
	squares := make([]float64, 70*70)
	Distances(squares, a, nil, d)
	assert.Zero(t, squares[69*70])
	for i := range 70 {
		assert.Zero(t, squares[i*70+i])
	}
	whole := make([]float64, 70*70)
	Distances(whole, a, a, d)
	for i := range 70 {
		for j := range i + 1 {
			want := 0.0
			for k := range d {
				want += (a[i*d+k] - a[j*d+k]) * (a[i*d+k] - a[j*d+k])
			}
			require.InDelta(t, want, squares[i*70+j], 1e-13)
			require.InDelta(t, want, whole[i*70+j], 1e-13)
		}
	}
}

func TestRowsAlikeNeedAPenalty(t *testing.T) {
	k := newKernelRidge(design.NewDense(3, 1, []float64{1, 2, 1}), []float64{1, 2, 3})
	_, err := k.fit(0, 1)
	assert.EqualError(t, err, "linear: the matrix of the kernel is singular with a penalty of 0: rows are alike, or nearly; raise the penalty, 1e-10 is enough, or γ")
	_, err = k.fit(1e-10, 1)
	assert.NoError(t, err, "as the message promises")
}
