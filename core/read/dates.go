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

// stamps are the dates of a column.
type stamps struct {
	at      func(row int) (cell.Instant, bool)
	order   string // of the settings: "ymd", "dmy", "mdy" or "epoch"
	example string // that may have the other order, "" where none is possible
	hours   bool   // some cell has a time; cells without one tell midnight then
	days    bool   // of the month are known
	cells   int    // that are dates
}

// takeDatesApart puts behind each column of dates columns of their parts: the year,
// the month, the weekday, the hour where there are times, and the days since 1
// January 1970, all in local time as it is written. A part that does not vary is left
// out. It costs O(different texts), and O(rows) for a column of dates.
func (b *builder) takeDatesApart() {
	taken := title.Taken{}
	for _, c := range b.Columns {
		taken.Unique(c.Name)
	}
	var all []*table.Column
	for _, c := range b.Columns {
		all = append(all, c)
		if c.DatesAnswer == "text" {
			if best, _, cells := c.Layouts(""); dated(cells, c.NumberCount+c.TextCount, "") {
				c.Layout = best
			}
			c.Note(note.Note{Topic: note.TopicDates, Cells: c.NumberCount + c.TextCount, Text: "dates are left as they are, as the settings say",
				Answers: []note.Answer{{Label: "take them apart", Key: note.KeyDates}, {Label: "leave them", Key: note.KeyDates, Value: note.Pair(c.Name, "text"), Now: true}}})
			continue
		}
		dates := stampsOf(c, c.DatesAnswer)
		if dates == nil {
			continue
		}
		c.DateOrder = dates.order
		parts := partsOf(c, dates, b.Rows, taken)
		seen := slices.DeleteFunc(slices.Clone(parts), func(p *table.Column) bool { return len(p.Entries) < 2 && !p.AsNumbers })
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
		decideDates(c, dates, c.DatesAnswer)
		b.showParts(len(all)-1-len(seen), seen)
	}
	b.Columns = all
}

// showParts puts the parts of a column that now stands at place into the preview.
func (b *builder) showParts(place int, parts []*table.Column) {
	for row, cells := range b.Preview {
		texts := make([]string, len(parts))
		for i, p := range parts {
			texts[i] = p.Text(row)
		}
		b.Preview[row] = slices.Concat(cells[:place+1], texts, cells[place+1:])
	}
}

// partsOf returns the parts of dates as columns. Each name is that of the dates
// with the part's in brackets.
func partsOf(c *table.Column, dates *stamps, rows int, taken title.Taken) (parts []*table.Column) {
	for i, name := range [...]string{"year", "month", "weekday", "hour", "days"} {
		p := table.NewColumn(taken.Unique(c.Name+" ("+name+")"), c.Point)
		p.MarkGiven, p.Named, p.PartOf = true, i%4 > 0, c.Name
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

// stampsOf returns the dates of a column, nil if it is none of dates: 98 % of the
// cells that are not missing have one layout, or it counts seconds or milliseconds
// since 1970 and its name speaks of time. answer is what the settings say of it:
// with an order, half of the cells are enough; one with "?" only settles what they
// leave open.
func stampsOf(c *table.Column, answer string) *stamps {
	switch {
	case c.NumberCount > c.TextCount && (title.Of(c.Name).Clock() || countsSeconds(c) || answer != ""):
		return countedStamps(c, answer)
	case c.AsNumbers || c.TextCount == 0:
		return nil
	}
	return writtenStamps(c, answer)
}

// fewestMoments is how many numbers a column counts seconds with, whatever its name is.
const fewestMoments = 21

// countsSeconds reports whether numbers can hardly be anything but seconds or
// milliseconds since 1970, whatever they are called: whole numbers of some recent years
// that mostly differ, unless the name is one of an identifier or a target.
func countsSeconds(c *table.Column) bool {
	within := func(least, most float64) bool { return least <= c.Min && c.Max <= min(most, 1.5*c.Min) }
	name := title.Of(c.Name)
	return c.NumberCount >= fewestMoments && (within(6e8, 2.2e9) || within(6e11, 2.2e12)) && c.Whole() &&
		!name.Identifier() && !name.Entity() && name.Target() == title.NotTarget && c.MostlyDiffers()
}

// countedStamps is stamps for a column of numbers: 20240131, or seconds or
// milliseconds since 1970.
func countedStamps(c *table.Column, answer string) *stamps {
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
	if !dated(cells, c.NumberCount+c.TextCount, answer) {
		return nil
	}
	return &stamps{at: func(row int) (cell.Instant, bool) { return read(c.Number(row)) }, order: order, hours: unit > 0, days: true, cells: cells}
}

// dated reports whether so many cells of all make dates of a column.
func dated(cells, all int, answer string) bool {
	if answer != "" {
		return 2*cells >= all
	}
	return 100*cells >= 98*all
}

// writtenStamps is stamps for a column of texts, and sets its layout.
func writtenStamps(c *table.Column, answer string) *stamps {
	all := c.NumberCount + c.TextCount
	best, twin, cells := c.Layouts(answer)
	if !dated(cells, all, answer) {
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
	s := &stamps{order: best.Order(), days: strings.Contains(string(best), "d"), cells: cells}
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

// decideDates tells what a column was taken apart into, and asks for the order of
// day and month where both are possible.
func decideDates(c *table.Column, s *stamps, answer string) {
	all := c.NumberCount + c.TextCount
	d := note.Note{Topic: note.TopicDates, Cells: s.cells, Text: "taken apart into " + strings.Join(c.Parts, ", ")}
	if len(c.Parts) == 0 {
		d.Text = "dates, no part of which varies"
	}
	if s.cells < all {
		d.Text += message.Sprintf("; %s no date", cell.Counted(all-s.cells)+map[bool]string{true: " is", false: " are"}[all-s.cells == 1])
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
