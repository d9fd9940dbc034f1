package script

import (
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/design"
)

// columnTypes says how the texts of a column are read as values of other types.
type columnTypes struct {
	point byte
	order cell.Layout // of dates; "" if it is unknown
}

// typesOf returns how a column is read. Its dates have the order that the model names, or
// else the only one in which every level is a date.
func typesOf(enc *design.Encoding, features []design.Feature) columnTypes {
	name := features[0].Column
	t := columnTypes{point: enc.FileStyle.PointOf(name)}
	var fits []cell.Layout
	for _, order := range cell.Layouts {
		if slices.Contains(enc.FileStyle.Dates, name+":"+string(order)) {
			return columnTypes{t.point, order}
		}
		if !slices.ContainsFunc(features, func(f design.Feature) bool {
			_, ok := order.Read(f.Level)
			return f.Kind == design.FeatureLevel && !ok
		}) {
			fits = append(fits, order)
		}
	}
	if len(fits) == 1 {
		t.order = fits[0]
	}
	return t
}

// spellings returns the texts that a level may have where cells have types: the text of the
// file, and as databases and Python write the truth, number, time or date that it is.
func (t columnTypes) spellings(level string) []string {
	all := []string{level}
	switch cell.Lower(level) {
	case "true", "t", "yes":
		return append(all, "true", "1")
	case "false", "f", "no":
		return append(all, "false", "0")
	}
	digits := strings.TrimLeft(level, "+-")
	isCode := len(digits) > 1 && digits[0] == '0' && digits[1]-'0' <= 9 // which no database takes for a number
	if v, ok := cell.ParseNumber(level, t.point); ok && !isCode {
		text := strconv.FormatFloat(v, 'f', -1, 64)
		all = append(all, text)
		if !strings.Contains(text, ".") {
			all = append(all, text+".0") // in a column of fractions
		}
	}
	if at, ok := cell.Layout(cell.YMD).Read("1970-01-01 " + level); ok {
		return append(all, clock(at))
	}
	at, ok := cell.Instant{}, false
	if t.order != "" {
		at, ok = t.order.Read(level)
	}
	if !ok {
		return all
	}
	all = append(all, at.Date()+" "+clock(at))
	if !at.Timed {
		return append(all, at.Date())
	}
	at.Seconds -= at.Ahead
	return append(all, at.Date()+" "+clock(at)+"+00")
}

// clock writes a time of day, with as few digits of a second as it needs.
func clock(at cell.Instant) string {
	second := at.Seconds - 86400*at.Days()
	digits := strconv.Itoa(1e6 + second/3600*10000 + second/60%60*100 + second%60)
	text := digits[1:3] + ":" + digits[3:5] + ":" + digits[5:]
	if at.Nanos > 0 {
		text += "." + strings.TrimRight(strconv.Itoa(1e9 + at.Nanos)[1:], "0")
	}
	return text
}
