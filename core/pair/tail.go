package pair

import "math"

// These tails are written by hand. gonum's mathext returns probabilities, and the p values
// of many pairs are below 1e-308, where only logarithms differ. It would also be the only
// part of gonum in the engine.

// logTail returns log P(F > f) of the F distribution with a and b degrees of
// freedom. Its absolute error is about 1e-13, and 1e-16 times a and b.
func logTail(f, a, b float64) float64 {
	if !(f > 0) {
		return 0
	}
	whole := b + float64(a*f)
	if math.IsInf(whole, 1) {
		return math.Inf(-1)
	}
	return logBeta(b/whole, float64(a*f)/whole, b/2, a/2)
}

// logBeta returns the logarithm of the regularized incomplete beta function Iₓ(a, b). It
// takes both x and y = 1 − x, each with full precision.
func logBeta(x, y, a, b float64) float64 {
	switch {
	case x <= 0:
		return math.Inf(-1)
	case y <= 0:
		return 0
	case x > (a+1)/(a+b+2): // the fraction would not converge
		return math.Log1p(-math.Exp(logBeta(y, x, b, a)))
	}
	return logTerm(x, y, a, b) + math.Log(fraction(x, a, b))
}

// logTerm returns log(xᵃyᵇ/(a·B(a, b))), which is Iₓ(a, b) − Iₓ(a+1, b).
func logTerm(x, y, a, b float64) float64 {
	ab, _ := math.Lgamma(a + b)
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	return float64(a*math.Log(x)) + float64(b*math.Log(y)) + (ab - la - lb) - math.Log(a)
}

// fraction returns the continued fraction of Iₓ(a, b), which is 1/(1 + d₁/(1 +
// d₂/(1 + …))) with
//
//	d₂ₘ = m(b−m)x/((a+2m−1)(a+2m)),  d₂ₘ₊₁ = −(a+m)(a+b+m)x/((a+2m)(a+2m+1))
//
// by Lentz's method. It takes O(√max(a, b)) terms.
func fraction(x, a, b float64) float64 {
	const tiny = 1e-300 // in place of 0 as a denominator
	away := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	value, c, d := 1.0, 1.0, 0.0
	for i := 1; i < 100_000; i++ {
		m := float64(i / 2)
		var term float64
		if i%2 == 0 {
			term = m * (b - m) * x / ((a + float64(2*m) - 1) * (a + float64(2*m)))
		} else {
			term = -(a + m) * (a + b + m) * x / ((a + float64(2*m)) * (a + float64(2*m) + 1))
		}
		d = 1 / away(1+float64(term*d))
		c = away(1 + term/c)
		value *= c * d
		if math.Abs(float64(c*d)-1) < 1e-16 {
			break
		}
	}
	return 1 / value
}

// noncentral returns P(F ≤ f) of the noncentral F distribution with a and b
// degrees of freedom and noncentrality λ ≥ 0,
//
//	Σⱼ Poisson(j; λ/2)·I_y(a/2 + j, b/2),  y = af/(af + b)
//
// summed from its largest weight outwards: O(√λ) terms beside the first.
func noncentral(f, a, b, lambda float64) float64 {
	if !(f > 0) {
		return 0
	}
	whole := b + float64(a*f)
	y, x := float64(a*f)/whole, b/whole
	a, b = a/2, b/2
	h := lambda / 2
	first := math.Floor(h)
	logWeight := -h
	if first > 0 {
		gamma, _ := math.Lgamma(first + 1)
		logWeight += float64(first*math.Log(h)) - gamma
	}
	weight, least := math.Exp(logWeight), 1e-18
	value := math.Exp(logBeta(y, x, a+first, b))
	term := math.Exp(logTerm(y, x, a+first, b))
	sum := float64(weight * value)
	for j, w, v, t := first, weight, value, term; w > least && v > 0; {
		v -= t
		t *= y * (a + j + b) / (a + j + 1)
		j++
		w *= h / j
		sum += float64(w * max(v, 0))
	}
	for j, w, v, t := first, weight, value, term; w > least && j > 0; {
		w *= j / h
		j--
		t *= (a + j + 1) / (y * (a + j + b))
		v += t
		sum += float64(w * min(v, 1))
	}
	return min(sum, 1)
}

// noncentrality returns the ends of a 95 % interval of λ: those for which f is the upper and
// the lower 2.5 % quantile of the noncentral F distribution. The lower end is 0 if f is
// below every upper quantile. Above a·f = 10⁵, where the series is long, it takes normal
// distributions with the moments of numerator and denominator.
func noncentrality(f, a, b float64) (low, high float64) {
	if math.IsInf(f, 0) || !(f > 0) {
		return 0, 0
	}
	if af := a * f; af > 1e5 { // (af − a − λ)² = 1.96²·(2(a + 2λ) + 2(af)²/b)
		const z = 1.959963984540054
		half := z * math.Sqrt(float64(4*af)-float64(2*a)+2*af*af/b)
		return max(0, af-a-float64(half)), af - a + float64(half)
	}
	at := func(share float64) float64 {
		if noncentral(f, a, b, 0) <= share {
			return 0
		}
		lo, hi := 0.0, float64(a*f)+10
		for noncentral(f, a, b, hi) > share {
			lo, hi = hi, 2*hi
		}
		for range 60 {
			if middle := (lo + hi) / 2; noncentral(f, a, b, middle) > share {
				lo = middle
			} else {
				hi = middle
			}
		}
		return (lo + hi) / 2
	}
	return at(.975), at(.025)
}
