// Package moment computes moments of columns of numbers: mean, standard deviation, and the
// third and fourth moments, which decide whether gFM can learn its diagonal.
//
// For a column x, z = (x − mean)/sd is the standardized column. Its raw moments
// and its moment invertibility are
//
//	κ = E z³    φ = E z⁴    τ = |φ − 1 − κ²|
//
// All are population moments: divided by the number of values, without correction for bias,
// and without subtracting 3. A Gaussian column has κ = 0, φ = 3, τ = 2. τ is exactly 0 for
// columns of two values. gonum's stat.Skew and stat.ExKurtosis are corrected for bias and
// need all values at once, so they are not used here.
package moment

import "math"

// Tau returns the moment invertibility of a standardized column,
//
//	τ = |φ − 1 − κ²|
//
// from its raw third and fourth moments. All are dimensionless. O(1).
func Tau(kappa, phi float64) float64 { return math.Abs(phi - 1 - float64(kappa*kappa)) }

// Accumulator computes the moments of the values that it has been given, one by one or many
// equal ones at once. Its zero value is an empty column. It updates the central sums
// Σ(x−mean)ᵖ, p = 2, 3, 4, as the mean moves, so that a large mean costs no precision.
// Products are rounded before they are added, so that scales have the same bits on every
// machine.
type Accumulator struct {
	n              float64
	mean           float64
	m2, m3, m4     float64 // Σ(x−mean)², Σ(x−mean)³, Σ(x−mean)⁴
	least, largest float64
}

// Add adds a value. After a value that is not finite, no moment is finite. O(1).
func (a *Accumulator) Add(x float64) {
	if a.n == 0 {
		*a = Accumulator{n: 1, mean: x, least: x, largest: x}
		return
	}
	before := a.n
	a.n++
	delta := x - a.mean
	step := delta / a.n
	step2 := step * step
	term := float64(delta * step * before)
	square := float64(a.n*a.n) - float64(3*a.n) + 3
	a.m4 += float64(term*step2*square) + float64(6*step2*a.m2) - float64(4*step*a.m3)
	a.m3 += float64(term*step*(a.n-2)) - float64(3*step*a.m2)
	a.m2 += term
	a.mean += step
	a.least = min(a.least, x)
	a.largest = max(a.largest, x)
}

// batch is the number of values that AddAll takes at a time: few enough to stay in the
// first-level cache for a second pass.
const batch = 1024

// AddAll adds the values of x in a quarter of the time of as many calls of Add. It sums
// batches about their own means, without a division for each value, and merges them.
// O(len(x)).
func (a *Accumulator) AddAll(x []float64) {
	for len(x) > 0 {
		n := min(batch, len(x))
		a.Merge(sumUp(x[:n]))
		x = x[n:]
	}
}

// sumUp returns the moments of a non-empty x in two passes: first the mean, as that of the
// distances from the first value, then the central sums. Each sum is made of interleaved
// ones, so that an addition need not wait for the one before.
func sumUp(x []float64) Accumulator {
	first, n := x[0], float64(len(x))
	least, largest := first, first
	var s, t, u, v float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		x := (*[4]float64)(x[i:])
		s += x[0] - first
		t += x[1] - first
		u += x[2] - first
		v += x[3] - first
		for _, v := range x {
			if v < least { // the built-in min is a call under js/wasm
				least = v
			}
			if v > largest {
				largest = v
			}
		}
	}
	for _, v := range x[i:] {
		s += v - first
		least = min(least, v)
		largest = max(largest, v)
	}
	mean := first + (s+t+u+v)/n

	var s2, s3, s4, t2, t3, t4 float64
	for i = 0; i+2 <= len(x); i += 2 {
		x := (*[2]float64)(x[i:])
		d, e := x[0]-mean, x[1]-mean
		d2, e2 := float64(d*d), float64(e*e)
		s2 += d2
		t2 += e2
		s3 += float64(d2 * d)
		t3 += float64(e2 * e)
		s4 += float64(d2 * d2)
		t4 += float64(e2 * e2)
	}
	if i < len(x) {
		d := x[i] - mean
		d2 := float64(d * d)
		s2 += d2
		s3 += float64(d2 * d)
		s4 += float64(d2 * d2)
	}
	if mean != mean { // a NaN, which comparisons ignore, or overflow
		for _, v := range x {
			least, largest = min(least, v), max(largest, v)
		}
	}
	return Accumulator{n: n, mean: mean, m2: s2 + t2, m3: s3 + t3, m4: s4 + t4, least: least, largest: largest}
}

// AddCount adds count equal values. O(1).
func (a *Accumulator) AddCount(x float64, count int) {
	if count > 0 {
		a.Merge(Accumulator{n: float64(count), mean: x, least: x, largest: x})
	}
}

// AddWeight adds a value with a weight above 0, which need not be whole. O(1).
func (a *Accumulator) AddWeight(x, weight float64) {
	a.Merge(Accumulator{n: weight, mean: x, least: x, largest: x})
}

// Weighted returns the moments of the values of x but NaN, with weights; nil is 1 each.
func Weighted(x, weight []float64) (m Accumulator) {
	if weight == nil {
		m.AddAll(x)
		return m
	}
	for i, v := range x {
		if v == v {
			m.AddWeight(v, weight[i])
		}
	}
	return m
}

// Merge adds all values of b. O(1).
func (a *Accumulator) Merge(b Accumulator) {
	switch {
	case b.n == 0:
		return
	case a.n == 0:
		*a = b
		return
	}
	n := a.n + b.n
	delta := b.mean - a.mean
	step := delta / n
	cross := float64(delta * step * a.n * b.n)
	square := float64(a.n*a.n) - float64(a.n*b.n) + float64(b.n*b.n)
	m4 := a.m4 + b.m4 + float64(cross*step*step*square) +
		float64(6*step*step*(float64(a.n*a.n*b.m2)+float64(b.n*b.n*a.m2))) +
		float64(4*step*(float64(a.n*b.m3)-float64(b.n*a.m3)))
	m3 := a.m3 + b.m3 + float64(cross*step*(a.n-b.n)) + float64(3*step*(float64(a.n*b.m2)-float64(b.n*a.m2)))
	a.m2 += b.m2 + cross
	a.m3, a.m4 = m3, m4
	a.mean += float64(step * b.n)
	a.least = min(a.least, b.least)
	a.largest = max(a.largest, b.largest)
	a.n = n
}

// Count returns the number of values.
func (a *Accumulator) Count() int { return int(a.n) }

// Mean returns the mean in the units of the column, NaN without values.
func (a *Accumulator) Mean() float64 { return a.orNaN(a.mean) }

// SD returns the population standard deviation √(Σ(x−mean)²/n) in the units of
// the column, NaN without values. It is exactly 0 for a constant column.
func (a *Accumulator) SD() float64 { return a.orNaN(math.Sqrt(a.m2 / a.n)) }

// Min returns the least value, NaN without values.
func (a *Accumulator) Min() float64 { return a.orNaN(a.least) }

// Max returns the largest value, NaN without values.
func (a *Accumulator) Max() float64 { return a.orNaN(a.largest) }

// Kappa returns κ = E z³, NaN without values or for a constant column.
func (a *Accumulator) Kappa() float64 {
	v := a.m2 / a.n
	return a.orNaN(a.m3 / a.n / (v * math.Sqrt(v)))
}

// Phi returns φ = E z⁴, NaN without values or for a constant column.
func (a *Accumulator) Phi() float64 {
	v := a.m2 / a.n
	return a.orNaN(a.m4 / a.n / (v * v))
}

// Tau returns τ = |φ − 1 − κ²|, NaN without values or for a constant column.
func (a *Accumulator) Tau() float64 { return Tau(a.Kappa(), a.Phi()) }

func (a *Accumulator) orNaN(x float64) float64 {
	if a.n == 0 {
		return math.NaN()
	}
	return x
}
