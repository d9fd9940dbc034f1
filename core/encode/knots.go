package encode

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/moment"
	"ifmlab/core/order"
	"ifmlab/core/table"
)

const (
	mostKnots  = 32 // a column of whole numbers has one at every value up to so many values
	knotRows   = 20 // where each has so many training rows on average
	knotSample = 1 << 14
)

// knots returns where the piecewise-linear basis of a numeric column has its
// corners: at every value where there are at most design.UsualKnots, or at most mostKnots
// whole numbers with knotRows training rows each; else at design.UsualKnots quantiles of
// the training rows, those that coincide once. Of more than knotSample rows it
// looks at so many, evenly taken, and at the ends. It returns nil where numbers stay
// one feature each: without Settings.Hats, and for a column of two values, which a
// straight line fits. O(rows + knotSample·log knotSample).
func (e *encoder) knots(c *table.Column, m moment.Accumulator) []float64 {
	if !e.plan.Settings.Hats {
		return nil
	}
	rows := e.rows
	if step := (len(rows) + knotSample - 1) / knotSample; step > 1 {
		rows = nil
		for i := 0; i < len(e.rows); i += step {
			rows = append(rows, e.rows[i])
		}
	}
	values := make([]float64, len(rows), len(rows)+2)
	c.Gather(values, rows)
	values = table.Known(values, values)
	if len(rows) < len(e.rows) {
		values = append(values, m.Min(), m.Max())
	}
	order.Sort(values, cmp.Compare[float64])
	distinct := slices.Compact(slices.Clone(values))
	whole := len(distinct) <= mostKnots && knotRows*len(distinct) <= len(values) &&
		!slices.ContainsFunc(distinct, func(v float64) bool { return v != math.Trunc(v) })
	switch {
	case len(distinct) <= 2: // none of a sample, perhaps
		return nil
	case len(distinct) <= design.UsualKnots || whole:
		return distinct
	}
	var all []float64
	for i := range design.UsualKnots {
		q := order.Quantile(values, float64(i)/(design.UsualKnots-1))
		if i == 0 || q > all[len(all)-1] {
			all = append(all, q)
		}
	}
	return all
}
