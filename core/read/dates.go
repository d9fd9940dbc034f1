package read

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

// timestamps are the dates of a column.
type timestamps struct {
	at      func(row int) (cell.Instant, bool)
	order   string // as in the settings: "ymd", "dmy", "mdy" or "epoch"
	example string // a date that may have another order, or ""
	hours   bool   // some cell has a time; the others count as midnight
	days    bool   // days of the month are known
	cells   int    // the number of dates
}

// splitDates adds after each column of dates the columns of their parts: year, month,
// weekday, hour if there are times, and days since 1 January 1970, all in local time. Parts
// that do not vary go to Constant. It costs O(different texts), and O(rows) for dates.
func (b *builder) splitDates() {
	taken := title.UniqueNames{}
	for _, c := range b.Columns {
		taken.Unique(c.Name)
	}
	var all []*table.Column
	for _, c := range b.Columns {
		all = append(all, c)
		if c.DatesAnswer == "text" {
			if best, _, cells := c.BestLayouts(""); enoughDates(cells, c.NumberCount+c.TextCount, "") {
				c.Layout = best
			}
			c.Note(note.Note{Topic: note.TopicDates, Cells: c.NumberCount + c.TextCount, Text: "dates are left as they are, as the settings say",
				Answers: []note.Answer{{Label: "take them apart", Key: note.KeyDates}, {Label: "leave them", Key: note.KeyDates, Value: note.Pair(c.Name, "text"), Now: true}}})
			continue
		}
		dates := timestampsOf(c, c.DatesAnswer)
		if dates == nil {
			continue
		}
		c.DateOrder = dates.order
		parts := partsOf(c, dates, b.Rows, taken)
		seen := slices.DeleteFunc(slices.Clone(parts), func(p *table.Column) bool { return len(p.Entries) < 2 && !p.PlainNumbers })
		if c.DatesAnswer == "" && len(seen) == 0 {
			continue
		}
		for _, p := range parts {
			if slices.Contains(seen, p) {
				c.Parts = append(c.Parts, p.Name)
				all = append(all, p)
			} else {
				b.Constant = append(b.Constant, p)
			}
		}
		noteDates(c, dates, c.DatesAnswer)
		b.previewParts(len(all)-1-len(seen), seen)
	}
	b.Columns = all
}

// previewParts adds the parts of the dates in column place to the preview.
func (b *builder) previewParts(place int, parts []*table.Column) {
	for row, cells := range b.Preview {
		texts := make([]string, len(parts))
		for i, p := range parts {
			texts[i] = p.Text(row)
		}
		b.Preview[row] = slices.Concat(cells[:place+1], texts, cells[place+1:])
	}
}

// partsOf returns the parts of dates as columns, named as in "when (year)".
func partsOf(c *table.Column, dates *timestamps, rows int, taken title.UniqueNames) (parts []*table.Column) {
	for i, name := range [...]string{"year", "month", "weekday", "hour", "days"} {
		p := table.NewColumn(taken.Unique(c.Name+" ("+name+")"), c.Point)
		p.ExplicitMark, p.IsDateCode, p.PartOf = true, i%4 > 0, c.Name
		parts = append(parts, p)
	}
	for row := range rows {
		var cells [5]string
		if at, ok := dates.at(row); ok {
			y, m, _ := cell.Civil(at.Days())
			cells = [...]string{strconv.Itoa(y), strconv.Itoa(m), "", "", strconv.Itoa(at.Days())}
			if dates.days {
				cells[2] = cell.Weekday(at.Days())
			}
			if dates.hours {
				cells[3] = strconv.Itoa(at.Hour())
			}
		}
		for i, p := range parts {
			p.Add(row, cells[i])
		}
	}
	return parts
}

// timestampsOf returns the dates of a column, or nil. 98 % of the cells that are not missing
// must have one layout. Or the column counts seconds or milliseconds since 1970, and its
// name means a time. answer is the order from the settings: with one, half of the cells
// suffice. An answer with "?" only decides what the cells leave open.
func timestampsOf(c *table.Column, answer string) *timestamps {
	switch {
	case c.NumberCount > c.TextCount && (title.Of(c.Name).Clock() || countsSeconds(c) || answer != ""):
		return numericTimestamps(c, answer)
	case c.PlainNumbers || c.TextCount == 0:
		return nil
	}
	return textTimestamps(c, answer)
}

// fewestMoments is the number of numbers from which a column may count seconds under any
// name.
const fewestMoments = 21

// countsSeconds reports whether numbers are seconds or milliseconds since 1970 under any
// name: whole numbers that mostly differ and lie in recent years. The name must not be
// that of an identifier or a target.
func countsSeconds(c *table.Column) bool {
	within := func(least, most float64) bool { return least <= c.Min && c.Max <= min(most, 1.5*c.Min) }
	name := title.Of(c.Name)
	return c.NumberCount >= fewestMoments && (within(6e8, 2.2e9) || within(6e11, 2.2e12)) && c.IsWhole() &&
		!name.Identifier() && !name.Entity() && name.Target() == title.NotTarget && c.MostlyUnique()
}

// numericTimestamps is timestampsOf for numbers: 20240131, or seconds or milliseconds since
// 1970.
func numericTimestamps(c *table.Column, answer string) *timestamps {
	unit := 0 // of a second
	read := func(v float64) (at cell.Instant, ok bool) {
		if !(v >= 0 && v < 1e13 && v == math.Trunc(v)) {
			return at, false
		}
		whole := int(v)
		if unit == 0 {
			at.Seconds, ok = cell.Day(whole/10000, whole/100%100, whole%100)
			at.Seconds *= 86400
			return at, ok
		}
		return cell.Instant{Seconds: whole / unit}, true
	}
	order := "epoch"
	switch {
	case c.Min >= 6e8 && c.Max <= 2.2e9 || strings.HasPrefix(answer, "epoch") && c.Max < 6e10:
		unit = 1
	case c.Min >= 6e11 && c.Max <= 2.2e12 || strings.HasPrefix(answer, "epoch"):
		unit = 1000
	case c.Min >= 1900_01_01 && c.Max <= 2100_12_31:
		order = cell.YMD
	default:
		return nil
	}
	if answer != "" && answer != order && answer != order+"?" {
		return nil
	}
	cells := 0
	for row := range c.Rows() {
		if _, ok := read(c.Number(row)); ok {
			cells++
		}
	}
	if !enoughDates(cells, c.NumberCount+c.TextCount, answer) {
		return nil
	}
	return &timestamps{at: func(row int) (cell.Instant, bool) { return read(c.Number(row)) }, order: order, hours: unit > 0, days: true, cells: cells}
}

// enoughDates reports whether cells of all are enough for a column of dates.
func enoughDates(cells, all int, answer string) bool {
	if answer != "" {
		return 2*cells >= all
	}
	return 100*cells >= 98*all
}

// textTimestamps is timestampsOf for texts. It sets the column's layout.
func textTimestamps(c *table.Column, answer string) *timestamps {
	all := c.NumberCount + c.TextCount
	best, twin, cells := c.BestLayouts(answer)
	if !enoughDates(cells, all, answer) {
		if 2*cells >= all {
			c.Note(note.Note{Topic: note.TopicDates, Cells: all - cells,
				Text: message.Sprintf("%d of %d cells are dates; since the others are none, all stay texts", cells, all)})
		}
		return nil
	}
	likely, open := strings.CutSuffix(answer, "?")
	if open && twin != "" {
		if twin.Order() == likely {
			best = twin
		}
		twin = ""
	}
	c.Layout = best
	s := &timestamps{order: best.Order(), days: strings.Contains(string(best), "d"), cells: cells}
	for _, e := range c.Entries {
		at, ok := best.Read(e.Text)
		s.hours = s.hours || ok && at.Timed
		if other, is := twin.Read(e.Text); is && ok && s.example == "" && other != at {
			s.example = e.Text
		}
	}
	s.at = func(row int) (cell.Instant, bool) { return best.Read(c.Text(row)) }
	return s
}

// noteDates notes which parts replace a column of dates. If the order of day and month is
// open, the note is a question.
func noteDates(c *table.Column, s *timestamps, answer string) {
	all := c.NumberCount + c.TextCount
	d := note.Note{Topic: note.TopicDates, Cells: s.cells, Text: "taken apart into " + strings.Join(c.Parts, ", ")}
	if len(c.Parts) == 0 {
		d.Text = "dates, no part of which varies"
	}
	if s.cells < all {
		d.Text += message.Sprintf("; %s no date", cell.CellCount(all-s.cells)+map[bool]string{true: " is", false: " are"}[all-s.cells == 1])
	}
	leave := note.Answer{Label: "leave them", Key: note.KeyDates, Value: note.Pair(c.Name, "text")}
	d.Answers = []note.Answer{{Label: "take them apart", Key: note.KeyDates, Now: true}, leave}
	if s.example != "" || answer == cell.DMY || answer == cell.MDY {
		d.Answers = []note.Answer{
			{Label: "day first", Key: note.KeyDates, Value: note.Pair(c.Name, cell.DMY), Now: s.order == cell.DMY},
			{Label: "month first", Key: note.KeyDates, Value: note.Pair(c.Name, cell.MDY), Now: s.order == cell.MDY}, leave}
	}
	if s.example != "" {
		first := map[string]string{cell.DMY: "day", cell.MDY: "month"}[s.order]
		d.Ask = true
		d.Text = message.Sprintf("%s has the day or the month first, and no cell says which; choose, now it is the %s; ", cell.Quote(s.example), first) + d.Text
	}
	c.Note(d)
}
