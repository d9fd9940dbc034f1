package core

import "ifmlab/core/data"

// SharesRows reports whether two runs train on the same rows in memory.
func SharesRows(a, b *Run) bool { return a.rows == b.rows }

// TruthFactors returns U and V of the truth.
func TruthFactors(r *Run) (u, v []float64) { return r.rows.truth.U, r.rows.truth.Right() }

// Rows returns what a run trains on.
func Rows(r *Run) *data.Dataset { return r.rows.Dataset }
