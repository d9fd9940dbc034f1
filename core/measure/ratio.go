package measure

import (
	"math"
	"slices"
)

// FewestCompared is the number of test rows, and of those that differ from the commonest
// target, below which no difference of two predictors can be told from chance: five rows
// have 32 halves, so that no p-value is below .06. Where nearly all targets are the same, the
// losses of the others are by far the largest. Without any, the predictor that is surer of the
// commonest target wins on every row: of 60 tables of noise with 1 or 2 rare rows of 200,
// 28 to 48 test errors would be told apart, and with 6 in the test 2 to 3.
const FewestCompared = 6

// Rarer returns how many rows of some weight differ from the target that more than half of
// them have, and that target. If there is none, it is all of them. A nil weight is 1 for each
// row. O(rows·log rows).
func Rarer(y, weight []float64) (rows int, commonest float64) {
	var sorted []float64
	for i, v := range y {
		if Weight(weight, i) > 0 {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	most, run := 0, 0
	for i, v := range sorted {
		if run++; i > 0 && v != sorted[i-1] {
			run = 1
		}
		if run > most {
			most, commonest = run, v
		}
	}
	if 2*most <= len(sorted) {
		return len(sorted), commonest
	}
	return len(sorted) - most, commonest
}

// halves is the number of random halves of the rows that an interval is made of.
const halves = 999

// mostGroups bounds the cost of a half: of more rows, neighbours are added up first.
const mostGroups = 256

// Ratio is the ratio ρ = Σb/Σa of the losses of two predictors on the same rows, with its
// 95 % interval and the two-sided p-value of ρ = 1.
type Ratio struct{ Of, Low, High, P float64 }

// RatioOf compares the losses of two predictors row by row, each times its weight; a nil
// weight is 1 for each row. With fewer than [FewestCompared] rows the interval is 0 to
// infinity.
//
// It draws halves of the rows at random, and takes the ratio of each half and that of the
// rows outside it. These two lie on either side of ρ. If the losses b of a row and ρ₀a could
// change places, ρ₀ lies between such a pair as often as ρ would, so that the interval keeps
// its level however heavy the tails of the errors are (Hartigan, "Using Subsample Values as
// Typical Values", JASA 64, 1969). It never falls below 0. The same halves are drawn each
// time, so the same losses have the same interval. O(rows).
func RatioOf(a, b, weight []float64) Ratio {
	groups := grouped(a, b, weight)
	var all [2]float64
	for _, g := range groups {
		all[0] += g[0]
		all[1] += g[1]
	}
	r := Ratio{Of: quotient(all), Low: 0, High: math.Inf(1), P: 1}
	if len(a) < FewestCompared {
		return r
	}
	low, high := make([]float64, halves), make([]float64, halves)
	around, bits := 1, uint32(2463534242)
	for h := range low {
		var sums [2][2]float64
		for i, g := range groups {
			if i%32 == 0 { // Marsaglia's xorshift
				bits ^= bits << 13
				bits ^= bits >> 17
				bits ^= bits << 5
			}
			half := &sums[bits>>(i%32)&1]
			half[0] += g[0]
			half[1] += g[1]
		}
		one, other := quotient(sums[0]), quotient(sums[1])
		low[h], high[h] = min(one, other), max(one, other)
		if low[h] <= 1 && 1 <= high[h] {
			around++
		}
	}
	slices.Sort(low)
	slices.Sort(high)
	const outside = (halves+1)/20 - 1 // pairs that a value within the interval lies in, less one
	r.Low, r.High, r.P = low[outside], high[halves-1-outside], float64(around)/(halves+1)
	return r
}

// grouped returns the weighted losses, those of neighbouring rows added up where there are many.
func grouped(a, b, weight []float64) [][2]float64 {
	size := (len(a) + mostGroups - 1) / mostGroups
	groups := make([][2]float64, 0, min(len(a), mostGroups))
	for i := range a {
		if i%size == 0 {
			groups = append(groups, [2]float64{})
		}
		g := &groups[len(groups)-1]
		w := Weight(weight, i)
		g[0] += float64(w * a[i])
		g[1] += float64(w * b[i])
	}
	return groups
}

// quotient returns b/a, 1 for two that are equal up to rounding, 0 and infinite ones too.
func quotient(sum [2]float64) float64 {
	if sum[0] == sum[1] || math.Abs(sum[0]-sum[1]) < 1e-12*sum[0] {
		return 1
	}
	return sum[1] / sum[0]
}
