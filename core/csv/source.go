package csv

import (
	"bytes"
	"io"
	"unicode/utf8"
	"unsafe"

	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/message"
)

// More returns the bytes behind those ahead, which were used.
func (s *Source) More() ([]byte, error) {
	for s.Lo = len(s.Buf); s.Lo == len(s.Buf); s.fill(bufferSize) {
		if s.seen = 0; s.Err != nil {
			return nil, s.Err
		}
	}
	return s.Buf[s.Lo:], nil
}

// Bounds on what is held at once of a file that is no table.
const (
	sampleSize = 64 << 10  // bytes looked at before reading starts
	bufferSize = 256 << 10 // bytes read ahead
	MaxLine    = 4 << 20   // bytes of one line
	maxQuoted  = 256 << 10 // bytes of one record after its first line
	maxEmpty   = 100       // reads in a row that return neither bytes nor an error
)

// Source hands the bytes of a file to a parser one line a call, so that the
// parser never reads ahead of the record it returns. It knows therefore which
// lines a record stood on, keeps them, and can give them again: a quote that is
// never closed costs its own line, not the rest of the file.
type Source struct {
	r    io.Reader
	Buf  []byte // bytes read; those before lo are handed out; guard bytes may be looked at after them
	Lo   int
	held int // bytes before lo that end the present record, as far as they are still there
	seen int // bytes from lo on that hold no line end
	Err  error
	Size *int64 // bytes read from the file

	Charset  Charset // that r is read in
	fixed    bool    // the settings name it
	wide     bool    // characters beyond ASCII were seen that are UTF-8
	Comments int     // lines that were passed over as such

	macLines bool // lines end with a lone CR, which becomes LF as it is read

	record []byte // the lines of the present record, blank ones before it excluded
	Line   int    // number of its first line
	First  int    // length of its first line, once complete
	next   int    // number of the line that is handed out next
	middle bool   // the last line handed out was not complete
	Cut    bool   // the record was ended because it is too long
}

func NewSource(r io.Reader) *Source {
	file := &counted{r: r}
	return &Source{r: file, Size: &file.n, Charset: UTF8, Buf: make([]byte, 0, bufferSize+cell.Guard), Line: 1, next: 1}
}

// counted counts the bytes that are read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Open reads up to sampleSize bytes ahead, settles the charset, unless it is given,
// and returns them in UTF-8. It returns a [*fault.FileError] for a file that is no table.
func (s *Source) Open(c Charset) ([]byte, error) {
	sample, err := s.sample()
	if err != nil {
		return nil, err
	}
	if s.fixed = c != ""; s.fixed {
		s.Charset = c
	} else {
		s.Charset, s.wide = guessCharset(sample)
	}
	if e := refuse(sample); e != nil && (s.Charset == UTF8 || e.Found != zeroByte) {
		return nil, e
	}
	if s.Charset == UTF8 {
		return sample, nil
	}
	mark := 0 // the byte order mark
	if s.Charset == UTF16LE && prefix(sample, "\xff\xfe") || s.Charset == UTF16BE && prefix(sample, "\xfe\xff") {
		mark = 2
	}
	s.r = newDecoder(s.r, s.Charset, sample[mark:], s.Err)
	s.Buf, s.Lo, s.Err = s.Buf[:0], 0, nil
	if sample, err = s.sample(); err != nil {
		return nil, err
	}
	if e := refuse(sample); e != nil {
		return nil, e
	}
	return sample, nil
}

// zeroByte is what a file holds that seems to be no text.
const zeroByte = "a zero byte"

// see notes whether text, which is UTF-8, goes beyond ASCII.
func (s *Source) see(text []byte) {
	for i := 0; i < len(text) && !s.wide; i++ {
		s.wide = text[i] >= utf8.RuneSelf
	}
}

// recode reads the present record and what follows it as windows-1252, if nothing
// says that the file is UTF-8. It reports whether it does.
func (s *Source) recode() bool {
	if s.fixed || s.wide || s.Charset != UTF8 {
		return false
	}
	s.Charset = Windows1252
	s.again(0)
	ahead := s.Buf[s.Lo:]
	text, _ := s.Charset.decode(nil, ahead, true)
	s.refill(text, nil)
	if s.Err == nil {
		s.r = newDecoder(s.r, s.Charset, nil, nil)
	}
	return true
}

// Pass passes over the file's first lines.
func (s *Source) Pass(lines int) error {
	for s.next <= lines {
		part, err := s.part(sampleSize)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if part[len(part)-1] == '\n' {
			s.next++
		}
	}
	return nil
}

// sample reads up to sampleSize bytes ahead and returns them. Their BOM, if
// any, is gone.
func (s *Source) sample() ([]byte, error) {
	for len(s.Buf) < sampleSize && s.Err == nil {
		s.fill(sampleSize)
	}
	if s.Err != nil && s.Err != io.EOF {
		return nil, s.Err
	}
	if bytes.HasPrefix(s.Buf, []byte("\uFEFF")) {
		s.Lo = len("\uFEFF")
	}
	return s.Buf[s.Lo:], nil
}

// UseLF turns each CR of the file into LF if the sample's lines end with CR alone.
func (s *Source) UseLF(sample []byte) {
	if s.macLines = bytes.IndexByte(sample, '\n') < 0 && bytes.IndexByte(sample, '\r') >= 0; s.macLines {
		endLines(s.Buf[s.Lo:])
	}
}

func endLines(text []byte) {
	for i, c := range text {
		if c == '\r' {
			text[i] = '\n'
		}
	}
}

// fill reads once from r, into what is left of the buffer's first most bytes.
// There is some: it is called when less than that lies ahead.
func (s *Source) fill(most int) {
	if s.Lo > 0 && len(s.Buf) >= most {
		s.Buf = s.Buf[:copy(s.Buf, s.Buf[s.Lo:])]
		s.Lo, s.held = 0, 0
	}
	for range maxEmpty {
		n, err := s.r.Read(s.Buf[len(s.Buf):most])
		if s.macLines {
			endLines(s.Buf[len(s.Buf):][:n])
		}
		s.Buf = s.Buf[:len(s.Buf)+n]
		copy(s.Buf[len(s.Buf):len(s.Buf)+cell.Guard], cell.GuardBytes)
		s.Err = err
		if n > 0 || err != nil {
			return
		}
	}
	s.Err = io.ErrNoProgress
}

// refill puts two texts, one after the other, in the place of what lies ahead.
func (s *Source) refill(first, second []byte) {
	size := len(first) + len(second)
	buf := make([]byte, size, max(size, bufferSize)+cell.Guard)
	copy(buf[copy(buf, first):], second)
	copy(buf[size:size+cell.Guard], cell.GuardBytes)
	s.Buf, s.Lo, s.held, s.seen = buf, 0, 0, 0
}

// Begin says that the parser starts a record.
func (s *Source) Begin() {
	s.record, s.Line, s.First, s.middle, s.Cut = s.record[:0], s.next, 0, false, false
	s.held = 0
}

// nextPart hands out the next line, or its next most bytes; they are valid
// until the next call.
func (s *Source) nextPart(most int) ([]byte, error) {
	if s.Cut || len(s.record) > MaxLine && s.middle || s.First > 0 && len(s.record) > s.First+maxQuoted {
		s.Cut = true
		return nil, io.EOF
	}
	if !s.middle && blank(s.record) { // the parser skips blank lines, and so does the record
		s.record, s.Line = s.record[:0], s.next
	}
	part, err := s.part(most)
	if err != nil {
		return nil, err
	}
	s.record = append(s.record, part...)
	if s.middle = part[len(part)-1] != '\n'; !s.middle {
		s.next++
		if s.First == 0 && !blank(s.record) {
			s.First = len(s.record)
		}
	}
	return part, nil
}

// part returns the next line, or at most its next most bytes, and moves on.
func (s *Source) part(most int) ([]byte, error) {
	for {
		ahead := s.Buf[s.Lo:]
		if i := bytes.IndexByte(ahead[s.seen:], '\n'); i >= 0 {
			ahead = ahead[:s.seen+i+1]
		} else if s.seen = len(ahead); s.seen < most && s.Err == nil {
			s.fill(bufferSize)
			continue
		}
		part := ahead[:min(most, len(ahead))]
		if len(part) == 0 {
			return nil, s.Err
		}
		s.Lo += len(part)
		s.held += len(part)
		s.seen = 0
		return part, nil
	}
}

// whole reads until a whole line lies ahead in the buffer. It reports false
// where there is none: at the end of the file, at an error of r, and where a
// line is longer than the buffer.
func (s *Source) whole() bool {
	for {
		ahead := s.Buf[s.Lo:]
		if bytes.IndexByte(ahead[s.seen:], '\n') >= 0 {
			return true
		}
		s.seen = len(ahead)
		if s.Err != nil || len(ahead) >= bufferSize {
			return false
		}
		s.fill(bufferSize)
	}
}

// blanks passes over the lines ahead that are empty or hold spaces, as far as they
// have been read.
func (s *Source) blanks() {
	size, lines := blankLines(s.Buf[s.Lo:])
	if size == 0 {
		return
	}
	s.Lo += size
	s.held, s.seen = 0, 0
	s.next += lines
	s.Line = s.next
}

// blankLines returns the size and the number of the lines that b begins with which
// are empty or hold spaces. Their ends are LF or CRLF.
func blankLines(b []byte) (size, lines int) {
	for {
		for len(b)-size >= 8 && cell.Load8(unsafe.Pointer(&b[0]), size) == cell.LineFeeds {
			size += 8
			lines += 8
		}
		i := size
		for i < len(b) && b[i] == ' ' {
			i++
		}
		if i < len(b) && b[i] == '\r' {
			i++
		}
		if i >= len(b) || b[i] != '\n' {
			return size, lines
		}
		size = i + 1
		lines++
	}
}

// take says that the line in the first n bytes ahead was read as a record.
func (s *Source) take(n int) {
	s.Lo += n
	s.held, s.seen = 0, 0
	s.Line = s.next
	s.next++
}

// again cuts the record after the given number of lines and makes the rest be
// handed out once more.
func (s *Source) again(lines int) {
	rest := s.record
	for range lines {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			return
		}
		rest = rest[i+1:]
	}
	if len(rest) == 0 {
		return
	}
	if len(rest) <= s.held {
		s.Lo -= len(rest)
		s.held -= len(rest)
		s.seen = 0
	} else {
		s.refill(rest, s.Buf[s.Lo:])
	}
	s.record = s.record[:len(s.record)-len(rest)]
	s.next = s.Line + lines
	s.middle = false
}

// SkipLine passes over the rest of a line of which a part was handed out.
func (s *Source) SkipLine() error {
	for s.middle {
		part, err := s.part(sampleSize)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if part[len(part)-1] == '\n' {
			s.middle = false
			s.next++
		}
	}
	return nil
}

// blank reports whether b holds line ends only.
func blank(b []byte) bool {
	for _, c := range b {
		if c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}

// refuse returns a [*fault.FileError] for a sample that is empty or that is the
// beginning of something other than a table of text.
func refuse(sample []byte) *fault.FileError {
	kind, advice := "", "save it as CSV"
	text := bytes.TrimLeft(sample, " \t\r\n")
	start := bytes.ToLower(text[:min(len(text), 16)])
	switch {
	case len(text) == 0:
		return &fault.FileError{Problem: fault.Empty, Line: 1, Column: 1, Message: "the file is empty, want a header and rows; choose another file"}
	case prefix(sample, "\x1f\x8b"):
		kind, advice = "a gzip archive", "unpack it and drop the table inside"
	case prefix(sample, "PK\x03\x04"):
		kind, advice = "an Excel workbook or a zip archive", "save the sheet as CSV, or unpack the archive"
	case prefix(sample, "\xd0\xcf\x11\xe0"):
		kind, advice = "an old Excel workbook", "save the sheet as CSV"
	case len(sample) > 10 && string(sample[:3])+string(sample[4:10]) == "BZh1AY&SY", prefix(sample, "\x1f\x9d"), prefix(sample, "\xfd7zXZ\x00"), prefix(sample, "\x28\xb5\x2f\xfd"):
		kind, advice = "a compressed file", "unpack it and drop the table inside"
	case prefix(sample, "PAR1"):
		kind = "a Parquet file"
	case prefix(sample, "SQLite format 3\x00"):
		kind, advice = "an SQLite database", "export the table as CSV"
	case prefix(sample, "\x89PNG"), prefix(sample, "\xff\xd8\xff"), prefix(sample, "GIF8"), len(sample) > 12 && string(sample[:4])+string(sample[8:12]) == "RIFFWEBP":
		kind, advice = "a picture", "write the table that it shows into a CSV file"
	case prefix(sample, "%PDF-"):
		kind, advice = "a PDF document", "copy the table into a CSV file"
	case prefix(start, "<!doctype"), prefix(start, "<html"), prefix(start, "<?xml"):
		kind, advice = "a web page or XML", "save the table as CSV"
	default:
		// A stray zero byte spoils its row; many are another format.
		if i := bytes.IndexByte(sample, 0); i >= 0 && 100*bytes.Count(sample, []byte{0}) >= len(sample) {
			line := 1 + bytes.Count(sample[:i], []byte("\n"))
			return &fault.FileError{Problem: fault.OtherType, Line: line, Column: i - bytes.LastIndexByte(sample[:i], '\n'), Found: zeroByte,
				Message: "found a zero byte, want text; save the table as CSV, or choose its charset"}
		}
		return nil
	}
	return &fault.FileError{Problem: fault.OtherType, Line: 1, Column: 1, Found: kind, Message: message.Sprintf("this is %s, want a table of text; %s", kind, advice)}
}

func prefix(b []byte, s string) bool { return bytes.HasPrefix(b, []byte(s)) }
