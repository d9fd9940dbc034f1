package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/data"
)

func TestKernelRidgeMatchesScikitLearn(t *testing.T) {
	for _, name := range []string{"diabetes", "diabetes_raw", "synth"} {
		ref, x, y := load(t, name)
		train, test := design(x[:ref.Train]), design(x[ref.Train:])
		k, err := NewKernelRidge(train, y[:ref.Train])
		require.NoError(t, err)
		require.Len(t, ref.KernelRidge, 6*5)
		for _, want := range ref.KernelRidge {
			got, err := k.Fit(want.Alpha, want.Gamma)
			require.NoError(t, err)
			// K's eigenvalues go up to the number of rows, so its condition number is
			// 342/α where bumps are wide, as they are on columns of norm 1.
			tolerance := 1e-9
			if want.Alpha < 1e-5 && name == "diabetes" {
				tolerance = 1e-6
			}
			p := make([]float64, len(x)-ref.Train)
			got.Predict(p, test)
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

func TestKernelRidgeSolvesItsEquation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 53))
	const n, d, m = 150, 5, 140 // more rows than a stripe of K and than a block
	x, z, y := gaussian(rng, n*d), gaussian(rng, m*d), gaussian(rng, n)
	for i := range x {
		x[i] += 100 // far from 0, near to each other
	}
	for i := range z {
		z[i] += 100
	}
	bump := func(a, b []float64, gamma float64) float64 {
		sum := 0.0
		for j := range a {
			sum += (a[j] - b[j]) * (a[j] - b[j])
		}
		return math.Exp(-gamma * sum)
	}
	r, err := NewKernelRidge(data.NewDense(n, d, x), y)
	require.NoError(t, err)
	for _, gamma := range []float64{.01, .3, 4} {
		for _, alpha := range []float64{1e-3, 1} {
			k, c := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
			for i := range n {
				for j := range i + 1 {
					k.SetSym(i, j, bump(x[i*d:][:d], x[j*d:][:d], gamma))
				}
				k.SetSym(i, i, 1+alpha)
			}
			require.NoError(t, c.SolveVec(k, mat.NewVecDense(n, y)))
			got, err := r.Fit(alpha, gamma)
			require.NoError(t, err)
			require.InDeltaSlice(t, c.RawVector().Data, got.C, 1e-9*largest(got.C), "α = %g, γ = %g", alpha, gamma)
			p := make([]float64, m)
			got.Predict(p, data.NewDense(m, d, z))
			for i := range p {
				want := 0.0
				for j := range n {
					want += c.AtVec(j) * bump(z[i*d:][:d], x[j*d:][:d], gamma)
				}
				require.InDelta(t, want, p[i], 1e-9, "α = %g, γ = %g, row %d", alpha, gamma, i)
			}
		}
	}
}

func TestLawsOfKernelRidge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 54))
	const n, d = 30, 3
	z, y := data.NewDense(n, d, gaussian(rng, n*d)), gaussian(rng, n)
	r, err := NewKernelRidge(z, y)
	require.NoError(t, err)
	p := make([]float64, n)
	fit := func(alpha, gamma float64) KernelFit {
		f, err := r.Fit(alpha, gamma)
		require.NoError(t, err)
		f.Predict(p, z)
		return f
	}
	t.Run("without penalty it goes through every target", func(t *testing.T) {
		fit(0, 1)
		assert.InDeltaSlice(t, y, p, 1e-9)
	})
	t.Run("an endless penalty leaves 0", func(t *testing.T) {
		fit(1e300, 1)
		assert.Less(t, largest(p), 1e-290)
	})
	t.Run("narrow bumps shrink each target alone", func(t *testing.T) {
		fit(1, 1e6)
		for i := range p {
			assert.InDelta(t, y[i]/2, p[i], 1e-12)
		}
	})
	t.Run("fits do not depend on each other", func(t *testing.T) {
		first := fit(.1, .5).C
		fit(3, 2)
		assert.Equal(t, first, fit(.1, .5).C)
	})
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

func TestKernelRidgeRejectsWhatItCannotFit(t *testing.T) {
	z := data.NewDense(3, 1, []float64{1, 2, 1})
	fit := func(alpha, gamma float64) error {
		k, err := NewKernelRidge(z, []float64{1, 2, 3})
		require.NoError(t, err)
		_, err = k.Fit(alpha, gamma)
		return err
	}
	for want, try := range map[string]func() error{
		"linear: 2 targets, want 3 as in the design": func() error {
			_, err := NewKernelRidge(z, make([]float64, 2))
			return err
		},
		"linear: target of row 0 is -Inf, want a finite number; correct or leave out the row": func() error {
			_, err := NewKernelRidge(z, []float64{math.Inf(-1), 0, 0})
			return err
		},
		"linear: column 0 has a sum of squares of NaN, want finite numbers; correct or leave out the column": func() error {
			_, err := NewKernelRidge(data.NewDense(1, 1, []float64{math.NaN()}), []float64{1})
			return err
		},
		"linear: 3001 rows are too many for kernel ridge; give it 3000 at most": func() error {
			_, err := NewKernelRidge(data.NewDense(3001, 1, make([]float64, 3001)), make([]float64, 3001))
			return err
		},
		"linear: the penalty is -1, want a finite number of at least 0": func() error { return fit(-1, 1) },
		"linear: γ is 0, want a finite number above 0":                  func() error { return fit(1, 0) },
		"linear: γ is NaN, want a finite number above 0":                func() error { return fit(1, math.NaN()) },
		"linear: the matrix of the kernel is singular with a penalty of 0: rows are alike, or nearly; raise the penalty, 1e-10 is enough, or γ": func() error { return fit(0, 1) },
	} {
		assert.EqualError(t, try(), want)
	}
	assert.NoError(t, fit(1e-10, 1), "as the message promises")
}

func BenchmarkKernelRidge(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 56))
	const n, d = 196, 24
	z, y := data.NewDense(n, d, gaussian(rng, n*d)), gaussian(rng, n)
	for b.Loop() {
		k, err := NewKernelRidge(z, y)
		require.NoError(b, err)
		_, err = k.Fit(.01, .01)
		require.NoError(b, err)
	}
}
