package trees

import (
	"math"
	"math/bits"

	"ifmlab/core/kernel"
)

// curves is what a tree needs of rows whose losses bend by other than 1: of classes,
// or with weights. With c the weights and p what is predicted,
//
//	squares   slope c·(y − f)    bend c
//	classes   slope c·(y − p)    bend c·p(1 − p)
//
// and a leaf has the value Σ slopes/(Σ bends + λ), a step of Newton's.
type curves struct {
	classes bool
	mean    float64   // log-odds where f is 0
	c       []float64 // weights; nil for 1 each

	slopes, zeros []float64 // a row each
	bends         []float64
	bend, weight  counted // weight.rows is nil where c is
	least         int64   // the weight that a leaf has at least, in units
}

// counted is a number for each row that is not below 0, as a multiple of a power of
// 2, so that sums are exact in any order.
type counted struct {
	rows  []int64
	total int64
	unit  float64
}

// set counts numbers in units as small as the sum of all allows.
func (c *counted) set(values []float64, free uint) {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, v)
	}
	perUnit := 1.0
	if largest > 0 {
		perUnit = math.Ldexp(1, fits(largest, free))
	}
	c.unit, c.total = 1/perUnit, 0
	if c.rows == nil {
		c.rows = make([]int64, len(values))
	}
	for i, v := range values {
		c.rows[i] = int64(math.RoundToEven(v * perUnit))
		c.total += c.rows[i]
	}
}

// weigh makes a grower count curves.
func (g *grower) weigh(classes bool, mean float64, weight []float64, total float64) {
	rows := len(g.rows)
	s := &curves{classes: classes, mean: mean, c: weight, slopes: make([]float64, rows), zeros: make([]float64, rows), bends: make([]float64, rows)}
	if weight != nil {
		s.weight.set(weight, g.low)
		s.least = int64(float64(minRows(int(math.RoundToEven(min(total, 1e9))))) / s.weight.unit)
	}
	g.curves = s
}

// follow sets slopes and bends to those of rows that are predicted as f.
func (s *curves) follow(y, f []float64) {
	for i, v := range y {
		slope, bend := v-f[i], 1.0
		if s.classes {
			_, slope, bend = kernel.LogLossSlopes(s.mean+f[i], v)
			slope = -slope
		}
		c := weightOf(s.c, i)
		s.slopes[i], s.bends[i] = c*slope, c*bend
	}
	s.bend.set(s.bends, uint(bits.Len(uint(len(y)))))
}

// layers returns how many numbers a bin of a histogram has.
func (g *grower) layers() int {
	switch {
	case g.curves == nil:
		return 1
	case g.weighted():
		return 3
	}
	return 2
}

// fillCurves adds the bends and weights of a leaf's rows to its histogram.
func (g *grower) fillCurves(l *leaf) {
	rows, at := g.rows[l.lo:l.hi], l.bins
	for _, of := range [...]*counted{&g.curves.bend, &g.curves.weight} {
		if of.rows == nil {
			continue
		}
		ordered := g.ordered[:len(rows)]
		for i, row := range rows {
			ordered[i] = of.rows[row]
		}
		at = at[g.width():]
		for j, bins := range g.bins {
			sums := (*[256]int64)(at[g.start[j]:])
			for i, row := range rows {
				sums[bins[row]] += ordered[i]
			}
		}
	}
}

// enough reports whether a leaf of such rows is large enough.
func (g *grower) enough(of totals) bool {
	if g.weighted() {
		return of.weight >= g.curves.least
	}
	return g.count(of.packed) >= g.minRows
}
