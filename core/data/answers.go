package data

import (
	"math"
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/note"
)

// Said is what a reader says of a file, as it stands in the settings. All texts but
// those of Keep are "column:answer", as [CutPair] takes it apart. What it says of no
// column, and what is no answer, [Plan].Notes tell.
type Said struct {
	Decimal   []string // "point" or "comma": the mark of fractions; with a "?" where the cells leave it open
	MissingAs []string // a cell that stands for no value: a number or a text
	Present   []string // a cell that does not, though in other columns it would
	Dates     []string // the order of dates, "ymd", "dmy", "mdy" or "epoch", with a "?" where the cells leave it open; "text": leave them as they are
	Keep      []string // "units", "footer": rows of them are rows like others
}

// hear gives the columns what is said of them, and passes over what is said of no
// column, or is no answer. O(columns + values).
func (b *builder) hear() {
	columns := b.byName()
	isColumn := func(name string) bool { return columns[name] != nil }
	each := func(key string, values []string, want string, hear func(c *column, answer string) bool) {
		for _, value := range values {
			name, answer, ok := CutPair(value, isColumn)
			switch {
			case !ok:
				b.passed.Add(note.TopicSetting, nil, "the settings hold %s=%s, which names no column of the file; it was passed over", key, cell.Quote(value))
			case !hear(columns[name], answer):
				b.passed.Add(note.TopicSetting, nil, "the settings hold %s=%s, want %s behind the column; it was passed over", key, cell.Quote(value), want)
			}
		}
	}
	s := &b.options.Said
	each("decimal", s.Decimal, "point or comma", func(c *column, answer string) bool {
		switch answer {
		case "point":
			c.point, c.told = '.', true
		case "comma":
			c.point, c.told = ',', true
		case "point?":
			c.likely = '.'
		case "comma?":
			c.likely = ','
		default:
			return false
		}
		return true
	})
	each("missingas", s.MissingAs, "a cell", func(c *column, answer string) bool {
		if answer == "" {
			return false
		}
		c.missingAs = append(c.missingAs, answer)
		return true
	})
	each("notmissing", s.Present, "a text that else counts as missing", func(c *column, answer string) bool {
		if answer == "" || !cell.IsMissing(answer) {
			return false
		}
		c.present = append(c.present, answer)
		return true
	})
	each("dates", s.Dates, "ymd, dmy, mdy, epoch or text", func(c *column, answer string) bool {
		switch strings.TrimSuffix(answer, "?") {
		case cell.YMD, cell.DMY, cell.MDY, "epoch":
		default:
			if answer != "text" {
				return false
			}
		}
		c.dates = answer
		return true
	})
	for _, rows := range s.Keep {
		if rows != "units" && rows != "footer" {
			b.passed.Add(note.TopicSetting, nil, "the settings hold keep=%s, want units or footer; it was passed over", cell.Quote(rows))
		}
	}
}

// blank makes the cells missing that are one of these texts or numbers.
func (c *column) blank(answers []string, scratch []float64) {
	for _, answer := range answers {
		v, isNumber := cell.ParseNumber(answer, '.')
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
			c.tokens = cell.CountToken(c.tokens, answer, found)
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
