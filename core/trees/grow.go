package trees

import (
	"math"
	"math/bits"
)

// grower grows one tree after another on the same rows. It counts in whole
// numbers: the residual of a row is rounded to a multiple of 2^−k, with k as
// large as sums over all rows allow, 34 bits of the largest residual for 10⁴
// rows and 22 for 10⁶. A bin's number of rows and sum of residuals share an
// int64, so one addition counts a row, sums are exact in any order, and what is
// left of a leaf when one child is taken away is the other child to the last bit.
type grower struct {
	bins    [][]uint8 // a column each
	start   []int     // of each column's bins in a histogram, and the end of the last
	minRows int64

	low     uint    // bits that count rows
	unit    float64 // 2^−k
	packed  []int64 // a row each: residual/unit·2^low + 1
	ordered []int64 // scratch: those of a leaf's rows
	rows    []int32 // a leaf's are next to each other
	scratch []int32
	pool    [][]int64 // histograms to use again

	curves *curves // nil of squares without weights
}

// totals is what some rows sum up to: packed, and of curves their bends and weights.
type totals struct{ packed, bend, weight int64 }

func (t totals) less(o totals) totals {
	return totals{t.packed - o.packed, t.bend - o.bend, t.weight - o.weight}
}

// overhang is what a histogram is longer than its columns, so that 256 bins can be
// addressed at the start of each.
const overhang = 256

func newGrower(columns []column, bins [][]uint8, rows int) *grower {
	g := &grower{
		bins: bins, start: make([]int, 1, len(columns)+1), minRows: int64(minRows(rows)), low: uint(bits.Len(uint(rows))),
		packed: make([]int64, rows), ordered: make([]int64, rows), rows: make([]int32, rows), scratch: make([]int32, rows),
	}
	for j := range columns {
		g.start = append(g.start, g.start[j]+columns[j].bins())
	}
	return g
}

// leaf is a leaf of the tree that grows.
type leaf struct {
	node   int32
	lo, hi int // of grower.rows
	total  totals
	bins   []int64 // histogram, and of curves those of bends and weights; nil if it cannot be split
	best   split
}

// split is the best way to split a leaf.
type split struct {
	gain        float64 // 0: there is none
	column      int32
	bin         uint8
	missingLeft bool
	left        totals // of the left child
}

func (g *grower) mask() int64              { return 1<<g.low - 1 }
func (g *grower) count(packed int64) int64 { return packed & g.mask() }
func (g *grower) sum(packed int64) float64 { return float64(packed >> g.low) }

// score returns G²/(n + λ), in units².
func (g *grower) score(of totals) float64 {
	sum := g.sum(of.packed)
	return sum * sum / g.curvature(of)
}

// curvature returns n + λ, of curves the sum of bends and λ.
func (g *grower) curvature(of totals) float64 {
	if g.curves != nil {
		return float64(float64(of.bend)*g.curves.bend.unit) + penalty
	}
	return float64(g.count(of.packed) + penalty)
}

// round sets packed to the residuals y − f, of curves to the slopes downwards, and
// their bends. It returns false if all are 0.
func (g *grower) round(y, f []float64) bool {
	if g.curves != nil {
		g.curves.follow(y, f)
		y, f = g.curves.slopes, g.curves.zeros
	}
	largest := 0.0
	for i, v := range y {
		if r := math.Abs(v - f[i]); r > largest {
			largest = r
		}
	}
	if largest == 0 {
		return false
	}
	k := fits(largest, 2*g.low)
	perUnit := math.Ldexp(1, k)
	g.unit = 1 / perUnit
	for i, v := range y {
		g.packed[i] = int64(math.RoundToEven((v-f[i])*perUnit))<<g.low + 1
	}
	return true
}

// fits returns the k for which multiples of 2^−k up to largest leave so many bits of
// 62 free.
func fits(largest float64, free uint) int {
	_, exponent := math.Frexp(largest)
	return min(62-int(free)-exponent, 1000) // beyond which 2^k is no number
}

// grow returns a tree of at most so many leaves, fitted to the residuals y − f
// and multiplied by rate, and adds what it predicts to f. The leaf that gains most
// is split first, as long as one gains. A tree of one leaf says that there is
// nothing to split. With n rows, d columns and L leaves it costs at most
// n·d·(1 + ½·log₂L) additions to histograms and 2L looks through all bins.
func (g *grower) grow(y, f []float64, most int, rate float64) tree {
	grown := tree{{}}
	if !g.round(y, f) {
		return grown
	}
	root := &leaf{hi: len(f)}
	for i, p := range g.packed {
		g.rows[i] = int32(i)
		root.total.packed += p
	}
	if g.curves != nil {
		root.total.bend, root.total.weight = g.curves.bend.total, g.curves.weight.total
	}
	g.prepare(root)
	leaves := []*leaf{root}
	for len(leaves) < most {
		l := leaves[0]
		for _, other := range leaves {
			if other.best.gain > l.best.gain {
				l = other
			}
		}
		if l.best.gain == 0 {
			break
		}
		left, right := g.divide(l, &grown)
		if len(leaves)+1 < most {
			g.inherit(l, left, right)
		}
		*l = *left
		leaves = append(leaves, right)
	}
	for _, l := range leaves {
		v := float64(rate * (g.sum(l.total.packed) * g.unit / g.curvature(l.total)))
		grown[l.node].value = v
		for _, row := range g.rows[l.lo:l.hi] {
			f[row] += v
		}
		g.release(l)
	}
	return grown
}

// divide splits a leaf in the tree and its rows, which keep their order.
func (g *grower) divide(l *leaf, grown *tree) (left, right *leaf) {
	n := &(*grown)[l.node]
	n.column, n.bin, n.missingLeft = l.best.column, l.best.bin, l.best.missingLeft
	n.left, n.right = int32(len(*grown)), int32(len(*grown)+1)
	var goesLeft [256]int // 1 or 0: no branch, which would be a guess a row
	for bin := range int(n.bin) + 1 {
		if n.goesLeft(uint8(bin)) {
			goesLeft[bin] = 1
		}
	}
	bins, at, away := g.bins[n.column], l.lo, 0
	for _, row := range g.rows[l.lo:l.hi] {
		goes := goesLeft[bins[row]]
		g.rows[at], g.scratch[away] = row, row
		at += goes
		away += 1 - goes
	}
	copy(g.rows[at:l.hi], g.scratch[:away])
	left = &leaf{node: n.left, lo: l.lo, hi: at, total: l.best.left}
	right = &leaf{node: n.right, lo: at, hi: l.hi, total: l.total.less(l.best.left)}
	*grown = append(*grown, node{}, node{})
	return left, right
}

// inherit gives the children of a leaf their histograms and best splits: the
// smaller one counts its rows, the larger one is the rest of its parent.
func (g *grower) inherit(parent, left, right *leaf) {
	small, large := left, right
	if small.hi-small.lo > large.hi-large.lo {
		small, large = large, small
	}
	if !g.splits(large) {
		g.release(parent)
		return
	}
	small.bins = g.histogram()
	g.fill(small)
	large.bins, parent.bins = parent.bins, nil
	rest := large.bins[:len(small.bins)]
	for i, p := range small.bins {
		rest[i] -= p
	}
	g.search(large)
	if g.splits(small) {
		g.search(small)
	} else {
		g.release(small)
	}
}

// prepare gives the root its histogram and best split.
func (g *grower) prepare(root *leaf) {
	if g.splits(root) {
		root.bins = g.histogram()
		g.fill(root)
		g.search(root)
	}
}

// splits reports whether a leaf has rows enough for two.
func (g *grower) splits(l *leaf) bool {
	if g.weighted() {
		return l.total.weight >= 2*g.curves.least
	}
	return int64(l.hi-l.lo) >= 2*g.minRows
}

func (g *grower) weighted() bool { return g.curves != nil && g.curves.weight.rows != nil }

func (g *grower) histogram() []int64 {
	last := len(g.pool) - 1
	if last < 0 {
		return make([]int64, g.layers()*g.width())
	}
	h := g.pool[last]
	g.pool = g.pool[:last]
	clear(h)
	return h
}

// width returns the length of a histogram.
func (g *grower) width() int { return g.start[len(g.bins)] + overhang }

// bytes returns how much memory histograms take at most: each leaf that has rows
// enough for two has one, and so has, while its sibling's is worked out, one that
// has not.
func (g *grower) bytes() int64 {
	most := min(settings[0].leaves, len(g.rows)/int(2*g.minRows)) + 1
	return int64(most) * int64(g.layers()*g.width()) * 8
}

func (g *grower) release(l *leaf) {
	if l.bins != nil {
		g.pool = append(g.pool, l.bins)
		l.bins = nil
	}
}

// fill adds the rows of a leaf to its histogram, two columns at a time: half of
// the work is to read which rows they are. O(rows·columns).
func (g *grower) fill(l *leaf) {
	rows := g.rows[l.lo:l.hi]
	packed := g.ordered[:len(rows)]
	for i, row := range rows {
		packed[i] = g.packed[row]
	}
	j := 0
	for ; j+1 < len(g.bins); j += 2 {
		a, b := g.bins[j], g.bins[j+1]
		b = b[:len(a)]
		countA, countB := (*[256]int64)(l.bins[g.start[j]:]), (*[256]int64)(l.bins[g.start[j+1]:])
		for i, row := range rows {
			p := packed[i]
			countA[a[row]] += p
			countB[b[row]] += p
		}
	}
	if j < len(g.bins) {
		a, count := g.bins[j], (*[256]int64)(l.bins[g.start[j]:])
		for i, row := range rows {
			count[a[row]] += packed[i]
		}
	}
	if g.curves != nil {
		g.fillCurves(l)
	}
}
