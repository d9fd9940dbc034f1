package pair

import "math"

// Effect is the joint effect of two columns beyond their main effects, at the features of
// both: for levels the mean of a cell, for numbers the height of the surface at two knots.
type Effect struct {
	First, Second []Feature
	// Value has a row for each feature of the first column, in units of the targets. It is
	// NaN if there are too few rows to fit it.
	Value []float64
	// Rows is the number of rows in each cell, without their weights. For hats it is the sum
	// of their products, which adds up to the number of all rows. Fewer than [MinRows] mean
	// little.
	Rows []float64
}

// measured returns a named pair from its last test and the noise that all pairs leave. After
// purification by rank features, products keep by chance only the share (rows − rank)/rows
// of their variance.
func (s *Search) measured(c *candidate, last solution, noise float64, noiseDF, rank int) Named {
	rows, df := s.basis.rows-float64(rank), float64(last.df)
	f := 0.0
	if last.df > 0 {
		f = last.sum / df / noise
	}
	share := func(sum float64) float64 { return min(max(sum/rows, 0), 1) }
	low, high := noncentrality(f, df, float64(noiseDF))
	return Named{
		P: c.p, Q: c.q, PValue: math.Exp(c.tested.logP), LogP: c.tested.logP,
		F: f, DF: last.df, NoiseDF: noiseDF,
		Share: share(last.sum - float64(df*noise)), Low: share(low * noise), High: share(high * noise),
		Effect: s.effect(c, last.weights),
	}
}

// effect returns the weighted sum of the products, less the main effects of the two columns
// that least squares over the rows finds in it. O(rows + products·features).
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
		side.parabolas = 0 // the sum has none
		b.extend(s.mainEffect(&side), &s.scratch)
	}
	b.fit()
	m := len(y.features)
	out := Effect{First: x.features, Second: y.features, Value: make([]float64, len(x.features)*m), Rows: c.rows}
	for i := range out.Value {
		out.Value[i] = math.NaN()
		if at := c.block.product[i]; at >= 0 {
			out.Value[i] = s.sd * (weights[at] - b.fitted[0][0] - b.fitted[1][i/m] - b.fitted[2][i%m])
		}
	}
	return out
}
