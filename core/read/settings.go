package read

import (
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// Answers is what a reader says of a file, as it stands in the settings. All texts but
// those of Keep are "column:answer", as [note.CutPair] takes it apart. What it says of no
// column, and what is no answer, [roles.Plan].Notes tell.
type Answers struct {
	Decimal   []string // "point" or "comma": the mark of fractions; with a "?" where the cells leave it open
	MissingAs []string // a cell that stands for no value: a number or a text
	Present   []string // a cell that does not, though in other columns it would
	Dates     []string // the order of dates, "ymd", "dmy", "mdy" or "epoch", with a "?" where the cells leave it open; "text": leave them as they are
	Keep      []string // "units", "footer": rows of them are rows like others
}

// hear gives the columns what is said of them, and passes over what is said of no
// column, or is no answer. O(columns + values).
func (b *builder) hear() {
	columns := b.ByName()
	isColumn := func(name string) bool { return columns[name] != nil }
	each := func(key string, values []string, want string, hear func(c *table.Column, answer string) bool) {
		for _, value := range values {
			name, answer, ok := note.CutPair(value, isColumn)
			switch {
			case !ok:
				b.Passed.Add(note.TopicSetting, nil, "the settings hold %s=%s, which names no column of the file; it was passed over", key, cell.Quote(value))
			case !hear(columns[name], answer):
				b.Passed.Add(note.TopicSetting, nil, "the settings hold %s=%s, want %s behind the column; it was passed over", key, cell.Quote(value), want)
			}
		}
	}
	s := &b.options.Answers
	each("decimal", s.Decimal, "point or comma", func(c *table.Column, answer string) bool {
		switch answer {
		case "point":
			c.Point, c.MarkGiven = '.', true
		case "comma":
			c.Point, c.MarkGiven = ',', true
		case "point?":
			c.MarkLikely = '.'
		case "comma?":
			c.MarkLikely = ','
		default:
			return false
		}
		return true
	})
	each("missingas", s.MissingAs, "a cell", func(c *table.Column, answer string) bool {
		if answer == "" {
			return false
		}
		c.MissingAs = append(c.MissingAs, answer)
		return true
	})
	each("notmissing", s.Present, "a text that else counts as missing", func(c *table.Column, answer string) bool {
		if answer == "" || !cell.IsMissing(answer) {
			return false
		}
		c.NotMissing = append(c.NotMissing, answer)
		return true
	})
	each("dates", s.Dates, "ymd, dmy, mdy, epoch or text", func(c *table.Column, answer string) bool {
		switch strings.TrimSuffix(answer, "?") {
		case cell.YMD, cell.DMY, cell.MDY, "epoch":
		default:
			if answer != "text" {
				return false
			}
		}
		c.DatesAnswer = answer
		return true
	})
	for _, rows := range s.Keep {
		if rows != "units" && rows != "footer" {
			b.Passed.Add(note.TopicSetting, nil, "the settings hold keep=%s, want units or footer; it was passed over", cell.Quote(rows))
		}
	}
}

// AnswersOf returns what reading another file has to be told so that its columns are read as
// those of the file were that e comes from, where they do not say themselves how
// they are written. O(features).
func AnswersOf(e *design.Encoding) Answers {
	said := Answers{MissingAs: e.Written.MissingAs, Present: e.Written.Present}
	for _, d := range e.Written.Dates {
		said.Dates = append(said.Dates, d+"?")
	}
	numbers := map[string]bool{}
	add := func(name string) {
		mark := "point?"
		if e.Written.PointOf(name) == ',' {
			mark = "comma?"
		}
		if !numbers[name] && e.DatesOf(name) == "" {
			numbers[name] = true
			said.Decimal = append(said.Decimal, note.Pair(name, mark))
		}
	}
	for _, f := range e.Features {
		if !f.IsIndicator() {
			add(f.Column)
		}
	}
	if e.Target.Name != "" && e.Target.Levels == nil {
		add(e.Target.Name)
	}
	return said
}
