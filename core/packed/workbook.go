package packed

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"io"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// isWorkbook reports whether an archive is a workbook (.xlsx). If it is one of another
// kind, refused says so.
func isWorkbook(files []*zip.File) (is bool, refused string) {
	has := func(name string) bool {
		return slices.ContainsFunc(files, func(f *zip.File) bool { return f.Name == name })
	}
	switch {
	case has("xl/workbook.bin"):
		return false, binaryWorkbook
	case has("mimetype") && has("content.xml"):
		return false, openDocument
	}
	part := regexp.MustCompile(`(?i)^xl/[^/]*\.xml$`)
	return has("[Content_Types].xml") && slices.ContainsFunc(files, func(f *zip.File) bool { return part.MatchString(f.Name) }), ""
}

// book is what a workbook has besides its cells.
type book struct {
	most
	file      string
	sheets    []sheet
	strings   *zip.File // nil for none
	styles    *zip.File
	since1904 bool
}

type sheet struct {
	name   string
	hidden bool
	part   *zip.File
}

func (m most) openWorkbook(name string, files []*zip.File, wanted string) (*Table, error) {
	b, err := m.readBook(name, files)
	if err != nil {
		return nil, err
	}
	var filled, offered []sheet
	for _, s := range b.sheets {
		has, err := b.hasCells(s.part)
		if err != nil {
			return nil, err
		}
		if has {
			filled = append(filled, s)
			if !s.hidden {
				offered = append(offered, s)
			}
		}
	}
	if len(offered) == 0 {
		offered = filled
	}
	if len(offered) == 0 {
		return nil, &Error{name, noSheets}
	}
	at := slices.IndexFunc(filled, func(s sheet) bool { return s.name == wanted })
	switch {
	case at >= 0:
		return b.open(filled[at].part), nil
	case wanted == "" && len(offered) == 1:
		return b.open(offered[0].part), nil
	}
	var names []string
	for _, s := range offered {
		names = append(names, s.name)
	}
	return nil, &ChoiceError{File: name, Message: whichSheet(wanted, names), Key: "sheet", Names: names}
}

func (b *book) open(part *zip.File) *Table {
	t := &Table{Name: b.file, settings: map[string]string{"separator": "comma", "charset": "utf-8"}}
	t.ReadCloser = b.piped(b.file, func(w *bufio.Writer) error { return b.write(w, part, &t.notices) })
	return t
}

// listener hears of the tags and texts of XML; names are without a namespace's prefix.
type listener interface {
	open(name string, attributes map[string]string)
	close(name string)
	text(text string)
}

// errHeard ends a hearing.
var errHeard = io.ErrNoProgress

const (
	longestToken = 1 << 20 // bytes of a tag or a text
	longestWords = 1 << 16 // characters of a cell: twice what Excel takes
)

// short fails where more is read than there is left.
type short struct {
	io.Reader
	left int
}

func (s *short) Read(p []byte) (int, error) {
	if s.left <= 0 {
		return 0, bufio.ErrTooLong
	}
	n, err := s.Reader.Read(p)
	s.left -= n
	return n, err
}

// words are the text of a cell, as it comes.
type words struct {
	text strings.Builder
	size int // characters
}

// add reports whether the text is not too long for a cell.
func (w *words) add(text string) bool {
	w.size += utf8.RuneCountInString(text)
	if w.size > longestWords {
		return false
	}
	w.text.WriteString(text)
	return true
}

// hear tells a listener of a part, after each token of which it asks done.
func (b *book) hear(part *zip.File, most int, l listener, done func() error) error {
	r, err := unzip(b.file, part, most)
	if err != nil {
		return err
	}
	defer r.Close()
	since := &short{r, longestToken}
	d := xml.NewDecoder(bufio.NewReaderSize(since, 1<<16))
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			if known, ok := err.(*Error); ok {
				return known
			}
			return &Error{b.file, damagedWorkbook}
		}
		since.left = longestToken
		switch token := token.(type) {
		case xml.StartElement:
			attributes := make(map[string]string, len(token.Attr))
			for _, a := range token.Attr {
				attributes[a.Name.Local] = a.Value
			}
			l.open(token.Name.Local, attributes)
		case xml.EndElement:
			l.close(token.Name.Local)
		case xml.CharData:
			l.text(string(token))
		}
		if done != nil {
			if err := done(); err != nil {
				return err
			}
		}
	}
}

// opens hears of tags that are opened, and closed if that is not nil.
type opens struct {
	opened func(name string, attributes map[string]string)
	closed func(name string)
}

func (o opens) open(name string, attributes map[string]string) { o.opened(name, attributes) }
func (o opens) text(string)                                    {}
func (o opens) close(name string) {
	if o.closed != nil {
		o.closed(name)
	}
}

func (m most) readBook(name string, files []*zip.File) (*book, error) {
	b := &book{most: m, file: name}
	part := func(wanted string) *zip.File {
		if i := slices.IndexFunc(files, func(f *zip.File) bool { return strings.EqualFold(f.Name, wanted) }); i >= 0 {
			return files[i]
		}
		return nil
	}
	damaged := &Error{name, damagedWorkbook}
	main := "xl/workbook.xml"
	if rels := part("_rels/.rels"); rels != nil {
		if err := b.hear(rels, b.held, opens{opened: func(name string, a map[string]string) {
			if name == "Relationship" && strings.HasSuffix(a["Type"], "/officeDocument") {
				main = resolved("", a["Target"])
			}
		}}, nil); err != nil {
			return nil, err
		}
	}
	folder, file := path.Split(main)
	type target struct{ kind, path string }
	var order []string
	targets := map[string]target{}
	rels, workbook := part(folder+"_rels/"+file+".rels"), part(main)
	if rels == nil || workbook == nil {
		return nil, damaged
	}
	if err := b.hear(rels, b.held, opens{opened: func(name string, a map[string]string) {
		if name == "Relationship" {
			order = append(order, a["Id"])
			targets[a["Id"]] = target{path.Base(a["Type"]), resolved(folder, a["Target"])}
		}
	}}, nil); err != nil {
		return nil, err
	}
	lost := false
	if err := b.hear(workbook, b.held, opens{opened: func(name string, a map[string]string) {
		switch name {
		case "workbookPr":
			b.since1904 = slices.Contains([]string{"1", "true", "on"}, a["date1904"])
		case "sheet":
			if t := targets[a["id"]]; t.kind == "worksheet" {
				found := part(t.path)
				lost = lost || found == nil
				b.sheets = append(b.sheets, sheet{a["name"], a["state"] != "" && a["state"] != "visible", found})
			}
		}
	}}, nil); err != nil {
		return nil, err
	}
	if lost {
		return nil, damaged
	}
	for _, id := range order {
		switch t := targets[id]; {
		case t.kind == "sharedStrings" && b.strings == nil:
			b.strings = part(t.path)
		case t.kind == "styles" && b.styles == nil:
			b.styles = part(t.path)
		}
	}
	return b, nil
}

// resolved returns a path relative to a folder of the archive.
func resolved(folder, target string) string {
	if rest, absolute := strings.CutPrefix(target, "/"); absolute {
		return rest
	}
	return strings.TrimPrefix(path.Clean("/"+folder+target), "/")
}

// inside keeps count of the elements that hold text: values and texts, but not how
// they are spoken.
type inside struct{ values, aside int }

func (i *inside) step(name string, by int) {
	switch name {
	case "v", "t":
		i.values += by
	case "rPh":
		i.aside += by
	}
}

func (i *inside) counts() bool { return i.values > 0 && i.aside == 0 }

// hasCells reports whether any cell of a sheet has a value.
func (b *book) hasCells(part *zip.File) (bool, error) {
	var f finder
	err := b.hear(part, b.most.text, &f, func() error {
		if f.found {
			return errHeard
		}
		return nil
	})
	if err == errHeard {
		err = nil
	}
	return f.found, err
}

type finder struct {
	inside
	found bool
}

func (f *finder) open(name string, _ map[string]string) { f.step(name, 1) }
func (f *finder) close(name string)                     { f.step(name, -1) }
func (f *finder) text(text string)                      { f.found = f.found || f.values > 0 && text != "" }

// shared are the texts that cells share.
type shared struct {
	inside
	texts   []string
	now     words
	damaged bool
}

func (s *shared) open(name string, _ map[string]string) {
	if name == "si" {
		s.now = words{}
	}
	s.step(name, 1)
}

func (s *shared) close(name string) {
	if name == "si" {
		s.texts = append(s.texts, unescaped(s.now.text.String()))
	}
	s.step(name, -1)
}

func (s *shared) text(text string) {
	if s.counts() && !s.now.add(text) {
		s.damaged = true
	}
}

var escape = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescaped returns a text as it was before characters that XML has not were written
// _x000D_.
func unescaped(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	var units []uint16
	at := 0
	for _, place := range escape.FindAllStringIndex(text, -1) {
		units = append(units, utf16.Encode([]rune(text[at:place[0]]))...)
		code, _ := strconv.ParseUint(text[place[0]+2:place[1]-1], 16, 16)
		units = append(units, uint16(code))
		at = place[1]
	}
	return string(utf16.Decode(append(units, utf16.Encode([]rune(text[at:]))...)))
}

// form is what a number in a cell stands for.
type form int

const (
	formNumber form = iota
	formDate
	formDateTime
	formTime
)

// builtIn are the formats of dates and times that no workbook writes out, ECMA-376
// 18.8.30.
var builtIn = func() map[int]string {
	all := map[int]string{22: "d h"}
	for _, id := range []int{14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58} {
		all[id] = "d"
	}
	for _, id := range []int{18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56} {
		all[id] = "h"
	}
	return all
}()

// forms returns the forms of a workbook's styles, in their order.
func (b *book) forms() (forms []form, err error) {
	if b.styles == nil {
		return nil, nil
	}
	own := map[int]string{}
	cells := false
	err = b.hear(b.styles, b.held, opens{func(name string, a map[string]string) {
		id, _ := strconv.Atoi(a["numFmtId"])
		switch {
		case name == "numFmt":
			own[id] = a["formatCode"]
		case name == "cellXfs":
			cells = true
		case name == "xf" && cells:
			code, is := own[id]
			if !is {
				code = builtIn[id]
			}
			forms = append(forms, formOf(code))
		}
	}, func(name string) { cells = cells && name != "cellXfs" }}, nil)
	return forms, err
}

var (
	quoted   = regexp.MustCompile(`(?s)"[^"]*"|\\.|_.|\*.`)
	brackets = regexp.MustCompile(`\[[^\]]*\]`)
	elapsed  = regexp.MustCompile(`(?i)^\[(h+|m+|s+)\]$`)
)

// formOf says what a format shows: only its first section counts, without what it
// quotes.
func formOf(code string) form {
	plain := quoted.ReplaceAllString(code, "")
	plain = brackets.ReplaceAllStringFunc(plain, func(part string) string {
		if elapsed.MatchString(part) { // [h] counts on beyond a day: a number
			return "#"
		}
		return ""
	})
	plain, _, _ = strings.Cut(plain, ";")
	plain = strings.ToLower(plain)
	if strings.Contains(plain, "#") || strings.Contains(plain, "general") {
		return formNumber
	}
	time := strings.ContainsAny(plain, "hs")
	date := strings.ContainsAny(plain, "yd") || strings.Contains(plain, "m") && !time
	switch {
	case date && time:
		return formDateTime
	case date:
		return formDate
	case time:
		return formTime
	}
	return formNumber
}

// written returns the number of a cell as what it stands for.
func written(value float64, as form, since1904 bool) string {
	if as == formNumber || value < 0 || value >= 2958466 { // from the year 10000
		return numeral(value)
	}
	const day = 86400000 // ms
	days := math.Floor(value)
	ms := math.Round((value - days) * day)
	if ms == day {
		days, ms = days+1, 0
	}
	if as == formTime {
		if days == 0 {
			return clock(int64(ms), 3)
		}
		return numeral(value)
	}
	if !since1904 && (days == 0 || days == 60) { // no days: 1900 had no 29 February
		return numeral(value)
	}
	epoch := 25569.
	switch {
	case since1904:
		epoch = 24107
	case days < 60:
		epoch = 25568
	}
	text := date(int64(days - epoch))
	if text == "" {
		return numeral(value)
	}
	if as == formDateTime || ms > 0 {
		text += "T" + clock(int64(ms), 3)
	}
	return text
}

const (
	headRows = 64      // that show how wide the table is, and where it begins
	widest   = 16384   // columns of a sheet
	longest  = 1048576 // rows
)

type row struct {
	number int
	cells  []string
}

func (r row) filled() (n int) {
	for _, text := range r.cells {
		if text != "" {
			n++
		}
	}
	return n
}

func (r row) first() int {
	return slices.IndexFunc(r.cells, func(text string) bool { return text != "" })
}

// end returns the number of the column behind the last with a text.
func (r row) end() int {
	for i := len(r.cells); i > 0; i-- {
		if r.cells[i-1] != "" {
			return i
		}
	}
	return 0
}

// lines writes the rows of a sheet, each on the line of its number.
type lines struct {
	w       *bufio.Writer
	notices *[]string
	begun   bool
	head    []row
	first   int // column
	width   int
	line    int
}

func (l *lines) add(r row) {
	if r.filled() == 0 {
		return
	}
	if l.begun {
		l.write(r)
		return
	}
	l.head = append(l.head, r)
	if len(l.head) == headRows {
		l.begin()
	}
}

// begin writes what has been waiting: the table begins with the first row that has half
// as many cells as the fullest.
func (l *lines) begin() {
	if l.begun {
		return
	}
	l.begun = true
	most := 0
	for _, r := range l.head {
		most = max(most, r.filled())
	}
	at := 0
	if most >= 2 {
		at = slices.IndexFunc(l.head, func(r row) bool { return r.filled() >= 2 && 2*r.filled() >= most })
	}
	if at > 0 {
		var words []string
		for _, r := range l.head[:at] {
			for _, text := range r.cells {
				words = append(words, strings.Fields(text)...)
			}
		}
		said := []rune(strings.Join(words, " "))
		*l.notices = append(*l.notices, titles(at, string(said[:min(len(said), 100)])))
	}
	l.first = widest
	for _, r := range l.head[at:] {
		l.first, l.width = min(l.first, r.first()), max(l.width, r.end())
	}
	l.width -= l.first
	for _, r := range l.head[at:] {
		l.write(r)
	}
	l.head = nil
}

func (l *lines) write(r row) {
	for ; l.line < r.number; l.line++ {
		l.w.WriteByte('\n')
	}
	l.line = max(r.number, l.line) + 1
	for i := range max(l.width, r.end()-l.first) {
		if i > 0 {
			l.w.WriteByte(',')
		}
		if l.first+i < len(r.cells) {
			l.w.WriteString(cell(r.cells[l.first+i]))
		}
	}
	l.w.WriteByte('\n')
}

// cells hears of the cells of a sheet.
type cells struct {
	inside
	lines     *lines
	shared    []string
	forms     []form
	since1904 bool
	damaged   bool

	row    row
	column int
	kind   string
	form   form
	value  words
}

func (c *cells) open(name string, a map[string]string) {
	switch name {
	case "row":
		number, err := strconv.Atoi(a["r"])
		if err != nil {
			number = c.row.number + 1
		}
		c.damaged = c.damaged || number > longest
		c.row, c.column = row{number: number}, 0
	case "c":
		if at := columnOf(a["r"]); at > 0 {
			c.column = at
		} else {
			c.column++
		}
		c.kind, c.form = a["t"], formNumber
		if style, _ := strconv.Atoi(a["s"]); style >= 0 && style < len(c.forms) {
			c.form = c.forms[style]
		}
		c.value = words{}
	}
	c.step(name, 1)
}

func (c *cells) close(name string) {
	switch name {
	case "row":
		c.lines.add(c.row)
	case "c":
		if c.column > widest {
			c.damaged = true
			return
		}
		for len(c.row.cells) < c.column {
			c.row.cells = append(c.row.cells, "")
		}
		c.row.cells[c.column-1] = c.said()
	}
	c.step(name, -1)
}

func (c *cells) text(text string) {
	if c.counts() && !c.value.add(text) {
		c.damaged = true
	}
}

var isNumber = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$`)

func (c *cells) said() string {
	value := c.value.text.String()
	if value == "" {
		return ""
	}
	switch c.kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || i < 0 || i >= len(c.shared) {
			c.damaged = true
			return ""
		}
		return c.shared[i]
	case "b":
		return strconv.FormatBool(value == "1" || value == "true")
	case "e":
		return "#N/A" // whatever kept it from having a value
	case "", "n":
		if text := strings.TrimSpace(value); isNumber.MatchString(text) {
			if v, err := strconv.ParseFloat(text, 64); err == nil {
				return written(v, c.form, c.since1904)
			}
		}
		return value
	}
	return unescaped(value)
}

// columnOf returns the number of a cell's column, from 1: AB12 is in the 28th; 0 where
// it has no address.
func columnOf(address string) (column int) {
	for i := 0; i < len(address) && column <= widest; i++ {
		letter := address[i] &^ 0x20
		if letter < 'A' || letter > 'Z' {
			break
		}
		column = 26*column + int(letter-'A') + 1
	}
	return column
}

// write writes a sheet.
func (b *book) write(w *bufio.Writer, part *zip.File, notices *[]string) error {
	var s shared
	whole := func(damaged bool) error {
		if damaged {
			return &Error{b.file, damagedWorkbook}
		}
		return nil
	}
	if b.strings != nil {
		if err := b.hear(b.strings, b.held, &s, func() error { return whole(s.damaged) }); err != nil {
			return err
		}
	}
	forms, err := b.forms()
	if err != nil {
		return err
	}
	c := &cells{lines: &lines{w: w, notices: notices, line: 1}, shared: s.texts, forms: forms, since1904: b.since1904}
	if err := b.hear(part, b.most.text, c, func() error {
		if err := whole(c.damaged); err != nil {
			return err
		}
		_, err := w.Write(nil) // nobody reads any more
		return err
	}); err != nil {
		return err
	}
	c.lines.begin()
	return nil
}
