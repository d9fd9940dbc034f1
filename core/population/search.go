package population

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"ifmlab/core/triangular"
)

const (
	starts     = 5     // for each column of a sum of squares
	startSteps = 12    // from each start
	maxSteps   = 100   // from the best of them
	settled    = 1e-13 // share of the value that the last step lowers it by at most
	exact      = 1e-22 // share of the sum of squares of M that is rounding
	better     = 1e-9  // share of the sum of squares of M by which a limit has to be better
)

// nearest returns the M̂ = PPᵀ − QQᵀ − diag, or the limit of such matrices, that is nearest
// to M. See [Compare].
func nearest(pairs []float64, d, plus, minus int) Fit {
	target, size := symmetric(pairs, d), sumOfSquares(pairs)
	fit := Fit{Pairs: make([]float64, len(pairs))}
	left := size // of the sum of squares
	for h := range plus + minus + 1 {
		for hidden := range uint(1) << d {
			if bits.OnesCount(hidden) != h {
				continue
			}
			for taken := max(0, h-minus); taken <= min(h, plus); taken++ { // columns of P
				s := newSearch(target, d, hidden, plus-taken, minus-h+taken)
				if value := s.least(exact * size); value < left-better*size || h == 0 && value < left {
					left = value
					s.write(fit.Pairs, pairs, d)
					fit.Hidden = members(hidden, d)
				}
				if left <= exact*size {
					break
				}
			}
		}
	}
	fit.RMSE = 2 * math.Sqrt(left)
	if size > 0 {
		fit.Share = math.Sqrt(left / size)
	}
	return fit
}

// members returns the features of a set.
func members(set uint, d int) (all []int) {
	for i := range d {
		if set>>i&1 == 1 {
			all = append(all, i)
		}
	}
	return all
}

// search is the sum of squares over the n features that are not hidden, with m columns of P
// and then of Q:
//
//	f(X) = Σᵢ<ⱼ (Σ_c s_c·X_ic·X_jc − Mᵢⱼ)²,  s_c = 1 in P, −1 in Q
type search struct {
	free   []int     // n: the features
	sign   []float64 // m
	target []float64 // n×n
	x, at  []float64 // n×m: the current X and the next to try
	best   []float64
	e      []float64 // n×n: residuals of the last call of value
	g      []float64 // n·m: half of the gradient
	h, l   []float64 // (n·m)²: half of the Hessian, and the Cholesky factor of the damped one
}

func newSearch(target []float64, d int, hidden uint, plus, minus int) *search {
	s := &search{}
	for i := range d {
		if hidden>>i&1 == 0 {
			s.free = append(s.free, i)
		}
	}
	n, m := len(s.free), plus+minus
	size := n * m
	space := make([]float64, m+2*n*n+4*size+2*size*size)
	for _, part := range []struct {
		of   *[]float64
		size int
	}{{&s.sign, m}, {&s.target, n * n}, {&s.e, n * n}, {&s.x, size}, {&s.at, size}, {&s.best, size}, {&s.g, size}, {&s.h, size * size}, {&s.l, size * size}} {
		*part.of, space = space[:part.size], space[part.size:]
	}
	for c := range s.sign {
		s.sign[c] = 1
		if c >= plus {
			s.sign[c] = -1
		}
	}
	for i, from := range s.free {
		for j, to := range s.free {
			s.target[i*n+j] = target[from*d+to]
		}
	}
	return s
}

// least returns the smallest value from all starts, and sets best to its X. It stops once
// the value is at most enough.
func (s *search) least(enough float64) float64 {
	clear(s.x)
	least := s.value(s.x)
	copy(s.best, s.x)
	n, m := len(s.free), len(s.sign)
	if m == 0 || n < 2 || least <= enough {
		return least
	}
	size := 0.0
	for _, v := range s.target {
		size = max(size, math.Abs(v))
	}
	scale := math.Sqrt(size)
	rng := rand.New(rand.NewPCG(uint64(n), uint64(m)))
	for range starts * m {
		for i := range s.x {
			s.x[i] = float64(scale * (2*rng.Float64() - 1))
		}
		if value := s.descend(startSteps, enough); value < least {
			least = value
			copy(s.best, s.x)
		}
	}
	copy(s.x, s.best)
	if value := s.descend(maxSteps, enough); value < least {
		least = value
		copy(s.best, s.x)
	}
	return least
}

// value returns f(X), and sets e to its residuals.
func (s *search) value(x []float64) (sum float64) {
	n, m := len(s.free), len(s.sign)
	for i := range n {
		for j := i + 1; j < n; j++ {
			v := s.entry(x[i*m:][:m], x[j*m:][:m]) - s.target[i*n+j]
			s.e[i*n+j], s.e[j*n+i] = v, v
			sum += float64(v * v)
		}
	}
	return sum
}

func (s *search) entry(a, b []float64) (v float64) {
	for c, sign := range s.sign {
		v += float64(sign * float64(a[c]*b[c]))
	}
	return v
}

// descend takes at most the given number of Newton steps from x, each of which solves
//
//	(½∇²f + λI)·step = −½∇f
//
// with a λ that lowers f. It returns f at its end.
func (s *search) descend(steps int, enough float64) float64 {
	value, damping := s.value(s.x), 0.1
	for range steps {
		s.differentiate()
		size := len(s.g)
		scale := 0.0
		for i := range size {
			scale = max(scale, s.h[i*size+i])
		}
		next := value
		for damping < 1e8 {
			if s.step(damping * (scale + 1e-12)) {
				if next = s.value(s.at); next < value {
					break
				}
			}
			next = value
			damping *= 4
		}
		if next == value {
			break // no step lowers it
		}
		damping = max(damping/8, 1e-12)
		s.x, s.at = s.at, s.x
		lowered := value - next
		value = next
		if value <= enough || lowered <= settled*value {
			break
		}
	}
	return value
}

// differentiate sets half of the gradient and of the Hessian at x, after a call of value for
// this x:
//
//	½∂f/∂X_ic        = s_c·Σⱼ eᵢⱼX_jc
//	½∂²f/∂X_ic∂X_ib  = s_c·s_b·Σⱼ X_jc·X_jb         over j ≠ i
//	½∂²f/∂X_ic∂X_jb  = s_c·s_b·X_jc·X_ib + [b = c]·s_c·eᵢⱼ
func (s *search) differentiate() {
	n, m, x := len(s.free), len(s.sign), s.x
	size := n * m
	clear(s.g)
	clear(s.h)
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			a, b, e := x[i*m:][:m], x[j*m:][:m], s.e[i*n+j]
			for c, sign := range s.sign {
				s.g[i*m+c] += float64(sign * float64(e*b[c]))
				row := s.h[(i*m+c)*size:]
				for o, other := range s.sign {
					both := sign * other
					row[i*m+o] += float64(both * float64(b[c]*b[o]))
					row[j*m+o] = float64(both * float64(b[c]*a[o]))
				}
				row[j*m+c] += float64(sign * e)
			}
		}
	}
}

// step sets at to x and a step with this damping. ok is false if the damped Hessian is not
// positive definite.
func (s *search) step(damping float64) (ok bool) {
	size := len(s.g)
	copy(s.l, s.h)
	for i, g := range s.g {
		s.l[i*size+i] += damping
		s.at[i] = -g
	}
	if !triangular.Cholesky(s.l, size, 0) {
		return false
	}
	triangular.Forward(s.l, s.at)
	triangular.Backward(s.l, s.at)
	for i, v := range s.x {
		s.at[i] += v
	}
	return true
}

// write sets dst to the pairs of the best M̂. Those of hidden features are as in pairs.
func (s *search) write(dst, pairs []float64, d int) {
	copy(dst, pairs)
	m := len(s.sign)
	for a, i := range s.free {
		for b := a + 1; b < len(s.free); b++ {
			dst[i*d-i*(i+3)/2+s.free[b]-1] = s.entry(s.best[a*m:][:m], s.best[b*m:][:m])
		}
	}
}
