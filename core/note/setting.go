package note

import "strings"

// Pair returns the value "column:answer" of a setting.
func Pair(column, answer string) string { return column + ":" + answer }

// CutPair cuts a value "column:answer" of a setting. Both parts may hold colons, as in
// start:00:00. The column is the longest name of a column that a colon follows. If there is
// none, CutPair returns false and cuts at the last colon.
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
