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
	odd     string // the first cell that is no date, or ""
	hours   bool   // some cell has a time; the others count as midnight
	serials int    // cells with the number of a day in a spreadsheet
	swapped int    // cells with the year first whose day and month may be swapped, or 0
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
			c.Note(note.Note{Topic: note.TopicDates, Cells: c.NumberCount + c.TextCount, Text: "the settings say to leave the dates as they are",
				Answers: []note.Answer{{Label: "split them", Key: note.KeyDates}, {Label: "leave them", Key: note.KeyDates, Value: note.Pair(c.Name, "text"), Now: true}}})
			continue
		}
		dates := timestampsOf(c, c.DatesAnswer)
		if dates == nil && c.DatesAnswer != "" {
			b.refuseDates(c)
			dates = timestampsOf(c, "")
		}
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
		p.ExplicitMark, p.IsDateCode, p.PartOf, p.IsDays = true, i%4 > 0, c.Name, name == "days"
		parts = append(parts, p)
	}
	for row := range rows {
		var cells [5]string
		if at, ok := dates.at(row); ok {
			y, m, _ := cell.Civil(at.Days())
			cells = [...]string{strconv.Itoa(y), strconv.Itoa(m), "", "", strconv.Itoa(at.Days())}
			if !at.Dayless {
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

// refuseDates notes that cells do not fit the order of dates that the settings give.
func (b *builder) refuseDates(c *table.Column) {
	found := c.FirstText()
	for row := range b.Rows {
		if _, ok := cell.Layout(c.DatesAnswer).Read(c.Text(row)); !ok && !c.IsMissing(row) {
			found = c.Text(row)
			break
		}
	}
	b.UnusedSettings.Add(note.TopicSetting, nil, "the settings hold dates=%s, but most cells are not such dates, for example %s; it was ignored", cell.Quote(note.Pair(c.Name, c.DatesAnswer)), cell.Quote(found))
}

// timestampsOf returns the dates of a column, or nil. 98 % of the cells that are not missing
// must be dates. Or the column counts seconds or milliseconds since 1970, and its name means
// a time. answer is the order from the settings: with one, half of the cells suffice. An
// answer with "?" is that of a model: whatever the cells are, they are read so.
func timestampsOf(c *table.Column, answer string) *timestamps {
	order, trained := strings.CutSuffix(answer, "?")
	switch {
	case trained:
		return trainedTimestamps(c, order)
	case c.NumberCount > c.TextCount && (title.Of(c.Name).Clock() || countsSeconds(c) || countsDates(c) || answer != ""):
		return numericTimestamps(c, answer)
	case c.PlainNumbers || c.TextCount == 0:
		return nil
	}
	return textTimestamps(c, answer)
}

// trainedTimestamps reads each cell as a model was trained, by itself.
func trainedTimestamps(c *table.Column, order string) *timestamps {
	layout := cell.Layout(order)
	s := &timestamps{order: order, hours: true, at: func(row int) (at cell.Instant, ok bool) {
		if at, ok = numericInstant(c.Number(row), order); !ok && order != "epoch" {
			text := c.Text(row)
			if at, _, ok = layout.ReadAny(text); !ok {
				at, ok = serialInstant(c.Number(row))
			}
			for _, month := range cell.Layouts[3:] {
				if !ok && text != "" {
					at, ok = month.Read(text)
				}
			}
		}
		return at, ok
	}}
	if c.TextCount > 0 && order != "epoch" {
		c.Layout = layout
	}
	for row := range c.Rows() {
		if _, ok := s.at(row); ok {
			s.cells++
		} else if s.odd == "" {
			s.odd = c.Text(row)
		}
	}
	return s
}

// serialInstant reads the number of a day in a spreadsheet, from 1920 to 2100. Its fraction
// is the time.
func serialInstant(v float64) (at cell.Instant, ok bool) {
	const epoch = 25569 // 1 January 1970
	if !(v >= 7306 && v < 73416) {
		return at, false
	}
	at.Seconds = int(math.Round(86400 * (v - epoch)))
	at.Timed = at.Seconds%86400 != 0
	return at, true
}

// countSerials counts the cells of a column of dates that hold the number of a day in a
// spreadsheet, at most a year from the other dates.
func countSerials(c *table.Column, l cell.Layout) (cells int) {
	const year = 366
	least, most := math.MaxInt, math.MinInt
	for _, e := range c.Entries {
		if at, _, ok := l.ReadAny(e.Text); ok {
			least, most = min(least, at.Days()), max(most, at.Days())
		}
	}
	for _, e := range c.Entries {
		if at, ok := serialInstant(e.Number); ok && least-year <= at.Days() && at.Days() <= most+year {
			cells += e.Count
		}
	}
	return cells
}

// numericInstant reads a number as the date 20240131, with or without hour, minute and second
// behind it, as the month 202401, or as seconds or milliseconds since 1970.
func numericInstant(v float64, order string) (at cell.Instant, ok bool) {
	if !(v >= 0 && v < 1e15 && v == math.Trunc(v)) {
		return at, false
	}
	whole, time := int(v), 0
	if order == "epoch" {
		if v >= 6e10 {
			whole /= 1000
		}
		return cell.Instant{Seconds: whole}, v < 1e13
	}
	if at.Timed = whole >= 1900_01_01_00; at.Timed {
		for whole < 1900_01_01_00_00_00 {
			whole *= 100
		}
		whole, time = whole/1_00_00_00, whole%1_00_00_00
	}
	if at.Dayless = whole >= 1900_01 && whole <= 2100_12; at.Dayless {
		whole = 100*whole + 1
	}
	if order != cell.YMD || whole < 1900_01_01 || whole > 2100_12_31 || time/100_00 > 23 || time/100%100 > 59 || time%100 > 61 { // leap seconds
		return cell.Instant{}, false
	}
	at.Seconds, ok = cell.Day(whole/10000, whole/100%100, whole%100)
	at.Seconds = 86400*at.Seconds + time/100_00*3600 + time/100%100*60 + min(time%100, 59)
	return at, ok
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

// countsDates reports whether numbers under any name can only be months, such as 202401, dates
// or times: of at least 13 different ones, all are. The name must not be that of an identifier
// or a postal code.
func countsDates(c *table.Column) bool {
	if name := title.Of(c.Name); c.Min < 1900_01 || name.Identifier() || name.Entity() {
		return false
	}
	for row := range c.Rows() {
		if v := c.Number(row); v == v {
			if _, ok := numericInstant(v, cell.YMD); !ok {
				return false
			}
		}
	}
	n, _ := c.CountDistinct(true)
	return n > 12
}

// numericTimestamps is timestampsOf for numbers.
func numericTimestamps(c *table.Column, answer string) *timestamps {
	within := func(least, most float64) bool { return least <= c.Min && c.Max <= most }
	order := "epoch"
	switch {
	case answer == "epoch":
	case answer == cell.YMD, countsDates(c), within(1900_01_01, 2100_12_31), within(1900_01, 2100_12):
		order = cell.YMD
	case answer != "" || !within(6e8, 2.2e9) && !within(6e11, 2.2e12):
		return nil
	}
	s := &timestamps{order: order, hours: order == "epoch", at: func(row int) (cell.Instant, bool) { return numericInstant(c.Number(row), order) }}
	for row := range c.Rows() {
		if at, ok := s.at(row); ok {
			s.cells++
			s.hours = s.hours || at.Timed
		}
	}
	if !enoughDates(s.cells, c.NumberCount+c.TextCount, answer) {
		return nil
	}
	return s
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
	serials := 0
	if 2*cells >= all {
		serials = countSerials(c, best)
		cells += serials
	}
	if !enoughDates(cells, all, answer) {
		if 2*cells >= all {
			c.Note(note.Note{Topic: note.TopicDates, Cells: all - cells,
				Text: message.Sprintf("only %d of %d cells are dates, so all stay texts", cells, all)})
		}
		return nil
	}
	c.Layout = best
	s := &timestamps{order: best.Order(), cells: cells, serials: serials}
	early, late := 0, 0 // days up to 12 where the year comes first, and later ones elsewhere
	for _, e := range c.Entries {
		at, own, ok := best.ReadAny(e.Text)
		s.hours = s.hours || ok && at.Timed
		if !ok && s.odd == "" && (serials == 0 || e.Number != e.Number) {
			s.odd = e.Text
		}
		if other, is := twin.Read(e.Text); is && own && s.example == "" && other != at {
			s.example = e.Text
		}
		_, _, day := cell.Civil(at.Days())
		if _, first := cell.Layout(cell.YMD).Read(e.Text); ok && first && day <= 12 {
			early += e.Count
		} else if ok && !first && own && day > 12 && best == cell.DMY {
			late += e.Count
		}
	}
	const fewest = 3
	if early >= fewest && late >= fewest && early+late == cells {
		s.swapped = early
	}
	s.at = func(row int) (cell.Instant, bool) {
		at, _, ok := best.ReadAny(c.Text(row))
		if !ok && serials > 0 {
			return serialInstant(c.Number(row))
		}
		return at, ok
	}
	return s
}

// noteDates notes which parts replace a column of dates. If the order of day and month is
// open, the note is a question.
func noteDates(c *table.Column, s *timestamps, answer string) {
	all := c.NumberCount + c.TextCount
	d := note.Note{Topic: note.TopicDates, Cells: s.cells, Text: "split into " + strings.Join(c.Parts, ", ")}
	if len(c.Parts) == 0 {
		d.Text = "dates, no part of which varies"
	}
	if s.cells < all {
		d.Text += message.Sprintf("; %s no date", cell.CellCount(all-s.cells)+message.Either(all-s.cells == 1, " has", " have"))
		if s.odd != "" {
			d.Text += ", as " + cell.Quote(s.odd)
		}
	}
	if s.serials > 0 {
		d.Text += message.Sprintf("; %s the number of a day, as spreadsheets count days", cell.CellCount(s.serials)+message.Either(s.serials == 1, " has", " have"))
	}
	if s.swapped > 0 {
		d.Text += message.Sprintf("; only %s begin with the year, and none of these has a day after the 12th: a spreadsheet may have swapped day and month; export the dates as text", cell.CellCount(s.swapped))
	}
	leave := note.Answer{Label: "leave them", Key: note.KeyDates, Value: note.Pair(c.Name, "text")}
	d.Answers = []note.Answer{{Label: "split them", Key: note.KeyDates, Now: true}, leave}
	if s.example != "" || answer == cell.DMY || answer == cell.MDY {
		d.Answers = []note.Answer{
			{Label: "day first", Key: note.KeyDates, Value: note.Pair(c.Name, cell.DMY), Now: s.order == cell.DMY},
			{Label: "month first", Key: note.KeyDates, Value: note.Pair(c.Name, cell.MDY), Now: s.order == cell.MDY}, leave}
	}
	if s.example != "" {
		first := map[string]string{cell.DMY: "day", cell.MDY: "month"}[s.order]
		d.Ask = true
		d.Text = message.Sprintf("%s begins with the day or the month, and no cell shows which; choose (now the %s); ", cell.Quote(s.example), first) + d.Text
	}
	c.Note(d)
}
