package core

// SharesRows reports whether two runs train on the same rows in memory.
func SharesRows(a, b *Run) bool { return a.rows == b.rows }
