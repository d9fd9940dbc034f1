package design

// Column is one feature of all rows, for methods that go through a design feature by
// feature.
type Column struct {
	Rows   []int32   // rows in which it may be other than 0, ascending; nil: all
	Values []float64 // its values in those rows; nil: all 1
}

// Len returns the number of rows in which the feature of a design of n rows may be other
// than 0.
func (c *Column) Len(n int) int {
	if c.Rows == nil {
		return n
	}
	return len(c.Rows)
}

// Columns returns the features of a design. A feature that is 0 in at least half of the
// rows lists the others. It has no values if all of these are 1. O(n·d) time and space for
// a dense design, O(nnz) for a sparse one.
func Columns(z Design) []Column {
	n, d := z.Dims()
	all := make([]Column, d)
	switch z := z.(type) {
	case *Dense:
		z.columns(all)
	case *Mixed:
		for _, r := range z.Runs {
			r.Z.columns(all[r.At:])
		}
		z.sparseColumns(all, n)
	}
	return all
}

// columns sets the first elements of all, one per feature of z.
func (z *Dense) columns(all []Column) {
	for j := range z.d {
		values, used, ones := make([]float64, z.n), 0, true
		for i := range z.n {
			v := z.x[i*z.d+j]
			values[i] = v
			if v != 0 {
				used++
				ones = ones && v == 1
			}
		}
		if all[j] = (Column{Values: values}); 2*used > z.n {
			continue
		}
		rows := make([]int32, 0, used)
		short := values[:0]
		for i, v := range values {
			if v != 0 {
				rows, short = append(rows, int32(i)), append(short, v)
			}
		}
		if all[j] = (Column{Rows: rows}); !ones {
			all[j].Values = append([]float64(nil), short...)
		}
	}
}

// sparseColumns sets the features of all that are ones, entries or hats.
func (z *Mixed) sparseColumns(all []Column, n int) {
	counts := make([]int32, z.d)
	for i := range n {
		z.eachSparse(i, func(j int32, _ float64) { counts[j]++ })
	}
	hat := make([]bool, z.d) // it has values
	if z.hasHats() {
		for i := range n {
			left, _ := z.Hats.Row(i)
			for _, j := range left {
				hat[j], hat[j+1] = true, true
			}
		}
	}
	for i := 0; z.hasEntries() && i < n; i++ {
		columns, _ := z.Entries.Row(i)
		for _, j := range columns {
			hat[j] = true
		}
	}
	for j, c := range counts {
		if all[j].Values != nil || all[j].Rows != nil { // of a run
			continue
		}
		if all[j].Rows = make([]int32, 0, c); hat[j] {
			all[j].Values = make([]float64, 0, c)
		}
	}
	for i := range n {
		z.eachSparse(i, func(j int32, v float64) {
			c := &all[j]
			if c.Rows = append(c.Rows, int32(i)); hat[j] {
				c.Values = append(c.Values, v)
			}
		})
	}
}

// eachSparse calls f for the values of row i that are not 0 in ones, entries and hats.
func (z *Mixed) eachSparse(i int, f func(j int32, v float64)) {
	ones, _ := z.Ones.Row(i)
	for _, j := range ones {
		f(j, 1)
	}
	if z.hasEntries() {
		columns, values := z.Entries.Row(i)
		for e, j := range columns {
			f(j, values[e])
		}
	}
	if !z.hasHats() {
		return
	}
	left, at := z.Hats.Row(i)
	for e, j := range left {
		if t := at[e]; t != 1 {
			f(j, 1-t)
		}
		if t := at[e]; t != 0 {
			f(j+1, t)
		}
	}
}
