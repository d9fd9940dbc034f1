package pair

import "math"

// Effect is what two columns do together beyond their main effects, at the places
// of both: for levels the mean of a cell, for numbers the height of the surface at
// two knots.
type Effect struct {
	First, Second []Place
	// Value has a row for each place of the first column, in units of the targets;
	// NaN where there are too few rows to fit it, or none.
	Value []float64
	// Rows is the number of rows behind each cell; of hats the sum of their products,
	// which over all cells is the number of all rows. Fewer than [Few] say little.
	Rows []float64
}

// found returns what is known of a named pair from its last test and the noise that
// is left of the targets, with its degrees of freedom. Purified of so many features,
// by chance the products keep that part of their variance alone which the rows are
// more than these: rank.
func (s *Search) found(c *candidate, last solution, noise float64, left, rank int) Named {
	rows, df := s.basis.rows-float64(rank), float64(last.df)
	f := 0.0
	if last.df > 0 {
		f = last.sum / df / noise
	}
	share := func(sum float64) float64 { return min(max(sum/rows, 0), 1) }
	low, high := noncentrality(f, df, float64(left))
	return Named{
		P: c.p, Q: c.q, PValue: math.Exp(c.tested.logP), LogP: c.tested.logP,
		F: f, DF: last.df, Left: left,
		Share: share(last.sum - float64(df*noise)), Low: share(low * noise), High: share(high * noise),
		Effect: s.effect(c, last.weights),
	}
}

// effect returns the products' sum with these weights, less its own main effects of
// the two columns: least squares over the rows. O(rows + products·features).
func (s *Search) effect(c *candidate, weights []float64) Effect {
	x, y := c.block.first, c.block.second
	together := make([]float64, s.result.Rows)
	var e entries
	for i := range together {
		for j := range c.block.row(i, &e) {
			together[i] += float64(e.value[j] * weights[e.index[j]])
		}
	}
	b := &basis{residual: together, rows: s.basis.rows}
	b.extend(&block{width: 1, root: s.root}, &s.scratch)
	for _, side := range [...]column{*x, *y} {
		side.bumps = 0 // which the sum has none of
		b.extend(s.mainEffect(&side), &s.scratch)
	}
	b.fit()
	m := len(y.places)
	out := Effect{First: x.places, Second: y.places, Value: make([]float64, len(x.places)*m), Rows: c.counts}
	for i := range out.Value {
		out.Value[i] = math.NaN()
		if at := c.block.product[i]; at >= 0 {
			out.Value[i] = s.sd * (weights[at] - b.fitted[0][0] - b.fitted[1][i/m] - b.fitted[2][i%m])
		}
	}
	return out
}
