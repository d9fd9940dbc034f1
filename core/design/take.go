package design

import "ifmlab/core/kernel"

// Take returns the design of these rows of z, in this order; a row may come more
// than once. It keeps z's form, and panics for a form that is neither [Dense] nor
// [Mixed]. It costs as much time and space as the rows that it takes.
func Take(z Design, rows []int32) Design {
	switch z := z.(type) {
	case *Dense:
		return z.take(rows)
	case *Mixed:
		return z.take(rows)
	}
	panic("design: rows are taken of a design of unknown form")
}

func (z *Dense) take(rows []int32) *Dense {
	x := make([]float64, 0, len(rows)*z.d)
	for _, i := range rows {
		x = append(x, z.Row(int(i))...)
	}
	return NewDense(len(rows), z.d, x)
}

func (z *Mixed) take(rows []int32) *Mixed {
	runs := make([]Run, len(z.Runs))
	for e, r := range z.Runs {
		runs[e] = Run{r.At, r.Z.take(rows)}
	}
	var hats kernel.Hats
	if z.hasHats() {
		var left []int32
		var at []float64
		for _, i := range rows {
			l, t := z.Hats.Row(int(i))
			left, at = append(left, l...), append(at, t...)
		}
		hats = kernel.NewHats(z.d, len(left)/max(len(rows), 1), left, at)
	}
	var sparse kernel.Sparse
	if z.hasEntries() {
		sparse = z.Entries.Take(rows)
	}
	return NewMixed(runs, z.Ones.Take(rows), hats, sparse)
}
