package read

import (
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

// whyCode returns why a column of digits is a code and not an amount, "" if it is none.
func whyCode(c *table.Column) string {
	switch {
	case c.PlainNumbers:
		return ""
	case c.ZeroPadded():
		return "numbers of equal length, some with a leading 0, are read as codes"
	case c.TooLong():
		return "whole numbers of more than 15 digits are read as codes, because some would be equal as numbers"
	case title.Of(c.Name).Postal() && mixedLengths(c):
		return "postal codes are not read as numbers"
	}
	return ""
}

// whyLetterCode returns why a column of digits and letters is a code, "" if it is none: the
// letter is no unit, or each cell has as many digits.
func whyLetterCode(c *table.Column, s *survey) string {
	const manyDigits = 5
	if !c.PlainNumbers && c.ExponentCodes() {
		return message.Sprintf("cells such as %s are read as codes, because programs do not write numbers like that", cell.Quote(c.Entries[0].Text))
	}
	if len(s.units) == 0 || !s.whole || !cell.Mostly(s.units[0].Count, s.cells) {
		return ""
	}
	unit := s.units[0].Text
	letter := len(unit) == 1 && unit[0]|0x20 >= 'a'
	if letter && (s.digits >= manyDigits || !cell.IsKnownUnit(unit) && !cell.IsScale(unit)) || s.digits >= manyDigits && !cell.IsKnownUnit(unit) {
		return message.Sprintf("cells such as %s are read as codes, because %s after whole numbers may not be a unit", cell.Quote(c.Entries[0].Text), cell.Quote(unit))
	}
	return ""
}

// mixedLengths reports whether the cells differ in length or are not digits alone.
func mixedLengths(c *table.Column) bool {
	return slices.ContainsFunc(c.Entries, func(e table.Entry) bool {
		return len(e.Text) != len(c.Entries[0].Text) || strings.Trim(e.Text, "0123456789") != ""
	})
}
