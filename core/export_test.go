package core

// SharesRows reports whether two runs train on the same rows in memory.
func SharesRows(a, b *Run) bool { return a.rows == b.rows }

// TruthFactors returns U and V of the truth.
func TruthFactors(r *Run) (u, v []float64) { return r.rows.truth.U, r.rows.truth.Right() }
