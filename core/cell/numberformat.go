package cell

// NumberFormat says how the cells of a column are parsed as numbers.
type NumberFormat struct {
	Point    byte   // the decimal mark, '.' or ','
	Unit     string // removed from cells that have it
	FewUnits bool   // few cells have a unit: remove any that is clearly one
	Brackets bool   // brackets mean a minus
}

// Number parses a trimmed cell.
func (m NumberFormat) Number(text string) (float64, bool) {
	v, _, ok := m.Read(text)
	return v, ok
}

// Read is Number and also returns the parts of the cell, unless it is a plain number.
func (m NumberFormat) Read(text string) (v float64, a Amount, ok bool) {
	if v, ok = ParseNumber(text, m.Point); ok {
		return v, a, true
	}
	a, ok = ParseAmount(text)
	switch {
	case !ok, a.Brackets && !m.Brackets:
		return 0, a, false
	case a.Unit != "" && a.Unit != m.Unit && !(m.FewUnits && IsWordUnit(a.Unit)):
		return 0, a, false
	}
	v, ok = a.Number(m.Point)
	return v, a, ok
}

// MarkName returns "comma" or "point".
func MarkName(point byte) string {
	if point == ',' {
		return "comma"
	}
	return "point"
}

// ReadAs returns the number of a cell under a decimal mark, in its shortest form.
func ReadAs(text string, point byte) string {
	a, _ := ParseAmount(text)
	v, _ := a.Number(point)
	return FormatNumber(v)
}
