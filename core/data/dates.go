package data

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/message"
	"ifmlab/core/note"
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
	taken := names{}
	for _, c := range b.columns {
		taken.unique(c.name)
	}
	var all []*column
	for _, c := range b.columns {
		all = append(all, c)
		if c.dates == "text" {
			if best, _, cells := c.layouts(""); dated(cells, c.numbers+c.texts, "") {
				c.layout = best
			}
			c.decide(note.Note{Topic: note.TopicDates, Cells: c.numbers + c.texts, Text: "dates are left as they are, as the settings say",
				Answers: []note.Answer{{Label: "take them apart", Key: note.KeyDates}, {Label: "leave them", Key: note.KeyDates, Value: pair(c.name, "text"), Now: true}}})
			continue
		}
		dates := c.stamps(c.dates)
		if dates == nil {
			continue
		}
		c.order = dates.order
		parts := c.partsOf(dates, b.rows, taken)
		seen := slices.DeleteFunc(slices.Clone(parts), func(p *column) bool { return len(p.entries) < 2 && !p.plain })
		if c.dates == "" && len(seen) == 0 {
			continue
		}
		for _, p := range parts {
			if slices.Contains(seen, p) {
				c.parts = append(c.parts, p.name)
				all = append(all, p)
			} else {
				b.constant = append(b.constant, p)
			}
		}
		c.decideDates(dates, c.dates)
		b.showParts(len(all)-1-len(seen), seen)
	}
	b.columns = all
}

// showParts puts the parts of a column that now stands at place into the preview.
func (b *builder) showParts(place int, parts []*column) {
	for row, cells := range b.Preview {
		texts := make([]string, len(parts))
		for i, p := range parts {
			texts[i] = p.text(row)
		}
		b.Preview[row] = slices.Concat(cells[:place+1], texts, cells[place+1:])
	}
}

// partsOf returns the parts of dates as columns. Each name is that of the dates
// with the part's in brackets.
func (c *column) partsOf(dates *stamps, rows int, taken names) (parts []*column) {
	for i, name := range [...]string{"year", "month", "weekday", "hour", "days"} {
		p := newColumn(taken.unique(c.name+" ("+name+")"), c.point)
		p.told, p.names, p.of = true, i%4 > 0, c.name
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
			p.add(row, cells[i])
		}
	}
	return parts
}

// stamps returns the dates of a column, nil if it is none of dates: 98 % of the
// cells that are not missing have one layout, or it counts seconds or milliseconds
// since 1970 and its name speaks of time. answer is what the settings say of it:
// with an order, half of the cells are enough; one with "?" only settles what they
// leave open.
func (c *column) stamps(answer string) *stamps {
	switch {
	case c.numbers > c.texts && (titleOf(c.name).clock() || c.countsSeconds() || answer != ""):
		return c.countedStamps(answer)
	case c.plain || c.texts == 0:
		return nil
	}
	return c.writtenStamps(answer)
}

// fewestMoments is how many numbers a column counts seconds with, whatever its name is.
const fewestMoments = 21

// countsSeconds reports whether numbers can hardly be anything but seconds or
// milliseconds since 1970, whatever they are called: whole numbers of some recent years
// that mostly differ, unless the name is one of an identifier or a target.
func (c *column) countsSeconds() bool {
	within := func(least, most float64) bool { return least <= c.min && c.max <= min(most, 1.5*c.min) }
	name := titleOf(c.name)
	return c.numbers >= fewestMoments && (within(6e8, 2.2e9) || within(6e11, 2.2e12)) && c.whole() &&
		!name.identifier() && !name.entity() && name.target() == notTarget && c.mostlyDiffers()
}

// countedStamps is stamps for a column of numbers: 20240131, or seconds or
// milliseconds since 1970.
func (c *column) countedStamps(answer string) *stamps {
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
	case c.min >= 6e8 && c.max <= 2.2e9 || strings.HasPrefix(answer, "epoch") && c.max < 6e10:
		unit = 1
	case c.min >= 6e11 && c.max <= 2.2e12 || strings.HasPrefix(answer, "epoch"):
		unit = 1000
	case c.min >= 1900_01_01 && c.max <= 2100_12_31:
		order = cell.YMD
	default:
		return nil
	}
	if answer != "" && answer != order && answer != order+"?" {
		return nil
	}
	cells := 0
	for row := range c.rows() {
		if _, ok := read(c.number(row)); ok {
			cells++
		}
	}
	if !dated(cells, c.numbers+c.texts, answer) {
		return nil
	}
	return &stamps{at: func(row int) (cell.Instant, bool) { return read(c.number(row)) }, order: order, hours: unit > 0, days: true, cells: cells}
}

// dated reports whether so many cells of all make dates of a column.
func dated(cells, all int, answer string) bool {
	if answer != "" {
		return 2*cells >= all
	}
	return 100*cells >= 98*all
}

// writtenStamps is stamps for a column of texts, and sets its layout.
func (c *column) writtenStamps(answer string) *stamps {
	all := c.numbers + c.texts
	best, twin, cells := c.layouts(answer)
	if !dated(cells, all, answer) {
		if 2*cells >= all {
			c.decide(note.Note{Topic: note.TopicDates, Cells: all - cells,
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
	c.layout = best
	s := &stamps{order: best.Order(), days: strings.Contains(string(best), "d"), cells: cells}
	for _, e := range c.entries {
		at, ok := best.Read(e.text)
		s.hours = s.hours || ok && at.Timed
		if other, is := twin.Read(e.text); is && ok && s.example == "" && other != at {
			s.example = e.text
		}
	}
	s.at = func(row int) (cell.Instant, bool) { return best.Read(c.text(row)) }
	return s
}

// layouts returns the layout that fits most cells, how many these are, and a layout of
// another order that fits as many, "" if there is none. If there is one, the month comes
// first in 3/4/2024 and the day in 3-4-2024.
func (c *column) layouts(answer string) (best, twin cell.Layout, cells int) {
	for _, l := range cell.Layouts {
		if answer != "" && !strings.HasSuffix(answer, "?") && l.Order() != answer {
			continue
		}
		switch n := c.fit(l); {
		case n > cells:
			best, twin, cells = l, "", n
		case n == cells && n > 0 && l.Order() != best.Order():
			twin = l
		}
	}
	if twin == cell.MDY && strings.Contains(c.entries[0].text, "/") {
		best, twin = twin, best
	}
	return best, twin, cells
}

// fit counts the cells that fit a layout, as far as the first 300 texts let expect
// that half of them do.
func (c *column) fit(l cell.Layout) (cells int) {
	const first = 300
	texts := 0
	for i, e := range c.entries {
		if _, ok := l.Read(e.text); ok {
			cells += e.count
			texts++
		}
		if i == 5 && texts == 0 || i == first && 2*texts < first {
			break
		}
	}
	return cells
}

// decideDates tells what a column was taken apart into, and asks for the order of
// day and month where both are possible.
func (c *column) decideDates(s *stamps, answer string) {
	all := c.numbers + c.texts
	d := note.Note{Topic: note.TopicDates, Cells: s.cells, Text: "taken apart into " + strings.Join(c.parts, ", ")}
	if len(c.parts) == 0 {
		d.Text = "dates, no part of which varies"
	}
	if s.cells < all {
		d.Text += message.Sprintf("; %s no date", cells(all-s.cells)+map[bool]string{true: " is", false: " are"}[all-s.cells == 1])
	}
	leave := note.Answer{Label: "leave them", Key: note.KeyDates, Value: pair(c.name, "text")}
	d.Answers = []note.Answer{{Label: "take them apart", Key: note.KeyDates, Now: true}, leave}
	if s.example != "" || answer == cell.DMY || answer == cell.MDY {
		d.Answers = []note.Answer{
			{Label: "day first", Key: note.KeyDates, Value: pair(c.name, cell.DMY), Now: s.order == cell.DMY},
			{Label: "month first", Key: note.KeyDates, Value: pair(c.name, cell.MDY), Now: s.order == cell.MDY}, leave}
	}
	if s.example != "" {
		first := map[string]string{cell.DMY: "day", cell.MDY: "month"}[s.order]
		d.Ask = true
		d.Text = message.Sprintf("%s has the day or the month first, and no cell says which; choose, now it is the %s; ", cell.Quote(s.example), first) + d.Text
	}
	c.decide(d)
}
