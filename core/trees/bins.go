package trees

import (
	"math"

	"ifmlab/core/data"
)

// mostBins is the number of bins of a column's values. They are numbered from 1;
// bin 0 holds missing cells.
const mostBins = 255

// column says which bin a cell of one column belongs to. Bin b holds the values v
// with edges[b−2] < v ≤ edges[b−1]; the first bin has no lower edge and the last
// one no upper.
type column struct {
	name   string
	kind   data.Kind
	levels map[string]float64 // of a column of levels: what stands for each
	edges  []float64          // ascending
}

// bins returns the number of bins, that of missing cells included.
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

// edges returns the upper edges of all bins of values but the last. Where there
// are at most [mostBins] different values each has a bin of its own; else bins
// hold as equal numbers of values as ties allow. An edge is halfway between two
// neighbouring values. O(values).
func edges(values []float64) []float64 {
	sorted := ascending(values)
	distinct := 0
	for i := range sorted {
		if i == 0 || sorted[i] != sorted[i-1] {
			distinct++
		}
	}
	var edges []float64
	bins, rest, held := mostBins, len(sorted), 0
	for i := 1; i < len(sorted); i++ {
		held++
		if sorted[i] == sorted[i-1] || distinct > mostBins && (bins == 1 || held*bins < rest) {
			continue
		}
		edges = append(edges, between(sorted[i-1], sorted[i]))
		bins, rest, held = bins-1, rest-held, 0
	}
	return edges
}

// between returns a number m with a ≤ m < b, their middle if it is one.
func between(a, b float64) float64 {
	if m := a/2 + b/2; a <= m && m < b {
		return m
	}
	return a
}

// ascending returns the values that are not NaN in ascending order, −0 as 0: by
// their bits, a byte at a time, the last byte first. O(values).
func ascending(values []float64) []float64 {
	keys := make([]uint64, 0, len(values))
	for _, v := range values {
		if v != v {
			continue
		}
		bits := math.Float64bits(v + 0)
		if bits>>63 == 1 {
			bits = ^bits // below zero, the larger the further down
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
