package read

import (
	"slices"
	"strings"

	"ifmlab/core/table"
	"ifmlab/core/title"
)

// whyCode returns why a column of digits is a code and not an amount, "" if it is none.
func whyCode(c *table.Column) string {
	switch {
	case c.PlainNumbers:
		return ""
	case c.ZeroPadded():
		return "numbers of equal length, some with a 0 in front, are codes and no numbers"
	case c.TooLong():
		return "whole numbers of more than 15 digits are read as names, since as numbers some would be equal"
	case title.Of(c.Name).Postal() && mixedLengths(c):
		return "postal codes are no numbers"
	}
	return ""
}

// mixedLengths reports whether the cells differ in length or are not digits alone.
func mixedLengths(c *table.Column) bool {
	return slices.ContainsFunc(c.Entries, func(e table.Entry) bool {
		return len(e.Text) != len(c.Entries[0].Text) || strings.Trim(e.Text, "0123456789") != ""
	})
}
