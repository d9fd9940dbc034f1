package pair

import "ifmlab/core/design"

// once returns the table with one row for all rows of equal features, with the mean of
// their targets. Rows that may be equal by chance stay, as [design.Copies] has it.
// O(rows·columns).
func once(columns []design.Raw, y []float64, rows Rows) ([]design.Raw, []float64, Rows) {
	number := func(x []float64) design.Cells { return design.NumberCells(func(i int) float64 { return x[i] }) }
	code := func(x []int32, evidence float64) design.Cells {
		return design.Cells{Value: func(i int) uint64 { return uint64(x[i]) }, Evidence: evidence}
	}
	var cells []design.Cells
	for _, raw := range columns {
		if raw.Numbers != nil {
			cells = append(cells, number(raw.Numbers))
		} else {
			cells = append(cells, code(raw.Codes, .5))
		}
	}
	if rows.Group != nil {
		cells = append(cells, code(rows.Group, 0))
	}
	of, first := design.Copies(len(y), cells, number(y)) // of gives each row that of its kind
	if of == nil {
		return columns, y, rows
	}
	pick := make([]design.Raw, len(columns))
	for k, raw := range columns {
		raw.Numbers, raw.Codes = picked(raw.Numbers, first), picked(raw.Codes, first)
		pick[k] = raw
	}
	mean, count := make([]float64, len(first)), make([]float64, len(first))
	for i, at := range of {
		count[at]++
		mean[at] += (y[i] - mean[at]) / count[at]
	}
	return pick, mean, Rows{picked(rows.Weight, first), picked(rows.Group, first), picked(rows.Place, first)}
}

// picked returns the numbers at some places, or nil for none.
func picked[T any](x []T, at []int) []T {
	if x == nil {
		return nil
	}
	out := make([]T, len(at))
	for k, i := range at {
		out[k] = x[i]
	}
	return out
}
