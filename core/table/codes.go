package table

import (
	"slices"
	"strings"
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

// TooLong reports whether all cells are digits behind a minus or none, some too long for a float64 to hold
// exactly. O(entries).
func (c *Column) TooLong() bool {
	return max(c.Max, -c.Min) >= 1<<53 && !slices.ContainsFunc(c.Entries, func(e Entry) bool { return strings.Trim(strings.TrimPrefix(e.Text, "-"), "0123456789") != "" })
}
