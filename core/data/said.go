package data

import (
	"math"
	"slices"
)

// Said is what a reader says of a file, as it stands in the settings. All texts but
// those of Keep are "column:answer", as [CutPair] takes it apart.
type Said struct {
	Decimal   []string // "point" or "comma": the mark of fractions; with a "?" where the cells leave it open
	MissingAs []string // a cell that stands for no value: a number or a text
	Present   []string // a cell that does not, though in other columns it would
	Dates     []string // the order of dates, "ymd", "dmy", "mdy" or "epoch", with a "?" where the cells leave it open; "text": leave them as they are
	Keep      []string // "units", "footer": rows of them are rows like others
}

// tell gives a new column what is said of it.
func (c *column) tell(s *Said) {
	for _, answer := range said(s.Decimal, c.name) {
		switch answer {
		case "point":
			c.point, c.told = '.', true
		case "comma":
			c.point, c.told = ',', true
		case "point?":
			c.likely = '.'
		case "comma?":
			c.likely = ','
		}
	}
	for _, answer := range said(s.Present, c.name) {
		if isMissing(answer) && answer != "" {
			c.present = append(c.present, answer)
		}
	}
}

// blank makes the cells missing that are one of these texts or numbers.
func (c *column) blank(answers []string, scratch []float64) {
	for _, answer := range answers {
		v, isNumber := parseNumber(answer, '.')
		gone := func(e entry) bool { return e.text == answer || isNumber && e.number == v }
		found := 0
		if c.plain {
			for _, block := range c.values {
				for i, x := range block {
					if isNumber && x == v {
						block[i] = math.NaN()
						found++
					}
				}
			}
			c.odd = slices.DeleteFunc(c.odd, func(o oddCell) bool {
				if gone(c.entries[o.code]) {
					found++
					return true
				}
				return false
			})
			c.placeNumbers()
		} else {
			found = c.forget(gone)
		}
		if found > 0 {
			c.tokens = count(c.tokens, answer, found)
			c.recount(scratch)
		}
	}
}

// forget takes entries out of the dictionary, whose cells are then missing. It
// returns how many cells these were.
func (c *column) forget(gone func(entry) bool) (found int) {
	to := make([]int32, len(c.entries))
	kept := c.entries[:0]
	for i, e := range c.entries {
		if gone(e) {
			to[i] = missingCode
			found += e.count
			continue
		}
		to[i] = int32(len(kept))
		kept = append(kept, e)
	}
	if len(kept) == len(c.entries) {
		return 0
	}
	c.entries, c.dict = kept, dictionary{}
	for _, block := range c.codes {
		for i, code := range block {
			if code != missingCode {
				block[i] = to[code]
			}
		}
	}
	for i := range c.odd {
		c.odd[i].code = to[c.odd[i].code]
	}
	return found
}
