package table

import (
	"slices"
	"strings"

	"ifmlab/core/cell"
)

// ZeroPadded reports whether all cells are digits of one length above 1, and some begin
// with 0. O(entries).
func (c *Column) ZeroPadded() bool {
	padded := false
	for _, e := range c.Entries {
		if len(e.Text) != len(c.Entries[0].Text) || len(e.Text) < 2 || strings.Trim(e.Text, "0123456789") != "" {
			return false
		}
		padded = padded || e.Text[0] == '0'
	}
	return padded && len(c.Entries) > 1
}

// TooLong reports whether all cells are whole numbers, some too long for a float64 to hold
// exactly. O(entries).
func (c *Column) TooLong() bool {
	return max(c.Max, -c.Min) >= 1<<53 && !slices.ContainsFunc(c.Entries, func(e Entry) bool { return strings.Trim(strings.TrimPrefix(e.Text, "-"), "0123456789") != "" })
}

// ExponentCodes reports whether nine of ten cells are digits around an E, as 77103E33.
// Programs write numbers with a mark, a sign or one digit before it. O(entries).
func (c *Column) ExponentCodes() bool {
	codes, cells := 0, 0
	for _, e := range c.Entries {
		cells += e.Count
		lead := strings.TrimLeft(e.Text, "0123456789")
		digits, rest := len(e.Text)-len(lead), strings.TrimLeft(lead, "eE")
		if len(lead) == len(rest)+1 && rest != "" && strings.Trim(rest, "0123456789") == "" && (digits > 1 || digits == 1 && rest[0] == '0') {
			codes += e.Count
		}
	}
	return codes > 0 && cell.Mostly(codes, cells)
}
