package note

import "strings"

// Pair returns a value of the settings that say something of a column.
func Pair(column, answer string) string { return column + ":" + answer }

// CutPair takes a value of the settings decimal, missingas, present and dates
// apart: the column and what is said of it. Both may hold colons, as start:00:00
// does: the column is the longest one of the table that stands before a colon.
// Where none does, CutPair reports false and cuts at the last.
func CutPair(value string, isColumn func(name string) bool) (column, answer string, ok bool) {
	last := strings.LastIndexByte(value, ':')
	for i := last; i >= 0; i = strings.LastIndexByte(value[:i], ':') {
		if isColumn(value[:i]) {
			return value[:i], value[i+1:], true
		}
	}
	if last < 0 {
		return value, "", false
	}
	return value[:last], value[last+1:], false
}
