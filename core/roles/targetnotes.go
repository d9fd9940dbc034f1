package roles

import (
	"math"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/moment"
	"ifmlab/core/note"
	"ifmlab/core/order"
)

// What is told of a target of numbers.
const (
	heavyShare  = .5  // of the squared error of the mean that one row has
	fewestEqual = 10  // rows of one value that is told
	equalRatio  = 3   // times as many as of any other value
	equalShare  = .02 // of the rows
)

// noteTarget notes one row that causes most of the squared error, and a value that is much
// more frequent than any other.
func (p *Plan) noteTarget() {
	name, t := []string{p.Target}, p.Table
	y := p.Targets(p.Rows)
	var m moment.Accumulator
	m.AddAll(y)
	far, sum := 0, 0.0
	for i, v := range y {
		d := v - m.Mean()
		sum += float64(d * d)
		if math.Abs(d) > math.Abs(y[far]-m.Mean()) {
			far = i
		}
	}
	d := y[far] - m.Mean()
	if share := float64(d*d) / sum; len(y) >= 2*MinRows && share > heavyShare {
		p.Notes.Add(note.TopicTarget, name, "%s is %s on line %d, far from all other rows: it alone causes %.0f %% of the mean's squared error; check it", p.Target, cell.FormatNumber(y[far]), t.Line(int(p.Rows[far])), 100*share)
	}
	var values order.Numbering
	var counts []int
	for _, v := range y {
		k := values.Of(math.Float64bits(v + 0)) // −0 is 0
		if k == len(counts) {
			counts = append(counts, 0)
		}
		counts[k]++
	}
	value, most, second := 0.0, 0, 0
	for k, n := range counts {
		if n > most {
			value, most, second = math.Float64frombits(values.Keys[k]), n, most
		} else {
			second = max(second, n)
		}
	}
	if most < max(fewestEqual, equalRatio*second) || len(counts) < groupLevels || float64(most) < equalShare*float64(len(y)) {
		return
	}
	meaning := "a limit"
	if value == 0 {
		meaning = "none"
	}
	p.Notes.Add(note.TopicTarget, name, "%s is %s in %d of %d rows, and no other value occurs in more than %d; check whether it means %s or a missing value", p.Target, cell.FormatNumber(value), most, len(y), second, meaning)
}

// noteSorted notes that the rows are in the order of the target. Rows of two classes count too.
func (p *Plan) noteSorted() {
	y := p.Targets(p.Rows)
	rising := slices.IsSorted(y)
	slices.Reverse(y)
	if rising || slices.IsSorted(y) {
		p.Notes.Add(note.TopicTarget, []string{p.Target}, "the rows are sorted by %s, so a column of row numbers would give %s away", p.Target, p.Target)
	}
}
