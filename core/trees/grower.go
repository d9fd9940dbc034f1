package trees

import (
	"math"
	"math/bits"
)

// grower grows one tree after another on the same rows, in integers. A residual is rounded
// to a multiple of 2^−k, with k as large as sums over all rows allow: 34 bits of the
// largest residual for 10⁴ rows, and 22 for 10⁶. An int64 holds both the number of rows in
// a bin and their sum of residuals, so that one addition counts a row. Sums are exact in
// any order, and the histogram of a leaf less that of one child is that of the other.
type grower struct {
	bins    [][]uint8 // a column each
	start   []int     // of each column's bins in a histogram, and the end of the last
	minRows int64

	low     uint    // bits for the number of rows
	unit    float64 // 2^−k
	packed  []int64 // a row each: residual/unit·2^low + 1
	ordered []int64 // scratch: packed of a leaf's rows
	rows    []int32 // those of a leaf stand together
	scratch []int32
	pool    [][]int64 // histograms for reuse

	newton *newton // nil for squares without weights
}

// sums are sums over some rows. hessian and weight are 0 without newton.
type sums struct{ packed, hessian, weight int64 }

func (t sums) minus(o sums) sums {
	return sums{t.packed - o.packed, t.hessian - o.hessian, t.weight - o.weight}
}

// overhang is the extra length of a histogram, so that 256 bins can be addressed from the
// start of every column.
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
	total  sums
	bins   []int64 // histograms of packed and, with newton, of hessian and weight; nil if it cannot be split
	best   split
}

// split is the best way to split a leaf.
type split struct {
	gain        float64 // 0 if there is none
	column      int32
	bin         uint8
	missingLeft bool
	left        sums
}

func (g *grower) mask() int64              { return 1<<g.low - 1 }
func (g *grower) count(packed int64) int64 { return packed & g.mask() }
func (g *grower) sum(packed int64) float64 { return float64(packed >> g.low) }

// score returns G²/(n + λ), in units².
func (g *grower) score(of sums) float64 {
	sum := g.sum(of.packed)
	return sum * sum / g.curvature(of)
}

// curvature returns n + λ or, with newton, Σ hessians + λ.
func (g *grower) curvature(of sums) float64 {
	if g.newton != nil {
		return float64(float64(of.hessian)*g.newton.hessian.unit) + penalty
	}
	return float64(g.count(of.packed) + penalty)
}

// quantize sets packed to the residuals y − f or, with newton, to the gradients. It returns
// false if all are 0.
func (g *grower) quantize(y, f []float64) bool {
	if g.newton != nil {
		g.newton.update(y, f)
		y, f = g.newton.gradients, g.newton.zeros
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
	k := unitExponent(largest, 2*g.low)
	perUnit := math.Ldexp(1, k)
	g.unit = 1 / perUnit
	for i, v := range y {
		g.packed[i] = int64(math.RoundToEven((v-f[i])*perUnit))<<g.low + 1
	}
	return true
}

// unitExponent returns the k for which multiples of 2^−k up to largest leave the given
// number of 62 bits free.
func unitExponent(largest float64, free uint) int {
	_, exponent := math.Frexp(largest)
	return min(62-int(free)-exponent, 1000) // 2^k overflows soon beyond
}

// grow fits a tree with at most maxLeaves leaves to the residuals y − f, multiplies it by
// rate, adds its predictions to f and returns it. It splits the leaf with the largest gain
// first, while there is a gain. A tree of one leaf means that nothing can be split. With n
// rows, d columns and L leaves it costs at most n·d·(1 + ½·log₂L) additions to histograms
// and 2L searches through all bins.
func (g *grower) grow(y, f []float64, maxLeaves int, rate float64) tree {
	grown := tree{{}}
	if !g.quantize(y, f) {
		return grown
	}
	root := &leaf{hi: len(f)}
	for i, p := range g.packed {
		g.rows[i] = int32(i)
		root.total.packed += p
	}
	if g.newton != nil {
		root.total.hessian, root.total.weight = g.newton.hessian.total, g.newton.weight.total
	}
	if g.splittable(root) {
		root.bins = g.histogram()
		g.fill(root)
		g.search(root)
	}
	leaves := []*leaf{root}
	for len(leaves) < maxLeaves {
		l := leaves[0]
		for _, other := range leaves {
			if other.best.gain > l.best.gain {
				l = other
			}
		}
		if l.best.gain == 0 {
			break
		}
		left, right := g.split(l, &grown)
		if len(leaves)+1 < maxLeaves {
			g.searchChildren(l, left, right)
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

// split splits a leaf of the tree, and its rows without changing their order.
func (g *grower) split(l *leaf, grown *tree) (left, right *leaf) {
	n := &(*grown)[l.node]
	n.column, n.bin, n.missingLeft = l.best.column, l.best.bin, l.best.missingLeft
	n.left, n.right = int32(len(*grown)), int32(len(*grown)+1)
	var goesLeft [256]int // 1 or 0, since a branch would be mispredicted in many rows
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
	right = &leaf{node: n.right, lo: at, hi: l.hi, total: l.total.minus(l.best.left)}
	*grown = append(*grown, node{}, node{})
	return left, right
}

// searchChildren gives the children of a leaf their histograms and best splits. Only the
// smaller child counts its rows; the histogram of the larger one is the parent's less that.
func (g *grower) searchChildren(parent, left, right *leaf) {
	small, large := left, right
	if small.hi-small.lo > large.hi-large.lo {
		small, large = large, small
	}
	if !g.splittable(large) {
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
	if g.splittable(small) {
		g.search(small)
	} else {
		g.release(small)
	}
}

// splittable reports whether a leaf has enough rows for two.
func (g *grower) splittable(l *leaf) bool {
	if g.weighted() {
		return l.total.weight >= 2*g.newton.minWeight
	}
	return int64(l.hi-l.lo) >= 2*g.minRows
}

func (g *grower) weighted() bool { return g.newton != nil && g.newton.weight.rows != nil }

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

// bytes returns the most memory that histograms take. Each splittable leaf has one, and so
// has one other leaf while the histogram of its sibling is computed.
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

// fill adds the rows of a leaf to its histogram. It takes two columns at a time, because
// half of the work is to read the row numbers. O(rows·columns).
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
	if g.newton != nil {
		g.fillNewton(l)
	}
}
