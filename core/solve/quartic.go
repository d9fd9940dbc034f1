package solve

import "math"

// quartic is the loss along a direction, less its value at t = 0. The residual is
// r + t·p + t²·s and the block is U − t·g:
//
//	φ(t) = a·t + b·t² + c·t³ + d·t⁴
//	a = ⟨r,p⟩ − λ⟨U,g⟩    b = ½(‖p‖² + 2⟨r,s⟩ + λ‖g‖²)    c = ⟨p,s⟩    d = ½‖s‖²
type quartic struct{ a, b, c, d float64 }

func (q quartic) value(t float64) float64 {
	return t * (q.a + float64(t*(q.b+float64(t*(q.c+float64(t*q.d))))))
}

// size returns the sum of the sizes of φ's terms. 1e-16 of it is the rounding of value.
func (q quartic) size(t float64) float64 {
	abs := quartic{math.Abs(q.a), math.Abs(q.b), math.Abs(q.c), math.Abs(q.d)}
	return abs.value(t)
}

func (q quartic) slope(t float64) float64 {
	return q.a + float64(t*(float64(2*q.b)+float64(t*(float64(3*q.c)+float64(t*(4*q.d))))))
}

// minimum returns the t > 0 that minimises φ, or 0 if none lowers φ because the block is
// stationary or a coefficient is not finite. Of two minima it takes the nearer one, unless
// the other is deeper by more than rounding. Near the end of a fit of two columns they are
// equally deep, and at the far one factors are thousands of times as long.
//
// The minima are the roots at which the slope, a cubic, rises through 0. They lie between
// its turning points, at most one in each interval, and are bisected to the last bit. No
// formula for the roots of a cubic is as safe if its coefficients differ by many orders of
// magnitude, as they do near the end of a fit.
func (q quartic) minimum() float64 {
	if !(q.a < 0) || !(q.d >= 0) {
		return 0
	}
	var best, lowest float64
	lo := 0.0
	for _, hi := range q.turningPoints() {
		if t, ok := q.risingRoot(lo, hi); ok {
			if v := q.value(t); v < 0 && (best == 0 || v < lowest-float64(1e-9*q.size(t))) {
				best, lowest = t, v
			}
		}
		lo = hi
	}
	return best
}

// turningPoints returns three ascending numbers t ≥ 0: the positive turning points of the
// slope, 0 for a missing one, and a point beyond all its roots.
func (q quartic) turningPoints() [3]float64 {
	// φ″/2 = b + 3c·t + 6d·t², its roots by the formula that does not cancel.
	var t1, t2 float64
	if root := math.Sqrt(float64(9*q.c*q.c) - float64(24*q.b*q.d)); root >= 0 {
		h := -(float64(3*q.c) + math.Copysign(root, q.c)) / 2
		t1, t2 = h/(6*q.d), q.b/h
	}
	if !(t1 > 0) || math.IsInf(t1, 0) {
		t1 = 0
	}
	if !(t2 > 0) || math.IsInf(t2, 0) {
		t2 = 0
	}
	t1, t2 = min(t1, t2), max(t1, t2)
	end := t2
	if guess := -q.a / (2 * q.b); guess > end && !math.IsInf(guess, 0) {
		end = guess
	}
	if end == 0 {
		end = 1
	}
	for q.slope(end) < 0 && end < math.MaxFloat64/4 {
		end *= 2
	}
	return [3]float64{t1, t2, end}
}

// risingRoot returns the root between lo and hi at which the slope rises, if there is one.
func (q quartic) risingRoot(lo, hi float64) (t float64, ok bool) {
	if !(q.slope(lo) < 0) || !(q.slope(hi) >= 0) {
		return 0, false
	}
	for {
		mid := lo + float64((hi-lo)/2)
		if mid <= lo || mid >= hi {
			return hi, true
		}
		if q.slope(mid) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
}
