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

// knots returns the knots of the piecewise-linear basis of a numeric column. There is one at
// every value for at most design.DefaultKnots values, and for at most mostKnots whole
// numbers with knotRows training rows each on average. Otherwise they are
// design.DefaultKnots quantiles of the training rows without repeats, taken from an even
// sample of knotSample rows with the ends.
//
// knots returns nil if the column stays one feature: without Settings.PiecewiseLinear, and for two
// values, which a straight line fits. O(rows + knotSample·log knotSample).
func (e *encoder) knots(c *table.Column, m moment.Accumulator) []float64 {
	if !e.plan.Settings.PiecewiseLinear {
		return nil
	}
	rows := e.sample()
	values := make([]float64, len(rows), len(rows)+2)
	c.Gather(values, rows)
	values = table.DropNaN(values, values)
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
	case len(distinct) <= design.DefaultKnots || whole:
		return distinct
	}
	var all []float64
	for i := range design.DefaultKnots {
		q := order.Quantile(values, float64(i)/(design.DefaultKnots-1))
		if i == 0 || q > all[len(all)-1] {
			all = append(all, q)
		}
	}
	return all
}

// sample returns an even sample of the training rows, of knotSample at most.
func (e *encoder) sample() []int32 {
	step := (len(e.rows) + knotSample - 1) / knotSample
	if step <= 1 {
		return e.rows
	}
	var rows []int32
	for i := 0; i < len(e.rows); i += step {
		rows = append(rows, e.rows[i])
	}
	return rows
}

// shares returns the Shares of the feature of a column with these moments, in an even sample
// of the training rows. O(knotSample).
func (e *encoder) shares(c *table.Column, m moment.Accumulator) []float64 {
	rows := e.sample()
	values, weight := make([]float64, len(rows)), e.plan.Weights(rows)
	c.Gather(values, rows)
	numbers, shares, all := make([]float64, design.DefaultKnots), make([]float64, design.DefaultKnots), 0.0
	for i := range numbers {
		numbers[i] = m.Min() + (m.Max()-m.Min())*float64(i)/(design.DefaultKnots-1)
	}
	for i, v := range values {
		w := 1.0
		if weight != nil {
			w = weight[i]
		}
		if all += w; v == v {
			left, t := design.Between(numbers, v)
			shares[left] += float64((1 - t) * w)
			shares[left+1] += float64(t * w)
		}
	}
	if all == 0 { // of large tables, where few rows have a weight
		return nil
	}
	for i := range shares {
		shares[i] /= all
	}
	return shares
}
