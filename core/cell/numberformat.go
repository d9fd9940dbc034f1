package cell

// NumberFormat is how the cells of a column are read as numbers.
type NumberFormat struct {
	Point    byte   // of decimal fractions
	Unit     string // that is taken off
	Few      bool   // few cells have a unit: those that say so of themselves are taken off
	Brackets bool   // are a minus
}

// Number reads a trimmed cell.
func (m NumberFormat) Number(text string) (float64, bool) {
	v, _, ok := m.Read(text)
	return v, ok
}

// Read is number. It returns as well what the cell was taken apart into, nothing
// for one that [cell.ParseNumber] reads, which costs nothing more.
func (m NumberFormat) Read(text string) (v float64, a Amount, ok bool) {
	if v, ok = ParseNumber(text, m.Point); ok {
		return v, a, true
	}
	a, ok = ParseAmount(text)
	switch {
	case !ok, a.Brackets && !m.Brackets:
		return 0, a, false
	case a.Unit != "" && a.Unit != m.Unit && !(m.Few && IsWordUnit(a.Unit)):
		return 0, a, false
	}
	v, ok = a.Number(m.Point)
	return v, a, ok
}

func MarkName(point byte) string {
	if point == ',' {
		return "comma"
	}
	return "point"
}

// ReadAs returns what a cell is under a decimal mark, in its shortest form.
func ReadAs(text string, point byte) string {
	a, _ := ParseAmount(text)
	v, _ := a.Number(point)
	return FormatNumber(v)
}
