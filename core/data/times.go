package data

import (
	"cmp"
	"strings"

	"ifmlab/core/message"
	"ifmlab/core/order"
)

// times are rows in the order of a column.
type times struct {
	rows []int32
	ends []int // where each time ends in rows
}

// timesOf sorts the rows that are used by a column of numbers, or of dates that
// sort as text. Cells that are neither are left out of a column of numbers.
func (p *Plan) timesOf(by int) (*times, error) {
	c := p.Table.columns[by]
	class, first := c.classes(p.rows)
	numbers := make([]float64, len(first)) // a class each
	c.gather(numbers, first)
	compare := func(a, b int) int { return cmp.Compare(numbers[a], numbers[b]) }
	if !c.numeric() {
		if odd := c.undated(); odd != "" {
			return nil, p.cannot(c.name, odd, "%s is %s, want a time to split by: numbers, or dates as 2024-05-31; split by another column", c.name, shown(odd))
		}
		compare = func(a, b int) int { return strings.Compare(c.text(int(first[a])), c.text(int(first[b]))) }
	}
	sorted := order.Of(len(first), compare)
	rank := make([]int, len(first)) // of a class, +1; 0 for one that is no number
	n := 0
	for i, k := range sorted {
		if c.numeric() && numbers[k] != numbers[k] {
			continue
		}
		if n == 0 || compare(sorted[i-1], k) != 0 { // 1 and 1.0 are one time
			n++
		}
		rank[k] = n
	}
	t := &times{ends: make([]int, n)}
	known := 0
	for _, k := range class {
		if k >= 0 && rank[k] > 0 {
			t.ends[rank[k]-1]++
			known++
		}
	}
	at := make([]int, n)
	for i, sum := 0, 0; i < n; i++ {
		at[i] = sum
		sum += t.ends[i]
		t.ends[i] = sum
	}
	t.rows = make([]int32, known)
	for i, k := range class {
		if k >= 0 && rank[k] > 0 {
			r := rank[k] - 1
			t.rows[at[r]] = p.rows[i]
			at[r]++
		}
	}
	return t, nil
}

// split cuts the rows where a time ends, nearest to a fifth from the end and to
// another fifth before that. Of fewer than three times one has to be cut in two.
func (t *times) split(p *Plan, by int) (*Split, error) {
	n := len(t.rows)
	fifth := n / 5
	valid, test := n-2*fifth, n-fifth
	if len(t.ends) > 1 {
		test = nearest(t.ends[min(1, len(t.ends)-2):len(t.ends)-1], test)
		valid = test - max(1, min(fifth, test/3))
	}
	if len(t.ends) > 2 {
		before := t.ends
		for before[len(before)-1] >= test {
			before = before[:len(before)-1]
		}
		valid = nearest(before, test-fifth)
	}
	if least := max(n, 20); 5*valid < n || 20*(test-valid) < least || 20*(n-test) < least {
		name := p.Table.columns[by].name
		return nil, p.cannot(name, "", "%s leaves %d, %d and %d rows to training, validation and test, as rows of one time stay together; split by another column, or at random", name, valid, test-valid, n-test)
	}
	return cutAt(t.rows, valid, test), nil
}

// nearest returns the one of places, which rise, that is nearest to at.
func nearest(places []int, at int) int {
	best := places[0]
	for _, b := range places {
		if max(b-at, at-b) < max(best-at, at-best) {
			best = b
		}
	}
	return best
}

// undated returns a text of the column that is no date which sorts as text, "" if
// all are and in one form. O(distinct texts).
func (c *column) undated() string {
	longest := ""
	for _, e := range c.entries {
		if form, ok := dateForm(e.text); !ok {
			return e.text
		} else if len(form) > len(longest) {
			longest = form
		}
	}
	for _, e := range c.entries {
		if form, _ := dateForm(e.text); !strings.HasPrefix(longest, form) {
			return e.text
		}
	}
	return ""
}

// dateForm returns what stands between the numbers of a date that begins with its
// year: "--T::" of 2024-05-31T12:00:00. ok is false for any other text.
func dateForm(s string) (form string, ok bool) {
	const full = "0000-00-00 00:00:00."
	s = strings.TrimSuffix(s, "Z")
	if len(s) != 7 && len(s) != 10 && len(s) != 16 && len(s) != 19 && len(s) < 21 || len(s) > 30 {
		return "", false
	}
	var between strings.Builder
	for i := 0; i < len(s); i++ {
		isDigit := classOf(s[i]) == classDigit
		if wantsDigit := i >= len(full) || full[i] == '0'; isDigit != wantsDigit {
			return "", false
		}
		if isDigit {
			continue
		}
		if c := s[i]; c != full[i] && !(full[i] == '-' && (c == '/' || c == '.')) && !(full[i] == ' ' && c == 'T') {
			return "", false
		}
		between.WriteByte(s[i])
	}
	if month := s[5:7]; month < "01" || month > "12" {
		return "", false
	}
	if len(s) > 7 && (s[8:10] < "01" || s[8:10] > "31") {
		return "", false
	}
	return between.String(), true
}

func (p *Plan) cannot(field, found, format string, args ...any) *SplitError {
	return &SplitError{File: p.Table.Name, Field: field, Found: clip(found), Message: message.Sprintf(format, args...)}
}
