package read

import (
	"slices"
	"strings"

	"ifmlab/core/table"
	"ifmlab/core/title"
)

// whyCode says why a column of digits names things instead of counting them, ""
// where it does not.
func whyCode(c *table.Column) string {
	switch {
	case c.AsNumbers:
		return ""
	case c.ZeroPadded():
		return "numbers of equal length, some with a 0 in front, are codes and no numbers"
	case c.TooLong():
		return "whole numbers of more than 15 digits are read as names, since as numbers some would be equal"
	case title.Of(c.Name).Postal() && uneven(c):
		return "postal codes are no numbers"
	}
	return ""
}

// uneven reports whether the cells differ in length or are not digits alone.
func uneven(c *table.Column) bool {
	return slices.ContainsFunc(c.Entries, func(e table.Entry) bool {
		return len(e.Text) != len(c.Entries[0].Text) || strings.Trim(e.Text, "0123456789") != ""
	})
}
