package data

import (
	"strings"

	"ifmlab/core/message"
)

// dialect is how a file of text writes rows and cells.
type dialect struct {
	sep    rune
	quote  byte // around cells: " or '
	escape bool // \ takes its meaning from the character after it
	spaced bool // spaces stand around quoted cells

	skip     int        // lines above the first row
	hash     bool       // the header begins with #, as comments do
	comments comments   // which lines that begin with # are
	lacking  lacking    // what the header has one cell fewer for
	header   headerLook // what the first row looks like
	above    string     // the first of the lines that are skipped
}

// comments says which lines that begin with # are comments.
type comments int

const (
	commentsNone comments = iota
	commentsOdd           // those that have other than the usual number of cells
	commentsAll
)

// lacking says why the header has one cell fewer than the rows.
type lacking int

const (
	lacksNothing  lacking = iota
	lacksRowNames         // R writes the names of rows without one of their own
	lacksLast             // rows end with a separator and the header does not
)

// headerLook is what the sample says of the first row.
type headerLook int

const (
	headerUnseen headerLook = iota // too little of the file is there
	headerNames
	headerRecurs // its cells stand in the rows below, too
	headerAlike  // its cells are written as those below
	headerNumber // it holds numbers that are no names
)

// quick reports whether rows of the dialect are those of the quick scanner.
func (d *dialect) quick() bool { return d.quote == '"' && !d.escape && !d.spaced }

// sampled is one record of a sample.
type sampled struct {
	line  int // counting from 0
	cells []string
}

// hash reports whether the record begins as comments do.
func (s sampled) hash() bool { return strings.HasPrefix(s.cells[0], "#") }

// cutting is a sample cut into cells.
type cutting struct {
	records []sampled
	wrong   int // cells with quotes that make no sense
	quoted  int // cells in quotes
}

// cut cuts the sample's first records leniently: a quote counts only where a cell
// begins, and one that is not closed ends with its line. The last record is left
// out unless the sample is the complete file.
func (d *dialect) cut(sample string, complete bool) (w cutting) {
	var cells []string
	line, next := 0, 0 // of the record's first byte, and of the next byte
	for text := sample; len(text) > 0 && len(w.records) < maxSniffed; {
		cell, end, rest, quotes := d.cutCell(text)
		consumed := text[:len(text)-len(rest)]
		next += strings.Count(consumed, "\n")
		if strings.IndexByte(consumed, '\n') < 0 && end == '\n' {
			next++ // a lone CR
		}
		text = rest
		switch quotes {
		case cellWrong:
			w.wrong++
		case cellQuoted:
			w.quoted++
		}
		if d.sep != ' ' || cell != "" { // several spaces are one separator
			cells = append(cells, cell)
		}
		if end == 0 && !complete {
			break
		}
		if end != '\n' && end != 0 {
			if end != 0 && text == "" && complete && d.sep != ' ' { // a separator ends the file
				cells = append(cells, "")
			} else {
				continue
			}
		}
		if len(cells) > 1 || len(cells) == 1 && strings.TrimSpace(cells[0]) != "" {
			w.records = append(w.records, sampled{line, cells})
		}
		cells, line = nil, next
	}
	return w
}

// How a cell of a sample is written.
const (
	cellPlain = iota
	cellQuoted
	cellWrong
)

// cutCell cuts one cell off text. end is '\n' where its record ends, 0 where text
// ends, and something else at a separator.
func (d *dialect) cutCell(text string) (cell string, end byte, rest string, quotes int) {
	from := 0
	for d.spaced && from < len(text) && text[from] == ' ' {
		from++
	}
	if from == len(text) || text[from] != d.quote {
		cell, end, rest = d.cutPlain(text)
		if d.quote == '"' && !d.escape && strings.IndexByte(cell, '"') >= 0 || d.escape && strings.IndexByte(strings.ReplaceAll(cell, `\"`, ""), '"') >= 0 {
			quotes = cellWrong
		}
		return cell, end, rest, quotes
	}
	for i := from + 1; i < len(text); i++ {
		if d.escape && text[i] == '\\' {
			i++
			continue
		}
		if text[i] != d.quote {
			continue
		}
		if i+1 < len(text) && text[i+1] == d.quote {
			i++
			continue
		}
		after := text[i+1:]
		if d.spaced {
			after = strings.TrimLeft(after, " ")
		}
		if after == "" || after[0] == '\n' || after[0] == '\r' || strings.HasPrefix(after, string(d.sep)) {
			_, end, rest = d.cutPlain(after)
			return text[from+1 : i], end, rest, cellQuoted
		}
		break
	}
	cell, end, rest = d.cutPlain(text)
	return cell, end, rest, cellWrong
}

// cutPlain cuts off a cell without regard to quotes.
func (d *dialect) cutPlain(text string) (cell string, end byte, rest string) {
	if !d.escape {
		return sniffPlain(text, d.sep)
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '\n' || text[i] == '\r' || strings.HasPrefix(text[i:], string(d.sep)):
			_, end, rest = sniffPlain(text[i:], d.sep)
			return text[:i], end, rest
		}
	}
	return text, 0, ""
}

// guessDialect settles how the sample is written; sep is the separator that the
// settings say, or 0.
func guessDialect(sample []byte, complete bool, sep rune, header Header) dialect {
	text := string(sample)
	d := dialect{sep: sep, quote: '"', comments: commentsOdd}
	if first, after, ok := sepLine(text); ok {
		d.skip, text = 1, after
		if sep == 0 {
			d.sep = first
		}
	}
	if d.sep == 0 {
		d.sep = guessSeparator(text, complete)
	}
	w := d.guessQuotes(text, complete)
	for i := range w.records {
		w.records[i].line += d.skip
	}
	d.guessLines(w.records, header)
	if d.skip > 0 {
		d.above = firstLine(strings.TrimLeft(string(sample), "\r\n"))
	}
	return d
}

// sepLine returns the separator that the first line names, as Excel's sep=; does,
// and the text after it.
func sepLine(text string) (sep rune, after string, ok bool) {
	line := firstLine(text)
	rest := strings.TrimPrefix(text[len(line):], "\r")
	line = strings.Trim(line, `"`)
	if len(line) < 5 || !strings.EqualFold(line[:4], "sep=") {
		return 0, text, false
	}
	named := []rune(line[4:])
	if line[4:] == `\t` {
		named = []rune{'\t'}
	}
	if len(named) != 1 || !validSeparator(named[0]) {
		return 0, text, false
	}
	return named[0], strings.TrimPrefix(rest, "\n"), true
}

// firstLine returns the first line of text without its end.
func firstLine(text string) string {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return text[:i]
	}
	return text
}

// guessQuotes settles quotes and escapes: plain ones, unless others leave fewer
// cells that make no sense and cut the rows no less evenly.
func (d *dialect) guessQuotes(text string, complete bool) cutting {
	d.quote = '"'
	best := d.cut(text, complete)
	plain, _ := fit(best.records, d.sep)
	share := plain
	consider := func(other dialect) {
		w := other.cut(text, complete)
		s, _ := fit(w.records, d.sep)
		better := w.wrong < best.wrong && s >= share || w.wrong <= best.wrong && s > share+.005
		if other.quote == '\'' { // apostrophes make no plain cell wrong
			better = w.quoted >= 2 && 50*w.wrong <= w.quoted && w.quoted > best.quoted && s >= share
		}
		if better {
			*d, best, share = other, w, s
		}
	}
	escapes, spaces := strings.IndexByte(text, '\\') >= 0, d.sep != ' ' && strings.Contains(text, string(d.sep)+" ")
	for _, quote := range []byte{'"', '\''} {
		if quote == '\'' && strings.IndexByte(text, '\'') < 0 {
			break
		}
		for variant := range 4 {
			other := *d
			other.quote, other.escape, other.spaced = quote, variant&1 > 0, variant&2 > 0
			if other.escape && !escapes || other.spaced && !spaces || quote == '"' && variant == 0 {
				continue
			}
			consider(other)
		}
	}
	return best
}

// guessLines settles which lines of the sample are rows.
func (d *dialect) guessLines(records []sampled, header Header) {
	var rows, hashes []sampled // lines that begin with # apart
	for _, r := range records {
		if r.hash() {
			hashes = append(hashes, r)
		} else {
			rows = append(rows, r)
		}
	}
	if len(rows) < len(hashes) && len(rows) < 2 { // they are rows
		rows, hashes = records, nil
	}
	usual := usualCells(rows)
	if len(rows) == 0 {
		return
	}
	first := titles(rows, usual)
	fits := true
	if first > 0 && len(rows[first-1].cells) == usual-1 && !isTitle(rows, first, usual) {
		first--
		fits = namesRows(rows[first+1:], usual)
	}
	top, body := rows[first], rows[first+1:]
	d.header = lookAtHeader(top.cells, body, d.sep, usual)
	var after []sampled // # lines below the first row
	above := -1         // the # line that names the columns
	for _, h := range hashes {
		switch {
		case h.line > top.line:
			after = append(after, h)
		case usual > 1 && d.hashCells(h.cells) == usual && header != HeaderNo && d.header != headerNames:
			above = h.line
		}
	}
	if above < 0 && usual > 1 && d.header == headerNames && header != HeaderNo && !numbersBelow(top.cells, body, d.sep) {
		for _, h := range hashes { // a table of texts: the line that fits is its header
			if h.line < top.line && d.hashCells(h.cells) == usual {
				above = h.line
			}
		}
	}
	if above >= 0 {
		d.hash, d.skip, d.header = true, above, headerNames
		body = rows[first:]
	} else if first > 0 || len(hashes) > len(after) {
		d.skip = top.line
	}
	if len(after) > 0 && (usual == 1 || firstCellsAreNumbers(body, d.sep)) {
		d.comments = commentsAll
	}
	if above < 0 && header != HeaderNo && len(top.cells) == usual-1 && fits && d.header == headerNames {
		if d.lacking = lacksRowNames; lastCellsAreEmpty(body, usual) {
			d.lacking = lacksLast
		}
	}
}

// hashCells returns how many cells the text after # has.
func (d *dialect) hashCells(cells []string) int {
	if d.sep == ' ' && cells[0] == "#" {
		return len(cells) - 1
	}
	return len(cells)
}

// usualCells returns the number of cells that most records have.
func usualCells(records []sampled) (usual int) {
	counts := map[int]int{}
	for _, r := range records {
		n := len(r.cells)
		if counts[n]++; counts[n] > counts[usual] {
			usual = n
		}
	}
	return usual
}

// mostTitles is how many records may stand above the header.
const mostTitles = 20

// titles returns how many of the first records are none of the table: those before
// the first that has as many cells as most do, and those of which all cells but
// the first are empty, above one that is full of texts.
func titles(rows []sampled, usual int) int {
	alike := 0
	for _, r := range rows {
		if len(r.cells) == usual {
			alike++
		}
	}
	if usual < 2 || 2*alike <= len(rows) {
		return 0
	}
	first := 0
	for len(rows[first].cells) != usual {
		if len(rows[first].cells) > usual { // a header that the rows do not fit
			return 0
		}
		first++
	}
	if usual < 3 {
		return first
	}
	for i := first; i < min(len(rows)-1, first+mostTitles); i++ {
		full := 0
		for _, c := range rows[i].cells {
			if strings.TrimSpace(c) != "" {
				full++
			}
		}
		switch {
		case full <= 1 && strings.TrimSpace(strings.Join(rows[i].cells[1:], "")) == "":
			continue
		case i == first || full < usual-1 || lookAtHeader(rows[i].cells, rows[i+1:], ',', usual) != headerNames:
			return first
		}
		return i
	}
	return first
}

// isTitle reports whether the record above the first one that is as long as most
// is a title, though it lacks only one cell, and no header.
func isTitle(rows []sampled, first, usual int) bool {
	top, body := rows[first-1], rows[first:]
	switch {
	case len(body) < 2, blankIn(top.cells), lookAtHeader(top.cells, nil, ',', usual) == headerNumber:
		return true
	case usual == 2 && !namesRows(body, usual):
		return true
	}
	return numbersBelow(body[0].cells, body[1:], ',') // the header is below it
}

// namesRows reports whether the rows below a header that lacks a cell begin with
// names of their own, as those of R do, or end with a separator.
func namesRows(body []sampled, usual int) bool {
	if lastCellsAreEmpty(body, usual) {
		return true
	}
	seen := map[string]bool{}
	for _, r := range body {
		if len(r.cells) != usual {
			continue
		}
		name := strings.TrimSpace(r.cells[0])
		if name == "" || seen[name] {
			return false // R's names of rows differ
		}
		seen[name] = true
	}
	return true
}

func blankIn(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) == "" {
			return true
		}
	}
	return false
}

// lastCellsAreEmpty reports whether all of the records that are as long as most end
// with a separator.
func lastCellsAreEmpty(body []sampled, usual int) bool {
	any := false
	for _, r := range body {
		if len(r.cells) == usual {
			if any = true; strings.TrimSpace(r.cells[usual-1]) != "" {
				return false
			}
		}
	}
	return any
}

// firstCellsAreNumbers reports whether nearly all records begin with a number.
func firstCellsAreNumbers(body []sampled, sep rune) bool {
	numbers, cells := columnNumbers(body, 0, sep)
	return cells > 0 && enough(numbers, cells)
}

// columnNumbers returns how many cells of a column are numbers and how many there
// are, missing ones left out.
func columnNumbers(body []sampled, column int, sep rune) (numbers, cells int) {
	for _, r := range body {
		if column >= len(r.cells) {
			continue
		}
		if c := strings.TrimSpace(r.cells[column]); !isMissing(c) {
			cells++
			if readsAsNumber(c, sep) {
				numbers++
			}
		}
	}
	return numbers, cells
}

func readsAsNumber(cell string, sep rune) bool {
	_, ok := parseNumber(cell, '.')
	if !ok && sep != ',' {
		_, ok = parseNumber(cell, ',')
	}
	return ok
}

// numbersBelow reports whether a text of the first row stands over a column of
// numbers.
func numbersBelow(top []string, body []sampled, sep rune) bool {
	for i, c := range top {
		c = strings.TrimSpace(c)
		if isMissing(c) || readsAsNumber(c, sep) {
			continue
		}
		if numbers, cells := columnNumbers(body, i, sep); cells > 0 && enough(numbers, cells) {
			return true
		}
	}
	return false
}

// lookAtHeader says what a first row looks like above the other records.
func lookAtHeader(top []string, body []sampled, sep rune, usual int) headerLook {
	var numbers []string
	texts := 0
	for _, c := range top {
		switch c = strings.TrimSpace(c); {
		case readsAsNumber(c, sep):
			numbers = append(numbers, c)
		case !isMissing(c):
			texts++
		}
	}
	if len(numbers) > 0 {
		if len(body) > 0 && len(top) == usual && (numbersBelow(top, body, sep) && differentWholes(numbers) || countedNames(top, numbers, body, sep)) {
			return headerNames
		}
		return headerNumber
	}
	if len(body) == 0 || len(top) != usual || numbersBelow(top, body, sep) {
		return headerNames
	}
	const fewest = 4 // records that a conclusion needs
	recurring, alike := 0, 0
	for i, c := range top {
		c = strings.TrimSpace(c)
		same, cells := 0, 0
		recurs := false
		shape := shapeOf(c)
		for _, r := range body {
			if i >= len(r.cells) {
				continue
			}
			if below := strings.TrimSpace(r.cells[i]); !isMissing(below) {
				cells++
				recurs = recurs || below == c
				if shapeOf(below) == shape {
					same++
				}
			}
		}
		if !isMissing(c) && recurs {
			recurring++
		}
		if cells >= fewest && enough(same, cells) && strings.IndexByte(shape, '9') >= 0 && len(shape) > 2 {
			alike++
		}
	}
	switch {
	case len(body) < fewest:
		return headerNames
	case alike > 0:
		return headerAlike
	case texts > 0 && 2*recurring >= texts && (usual > 1 || recurring > 1):
		return headerRecurs
	}
	return headerNames
}

// differentWholes reports whether all are whole numbers without sign or point that
// differ, as years in a header are.
func differentWholes(numbers []string) bool {
	seen := map[string]bool{}
	for _, n := range numbers {
		if strings.Trim(n, "0123456789") != "" || seen[n] {
			return false
		}
		seen[n] = true
	}
	return true
}

// countedNames reports whether the numbers of a first row count its columns, from 0
// or 1, or the years, and those below are others.
func countedNames(top, numbers []string, body []sampled, sep rune) bool {
	if len(numbers) < 2 || len(numbers) < len(top)-1 && !yearsRise(numbers) || !differentWholes(numbers) {
		return false
	}
	if !yearsRise(numbers) {
		from, _ := parseNumber(numbers[0], '.')
		if from > 1 || len(numbers) < 3 {
			return false
		}
		for i, n := range numbers {
			if v, _ := parseNumber(n, '.'); v != from+float64(i) {
				return false
			}
		}
	}
	fractions := 0 // rows with numbers that a header of counts does not hold
	for _, r := range body {
		for i, c := range r.cells {
			if c = strings.TrimSpace(c); i < len(top) && readsAsNumber(strings.TrimSpace(top[i]), sep) && readsAsNumber(c, sep) && (strings.Trim(c, "0123456789") != "" || yearsRise(numbers) && len(c) != 4) {
				fractions++
				break
			}
		}
	}
	return len(body) > 0 && 2*fractions >= len(body)
}

// yearsRise reports whether the numbers are years, each after the one before it.
func yearsRise(numbers []string) bool {
	last := 0.0
	for _, n := range numbers {
		v, ok := parseNumber(n, '.')
		if !ok || len(n) != 4 || v < 1700 || v > 2200 || v <= last {
			return false
		}
		last = v
	}
	return len(numbers) > 1
}

// shapeOf returns a cell with its digits as 9 and its letters as a, runs of either
// as one.
func shapeOf(cell string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range cell {
		switch classOf(byte(min(r, 0x80))) {
		case classDigit:
			r = '9'
		case classLower, classUpper:
			r = 'a'
		}
		if r != last || r != '9' && r != 'a' {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// tellLines notices what was passed over above the first row, and why the first
// row is data.
func (b *builder) tellLines(d *dialect) {
	switch sep, _, ok := sepLine(d.above); {
	case ok && d.skip == 1:
		b.notice("the first line names the separator, %s", shown(string(sep)))
	case d.skip == 1:
		b.notice("the first line, %s, stands above the table and is passed over", shown(d.above))
	case d.skip > 1:
		b.notice("the first %d lines, from %s on, stand above the table and are passed over", d.skip, shown(d.above))
	}
	switch {
	case d.quote == '\'':
		b.notice("cells stand in single quotes, which are taken off")
	case d.escape:
		b.notice("a backslash takes its meaning from what follows it, as in \\\" and \\%s, and is taken off", string(d.sep))
	}
}

// tellComments notices lines that were passed over as comments.
func (b *builder) tellComments(count int) {
	switch {
	case count == 1:
		b.notice("1 line that begins with # is a comment and is passed over")
	case count > 1:
		b.notice("%d lines that begin with # are comments and are passed over", count)
	}
}

// names reports whether the first row names the columns, and else tells why not.
func (b *builder) names(cells []string, d *dialect, header Header) bool {
	if header != HeaderAuto {
		return header == HeaderYes
	}
	called := func(why string) bool {
		b.notice("%s, so it is read as a row and the columns are called %q, %q …", why, columnName(0), columnName(1))
		return false
	}
	switch d.header {
	case headerNames:
		return true
	case headerRecurs:
		return called("the cells of the first row stand in the rows below it, too")
	case headerAlike:
		return called("the cells of the first row are written as those below it")
	}
	for i, c := range cells {
		c = strings.TrimSpace(c)
		if _, ok := parseNumber(c, b.pointOf(i)); ok {
			return called(message.Sprintf("the first row holds the number %s", clip(c)))
		}
	}
	return true
}

// headerCells returns a header with a name for each cell of a row, "" for one that
// has none.
func (d *dialect) headerCells(cells []string) []string {
	if d.hash {
		if rest := strings.TrimLeft(cells[0], "# "); strings.HasPrefix(cells[0], "# ") {
			cells[0] = rest
		} else if cells[0] == "#" && d.sep == ' ' {
			cells = cells[1:]
		}
	}
	switch d.lacking {
	case lacksRowNames:
		return append([]string{rowNames}, cells...)
	case lacksLast:
		return append(cells, "")
	}
	return cells
}

// rowNames is what the column of R's row names is called.
const rowNames = "rownames"

// dropTail leaves out columns at the end that the header does not name and that
// hold nothing, as the separators at the end of lines make them.
func (b *builder) dropTail() {
	n, most := len(b.columns), b.tail
	if !b.Header {
		most = 1
	}
	for n > 1 && len(b.columns)-n < most {
		if c := b.columns[n-1]; c.numbers+c.texts > 0 || len(c.tokens) > 0 {
			break
		}
		n--
	}
	for i := len(b.columns) - b.tail; i < n; i++ {
		b.notice("column %d has no name in the header and is called %q", i+1, b.columns[i].name)
	}
	if n == len(b.columns) {
		return
	}
	if dropped := len(b.columns) - n; dropped == 1 {
		b.notice("every line ends with a separator and nothing behind it; no column is made of that")
	} else {
		b.notice("every line ends with %d separators and nothing behind them; no columns are made of that", dropped)
	}
	b.columns = b.columns[:n]
	for i, row := range b.Preview {
		b.Preview[i] = row[:n]
	}
}
