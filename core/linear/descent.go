package linear

import (
	"math"

	"ifmlab/core/kernel"
)

const (
	descentPasses = 1000 // at most; ten are common
	leapsAPass    = 8    // at most
)

// Descent minimises the elastic net
//
//	min over w of ½wᵀGw − bᵀw + p‖w‖₁ + ½q‖w‖²        G = ZᵀZ, b = Zᵀy
//
// by coordinate descent (Friedman, Hastie and Tibshirani, Regularization Paths for
// Generalized Linear Models via Coordinate Descent, 2010). Nothing is centred, and there
// is no bias. A Descent holds the scratch memory, so that thousands of fits of one size
// allocate nothing.
//
// Sweeps over coordinates alone may number thousands if columns are nearly collinear. So
// leaps follow each sweep. While the non-zero weights keep their signs s, their minimum
// is that of a quadratic function,
//
//	(G + qI)·w = b − p·s        rows and columns with wⱼ ≠ 0,
//
// and a leap moves them there, or as far as the first one that becomes 0 on the way (Lee,
// Battle, Raina and Ng, Efficient Sparse Coding Algorithms, 2006). Neither raises the
// objective. Once the signs are right, one leap ends the search.
type Descent struct {
	root    []float64 // √Gⱼⱼ
	slope   []float64 // b − Gw − qw
	step    []float64
	factor  []float64
	nonzero []int
}

// NewDescent returns a Descent for d columns. O(d²) of space.
func NewDescent(d int) *Descent {
	return &Descent{root: make([]float64, d), slope: make([]float64, d), step: make([]float64, d), factor: make([]float64, d*d), nonzero: make([]int, 0, d)}
}

// Minimize moves w to the minimum. w may start at 0 or, as a warm start, at the minimum
// for another penalty. G is d×d and row-major, with both triangles. Minimize ends when
// every optimality condition holds up to tolerance,
//
//	|slopeⱼ − p·sign(wⱼ)| where wⱼ ≠ 0, else |slopeⱼ| − p
//	    ≤ tolerance·√Gⱼⱼ·(maxₖ |bₖ|/√Gₖₖ + Σₖ √Gₖₖ|wₖ|),    slope = b − Gw − qw,
//
// which does not depend on the units of columns and targets. Rounding allows a tolerance
// of 1e-14. Columns with Gⱼⱼ = 0 get a weight of 0.
//
// It returns an [*UnsettledError] if that takes too many passes or if G or b is not finite.
// A pass costs O(d²), and m³/3 for each leap of m weights.
func (s *Descent) Minimize(w, g, b []float64, p, q, tolerance float64) error {
	d := len(w)
	size := 0.0 // of the targets
	for j := range w {
		s.root[j] = math.Sqrt(g[j*d+j])
		if s.root[j] == 0 {
			w[j] = 0
		} else {
			size = max(size, math.Abs(b[j])/s.root[j])
		}
	}
	for pass := 0; ; pass++ {
		missed := s.missed(w, g, b, p, q, size)
		if missed <= tolerance {
			return nil
		}
		if pass == descentPasses || math.IsNaN(missed) {
			return &UnsettledError{Passes: pass, Missed: missed, Tolerance: tolerance}
		}
		s.sweep(w, g, p, q)
		for range leapsAPass {
			if s.leap(w, g, p, q) {
				break
			}
		}
	}
}

// missed recomputes slope, without the rounding of the steps, and returns how far the
// optimality conditions are from holding.
func (s *Descent) missed(w, g, b []float64, p, q, size float64) (worst float64) {
	d := len(w)
	copy(s.slope, b)
	for j, v := range w {
		if v != 0 {
			s.move(g, q, j, v)
			size += float64(s.root[j] * math.Abs(v))
		}
	}
	if size == 0 {
		return 0
	}
	for j, v := range w[:d] {
		if s.root[j] == 0 {
			continue
		}
		miss := math.Abs(s.slope[j]) - p
		if v != 0 {
			miss = math.Abs(s.slope[j] - math.Copysign(p, v))
		}
		worst = max(worst, miss/(s.root[j]*size))
	}
	return worst
}

// move updates slope for wⱼ + change.
func (s *Descent) move(g []float64, q float64, j int, change float64) {
	d := len(s.slope)
	kernel.Axpy(-change, g[j*d:][:d], s.slope)
	s.slope[j] -= float64(q * change)
}

// sweep sets each weight to its minimum, with the others fixed.
func (s *Descent) sweep(w, g []float64, p, q float64) {
	d := len(w)
	for j, v := range w {
		if s.root[j] == 0 {
			continue
		}
		curvature := g[j*d+j] + q
		target := s.slope[j] + float64(curvature*v)
		w[j] = 0
		if over := math.Abs(target) - p; over > 0 {
			w[j] = math.Copysign(over, target) / curvature
		}
		if w[j] != v {
			s.move(g, q, j, w[j]-v)
		}
	}
}

// leap moves the non-zero weights to their minimum with fixed signs and returns true, or
// to where the first of them becomes 0. If p is 0, signs do not matter.
func (s *Descent) leap(w, g []float64, p, q float64) bool {
	d := len(w)
	s.nonzero = s.nonzero[:0]
	for j, v := range w {
		if v != 0 {
			s.nonzero = append(s.nonzero, j)
		}
	}
	m := len(s.nonzero)
	if m == 0 {
		return true
	}
	// In units of the roots the diagonal is 1 + qⱼ. For collinear columns a little is added
	// to it: the step is then shorter and still goes down.
	step, factor := s.step[:m], s.factor[:m*m]
	for ridge := 0.0; ; ridge = max(10*ridge, 10*smallestPivot) {
		for a, j := range s.nonzero {
			for c, k := range s.nonzero[:a+1] {
				factor[a*m+c] = g[j*d+k] / s.root[j] / s.root[k]
			}
			factor[a*m+a] += q/s.root[j]/s.root[j] + ridge
			step[a] = (s.slope[j] - math.Copysign(p, w[j])) / s.root[j]
		}
		if l, ok := cholesky(factor, m); ok {
			solveCholesky(step, l, step)
			break
		}
		if !(ridge < 1) {
			return true // G is no Gram matrix of finite numbers
		}
	}
	share, last := 1.0, -1
	for a, j := range s.nonzero {
		step[a] /= s.root[j]
		if t := -w[j] / step[a]; p > 0 && t > 0 && t < share {
			share, last = t, j
		}
	}
	for a, j := range s.nonzero {
		before := w[j]
		w[j] += float64(share * step[a])
		if j == last || p > 0 && math.Signbit(w[j]) != math.Signbit(before) {
			w[j] = 0
		}
		s.move(g, q, j, w[j]-before)
	}
	return last < 0
}
