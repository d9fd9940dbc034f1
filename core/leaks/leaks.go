// Package leaks searches the features of a plan for columns that reveal the target and
// for copies of one another, in a sample of the rows.
package leaks

import (
	"math"
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/note"
	"ifmlab/core/roles"
)

// Limits that keep the search cheap, and thresholds.
const (
	sampleSize = 2048
	maxColumns = 200 // columns of numbers, and as many of levels

	leakCorrelation = .975
	settledNumbers  = .999 // of the variance of a target of numbers that levels explain
	settledClasses  = .98  // of a target of classes: some 1 in 100 of the rarer is a typing error
	fewestALevel    = 10   // rows on average, for that
	sumRounding     = .02  // the largest difference of columns that add up to 1, in parts of 1
	partsShare      = .01  // the largest unexplained share of the target's standard deviation
	copyDistance    = 1e-9
)

// ignoreLeak ends a note about a possible leak.
const ignoreLeak = "ignore a column that is made from the target or known only after it"

// Find searches the features for leaks and copies, in lookRows rows spread over the file,
// and adds its findings to Notes. It costs O(lookRows·columns²), so callers that need
// only the rows leave it out.
func Find(p *roles.Plan) {
	rows := p.Rows
	if n := len(p.Rows); n > sampleSize {
		rows = make([]int32, sampleSize)
		for i := range rows {
			rows[i] = p.Rows[i*n/sampleSize] // no fixed step, which could follow a period of the rows
		}
	}
	y := p.Targets(rows)
	var numbers []sampleColumn
	var levels []codes
	passed := 0
	for i, c := range p.Table.Columns {
		switch {
		case p.Roles[i] != roles.RoleFeature || c.Block != nil:
		case p.Kinds[i] == design.Numeric && len(numbers) < maxColumns:
			x := make([]float64, len(rows))
			c.Gather(x, rows)
			numbers = append(numbers, sampleColumn{name: c.Name, x: x})
		case p.Kinds[i] == design.Categorical && len(levels) < maxColumns:
			texts, of := c.Levels(rows)
			levels = append(levels, numbered(c.Name, of))
			findCapitals(p, c.Name, texts, of)
		default:
			passed++
		}
	}
	p.LeakSample = roles.LeakSample{Rows: len(rows), Columns: len(numbers) + len(levels)}
	findLeaks(p, numbers, y)
	findSettled(p, numbers, levels, y)
	findShares(p, numbers)
	findCopies(p, numbers)
	findPairs(p, levels)
	if passed > 0 {
		p.Notes.Add(note.TopicSearch, nil, "%d columns after the first %d of their kind were not checked for leaks and copies", passed, maxColumns)
	}
}

// addNote adds a note about columns, unless all are parts of one date: those agree over
// a short time.
func addNote(p *roles.Plan, topic note.Topic, columns []string, format string, args ...any) {
	byName := p.Table.ByName()
	of := byName[columns[0]].PartOf
	if len(columns) > 1 && of != "" && !slices.ContainsFunc(columns, func(name string) bool { return byName[name].PartOf != of }) {
		return
	}
	p.Notes.Add(topic, columns, format, args...)
}

// findCapitals finds two levels of a column that differ only in capitals, as Yes and yes
// do. O(rows + texts).
func findCapitals(p *roles.Plan, name string, texts []string, of []int32) {
	met, small := make([]bool, len(texts)), map[string]string{}
	for _, code := range of {
		if code < 0 || int(code) >= len(texts) || met[code] { // missing, or seen
			continue
		}
		met[code] = true
		low := strings.ToLower(texts[code])
		if first, twice := small[low]; twice {
			addNote(p, note.TopicCase, []string{name}, "%s has %s and %s, which are two different levels; if they mean the same, write them the same way", name, cell.Quote(first), cell.Quote(texts[code]))
			return
		}
		small[low] = texts[code]
	}
}

// findLeaks finds columns that are almost the target, alone or together.
func findLeaks(p *roles.Plan, numbers []sampleColumn, y []float64) {
	var leaks []string
	most := 0.0
	for _, a := range numbers {
		if r := math.Abs(correlation(a.x, y)); r > leakCorrelation {
			leaks, most = append(leaks, a.name), max(most, r)
		}
	}
	if leaks != nil {
		addNote(p, note.TopicLeak, leaks, "%s and %s are almost the same (r = %.4f in %d rows); "+ignoreLeak, cell.List(leaks), p.Target, most, len(y))
	}
	if float64(most*most) > 1-float64(partsShare*partsShare) {
		return // there is nothing left for others
	}
	if parts := parts(numbers, y); parts == nil {
		findTotals(p, numbers, y)
	} else {
		addNote(p, note.TopicParts, parts, "a linear model predicts %s almost exactly; if columns such as %s and %s are parts of it, ignore them", p.Target, parts[0], parts[1])
	}
}

// findSettled finds columns that tell the target, but for typing errors: levels that have one
// value of it each, or a band of it, and a number that one cut divides into its two classes.
func findSettled(p *roles.Plan, numbers []sampleColumn, levels []codes, y []float64) {
	byName := p.Table.ByName()
	tell := func(name, format string, args ...any) {
		if !p.Notes.Has(note.TopicLeak, name) {
			addNote(p, note.TopicLeak, []string{name}, format+"; "+ignoreLeak, args...)
		}
	}
	settled := settledNumbers
	if p.Levels != nil {
		settled = settledClasses
	}
	for _, l := range levels {
		if byName[l.name].PartOf != "" || p.Suggested.Has(note.TopicGroup, l.name) || l.n < 2 || fewestALevel*l.n > len(y) {
			continue // seasons and things seen again are no leaks
		}
		if _, ok := bands(l, y); ok && p.Levels == nil {
			tell(l.name, "the levels of %s divide %s into ranges that do not overlap (%d rows)", l.name, p.Target, len(y))
		} else if share := explainedBy(l, y); share > settled {
			tell(l.name, "the levels of %s predict %s almost exactly (%.3g %% of its variance in %d rows)", l.name, p.Target, 100*share, len(y))
		}
	}
	if len(p.Levels) != 2 {
		return
	}
	of, ones := make([]int32, len(y)), 0
	for i, v := range y {
		of[i] = int32(v)
		ones += int(v)
	}
	for _, a := range numbers {
		if cut, ok := bands(numbered(p.Target, of), a.x); ok && min(ones, len(y)-ones) >= fewestALevel {
			tell(a.name, "whether %s is above %.4g determines %s in all %d rows", a.name, cut, p.Target, len(y))
		}
	}
}

// findTotals finds columns that are the target plus others, as a total is: none is below 0,
// and least squares gives each part a weight of 1.
func findTotals(p *roles.Plan, numbers []sampleColumn, y []float64) {
	for _, total := range numbers {
		if parts := addends(total, numbers, y); parts != nil && !p.Notes.Has(note.TopicLeak, total.name) {
			addNote(p, note.TopicLeak, []string{total.name}, "%s is about %s plus %s; ignore it if it is this sum", total.name, p.Target, cell.List(parts))
		}
	}
}

// findShares finds columns side by side that add up to 1 or to 100 in every row.
func findShares(p *roles.Plan, numbers []sampleColumn) {
	for i := range numbers {
		for _, whole := range [...]float64{1, 100} {
			var names []string
			for _, c := range numbers[i:][:sharesFrom(numbers[i:], whole)] {
				names = append(names, c.name)
			}
			if names != nil && !p.Notes.Has(note.TopicCopy, names[0]) {
				addNote(p, note.TopicCopy, names, "%s add up to %g in every row, so each follows from the others; one can be left out", cell.List(names), whole)
			}
		}
	}
}

// findCopies finds columns of numbers that are multiples of one another.
func findCopies(p *roles.Plan, numbers []sampleColumn) {
	done := make([]bool, len(numbers))
	for i := range numbers {
		numbers[i].standardize()
	}
	for i, a := range numbers {
		same := []string{a.name}
		for j := i + 1; j < len(numbers) && !done[i] && a.z != nil; j++ {
			if numbers[j].z != nil && !done[j] && a.copies(numbers[j]) {
				done[j] = true
				same = append(same, numbers[j].name)
			}
		}
		if len(same) > 1 {
			addNote(p, note.TopicCopy, same, "%s have the same numbers except for their unit; one is enough", cell.List(same))
		}
	}
}

// findPairs finds columns whose levels correspond one to one.
func findPairs(p *roles.Plan, levels []codes) {
	done := make([]bool, len(levels))
	for i, a := range levels {
		same := []string{a.name}
		// Levels that occur once prove nothing.
		for j := i + 1; j < len(levels) && !done[i] && a.n > 2 && 2*a.n <= len(a.of); j++ {
			if slices.Equal(a.of, levels[j].of) {
				done[j] = true
				same = append(same, levels[j].name)
			}
		}
		if len(same) > 1 {
			addNote(p, note.TopicPairs, same, "the levels of %s correspond one to one; one column is enough", cell.List(same))
		}
	}
}

// codes numbers the levels of a column in some rows by first appearance. Two columns
// correspond one to one if these are equal.
type codes struct {
	name string
	of   []int32 // one per row; a missing cell is a level
	n    int     // different ones
}

func numbered(name string, of []int32) codes {
	c := codes{name: name, of: make([]int32, len(of))}
	place := map[int32]int32{}
	for i, code := range of {
		at, ok := place[code]
		if !ok {
			at = int32(c.n)
			place[code] = at
			c.n++
		}
		c.of[i] = at
	}
	return c
}
