package vtec

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/linear"
)

// dot is the sum of products, term by term.
func dot(x, y []float64) (sum float64) {
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// rmsOf is how large numbers are.
func rmsOf(x []float64) float64 { return math.Sqrt(dot(x, x) / float64(len(x))) }

// solveSlowly returns (A + λI)⁻¹b by gonum.
func solveSlowly(a []float64, n int, lambda float64, b []float64) []float64 {
	m := mat.NewDense(n, n, append([]float64{}, a...))
	for i := range n {
		m.Set(i, i, m.At(i, i)+lambda)
	}
	x := mat.NewVecDense(n, nil)
	if err := x.SolveVec(m, mat.NewVecDense(n, b)); err != nil && x.AtVec(0) == 0 {
		panic(err)
	}
	return x.RawVector().Data
}

func TestRidgeOnAWindowSolvesItsNormalEquations(t *testing.T) {
	for seed := range uint64(5) {
		w := fakeWindow(t, seed, 7, 13)
		n, d := len(w.Train), w.D
		gram, right := make([]float64, d*d), make([]float64, d)
		for i := range n {
			z := w.Z[i*d:][:d]
			for j := range d {
				right[j] += z[j] * w.Y[i]
				for k := range d {
					gram[j*d+k] += z[j] * z[k]
				}
			}
		}
		for _, lambda := range []float64{1e-4, .01, 1, 1e6} {
			want, got := solveSlowly(gram, d, lambda, right), make([]float64, len(w.Test))
			require.NoError(t, w.Predict(got, Ridge, Parameters{Penalty: lambda}, nil))
			for i := range got {
				// The condition number is that of an angle beside its sine, 1e4/λ or so.
				require.InDelta(t, dot(w.ZTest[i*d:][:d], want), got[i], 1e-9*rmsOf(w.Y), "λ = %g", lambda)
			}
		}
	}
}

// netSlowly is coordinate descent on rows and residuals, as scikit-learn does it,
// until nothing moves.
func netSlowly(w *Window, alpha, ratio float64) []float64 {
	n, d := len(w.Train), w.D
	weights, residual := make([]float64, d), append([]float64{}, w.Y...)
	for range 200000 {
		moved := 0.0
		for j := range d {
			slope, square := 0.0, 0.0
			for i := range n {
				slope += w.Z[i*d+j] * residual[i]
				square += w.Z[i*d+j] * w.Z[i*d+j]
			}
			if square == 0 {
				continue
			}
			target := slope + square*weights[j]
			v := math.Copysign(max(math.Abs(target)-float64(n)*alpha*ratio, 0), target) / (square + float64(n)*alpha*(1-ratio))
			for i := range n {
				residual[i] -= w.Z[i*d+j] * (v - weights[j])
			}
			moved = max(moved, math.Abs(v-weights[j])*math.Sqrt(square))
			weights[j] = v
		}
		if moved < 1e-14 {
			break
		}
	}
	return weights
}

func TestElasticNetsOnAWindowAreThoseOfSlowSweepsOverItsRows(t *testing.T) {
	w := fakeWindow(t, 3, 5, 10)
	got := make([]float64, len(w.Test))
	for _, alpha := range []float64{1e-4, 1e-3, .01} {
		for _, ratio := range []float64{.1, .5, 1} {
			want := netSlowly(w, alpha, ratio)
			require.NoError(t, w.Predict(got, ElasticNet, Parameters{Penalty: alpha, Shape: ratio}, nil))
			for i := range got {
				require.InDelta(t, dot(w.ZTest[i*w.D:][:w.D], want), got[i], 1e-8*rmsOf(w.Y), "α = %g, ρ = %g", alpha, ratio)
			}
		}
	}
}

func TestAnElasticNetWithoutItsFirstNormIsRidgeOnAWindow(t *testing.T) {
	w := fakeWindow(t, 4, 6, 13)
	net, ridge := make([]float64, len(w.Test)), make([]float64, len(w.Test))
	require.NoError(t, w.Predict(ridge, Ridge, Parameters{Penalty: .5 * float64(len(w.Train))}, nil))
	require.NoError(t, w.Predict(net, ElasticNet, Parameters{Penalty: .5, Shape: 0}, nil))
	assert.InDeltaSlice(t, ridge, net, 1e-12)
	require.NoError(t, w.Predict(net, ElasticNet, Parameters{Penalty: 1e9, Shape: 1}, nil))
	assert.Equal(t, make([]float64, len(net)), net, "and an endless penalty leaves nothing")
}

func TestKernelRidgeOnAWindowSolvesItsEquation(t *testing.T) {
	w := fakeWindow(t, 5, 7, 13)
	n, d := len(w.Train), w.D
	bump := func(a, b []float64, gamma float64) float64 {
		sum := 0.0
		for j := range a {
			sum += (a[j] - b[j]) * (a[j] - b[j])
		}
		return math.Exp(-gamma * sum)
	}
	got := make([]float64, len(w.Test))
	for _, gamma := range []float64{1e-3, .1, 10} {
		for _, alpha := range []float64{1e-4, .1, 1e3} {
			k := make([]float64, n*n)
			for i := range n {
				for j := range n {
					k[i*n+j] = bump(w.Z[i*d:][:d], w.Z[j*d:][:d], gamma)
				}
			}
			c := solveSlowly(k, n, alpha, w.Y)
			require.NoError(t, w.kernelRidge(got, alpha, gamma))
			for i := range got {
				want := 0.0
				for j := range n {
					want += c[j] * bump(w.ZTest[i*d:][:d], w.Z[j*d:][:d], gamma)
				}
				// The condition number is n/α at most, 2e6.
				require.InDelta(t, want, got[i], 1e-9*rmsOf(w.Y), "α = %g, γ = %g", alpha, gamma)
			}
		}
	}
}

func TestBaselinesDoNotDependOnEachOther(t *testing.T) {
	w := fakeWindow(t, 7, 7, 13)
	var before, after [3][]float64
	for _, round := range []struct {
		to    *[3][]float64
		order []int
	}{{&before, []int{0, 1, 2}}, {&after, []int{2, 1, 0}}} {
		for _, i := range round.order {
			round.to[i] = make([]float64, len(w.Test))
			m := []Method{Ridge, ElasticNet, Kernel}[i]
			require.NoError(t, w.Predict(round.to[i], m, Parameters{Penalty: .01, Shape: .5}, nil))
		}
	}
	assert.Equal(t, before, after)
}

func TestColumnsThatDoNotVaryAndNoPenaltyLeaveABaselineFinite(t *testing.T) {
	w := fakeWindow(t, 8, 5, 13)
	for i := range w.Train {
		w.Z[i*w.D+2*w.M] = 0
		w.Z[i*w.D+2*w.M+1] = w.Z[i*w.D+2*w.M+2]
	}
	got := make([]float64, len(w.Test))
	for name, fit := range map[string]func() error{
		"ridge":  func() error { return w.Predict(got, Ridge, Parameters{Penalty: 0}, nil) },
		"lasso":  func() error { return w.Predict(got, ElasticNet, Parameters{Penalty: 0, Shape: 1}, nil) },
		"kernel": func() error { return w.kernelRidge(got, 1e-6, 1e-4) },
	} {
		require.NoError(t, fit(), name)
		assert.Less(t, rmsOf(got), 100*rmsOf(w.Y), name)
	}
}

func TestBaselinesRefuseSettingsThatCannotBe(t *testing.T) {
	w := fakeWindow(t, 9, 5, 13)
	got := make([]float64, len(w.Test))
	var penalty *linear.PenaltyError
	var ratio *linear.RatioError
	var gamma *linear.GammaError
	var singular *linear.SingularKernelError
	for i, test := range []struct {
		err    error
		target any
	}{
		{w.Predict(got, Ridge, Parameters{Penalty: -1}, nil), &penalty},
		{w.Predict(got, ElasticNet, Parameters{Penalty: math.Inf(1), Shape: .5}, nil), &penalty},
		{w.Predict(got, ElasticNet, Parameters{Penalty: 1, Shape: -.1}, nil), &ratio},
		{w.kernelRidge(got, -1, 1), &penalty},
		{w.kernelRidge(got, 1, 0), &gamma},
		{w.kernelRidge(got, 0, 1e-9), &singular},
	} {
		assert.True(t, errors.As(test.err, test.target), "%d: %v", i, test.err)
	}
	w.Y[0], w.normalEquations = math.Inf(1), nil
	assert.ErrorAs(t, w.Predict(got, Ridge, Parameters{Penalty: 1}, nil), new(*linear.UnsettledError))
}
