package read

import (
	"bytes"
	"io"
	"math"
	"unsafe"

	"ifmlab/core/cell"
	"ifmlab/core/csv"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/table"
)

// addBlock adds a block to the table, as columns if it has few.
func (b *builder) addBlock(of *table.SparseBlock) {
	if len(of.Numbers) == 0 {
		return
	}
	b.Block = of
	if n := len(of.Numbers); n > maxSVMColumns || n*b.Rows > maxSVMCells {
		b.Columns = append(b.Columns, table.NewBlockColumn(of))
		b.Notes.Add(note.TopicFeatures, []string{table.BlockName}, "%s has %d features, %s to %s, stored where they are not 0", table.BlockName, n, of.Feature(0), of.Feature(int32(n-1)))
		return
	}
	all := make([]int32, len(of.Numbers))
	for i := range all {
		all[i] = int32(i)
	}
	b.Columns = append(b.Columns, of.Columns(all)...)
}

// Up to these limits, features of a LIBSVM file become columns, which a reader can see,
// name and leave out one by one. Beyond them, they stay a block.
const (
	maxSVMColumns = 300
	maxSVMCells   = 40e6
)

// svmEntry is a feature's number and its value.
type svmEntry struct {
	feature int32
	value   float64
}

// svmParts returns how many numbers an entry of a sample has: 2 in LIBSVM's format, a label
// and entries such as 3:0.5 on each line; 3 in libFFM's, such as 2:3:0.5; 0 for other
// texts. Times of day are not entries because they begin with zeros. name is what the first
// line begins with, if that is no label and the label is behind it.
func svmParts(sample []byte, complete bool) (parts int, name string) {
	lines, fit, entries := 0, 0, 0
	for len(sample) > 0 && lines < csv.MaxSampleRows {
		i := bytes.IndexAny(sample, "\r\n")
		if i < 0 && !complete && lines > 0 {
			break
		}
		line := sample
		if i >= 0 {
			line, sample = sample[:i], sample[i+1:]
		} else {
			sample = nil
		}
		tokens := bytes.Fields(stripComment(line))
		if len(tokens) == 0 {
			continue
		}
		lines++
		_, ok := cell.ParseNumber(string(tokens[0]), '.')
		if !ok && len(tokens) > 3 {
			if _, ok = cell.ParseNumber(string(tokens[1]), '.'); ok && lines == 1 {
				name = cell.Clip(string(tokens[0]))
			}
			tokens = tokens[1:]
		}
		for _, token := range tokens[1:] {
			if bytes.HasPrefix(token, []byte("qid:")) {
				continue
			}
			entry := bytes.Split(token, []byte(":"))
			if parts == 0 {
				parts = len(entry)
			}
			ok = ok && len(entry) == parts && (parts == 2 || parts == 3)
			for j, part := range entry {
				_, number := cell.ParseNumber(string(part), '.')
				ok = ok && number && !(len(part) > 1 && part[0] == '0' && part[1] != '.' && part[1] != 'e' && part[1] != 'E') && (j == len(entry)-1 || bytes.IndexByte(part, '.') < 0)
			}
			entries++
		}
		if ok {
			fit++
		} else if lines == 1 && i >= 0 {
			return 0, "" // a header
		}
	}
	if entries == 0 || 20*fit < 19*lines && lines-fit > 1 || fit == 0 {
		return 0, ""
	}
	return parts, name
}

// stripComment returns a line up to #.
func stripComment(line []byte) []byte {
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		return line[:i]
	}
	return line
}

// svmReader reads a file in LIBSVM's format.
type svmReader struct {
	b     *builder
	src   *csv.Source
	lines *csv.LineReader

	y, query *table.Column // query is nil if no row has one
	starts   []int32
	features []int32
	values   []float64 // nil while all are 1
	row      []svmEntry
	sorted   []svmEntry

	unsorted, unsortedLine int
	comments               int
}

// readSVM fills the table from a file in LIBSVM's format.
func (b *builder) readSVM(src *csv.Source) error {
	b.Format, b.Header = table.FormatLIBSVM, true
	r := &svmReader{b: b, src: src, lines: csv.NewLineReader(src, csv.Dialect{Sep: ' ', Quote: '"'}), y: table.NewColumn("y", '.'), starts: []int32{0}}
	r.y.ExactMark, r.y.ExplicitMark = true, true
	for {
		src.BeginRecord()
		line, err := r.lines.Line()
		switch {
		case src.TooLong && src.FirstLineLen == 0:
			if err := src.SkipLine(); err != nil {
				return err
			}
			err = &fault.RowError{Problem: fault.LongLine, Line: src.Line, Column: 1, Message: message.Sprintf("the line is longer than %d MB; delete it", csv.MaxLine>>20)}
		case err == nil:
			err = r.read(line)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			if err := b.addBad(err); err != nil {
				return err
			}
		}
	}
	if b.Rows+b.bad.Count == 0 {
		return &fault.FileError{Problem: fault.Empty, File: b.Name, Line: 1, Column: 1, Message: "the file has only comments. Choose one with rows"}
	}
	if fault.TooMany(b.bad.Count, b.Rows+b.bad.Count) {
		return b.tooMany()
	}
	return r.finish()
}

// read reads one line, and adds it unless it is empty.
func (r *svmReader) read(line []byte) error {
	text := stripComment(line)
	from, to := nextToken(text, 0)
	if from == to {
		return nil
	}
	bad := func(at int, found []byte, format string, args ...any) error {
		return &fault.RowError{Problem: fault.NotNumber, Line: r.src.Line, Column: at + 1, Found: cell.Clip(string(found)), Message: message.Sprintf(format, args...)}
	}
	label := text[from:to]
	if _, ok := cell.ParseNumber(string(label), '.'); !ok {
		return bad(from, label, "the label is %s, expected one number. Correct it or delete line %d", cell.Quote(string(label)), r.src.Line)
	}
	r.row = r.row[:0]
	query := ""
	sorted := true
	for from, to = nextToken(text, to); from < to; from, to = nextToken(text, to) {
		part := text[from:to]
		if bytes.HasPrefix(part, []byte("qid:")) {
			query = string(part[len("qid:"):])
			continue
		}
		index, rest, ok := cutIndex(part)
		e := svmEntry{feature: index}
		if ok && len(rest) > 0 {
			e.value, ok = cell.ParseNumber(unsafe.String(unsafe.SliceData(rest), len(rest)), '.')
		} else {
			ok = false
		}
		if !ok || math.Abs(e.value) > table.Largest {
			return bad(from, part, "found %s, expected index:value, a whole number of at least 0 and a number. Correct it or delete line %d", cell.Quote(string(part)), r.src.Line)
		}
		if n := len(r.row); n > 0 && e.feature <= r.row[n-1].feature {
			sorted = false
		}
		r.row = append(r.row, e)
	}
	if !sorted {
		r.sorted = append(r.sorted[:0], r.row...)
		order.Sort(r.sorted, func(a, b svmEntry) int { return int(a.feature) - int(b.feature) })
		for i := 1; i < len(r.sorted); i++ {
			if a, b := r.sorted[i-1], r.sorted[i]; a.feature == b.feature {
				return bad(0, nil, "the index %d occurs twice in the row, with %s and %s. Remove one or delete line %d", int(b.feature), cell.FormatNumber(a.value), cell.FormatNumber(b.value), r.src.Line)
			}
		}
		if r.unsorted++; r.unsorted == 1 {
			r.unsortedLine = r.src.Line
		}
		r.row, r.sorted = r.sorted, r.row
	}
	return r.add(string(label), query)
}

// nextToken returns the place of the next token from at on. Spaces and tabs separate tokens.
func nextToken(text []byte, at int) (from, to int) {
	space := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	for at < len(text) && space(text[at]) {
		at++
	}
	from = at
	for at < len(text) && !space(text[at]) {
		at++
	}
	return from, at
}

// cutIndex cuts off a whole number and its colon.
func cutIndex(text []byte) (index int32, rest []byte, ok bool) {
	n := 0
	for i, c := range text {
		switch {
		case c == ':':
			return int32(n), text[i+1:], i > 0
		case c < '0' || c > '9':
			return 0, nil, false
		}
		if n = 10*n + int(c-'0'); n > math.MaxInt32 {
			return 0, nil, false
		}
	}
	return 0, nil, false
}

// add adds the row.
func (r *svmReader) add(label, query string) error {
	b := r.b
	if b.Rows == math.MaxInt32 || len(r.features)+len(r.row) > math.MaxInt32 {
		return &fault.FileError{Problem: fault.TooLarge, File: b.Name, Message: message.Sprintf("the file has more than %d rows or %d entries; open a part of it", b.Rows, len(r.features))}
	}
	for _, e := range r.row {
		if r.values == nil && e.value != 1 {
			r.values = make([]float64, len(r.features), 2*len(r.features)+16)
			for i := range r.values {
				r.values[i] = 1
			}
		}
		if r.values != nil {
			r.values = append(r.values, e.value)
		}
		r.features = append(r.features, e.feature)
	}
	r.starts = append(r.starts, int32(len(r.features)))
	if query != "" && r.query == nil {
		r.query = table.NewColumn("query id", '.')
		for range b.Rows {
			r.query.AddMissing("")
		}
	}
	r.y.Add(b.Rows, label)
	if r.query != nil {
		r.query.Add(b.Rows, query)
	}
	b.addLine(r.src.Line)
	b.Rows++
	if b.Rows%table.BlockLen == 0 {
		r.y.SumUp(b.Rows, b.scratch)
	}
	return nil
}

// finish makes the columns.
func (r *svmReader) finish() error {
	b := r.b
	b.Columns = append(b.Columns, r.y)
	if r.query != nil {
		b.Columns = append(b.Columns, r.query)
	}
	b.addBlock(table.NewBlock(r.starts, r.features, r.values))
	b.Notes.Add(note.TopicFile, nil, "the file is in LIBSVM's format: the label is the column y, and features that a row does not list are 0; if it is another kind of table, choose a separator")
	if r.unsorted > 0 {
		b.Notes.Add(note.TopicFile, nil, "the indices do not rise in %d of %d rows, as on line %d; LIBSVM refuses such rows, but they are read here", r.unsorted, b.Rows, r.unsortedLine)
	}
	for row := range min(previewRows, b.Rows) {
		cells := make([]string, len(b.Columns))
		for i, c := range b.Columns {
			cells[i] = c.Text(row)
		}
		b.Preview = append(b.Preview, cells)
	}
	b.applyAnswers()
	return nil
}
