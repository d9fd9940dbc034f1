package trees

import (
	"math"

	"ifmlab/core/design"
)

// maxBins is the most bins for a column's values. They are numbered from 1, and bin 0 holds
// missing cells.
const maxBins = 255

// column assigns the cells of one column to bins. Bin b holds the values v with
// edges[b−2] < v ≤ edges[b−1]. The first bin has no lower edge, and the last no upper edge.
type column struct {
	name   string
	kind   design.Kind
	levels map[string]float64 // the number of each level; nil for a column of numbers
	edges  []float64          // ascending
}

// bins returns the number of bins, with the one of missing cells.
func (c *column) bins() int { return len(c.edges) + 2 }

// bin returns the bin of a value, 0 for NaN. O(log bins).
func (c *column) bin(v float64) uint8 {
	if v != v {
		return 0
	}
	lo, hi := 0, len(c.edges)
	for lo < hi {
		if mid := (lo + hi) / 2; c.edges[mid] < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return uint8(lo + 1)
}

// binned returns the bins of all values.
func (c *column) binned(values []float64) []uint8 {
	bins := make([]uint8, len(values))
	for i, v := range values {
		bins[i] = c.bin(v)
	}
	return bins
}

// edges returns the upper edges of all bins but the last. At most [maxBins] different
// values have a bin each; with more, bins hold as equal numbers of values as ties allow.
// An edge lies halfway between two neighbouring values. O(values).
func edges(values []float64) []float64 {
	sorted := ascending(values)
	distinct := 0
	for i := range sorted {
		if i == 0 || sorted[i] != sorted[i-1] {
			distinct++
		}
	}
	var edges []float64
	bins, rest, count := maxBins, len(sorted), 0
	for i := 1; i < len(sorted); i++ {
		count++
		if sorted[i] == sorted[i-1] || distinct > maxBins && (bins == 1 || count*bins < rest) {
			continue
		}
		edges = append(edges, between(sorted[i-1], sorted[i]))
		bins, rest, count = bins-1, rest-count, 0
	}
	return edges
}

// between returns a number m with a ≤ m < b: the middle, unless it rounds to b.
func between(a, b float64) float64 {
	if m := a/2 + b/2; a <= m && m < b {
		return m
	}
	return a
}

// ascending returns the values but NaN in ascending order, with −0 as 0. It is a radix sort
// of their bits, a byte at a time. O(values).
func ascending(values []float64) []float64 {
	keys := make([]uint64, 0, len(values))
	for _, v := range values {
		if v != v {
			continue
		}
		bits := math.Float64bits(v + 0)
		if bits>>63 == 1 {
			bits = ^bits // negative numbers sort in reverse
		} else {
			bits |= 1 << 63
		}
		keys = append(keys, bits)
	}
	other := make([]uint64, len(keys))
	for shift := 0; shift < 64; shift += 8 {
		var start [256]int
		for _, k := range keys {
			start[uint8(k>>shift)]++
		}
		at := 0
		for b, count := range start {
			start[b], at = at, at+count
		}
		for _, k := range keys {
			b := uint8(k >> shift)
			other[start[b]] = k
			start[b]++
		}
		keys, other = other, keys
	}
	sorted := make([]float64, len(keys))
	for i, bits := range keys {
		if bits>>63 == 1 {
			bits &^= 1 << 63
		} else {
			bits = ^bits
		}
		sorted[i] = math.Float64frombits(bits)
	}
	return sorted
}
