package core_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/fm"
	"ifmlab/core/moment"
)

// The tests of what package core says of the paper's theorems and lemmas.

// (1/n)Σ f·xxᵀ for f = xᵀMx.
func TestTheOperatorMovesAsTheorem4Says(t *testing.T) {
	m := mat.NewSymDense(3, []float64{1, .3, -.2, .3, 2, .7, -.2, .7, -.5})
	mean := mat.NewDense(3, 3, nil)
	_, phi := population(func(x []float64, p float64) {
		v := mat.NewVecDense(3, x)
		f := mat.Inner(v, m, v)
		for i := range 3 {
			for j := range 3 {
				mean.Set(i, j, mean.At(i, j)+p*f*x[i]*x[j])
			}
		}
	})
	for i := range 3 {
		for j := range 3 {
			want := 2 * m.At(i, j)
			if i == j {
				want += mat.Trace(m) + (phi-3)*m.At(i, i)
			}
			assert.InDelta(t, want, mean.At(i, j), 1e-13, "27 terms below 10")
		}
	}

	// off returns the deviation from it on Gaussian rows, over ‖M‖₂√(d/n).
	const d, size = 40, .01
	off := func(n, k int, second float64) (share, trace float64) {
		rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
		q := thinQ(mat.NewDense(d, k, gaussian(rng, d*k)))
		values := make([]float64, k)
		for f := range values {
			values[f] = size
			if f%2 == 1 {
				values[f] *= second
			}
		}
		m := times(times(q, mat.NewDiagDense(k, values)), q.T())
		x := mat.NewDense(n, d, gaussian(rng, n*d))
		mx, fx := times(x, m), mat.NewDense(n, d, nil)
		for i := range n {
			f := mat.Dot(x.RowView(i), mx.RowView(i)) / float64(n)
			for j := range d {
				fx.Set(i, j, f*x.At(i, j))
			}
		}
		left := times(x.T(), fx)
		for i := range d {
			for j := range d {
				left.Set(i, j, left.At(i, j)-2*m.At(i, j))
			}
			left.Set(i, i, left.At(i, i)-mat.Trace(m))
		}
		return norm2(left) / size * math.Sqrt(float64(n)/d), mat.Trace(m) / size
	}
	for _, n := range []int{4000, 16000} {
		for _, k := range []int{2, 16} {
			for _, second := range []float64{1, -1} {
				share, trace := off(n, k, second)
				// Were f independent of x, the deviation would be 2√(tr² + 2k) in these units, 1.6
				// to 2.9 times √k + |tr|. That they are not adds up to half as much where k is 2.
				shape := share / (math.Sqrt(float64(k)) + math.Abs(trace))
				t.Logf("n = %d, k = %d, tr = %.0f‖M‖: %.2f", n, k, trace, shape)
				assert.True(t, 1.4 < shape && shape < 4.4, "n = %d, k = %d, tr = %.0f‖M‖: %.2f", n, k, trace, shape)
			}
		}
	}
	same, trace := off(4000, 16, 1)
	none, _ := off(4000, 16, -1)
	assert.Less(t, trace*size, .2, "as printed, the trace hardly counts beside √k = 4 ...")
	assert.Greater(t, same, 2.5*none, "... but it does: without units it is 16")
}

// What Appendix F proves: a step whose 𝓜 and 𝓦 are off by δε.
func TestTheErrorFallsWithinTheorem3(t *testing.T) {
	const d, k = 20, 3
	factor := 2*math.Sqrt(5)*1/.5 + 2 // σ₁ = 1 and σ₃ = .5 are lowRank's
	delta := min(1/factor, .5/(2*math.Sqrt(5)*2))
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(13, seed))
		truth, p := lowRank(d, rng)
		out := mat.NewDense(d, 1, gaussian(rng, d))
		in := times(p, out)
		tilt := symmetric(times(in, minus(out, in).T())) // from the range of M* out of it
		wTruth := mat.NewVecDense(d, gaussian(rng, d))
		wTruth.ScaleVec(1/mat.Norm(wTruth, 2), wTruth)
		w := mat.NewVecDense(d, nil)
		var epsilon []float64 // of the start, which 𝓜(y) is asked for, and of every iteration
		withoutRows(t, d, k, 11, func(m *mat.Dense) *mat.Dense {
			left, wrong := minus(m, truth), mat.NewVecDense(d, nil)
			wrong.SubVec(w, wTruth)
			epsilon = append(epsilon, norm2(left)+mat.Norm(wrong, 2))
			disturbed := delta * epsilon[len(epsilon)-1]
			noise := mat.DenseCopyOf(tilt)
			if seed < 2 {
				noise = symmetric(mat.NewDense(d, d, gaussian(rng, d*d)))
			}
			noise.Scale(disturbed/norm2(noise), noise)
			if len(epsilon) > 1 {
				of := mat.NewVecDense(d, gaussian(rng, d))
				w.AddScaledVec(wTruth, disturbed/mat.Norm(of, 2), of)
			}
			return minus(left, noise)
		})
		epsilon = epsilon[1:]
		assert.InDelta(t, 2, epsilon[0], 1e-12, "‖w*‖ + ‖M*‖")
		for i, e := range epsilon {
			assert.LessOrEqual(t, e, math.Pow(factor*delta, float64(i))*epsilon[0]*(1+1e-12), "seed %d, iteration %d", seed, i)
		}
		rate := math.Pow(epsilon[10]/epsilon[1], 1./9)
		assert.True(t, delta < rate && rate < 3*delta, "seed %d: %.3f an iteration, δ is %.3f and the bound %.3f", seed, rate, delta, factor*delta)
	}
}

// Told the true moments, Lemma 7's proof has G = G* and nothing of τ left: 𝓜 would
// be off as 𝓗 is. What it leaves out, G*∘(P − P*), is mean(ur)/τ with Var u = τ.
func TestTrueMomentsDoNotFreeTheStepFromTau(t *testing.T) {
	const d, k, n, trials = 10, 2, 4000, 12
	off := func(tau float64) (ofH, ofM float64) { // root mean squares, on the diagonal
		rng := rand.New(rand.NewPCG(14, 0))
		p := 1 / (1 + tau) // of three points, ±1/√p with probability p
		g, _, err := moment.EliminationWeights([]float64{0}, []float64{1 + tau}, moment.TauFloor)
		require.NoError(t, err)
		x, half := make([]float64, d), make([]float64, k)
		for range trials {
			q := thinQ(mat.NewDense(d, k, gaussian(rng, d*k))).RawMatrix().Data
			p0, p1, squares := 0.0, make([]float64, d), make([]float64, d)
			for range n {
				clear(half)
				for j := range x {
					x[j] = 0
					if u := rng.Float64(); u < p {
						x[j] = math.Copysign(1/math.Sqrt(p), u-p/2)
					}
					for f := range half {
						half[f] += x[j] * q[j*k+f]
					}
				}
				r := half[0]*half[0] - half[1]*half[1] // M − M* of eigenvalues 1 and −1, of trace 0
				p0 += r / n
				for j, v := range x {
					p1[j] += r * v / n
					squares[j] += r * v * v / n
				}
			}
			for j := range x {
				entry := q[j*k]*q[j*k] - q[j*k+1]*q[j*k+1]
				h := squares[j]/2 - (entry + (tau-2)*entry/2)
				m := squares[j]/2 - p0/2 - (g[0]*p1[j]+g[1]*(squares[j]-p0))/2 - entry
				ofH += h * h / (d * trials)
				ofM += m * m / (d * trials)
			}
		}
		return math.Sqrt(ofH), math.Sqrt(ofM)
	}
	h1, m1 := off(.1)
	h2, m2 := off(.01)
	t.Logf("𝓗 is off by %.4f and %.4f, 𝓜 by %.4f and %.4f", h1, h2, m1, m2)
	// 120 squares make a root that is right within 10 %; a quarter is two of those, for
	// a ratio.
	assert.InEpsilon(t, h1, h2, .25, "𝓗 does not see τ")
	assert.InEpsilon(t, math.Sqrt(10), m2/m1, .25, "𝓜 does: 1/√τ, not the 1/τ that the technique would allow for")
	assert.Greater(t, m2, 4*h2)
}

// curvature returns the second derivative at 0 of a polynomial of degree 4.
func curvature(f func(at float64) float64) float64 {
	return (16*(f(1)+f(-1)) - f(2) - f(-2) - 30*f(0)) / 12
}

// "... subtracting the diagonal elements will make the second order derivative
// w.r.t. U non-PSD."
func TestRemovingTheDiagonalBendsTheLossDown(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 0))
	const d, k, n = 4, 2, 200
	x := gaussian(rng, n*d)
	// along returns how the loss bends from a model's factors along others.
	along := func(m *fm.Model, y, u, v []float64) float64 {
		return curvature(func(at float64) (loss float64) {
			moved := fm.New(m.Kind, d, m.Rank)
			for i := range moved.U {
				moved.U[i] = m.U[i] + at*u[i]
			}
			for i := range moved.V {
				moved.V[i] = m.V[i] + at*v[i]
			}
			for i, f := range predict(moved, x) {
				loss += (f - y[i]) * (f - y[i]) / (2 * n)
			}
			return loss
		})
	}
	none := make([]float64, n)
	for range 50 { // of UUᵀ, f ≥ 0 and ½f² are convex
		with := fm.New(fm.GFM, d, k)
		copy(with.U, gaussian(rng, d*k))
		copy(with.V, with.U)
		u := gaussian(rng, d*k)
		assert.GreaterOrEqual(t, along(with, none, u, u), 0.0, "with its diagonal")
	}
	// u = e₁ + e₂ makes f = 2x₁x₂, and e₁ − e₂ leads down on both sides.
	without, u := fm.New(fm.FM, d, 1), []float64{1, -1, 0, 0}
	copy(without.U, []float64{1, 1, 0, 0})
	assert.Less(t, along(without, none, u, nil), -1.0, "2u₁²u₂² bends by −4 there, over as many rows as there are")
	with := fm.New(fm.GFM, d, 1)
	copy(with.U, without.U)
	copy(with.V, without.U)
	assert.Greater(t, along(with, none, u, u), 1.0, "and with its diagonal the other way")

	for _, kind := range []fm.Kind{fm.GFM, fm.IFM} {
		y, still := gaussian(rng, n), make([]float64, d*k)
		for range 50 {
			m, step := random(kind, d, k, rng), gaussian(rng, d*k)
			// Up to 1e4, in differences of numbers of 1e5 that are rounded at 1e-11.
			assert.Greater(t, along(m, y, step, still), -1e-9, "%v in U alone", kind)
			assert.Greater(t, along(m, y, still, step), -1e-9, "%v in V alone", kind)
		}
	}
}

// cross gives column f of m c at a feature and what is left of its row over c at the
// others, and takes from left what the column writes off the diagonal.
func cross(m *fm.Model, left *mat.Dense, f, feature int, c float64) {
	for i := range m.D {
		m.U[i*m.Rank+f] = left.At(i, feature) / c
	}
	m.U[feature*m.Rank+f] = c
	remove(m, left, f)
}

// remove takes from left what column f of m writes off the diagonal.
func remove(m *fm.Model, left *mat.Dense, f int) {
	for i := range m.D {
		for l := range m.D {
			if i != l {
				left.Set(i, l, left.At(i, l)-m.U[i*m.Rank+f]*m.U[l*m.Rank+f])
			}
		}
	}
}

// The loophole: (c, M₂₁/c, …) has the first row of M in its product with itself,
// and c² on the diagonal, which is left out.
func TestOneColumnCopiesARowOfEitherSign(t *testing.T) {
	const d, feature = 7, 2
	truth := withoutDiagonal(symmetric(mat.NewDense(d, d, gaussian(rand.New(rand.NewPCG(16, 0)), d*d))))
	for _, c := range []float64{.5, 1, 8, 64} {
		m := fm.New(fm.FM, d, 1)
		cross(m, mat.DenseCopyOf(truth), 0, feature, c)
		found := m.Interaction()
		for i := range d {
			for l := range d {
				want := truth.At(i, feature) * truth.At(l, feature) / (c * c)
				switch {
				case i == l:
					want = 0
				case i == feature || l == feature:
					want = truth.At(i, l)
				}
				assert.InDelta(t, want, found[i*d+l], 1e-14, "c = %v: what is not of the row is M_ij·M_lj/c²", c)
			}
		}
	}
}

// A column for each feature but the last, of what those before have left, is
// Cholesky's way to factor M + D, with pivots c² of one's own choice.
func TestCrossesCopyARowEach(t *testing.T) {
	const d, c = 7, 3
	truth := withoutDiagonal(symmetric(mat.NewDense(d, d, gaussian(rand.New(rand.NewPCG(17, 0)), d*d))))
	for rank := 1; rank < d; rank++ {
		m, left := fm.New(fm.FM, d, rank), mat.DenseCopyOf(truth)
		for f := range rank {
			cross(m, left, f, f, c)
		}
		found := m.Interaction()
		assert.InDeltaSlice(t, truth.RawMatrix().Data[:rank*d], found[:rank*d], 1e-13, "%d rows, sums of up to six products of about c", rank)
		if rank == d-1 {
			assert.InDeltaSlice(t, truth.RawMatrix().Data, found, 1e-13, "with d − 1 of them there is no row left")
		}
	}
}

// Crosses for all features but three leave three pairs, which one column writes if
// their product is positive. What the crosses change of it goes as 1/c².
func TestTwoColumnsLessThanAllDoWhereThreePairsHaveAPositiveProduct(t *testing.T) {
	const d, rank, c = 6, 4, 100
	rng := rand.New(rand.NewPCG(18, 0))
	written := 0
	for range 100 {
		truth := withoutDiagonal(symmetric(mat.NewDense(d, d, gaussian(rng, d*d))))
		three, product := [3]int{}, 0.0
		for i := range d {
			for j := range i {
				for l := range j {
					if p := truth.At(i, j) * truth.At(i, l) * truth.At(j, l); p > product {
						three, product = [3]int{i, j, l}, p
					}
				}
			}
		}
		if product < .01 {
			continue
		}
		written++
		m, left := fm.New(fm.FM, d, rank), mat.DenseCopyOf(truth)
		f := 0
		for feature := range d {
			if feature != three[0] && feature != three[1] && feature != three[2] {
				cross(m, left, f, feature, c)
				f++
			}
		}
		for at, i := range three {
			j, l := three[(at+1)%3], three[(at+2)%3]
			m.U[i*rank+f] = math.Sqrt(left.At(i, j) * left.At(i, l) / left.At(j, l))
			if left.At(j, l) < 0 {
				m.U[i*rank+f] *= -1
			}
		}
		remove(m, left, f)
		assert.InDeltaSlice(t, truth.RawMatrix().Data, m.Interaction(), 1e-10, "differences of numbers of 1e4, over .2 at the least")
	}
	assert.Greater(t, written, 95, "of 2¹⁵ ways to give fifteen pairs a sign, 2⁵ have no such three")
}

// Where M_ij·M_jl·M_il < 0 for every three features, some of them turned round make all
// of M negative. M + D without a negative eigenvalue then is a multiple of I less a
// matrix of positive entries off the diagonal, whose largest eigenvalue is simple
// (Perron and Frobenius): M + D has rank d − 1 at least, and so have those near it.
func TestTwoColumnsLessThanAllDoNotWhereEveryTriangleIsNegative(t *testing.T) {
	const d = 6
	rng := rand.New(rand.NewPCG(19, 0))
	for range 300 {
		turned := make([]float64, d)
		for i := range turned {
			turned[i] = math.Copysign(1, rng.NormFloat64())
		}
		with := mat.NewSymDense(d, nil)
		for i := range d {
			with.SetSym(i, i, math.Exp(3*rng.NormFloat64()))
			for l := range i {
				with.SetSym(i, l, -turned[i]*turned[l]*(1+rng.Float64()))
			}
		}
		lowest := eigenvalues(t, with)
		assert.Greater(t, lowest[1]-lowest[0], 1.0, "without its lowest eigenvalue on the diagonal one is 0, and no second one: the smallest entry is 1")
	}
}
