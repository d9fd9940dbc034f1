package vtec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"

	"ifmlab/core/invalid"
	"ifmlab/core/kernel"
	"ifmlab/core/vtec/sky"
)

func start(w *Window, m Method, k int, lambda, linear float64, seed uint64) (*machine, float64) {
	scale := math.Sqrt(squared(w.Y) / float64(len(w.Y)))
	return w.newMachine(m, k, lambda, linear, scale, rand.New(rand.NewPCG(seed, 3))), scale
}

// slowly returns F of the machine at an encoding by the sum over all pairs.
func (f *machine) slowly(x []float64) float64 {
	sum := 0.0
	for j, b := range f.w {
		sum += b * x[j]
	}
	for c := range f.k {
		u, v := f.u[c*f.d:][:f.d], f.v[c*f.d:][:f.d]
		sum += pairwise(u, v, x)
		if f.keepsDiagonal {
			for j := range x {
				sum += u[j] * v[j] * x[j] * x[j]
			}
		}
	}
	return sum
}

// slowObjective returns what the doc of machine says is minimized.
func (f *machine) slowObjective(w *Window, scale float64) float64 {
	sum := f.lambdaW*squared(f.w) + f.lambda*squared(f.u)
	if &f.u[0] != &f.v[0] {
		sum += f.lambda * squared(f.v)
	}
	for i, v := range w.ofDifferences(w.Train, f.slowly) {
		sum += math.Pow(w.Y[i]/scale-v, 2)
	}
	return sum
}

func TestTheObjectiveIsThatOfTheSlowSumAndNeverRises(t *testing.T) {
	for name, w := range oddWindows(t) {
		for _, m := range []Method{FM, IFM, GFM} {
			for _, k := range []int{1, 10} {
				if testing.Short() && k > 1 && name != "few" {
					continue
				}
				for _, lambda := range []float64{0, 1e-6, 1e-2, 1, 1e6} {
					tolerance := 1e-10
					if m == GFM && lambda < 1e-2 {
						tolerance = 1e-6 // its factors grow to thousands, and their sums lose digits
					}
					f, scale := start(w, m, k, lambda, lambda, uint64(k))
					before := f.objective()
					for sweep := range 6 {
						f.sweep()
						now := f.objective()
						// The residual is updated, not computed anew, and rounds.
						require.LessOrEqual(t, now, before*(1+1e-12), "%s, %s of rank %d, λ = %g, sweep %d", name, m, k, lambda, sweep)
						before = now
					}
					require.InDelta(t, f.slowObjective(w, scale), before, tolerance*float64(len(w.Y)), "%s, %s of rank %d, λ = %g", name, m, k, lambda)
				}
			}
		}
	}
}

// The blocks of sweep are minima or steps along the gradient of the slow
// objective, which finite differences know without any of our formulas.
func TestGradientsAreThoseOfFiniteDifferences(t *testing.T) {
	for name, w := range oddWindows(t) {
		if name == "many" || testing.Short() && name != "few" && name != "two pieces" {
			continue // the slow sum costs its columns to the third power
		}
		for _, m := range []Method{FM, IFM, GFM} {
			f, scale := start(w, m, 2, .3, .2, 5)
			f.sweep()
			d := f.d
			finite := func(block []float64) []float64 {
				x := append([]float64{}, block...)
				defer copy(block, x)
				return fd.Gradient(nil, func(at []float64) float64 {
					copy(block, at)
					return f.slowObjective(w, scale)
				}, x, &fd.Settings{Formula: fd.Central, Step: 1e-4})
			}
			gradient := func(of *rows, b []float64, lambda, factor float64) []float64 {
				g := make([]float64, d)
				f.adjoint(g, of, f.residual)
				for j := range g {
					g[j] = -2*factor*g[j] + 2*lambda*b[j]
				}
				return g
			}
			u, v := f.u[d:2*d], f.v[d:2*d]
			// Central differences err by h² and by rounding over h: 1e-8 of numbers
			// that are as large as the objective.
			tolerance := 1e-6 * f.objective()
			assert.InDeltaSlice(t, finite(f.w), gradient(f.linearRows, f.w, .2, 1), tolerance, "%s, %s: w", name, m)
			f.bilinear(f.factorRows, v)
			factor := 1.0
			if m == FM {
				factor = 2
			}
			assert.InDeltaSlice(t, finite(u), gradient(f.factorRows, u, .3, factor), tolerance, "%s, %s: u", name, m)
			if m != FM {
				f.bilinear(f.factorRows, u)
				assert.InDeltaSlice(t, finite(v), gradient(f.factorRows, v, .3, 1), tolerance, "%s: v", name)
				f.fit(v, f.factorRows, .3)
				assert.InDeltaSlice(t, make([]float64, d), finite(v), tolerance, "%s: v is at its minimum", name)
			}
		}
	}
}

func TestASweepGoesOnToTheLowestPointOfItsLine(t *testing.T) {
	w := fakeWindow(t, 3, 6, 17)
	for _, m := range []Method{FM, IFM, GFM} {
		f, scale := start(w, m, 3, .01, .01, 5)
		for range 8 {
			last := append([]float64{}, f.parameters...)
			f.sweep()
			way := f.lastParameters // of the sweep alone
			share := (f.parameters[0] - last[0]) / way[0]
			require.Less(t, share, longestStep+1.)
			x, lowest := append([]float64{}, f.parameters...), f.slowObjective(w, scale)
			for _, beta := range []float64{-.5, -.01, .01, .5} {
				if beta < 0 && share < 1.001 {
					continue // it never goes back
				}
				for i := range x {
					f.parameters[i] = x[i] + beta*way[i]
				}
				// The last bisection leaves 1e-6 of the way.
				require.GreaterOrEqual(t, f.slowObjective(w, scale), lowest*(1-1e-9), "%s, %g sweeps further", m, share+beta)
			}
			copy(f.parameters, x)
		}
	}
}

func TestFactorsStartAsSaid(t *testing.T) {
	w := fakeWindow(t, 4, 9, 17)
	for m, want := range map[Method]float64{FM: .01 / float64(w.D), IFM: 1 / float64(w.D)} {
		f, _ := start(w, m, 10, 1, 1, 5)
		// The variance of 260 draws is within 9 % of itself, one standard deviation.
		assert.InEpsilon(t, want, squared(f.u)/float64(len(f.u)), .27, m.String())
		if m != FM {
			assert.Zero(t, squared(f.v))
		}
	}
}

func TestPredictionsAreThoseOfThePairwiseSumAtFourPoints(t *testing.T) {
	for name, w := range oddWindows(t) {
		for _, m := range []Method{FM, IFM, GFM} {
			for k := 1; k <= 10; k += 3 {
				f, scale := start(w, m, k, .1, .1, 7)
				f.sweep()
				f.sweep()
				want := w.ofDifferences(w.Test, f.slowly)
				dst := make([]float64, len(want))
				f.predict(dst, w, scale)
				for i := range want {
					require.InDelta(t, want[i]*scale, dst[i], 1e-11, "%s, %s of rank %d", name, m, k)
				}
			}
		}
	}
}

// fitted returns what the method predicts.
func fitted(t testing.TB, w *Window, m Method, k int, lambda float64) []float64 {
	t.Helper()
	dst := make([]float64, len(w.Test))
	require.NoError(t, w.factors(dst, m, Parameters{Rank: k, Penalty: lambda, Linear: .01}, rand.New(rand.NewPCG(1, 2))))
	return dst
}

func TestWithoutFactorsAllAreRidge(t *testing.T) {
	w := fakeWindow(t, 13, 7, 17)
	ridge := make([]float64, len(w.Test))
	require.NoError(t, w.Predict(ridge, Ridge, Parameters{Penalty: .01}, nil))
	for _, m := range []Method{FM, IFM, GFM} {
		assert.InDeltaSlice(t, ridge, fitted(t, w, m, 3, 1e9), 1e-6*rmsOf(w.Y), "%s: a penalty of 1e9 leaves 1e-9 of a factor", m)
	}
}

func TestWhereNothingBendsNothingIsPredicted(t *testing.T) {
	w := fakeWindow(t, 14, 7, 17)
	clear(w.Y)
	assert.Equal(t, make([]float64, len(w.Test)), fitted(t, w, IFM, 8, .1))
}

func TestAFitThatLeavesTheNumbersSaysSo(t *testing.T) {
	w := fakeWindow(t, 15, 7, 17)
	for i := range w.Y {
		w.Y[i] = 1e200 * float64(1+i%3)
	}
	dst := make([]float64, len(w.Test))
	for _, m := range []Method{FM, IFM, GFM} {
		err := w.factors(dst, m, Parameters{Rank: 3, Penalty: .1, Linear: .1}, rand.New(rand.NewPCG(1, 2)))
		require.ErrorAs(t, err, new(*invalid.NotFiniteError))
		assert.Contains(t, err.Error(), m.String())
	}
}

func TestSweepsAllocateNothing(t *testing.T) {
	w := fakeWindow(t, 17, 7, 17)
	for _, m := range []Method{FM, IFM, GFM} {
		f, _ := start(w, m, 3, .1, .1, 1)
		assert.Zero(t, testing.AllocsPerRun(10, f.sweep), m.String())
	}
}

func TestTheUnitOfAFitIsTheRootMeanSquareOfItsDifferences(t *testing.T) {
	w := &Window{Y: []float64{.06, -.08, .1, 0}}
	sum := 0.0
	for _, y := range w.Y {
		sum += y / w.targetScale() * y / w.targetScale()
	}
	assert.InDelta(t, 4, sum, 1e-12, "of each the square is 1 on average")
}

// oddWindows are windows with all that a reduction meets: clusters that no
// point, one satellite or several have, a net in pieces, a single edge.
func oddWindows(t testing.TB) map[string]*Window {
	t.Helper()
	build := func(seed uint64, satellites int, change func(*sky.Network, *sky.Snapshot)) *Window {
		net := fakeNet(17)
		s := fakeSnapshot(rand.New(rand.NewPCG(seed, 1)), net, satellites)
		change(&net, &s)
		return must(NewWindow(&net, &s))
	}
	return map[string]*Window{
		"plain":     build(1, 7, func(*sky.Network, *sky.Snapshot) {}),
		"few":       build(2, 4, func(*sky.Network, *sky.Snapshot) {}),
		"many":      build(3, 14, func(*sky.Network, *sky.Snapshot) {}),
		"crowded":   build(4, 9, func(_ *sky.Network, s *sky.Snapshot) { squeeze(s, .01) }),
		"one place": build(5, 6, func(_ *sky.Network, s *sky.Snapshot) { squeeze(s, 0) }),
		"one edge":  build(6, 6, func(net *sky.Network, _ *sky.Snapshot) { net.Edges = [][2]int{{0, 1}, {3, 4}} }),
		"two pieces": build(7, 8, func(net *sky.Network, _ *sky.Snapshot) {
			net.Edges = [][2]int{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {7, 8}, {8, 9}}
		}),
		"reference in the middle": build(8, 8, func(_ *sky.Network, s *sky.Snapshot) {
			for i := range 17 {
				s.Points[5*17+i].Elevation = 1.5
			}
		}),
	}
}

// squeeze draws points together, so that clusters hold those of several
// satellites; to a share of 0 all clusters but the first are empty.
func squeeze(s *sky.Snapshot, share float64) {
	for i := range s.Points {
		p := &s.Points[i]
		p.Lat = 30 + share*(p.Lat-30) + math.Min(share, .02)*float64(i%5)
		p.Lon = 115 + share*(p.Lon-115)
	}
}

func draw(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func squared(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}

// pairwise returns Σ over i ≠ j of uᵢvⱼxᵢxⱼ, the slow way.
func pairwise(u, v, x []float64) (sum float64) {
	for i, a := range x {
		for j, b := range x {
			if i != j {
				sum += u[i] * v[j] * a * b
			}
		}
	}
	return sum
}

// ofDifferences returns the double differences of a function of encodings.
func (w *Window) ofDifferences(of []Difference, f func(x []float64) float64) []float64 {
	result := make([]float64, len(of))
	for i, d := range of {
		for k, p := range d.Points {
			result[i] += signs[k] * f(w.X[int(p)*w.D:][:w.D])
		}
	}
	return result
}

func TestHalfOfTheRowsGiveTheSameLeastSquares(t *testing.T) {
	for name, w := range oddWindows(t) {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 9))
			r := w.reduce()
			y, u, v := draw(rng, len(w.Y)), draw(rng, w.D), draw(rng, w.D)
			assert.LessOrEqual(t, r.rank*r.satellites, len(w.Train))
			for kind, f := range map[string]func(x []float64) float64{
				"linear":        func(x []float64) float64 { return kernel.Dot(v, x) },
				"bilinear":      func(x []float64) float64 { return pairwise(u, v, x) },
				"diagonal kept": func(x []float64) float64 { return kernel.Dot(u, x) * kernel.Dot(v, x) },
			} {
				rows := r.newRows()
				if kind == "linear" {
					r.linear(rows)
				} else {
					r.bilinear(rows, u, kind == "diagonal kept")
				}
				residual, lost := r.project(w, y)
				before := append([]float64{}, residual...)
				r.subtract(residual, rows, 2, v)
				want := 0.0
				values := w.ofDifferences(w.Train, f)
				for i, q := range values {
					want += (y[i] - 2*q) * (y[i] - 2*q)
				}
				// All are sums of some hundred terms of that size.
				assert.InEpsilon(t, want, lost+squared(residual), 1e-12, kind)

				// The Gram matrix and the adjoint say the same: ‖Rv‖² and ⟨Rᵀy, v⟩.
				gram, adjoint, inner := 0.0, make([]float64, r.d), 0.0
				r.adjoint(adjoint, rows, before)
				for i := range r.d {
					for j := range i + 1 {
						g := rows.gram[i*r.d+j] * v[i] * v[j]
						if gram += g; j < i {
							gram += g
						}
					}
					inner += adjoint[i] * v[i]
				}
				assert.InEpsilon(t, squared(values), gram, 1e-10, kind)
				direct := 0.0
				for i, q := range values {
					direct += q * y[i]
				}
				assert.InDelta(t, direct, inner, 1e-11*math.Sqrt(squared(values)*squared(y)), kind)
			}
			points := draw(rng, len(r.h))
			residual, lost := r.project(w, y)
			r.subtractPoints(residual, points)
			want := 0.0
			at := map[int32]float64{}
			for p, q := range r.point {
				at[int32(q)] = points[p]
			}
			for i, d := range w.Train {
				e := y[i]
				for k, p := range d.Points {
					e -= signs[k] * at[p]
				}
				want += e * e
			}
			assert.InEpsilon(t, want, lost+squared(residual), 1e-12)
		})
	}
}

func TestWhatIsObservedIsNotLostByTheReduction(t *testing.T) {
	w := fakeWindow(t, 1, 7, 17)
	r := w.reduce()
	y, lost := r.project(w, w.Y)
	assert.Len(t, y, 6*15)
	assert.Less(t, lost, 1e-12*squared(w.Y), "observed differences add up to 0 around each triangle")
}

func TestIFMFollowsASignAndFMDoesNot(t *testing.T) {
	w := fakeWindow(t, 11, 7, 17)
	flip := func() {
		for i := range w.Y {
			w.Y[i] = -w.Y[i]
		}
	}
	for _, k := range []int{1, 4, 10} {
		ifm, fm := fitted(t, w, IFM, k, .01), fitted(t, w, FM, k, .01)
		flip()
		flipped, other := fitted(t, w, IFM, k, .01), fitted(t, w, FM, k, .01)
		flip()
		apart := 0.0
		for i := range ifm {
			require.Equal(t, -ifm[i], flipped[i], "to the last bit")
			apart += math.Pow(fm[i]+other[i], 2)
		}
		assert.Greater(t, math.Sqrt(apart/squared(fm)), .02, "rank %d", k)
	}
}
