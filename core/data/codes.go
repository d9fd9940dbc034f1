package data

import (
	"slices"
	"strings"
)

// whyCode says why a column of digits names things instead of counting them, ""
// where it does not.
func (c *column) whyCode() string {
	switch {
	case c.plain:
		return ""
	case c.zeroPadded():
		return "numbers of equal length, some with a 0 in front, are codes and no numbers"
	case c.tooLong():
		return "whole numbers of more than 15 digits are read as names, since as numbers some would be equal"
	case titleOf(c.name).postal() && c.uneven():
		return "postal codes are no numbers"
	}
	return ""
}

// zeroPadded reports whether all cells are digits, of one length above 1, and some
// begin with 0. O(entries), and O(1) where the first cells differ.
func (c *column) zeroPadded() bool {
	padded := false
	for _, e := range c.entries {
		if len(e.text) != len(c.entries[0].text) || len(e.text) < 2 || strings.Trim(e.text, "0123456789") != "" {
			return false
		}
		padded = padded || e.text[0] == '0'
	}
	return padded && len(c.entries) > 1
}

// tooLong reports whether all cells are digits and some are whole numbers beyond those
// that a float64 tells apart. O(entries), and O(1) where none is so large.
func (c *column) tooLong() bool {
	return c.max >= 1<<53 && !slices.ContainsFunc(c.entries, func(e entry) bool { return strings.Trim(e.text, "0123456789") != "" })
}

// uneven reports whether the cells differ in length or are not digits alone.
func (c *column) uneven() bool {
	return slices.ContainsFunc(c.entries, func(e entry) bool {
		return len(e.text) != len(c.entries[0].text) || strings.Trim(e.text, "0123456789") != ""
	})
}
