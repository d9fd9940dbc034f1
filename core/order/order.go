// Package order sorts. Every type that package slices sorts brings a sort of
// its own into the engine, 10 kB of WebAssembly each; here all are sorted
// through one sort of their places. It finds quantiles of what is sorted, too.
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

// Quantile returns the p-quantile, 0 ≤ p ≤ 1, of two sorted numbers or more,
// straight between two of them.
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-2)
	share := at - float64(i)
	return float64((1-share)*sorted[i]) + float64(share*sorted[i+1])
}
