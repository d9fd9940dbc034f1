package vtec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/kernel"
	"ifmlab/core/vtec/sky"
)

// oddWindows are windows with all that a reduction meets: clusters that no
// point, one satellite or several have, a net in pieces, a single edge.
func oddWindows(t testing.TB) map[string]*Window {
	t.Helper()
	build := func(seed uint64, satellites int, change func(*sky.Network, *sky.Snapshot)) *Window {
		net := fakeNet(17)
		s := fakeSnapshot(rand.New(rand.NewPCG(seed, 1)), net, satellites)
		change(&net, &s)
		w := must(NewWindow(&net, &s))
		return w
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
