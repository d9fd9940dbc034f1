package trees

import (
	"math"
	"math/bits"

	"ifmlab/core/kernel"
)

// newton has the gradients and second derivatives of the rows' losses. Classes and weights
// need it, because their second derivatives differ from 1. With weights c and predicted
// probabilities p,
//
//	squares   gradient c·(y − f)    hessian c
//	classes   gradient c·(y − p)    hessian c·p(1 − p)
//
// and the value of a leaf is the Newton step Σ gradients/(Σ hessians + λ).
type newton struct {
	classes bool
	mean    float64   // log-odds at f = 0
	c       []float64 // weights; nil for 1 each

	gradients, zeros []float64 // a row each
	hessians         []float64
	hessian, weight  fixedPoint // weight.rows is nil without weights
	minWeight        int64      // of a leaf, in units
}

// fixedPoint has non-negative numbers, one a row, as multiples of a power of 2. Their sums
// are exact in any order.
type fixedPoint struct {
	rows  []int64
	total int64
	unit  float64
}

// set stores values in the smallest unit that leaves room for their sum.
func (c *fixedPoint) set(values []float64, free uint) {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, v)
	}
	perUnit := 1.0
	if largest > 0 {
		perUnit = math.Ldexp(1, unitExponent(largest, free))
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

// useNewton makes a grower take gradients and second derivatives.
func (g *grower) useNewton(classes bool, mean float64, weight []float64, total float64) {
	rows := len(g.rows)
	s := &newton{classes: classes, mean: mean, c: weight, gradients: make([]float64, rows), zeros: make([]float64, rows), hessians: make([]float64, rows)}
	if weight != nil {
		s.weight.set(weight, g.low)
		s.minWeight = int64(float64(minRows(int(math.RoundToEven(min(total, 1e9))))) / s.weight.unit)
	}
	g.newton = s
}

// update sets gradients and second derivatives for predictions f.
func (s *newton) update(y, f []float64) {
	for i, v := range y {
		gradient, hessian := v-f[i], 1.0
		if s.classes {
			_, gradient, hessian = kernel.LogLossSlopes(s.mean+f[i], v)
			gradient = -gradient
		}
		c := weightOf(s.c, i)
		s.gradients[i], s.hessians[i] = c*gradient, c*hessian
	}
	s.hessian.set(s.hessians, uint(bits.Len(uint(len(y)))))
}

// layers returns the number of sums for each bin of a histogram.
func (g *grower) layers() int {
	switch {
	case g.newton == nil:
		return 1
	case g.weighted():
		return 3
	}
	return 2
}

// fillNewton adds the second derivatives and weights of a leaf's rows to its histogram.
func (g *grower) fillNewton(l *leaf) {
	rows, at := g.rows[l.lo:l.hi], l.bins
	for _, of := range [...]*fixedPoint{&g.newton.hessian, &g.newton.weight} {
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

// enough reports whether rows with these sums are enough for a leaf.
func (g *grower) enough(of sums) bool {
	if g.weighted() {
		return of.weight >= g.newton.minWeight
	}
	return g.count(of.packed) >= g.minRows
}
