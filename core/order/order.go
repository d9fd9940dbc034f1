// Package order sorts. Every type that package slices sorts brings a sort of
// its own into the engine, 10 kB of WebAssembly each; here all are sorted
// through one sort of their places. It also finds quantiles, and numbers keys by their
// first appearance.
package order

import "slices"

// Of returns 0 … n−1 in the order of compare, which is as slices.SortFunc wants
// it; what compares equal stays in its order. O(n·log² n).
func Of(n int, compare func(i, j int) int) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, compare)
	return places
}

// Sort puts s in the order of compare; what compares equal stays in its order.
// O(n·log² n), and a copy of s.
func Sort[T any](s []T, compare func(a, b T) int) {
	before := slices.Clone(s)
	for i, place := range Of(len(s), func(i, j int) int { return compare(before[i], before[j]) }) {
		s[i] = before[place]
	}
}

// Quantile returns the p-quantile, 0 ≤ p ≤ 1, of two sorted numbers or more: on a line
// between two neighbours and never beyond one, so that of equal ones it is their very
// number.
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-2)
	share, a, b := at-float64(i), sorted[i], sorted[i+1]
	return min(max(float64((1-share)*a)+float64(share*b), a), b)
}
