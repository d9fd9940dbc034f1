package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// angles draws an ill-conditioned Gram matrix: an angle, its square, sine and
// cosine over a small range, between columns of noise.
func angles(rng *rand.Rand, n, d int) (g, b []float64) {
	g, b = make([]float64, d*d), make([]float64, d)
	row := make([]float64, d)
	for range n {
		a := .3 + .2*rng.Float64()
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		copy(row, []float64{a - .4, a*a - .16, math.Sin(a) - .39, math.Cos(a) - .92})
		y := 3*a - row[d-1] + .1*rng.NormFloat64()
		for j, v := range row {
			b[j] += v * y
			for k, u := range row {
				g[j*d+k] += u * v
			}
		}
	}
	return g, b
}

// missed returns by how much w misses the optimality conditions that Minimize promises. The
// objective is convex, so that a w that misses none is its minimum.
func missed(w, g, b []float64, p, q float64) (worst float64) {
	d, target, size := len(w), 0.0, 0.0
	for j, v := range w {
		if root := math.Sqrt(g[j*d+j]); root > 0 {
			target, size = max(target, math.Abs(b[j])/root), size+root*math.Abs(v)
		}
	}
	for j, v := range w {
		slope, root := b[j]-q*v, math.Sqrt(g[j*d+j])
		for k, u := range w {
			slope -= g[j*d+k] * u
		}
		miss := max(math.Abs(slope)-p, 0)
		if v != 0 {
			miss = math.Abs(slope - math.Copysign(p, v))
		}
		if root > 0 {
			worst = max(worst, miss/root/(target+size))
		}
	}
	return worst
}

func TestDescentMeetsItsOptimalityConditions(t *testing.T) {
	gram := func(n, d int, spoil func(row []float64)) (g, b []float64) {
		rng := rand.New(rand.NewPCG(1, 47))
		g, b = make([]float64, d*d), make([]float64, d)
		for range n {
			row, y := gaussian(rng, d), rng.NormFloat64()
			spoil(row)
			for j, v := range row {
				b[j] += v * (y + 3*row[0])
				for k, u := range row {
					g[j*d+k] += u * v
				}
			}
		}
		return g, b
	}
	for name, of := range map[string]func() (g, b []float64){
		"nearly collinear columns": func() (g, b []float64) { return angles(rand.New(rand.NewPCG(1, 48)), 200, 12) },
		"copies, a sum and a zero": func() (g, b []float64) {
			return gram(80, 7, func(row []float64) { copy(row[3:], []float64{row[0], 0, -2 * row[1], row[0] + row[1]}) })
		},
		"more columns than rows": func() (g, b []float64) { return gram(10, 40, func([]float64) {}) },
	} {
		g, b := of()
		s, w := NewDescent(len(b)), make([]float64, len(b))
		for _, p := range []float64{0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, .01, .1, 1, 10, 100, 1e3} {
			for _, q := range []float64{0, p} {
				clear(w)
				require.NoError(t, s.Minimize(w, g, b, p, q, 1e-13), "%s, p = %g, q = %g", name, p, q)
				assert.LessOrEqual(t, missed(w, g, b, p, q), 2e-13, "%s, p = %g, q = %g: and rounding", name, p, q)
				for j, v := range w {
					assert.True(t, g[j*len(w)+j] > 0 || v == 0, "a column of zeros")
				}
			}
		}
	}
}

func TestAWarmStartFindsTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 49))
	g, b := angles(rng, 200, 24)
	s, warm, cold := NewDescent(24), gaussian(rng, 24), make([]float64, 24)
	for p := 100.0; p > 1e-4; p /= 3 {
		clear(cold)
		require.NoError(t, s.Minimize(cold, g, b, p, p, 1e-14))
		require.NoError(t, s.Minimize(warm, g, b, p, p, 1e-14))
		for j := range cold {
			// The least curvature is q, of 1e-6 of that of the angles.
			require.InDelta(t, cold[j], warm[j], 1e-8*largest(cold), "p = %g, %d", p, j)
			require.Equal(t, cold[j] == 0, warm[j] == 0, "p = %g, %d", p, j)
		}
	}
}

func TestAGramMatrixThatIsNotFiniteIsRefused(t *testing.T) {
	for _, g := range []float64{math.NaN(), math.Inf(1)} {
		err := NewDescent(2).Minimize(make([]float64, 2), []float64{1, g, g, g}, []float64{1, 1}, .1, 0, 1e-12)
		require.ErrorAs(t, err, new(*UnsettledError), "%g", g)
	}
	err := NewDescent(1).Minimize(make([]float64, 1), []float64{1}, []float64{math.NaN()}, .1, 0, 1e-12)
	assert.EqualError(t, err, "linear: after 0 passes the optimality conditions are still violated by NaN, expected at most 1e-12. Raise the penalty")
}
