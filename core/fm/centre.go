package fm

// Centre has the averages over the training rows that explanations subtract, so that every
// effect averages 0 over these rows and the sum begins at their average prediction. With z̄ the
// means of the features, δ = z − z̄, and M symmetric, a model is
//
//	f(z) = f(z̄) + Σp [δpᵀ(w + 2Mz̄)p + δpᵀMppδp] + Σp<q 2·δpᵀMpqδq
//
// where p and q are columns of the table, each with its features. The first part of a column's
// effect averages 0. The second averages Columns, and an interaction averages Pairs. These
// numbers move into the first term, which becomes f(z̄) + ΣColumns + ΣPairs, the average of f.
//
// Up to a constant, a column's effect is its partial dependence: the average prediction if
// every training row had this cell. An interaction is what the partial dependence of two columns
// together has beyond that of each. This is functional ANOVA over the product of the columns'
// distributions. Over their joint distribution it would also move, from an interaction into the
// two columns, what these tell alone because they go together: 2 to 6 % of the variance of the
// interactions on the built-in table of diabetes, 22 to 40 % on those of cars and penguins, whose
// columns tell more of each other. A column's effect would then no longer be what happens as that
// column alone changes, and a file would hold functions of each pair, not a number.
type Centre struct {
	Means []float64 // of the scaled features
	// Of each score, a number a column, and a number a pair of columns: 0 and 1, 0 and 2, …,
	// 1 and 2, …. Nil for a model without factors.
	Columns, Pairs [][]float64
}

// Of returns the centre of one score alone.
func (c *Centre) Of(score int) *Centre {
	if c == nil || c.Columns == nil {
		return c
	}
	return &Centre{c.Means, c.Columns[score : score+1], c.Pairs[score : score+1]}
}
