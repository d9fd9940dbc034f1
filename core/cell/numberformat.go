package cell

// NumberFormat says how the cells of a column are parsed as numbers.
type NumberFormat struct {
	Point    byte   // the decimal mark, '.' or ','
	Unit     string // removed from cells that have it; cells in a unit that converts to it are converted
	Brackets bool   // brackets, or a minus behind the number, mean a minus
	Bounds   bool   // a cell such as <0.05 is its bound
	Scales   bool   // 19M is 19000000
	AnyUnit  bool   // without Unit, a clear unit is removed whatever it is
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
	if m.Unit == ClockMinutes || m.Unit == ClockSeconds {
		v, fields, ok := ParseClock(text)
		if fields == 3 && m.Unit == ClockMinutes {
			v /= 60
		}
		return v, Amount{Body: "0", Unit: m.Unit}, ok
	}
	a, ok = ParseAmount(text)
	times, by := 1., 1.
	switch {
	case !ok, a.Brackets && !m.Brackets, a.Bound && !m.Bounds:
		return 0, a, false
	case m.Unit == "" && IsScale(a.Unit) && !m.Scales:
		return 0, a, false
	case m.AnyUnit && m.Unit == "" && !IsScale(a.Unit) && (IsWordUnit(a.Unit) || IsKnownUnit(a.Unit)):
	case a.Unit != "":
		if times, by, ok = Convert(a.Unit, m.Unit); !ok {
			return 0, a, false
		}
	}
	v, ok = a.Number(m.Point)
	return v * times / by, a, ok
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
