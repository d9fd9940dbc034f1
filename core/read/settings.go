package read

import (
	"slices"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
)

// Answers are the reader's answers to questions about a file, as in the settings. All texts but
// those of DataRows are "column:answer", which [note.CutPair] cuts. Answers that do not fit the
// file become notes of the [roles.Plan].
type Answers struct {
	Decimal   []string // the decimal mark, "point" or "comma", or "text"; with "?" those of a model, and behind it the unit
	MissingAs []string // a number or text that means a missing value
	Present   []string // a cell that is a value, though it means a missing one elsewhere or lies far from all others
	Dates     []string // the order of dates, "ymd", "dmy", "mdy" or "epoch", with "?" as for Decimal; "text": no dates
	DataRows  []string // "units", "footer": read such rows as data; "extremes": numbers far from all others are values; "visible", "hidden": leave out or read hidden rows of a workbook
}

// applyAnswers passes answers to their columns. Notes list those that do not fit.
// O(columns + values).
func (b *builder) applyAnswers() {
	columns := b.ByName()
	isColumn := func(name string) bool { return columns[name] != nil }
	each := func(key string, values []string, want string, hear func(c *table.Column, answer string) bool) {
		for _, value := range values {
			name, answer, ok := note.CutPair(value, isColumn)
			switch {
			case !ok:
				b.UnusedSettings.Add(note.TopicSetting, nil, "the setting %s=%s names no column of the file and was ignored", key, cell.Quote(value))
			case !hear(columns[name], answer):
				b.UnusedSettings.Add(note.TopicSetting, nil, "the setting %s=%s was ignored: after the column it needs %s", key, cell.Quote(value), want)
			}
		}
	}
	s := &b.options.Answers
	each("decimal", s.Decimal, "point, comma or text", func(c *table.Column, answer string) bool {
		mark, unit, trained := strings.Cut(answer, "?")
		point := map[string]byte{"point": '.', "comma": ','}[mark]
		switch {
		case answer == "text":
			c.TextAnswer = true
		case trained:
			c.LikelyMark, c.LikelyUnit = point, unit
		case point != 0:
			c.Point, c.ExplicitMark = point, true
		}
		return answer == "text" || point != 0
	})
	each("missingas", s.MissingAs, "a cell", func(c *table.Column, answer string) bool {
		if answer == "" {
			return false
		}
		c.MissingAs = append(c.MissingAs, answer)
		return true
	})
	each("notmissing", s.Present, "a cell that else counts as missing", func(c *table.Column, answer string) bool {
		if _, number := cell.ParseNumber(answer, '.'); !number && !cell.IsMissing(answer) {
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
	for _, rows := range s.DataRows {
		if !slices.Contains([]string{"units", "footer", "extremes", "visible", "hidden"}, rows) {
			b.UnusedSettings.Add(note.TopicSetting, nil, "the setting keep=%s was ignored: it takes units, footer, extremes, visible or hidden", cell.Quote(rows))
		}
	}
}

// AnswersLike returns the answers with which another file is read as t was, if its cells leave
// that open.
func AnswersLike(t *table.Table) Answers {
	answers := Answers{DataRows: []string{"extremes"}}
	for _, c := range t.Columns {
		if c.PartOf != "" || c.Block != nil {
			continue
		}
		mark := message.Either(c.Point == ',', "comma?", "point?") + c.Unit
		switch {
		case c.DateOrder != "":
			answers.Dates = append(answers.Dates, note.Pair(c.Name, c.DateOrder+"?"))
		case !c.Numeric() || c.IsCode:
			mark = "text"
			fallthrough
		default:
			answers.Decimal = append(answers.Decimal, note.Pair(c.Name, mark))
			if c.DatesAnswer == "text" {
				answers.Dates = append(answers.Dates, note.Pair(c.Name, "text"))
			}
		}
		for _, text := range c.NotMissing {
			answers.Present = append(answers.Present, note.Pair(c.Name, text))
		}
		for _, token := range c.MissingTokens {
			if !cell.IsMissing(token.Text) {
				answers.MissingAs = append(answers.MissingAs, note.Pair(c.Name, token.Text))
			}
		}
	}
	return answers
}

// AnswersOf returns the answers with which another file is read as the file of e was, if its
// cells leave that open. O(features).
func AnswersOf(e *design.Encoding) Answers {
	answers := Answers{MissingAs: e.FileStyle.MissingAs, Present: e.FileStyle.Present, DataRows: []string{"extremes"}}
	for _, d := range e.FileStyle.Dates {
		answers.Dates = append(answers.Dates, d+"?")
	}
	numbers, units := map[string]bool{}, map[string]string{}
	for _, pair := range e.FileStyle.Units {
		name, unit, _ := note.CutPair(pair, func(string) bool { return false })
		units[name] = unit
	}
	add := func(name string) {
		mark := "point?"
		if e.FileStyle.PointOf(name) == ',' {
			mark = "comma?"
		}
		if !numbers[name] && e.DatesOf(name) == "" {
			numbers[name] = true
			answers.Decimal = append(answers.Decimal, note.Pair(name, mark+units[name]))
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
	return answers
}
