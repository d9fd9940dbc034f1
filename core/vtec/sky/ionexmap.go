package sky

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/message"
)

// skip reads to the end of a map of no use.
func (x *ionex) skip(kind string) error {
	from := x.line
	for {
		label, err := x.advance("within the %s that begins on line %d", kind, from)
		switch {
		case err != nil:
			return err
		case label == labelEnd+kind:
			return nil
		case label == labelFile || strings.HasPrefix(label, labelStart) || label == "END OF TEC MAP":
			return x.fail(1, label, "", "found %s inside the %s that begins on line %d, before END OF %s. Lines were lost: fetch the file again", label, kind, from, kind)
		}
	}
}

// tec reads one map of the TEC, from after its first line.
func (x *ionex) tec() error {
	m, from := x.m, x.line
	number, total := len(m.times)+1, x.lat.n*x.lon.n
	values := make([]float64, 0, min(total, 1<<16))
	exponent, expLine := x.exponent, x.exponentLine
	dated := false
	for {
		label, err := x.advance("within map %d: it has %d of its %d values", number, len(values), total)
		if err != nil {
			return err
		}
		row := len(values) / x.lon.n
		switch label {
		case labelEpoch:
			err = x.epoch(number, dated)
			dated = true
		case labelExponent:
			if len(values) > 0 {
				return x.fail(1, label, x.quotedText(), "EXPONENT comes after the first value of map %d. Move it above the values", number)
			}
			err = x.readExponent(&exponent, &expLine)
		case labelRow:
			if row == x.lat.n {
				return x.fail(1, label, x.quotedText(), "map %d has more rows than the %d of the grid (%s); delete the others, or fetch the file again", number, row, labelLatitudes)
			}
			if err = x.row(row); err == nil {
				values, err = x.readRow(values, number, exponent, expLine)
			}
		case "END OF TEC MAP":
			switch {
			case !dated:
				return x.fail(1, labelEpoch, "", "map %d has no %s; add it, or fetch the file again", number, labelEpoch)
			case len(values) < total:
				return x.fail(1, label, message.Sprintf("%d values", len(values)), "map %d, which begins on line %d, has %d of its %d values: %d of %d rows; lines were lost: fetch the file again", number, from, len(values), total, row, x.lat.n)
			}
			m.values = append(m.values, x.oriented(values))
			return nil
		case "":
			if x.isNumbers() {
				err = x.fail(1, labelRow, x.quotedLine(), "found numbers before the %s of their row, of which there are %d a row (%s); delete the line, or fetch the file again", labelRow, x.lon.n, labelLongs)
			}
		default:
			err = x.fail(1, label, "", "found %s before END OF TEC MAP in map %d, which begins on line %d and has %d of its %d values. Lines were lost: fetch the file again", label, number, from, len(values), total)
		}
		if err != nil {
			return err
		}
	}
}

// epoch reads the time of a map.
func (x *ionex) epoch(number int, dated bool) error {
	var v [6]float64
	if err := x.numbers(labelEpoch, v[:]); err != nil {
		return err
	}
	for _, part := range v {
		if part != math.Trunc(part) || part > 1e4 {
			return x.fail(1, labelEpoch, x.quotedText(), "the time of map %d contains %g, expected whole numbers. Correct it", number, part)
		}
	}
	day, dateOK := cell.Day(int(v[0]), int(v[1]), int(v[2]))
	second := int(v[3])*3600 + int(v[4])*60 + int(v[5])
	if !dateOK || day < 0 || v[3] < 0 || v[4] < 0 || v[4] > 59 || v[5] < 0 || v[5] > 60 || second > secondsPerDay {
		return x.fail(1, labelEpoch, x.quotedText(), "the time of map %d is %q, expected year, month, day, hour, minute and second, since 1970. Correct it", number, x.quotedText())
	}
	t := day*secondsPerDay + second
	m := x.m
	switch {
	case dated:
		return x.fail(1, labelEpoch, x.quotedText(), "map %d has two times; delete one, or fetch the file again", number)
	case number > 1 && t == m.times[number-2]:
		return x.fail(1, labelEpoch, x.quotedText(), "map %d has the same time as map %d, %s. Delete one of them", number, number-1, instant(t))
	case number > 1 && t < m.times[number-2]:
		return x.fail(1, labelEpoch, x.quotedText(), "map %d has the time %s, earlier than map %d with %s. Sort the maps by time", number, instant(t), number-1, instant(m.times[number-2]))
	}
	m.times = append(m.times, t)
	return nil
}

// row checks the record of a row of the grid.
func (x *ionex) row(row int) error {
	var v [5]float64
	if err := x.numbers(labelRow, v[:4]); err != nil {
		return err
	}
	if want := x.lat.at(row); math.Abs(v[0]-want) > .051 {
		return x.fail(1, labelRow, message.Sprintf("%g", v[0]), "the latitude of the row is %g, expected %g for row %d of the grid (%s). Put the rows in order, or fetch the file again", v[0], want, row+1, labelLatitudes)
	}
	if last := x.lon.at(x.lon.n - 1); math.Abs(v[1]-x.lon.from) > .051 || math.Abs(v[2]-last) > .051 || math.Abs(v[3]-x.lon.by) > .051 {
		return x.fail(1, labelRow, x.quotedText(), "the row runs from %g to %g by %g, expected %g to %g by %g, as in the header (%s). Correct it", v[1], v[2], v[3], x.lon.from, last, x.lon.by, labelLongs)
	}
	return nil
}

// readRow appends the values of a row, which follow on the next lines.
func (x *ionex) readRow(values []float64, number, exponent, expLine int) ([]float64, error) {
	from, end := x.line, len(values)+x.lon.n
	lat := x.lat.at(len(values) / x.lon.n)
	if x.values += x.lon.n; x.values > mostValues {
		err := x.fail(1, "", "", "the maps hold more than %d million values; choose fewer or coarser maps", mostValues>>20)
		err.(*fault.FileError).Problem = fault.TooLarge
		return nil, err
	}
	scale := math.Pow10(max(exponent, -exponent))
	for len(values) < end {
		label, err := x.advance("within map %d: the row of latitude %g, which begins on line %d, has %d of its %d values", number, lat, from, len(values)+x.lon.n-end, x.lon.n)
		if err != nil {
			return nil, err
		}
		if label != "" {
			return nil, x.fail(1, labelRow, message.Sprintf("%d values", len(values)+x.lon.n-end), "the row of latitude %g, which begins on line %d, has %d of its %d values; add those that are missing, or fetch the file again", lat, from, len(values)+x.lon.n-end, x.lon.n)
		}
		before := len(values)
		if values, err = x.integers(values); err != nil {
			return nil, err
		}
		if len(values) > end {
			return nil, x.fail(1, labelRow, message.Sprintf("%d values", len(values)+x.lon.n-end), "the row of latitude %g, which begins on line %d, has more than its %d values (%s); delete what is too much, or fetch the file again", lat, from, x.lon.n, labelLongs)
		}
		for i := before; i < len(values); i++ {
			v := values[i]
			if v == noValue {
				values[i] = math.NaN()
				x.m.missing++
				continue
			}
			if exponent < 0 {
				values[i] = v / scale // correctly rounded: 42 tenths are 4.2
			} else {
				values[i] = v * scale
			}
			if values[i] > mostTEC || values[i] < leastTEC {
				where := "there is no EXPONENT, so it is -1"
				if expLine > 0 {
					where = message.Sprintf("EXPONENT, on line %d, is %d", expLine, exponent)
				}
				return nil, x.fail(1, labelExponent, message.Sprintf("%g", v), "the value %g stands for %g TECU, expected %d to %d: the exponent looks wrong (%s, usual is -1). Correct it, or the value", v, values[i], leastTEC, mostTEC, where)
			}
			x.m.largest = max(x.m.largest, values[i])
		}
	}
	return values, nil
}

// integers appends the values of the present line. Each has five columns, or spaces around it
// if an editor has moved them.
func (x *ionex) integers(values []float64) ([]float64, error) {
	before := len(values)
	for i := 0; i < len(x.content); i += 5 {
		v, ok := integer(bytes.TrimSpace(x.content[i:min(i+5, len(x.content))]))
		if !ok {
			values = values[:before]
			break
		}
		values = append(values, v)
	}
	if len(values) > before {
		return values, nil
	}
	line := x.content
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		from := i
		for i < len(line) && line[i] != ' ' && line[i] != '\t' {
			i++
		}
		v, ok := integer(line[from:i])
		if !ok {
			word := shorten(string(line[from:i]))
			return nil, x.fail(from+1, "", word, "a value is %q, expected a whole number of at most five places, 9999 for none. Correct it, or fetch the file again", word)
		}
		values = append(values, v)
	}
	return values, nil
}

// integer reads a whole number of one to five places.
func integer(s []byte) (float64, bool) {
	s, minus := bytes.CutPrefix(s, []byte("-"))
	if len(s) == 0 || len(s) > 5 {
		return 0, false
	}
	v := 0
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		v = 10*v + int(c-'0')
	}
	if minus {
		v = -v
	}
	return float64(v), true
}

// oriented returns the values with rows from south to north and columns from west
// to east.
func (x *ionex) oriented(values []float64) []float64 {
	rows, cols := x.lat.n, x.lon.n
	if x.lon.by < 0 {
		for i := range rows {
			slices.Reverse(values[i*cols:][:cols])
		}
	}
	if x.lat.by < 0 {
		slices.Reverse(values)
		for i := range rows {
			slices.Reverse(values[i*cols:][:cols])
		}
	}
	return values
}
