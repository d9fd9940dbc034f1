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
	case isPostal(c.name) && c.uneven():
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

// uneven reports whether the cells differ in length or are not digits alone.
func (c *column) uneven() bool {
	return slices.ContainsFunc(c.entries, func(e entry) bool {
		return len(e.text) != len(c.entries[0].text) || strings.Trim(e.text, "0123456789") != ""
	})
}

// isPostal reports whether a column's name says that it holds postal codes.
func isPostal(name string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool {
		switch w {
		case "zip", "zips", "zipcode", "plz", "postal", "postalcode", "postcode", "postleitzahl":
			return true
		}
		return false
	})
}

// words returns the words of a column's name in small letters: "ZipCode" and
// "zip_code" have two.
func words(name string) (all []string) {
	start := 0
	cut := func(end int) {
		if end > start {
			all = append(all, lower(name[start:end]))
		}
		start = end
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		small := i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z'
		switch {
		case c >= 'A' && c <= 'Z' && small:
			cut(i)
		case !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80):
			cut(i)
			start = i + 1
		}
	}
	cut(len(name))
	return all
}
