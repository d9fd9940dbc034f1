package roles

import (
	"cmp"

	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/order"
	"ifmlab/core/table"
)

// times are rows in order of time.
type times struct {
	rows []int32
	ends []int // the end of each time in rows
}

// timesOf sorts the rows that are used by a column of numbers or dates. It leaves out
// other cells.
func (p *Plan) timesOf(by int) (*times, error) {
	c := p.Table.Columns[by]
	if !c.IsTime() {
		odd := nonDate(c)
		return nil, p.splitError(c.Name, odd, "%s is %s, expected a number or a date such as 2024-05-31. Split by another column", c.Name, cell.Quote(odd))
	}
	class, first := c.Classes(p.Rows)
	numbers, nanos := make([]float64, len(first)), make([]int, len(first)) // a class each
	for i, row := range first {
		numbers[i], nanos[i] = c.Moment(int(row))
	}
	compare := func(a, b int) int {
		return cmp.Or(cmp.Compare(numbers[a], numbers[b]), cmp.Compare(nanos[a], nanos[b]))
	}
	sorted := order.Of(len(first), compare)
	rank := make([]int, len(first)) // of a class, +1; 0 for one that is no number
	n := 0
	for i, k := range sorted {
		if numbers[k] != numbers[k] {
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
			t.rows[at[r]] = p.Rows[i]
			at[r]++
		}
	}
	return t, nil
}

// split cuts the rows between two times, nearest to the last fifth and to the fifth before
// it. With fewer than three times, it has to cut one in two.
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
		name := p.Table.Columns[by].Name
		return nil, p.splitError(name, "", "a split by %s gives %d, %d and %d rows for training, validation and test, because rows of one time stay together; split by another column or at random", name, valid, test-valid, n-test)
	}
	return cutAt(t.rows, valid, test), nil
}

// nearest returns the place that is nearest to at. Places are in ascending order.
func nearest(places []int, at int) int {
	best := places[0]
	for _, b := range places {
		if max(b-at, at-b) < max(best-at, at-best) {
			best = b
		}
	}
	return best
}

// nonDate returns a text that does not fit the layout of a column's other dates.
func nonDate(c *table.Column) string {
	best, _, _ := c.BestLayouts("")
	for _, e := range c.Entries {
		if _, ok := best.Read(e.Text); !ok {
			return e.Text
		}
	}
	return ""
}

func (p *Plan) splitError(field, found, format string, args ...any) *fault.PlanError {
	return &fault.PlanError{Problem: fault.Split, File: p.Table.Name, Field: field, Found: cell.Clip(found), Message: message.Sprintf(format, args...)}
}
