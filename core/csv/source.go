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

// More drops the bytes in the buffer and returns the next ones.
func (s *Source) More() ([]byte, error) {
	for s.Lo = len(s.Buf); s.Lo == len(s.Buf); s.fill(bufferSize) {
		if s.searched = 0; s.Err != nil {
			return nil, s.Err
		}
	}
	return s.Buf[s.Lo:], nil
}

// Limits that bound the memory for a file that is no table.
const (
	sampleSize = 64 << 10  // bytes of the sample that guesses use
	bufferSize = 256 << 10 // bytes read ahead
	MaxLine    = 4 << 20   // bytes of one line
	maxQuoted  = 256 << 10 // bytes of one record after its first line
	maxEmpty   = 100       // reads in a row that return neither bytes nor an error
)

// Source returns the lines of a file one call at a time, so that the parser never reads
// beyond its record. It remembers the lines of the record and can return them again:
// a quote that is never closed costs its own line and not the rest of the file.
type Source struct {
	r          io.Reader
	Buf        []byte // bytes read, those before Lo consumed; guard bytes follow them
	Lo         int
	recordTail int // bytes before Lo that belong to the present record
	searched   int // bytes from Lo on known to hold no line end
	Err        error
	Size       *int64 // bytes read from the file

	Charset         Charset // of the file
	explicitCharset bool    // the settings name it
	nonASCII        bool    // the file has had UTF-8 characters beyond ASCII
	Comments        int     // comment lines so far

	macLines bool // lines end with a lone CR, which fill turns into LF

	record       []byte // the lines of the present record, without blank ones before it
	Line         int    // its first line, from 1
	FirstLineLen int    // length of its first line once complete, else 0
	nextLine     int    // the line after the bytes consumed
	inLine       bool   // the last part did not end its line
	TooLong      bool   // the record was cut because it is too long
}

// NewSource returns a Source of r. Call Open before anything else.
func NewSource(r io.Reader) *Source {
	file := &countingReader{r: r}
	return &Source{r: file, Size: &file.n, Charset: UTF8, Buf: make([]byte, 0, bufferSize+cell.Guard), Line: 1, nextLine: 1}
}

// countingReader counts the bytes that it reads.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Open reads the sample, the first sampleSize bytes, and returns it in UTF-8. It guesses
// the charset if c is "". It returns a [*fault.FileError] for a file that is no table.
func (s *Source) Open(c Charset) ([]byte, error) {
	sample, err := s.sample()
	if err != nil {
		return nil, err
	}
	if s.explicitCharset = c != ""; s.explicitCharset {
		s.Charset = c
	} else {
		s.Charset, s.nonASCII = guessCharset(sample)
	}
	if e := checkText(sample); e != nil && (s.Charset == UTF8 || e.Found != zeroByte) {
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
	if e := checkText(sample); e != nil {
		return nil, e
	}
	return sample, nil
}

// zeroByte describes what was found in a file that is not text.
const zeroByte = "a zero byte"

// noteNonASCII sets nonASCII if text, which is UTF-8, has a character beyond ASCII.
func (s *Source) noteNonASCII(text []byte) {
	for i := 0; i < len(text) && !s.nonASCII; i++ {
		s.nonASCII = text[i] >= utf8.RuneSelf
	}
}

// recode reads the present record and the rest of the file as windows-1252, unless
// something shows that the file is UTF-8. It reports whether it does.
func (s *Source) recode() bool {
	if s.explicitCharset || s.nonASCII || s.Charset != UTF8 {
		return false
	}
	s.Charset = Windows1252
	s.rewind(0)
	ahead := s.Buf[s.Lo:]
	text, _ := s.Charset.decode(nil, ahead, true)
	s.refill(text, nil)
	if s.Err == nil {
		s.r = newDecoder(s.r, s.Charset, nil, nil)
	}
	return true
}

// SkipLines skips the first lines of the file.
func (s *Source) SkipLines(lines int) error {
	return s.skipWhile(func() bool { return s.nextLine <= lines })
}

// skipWhile skips parts of lines while it is told to, at most to the end of the file.
func (s *Source) skipWhile(more func() bool) error {
	for more() {
		part, err := s.part(sampleSize)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if part[len(part)-1] == '\n' {
			s.inLine = false
			s.nextLine++
		}
	}
	return nil
}

// sample reads up to sampleSize bytes ahead and returns them without a BOM.
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

// UseLF makes CR a line end if the lines of the sample end with CR alone.
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

// fill reads once from r, at most until the buffer holds most bytes. Callers make sure
// that fewer lie ahead.
func (s *Source) fill(most int) {
	if s.Lo > 0 && len(s.Buf) >= most {
		s.Buf = s.Buf[:copy(s.Buf, s.Buf[s.Lo:])]
		s.Lo, s.recordTail = 0, 0
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

// refill replaces the bytes ahead by first and second.
func (s *Source) refill(first, second []byte) {
	size := len(first) + len(second)
	buf := make([]byte, size, max(size, bufferSize)+cell.Guard)
	copy(buf[copy(buf, first):], second)
	copy(buf[size:size+cell.Guard], cell.GuardBytes)
	s.Buf, s.Lo, s.recordTail, s.searched = buf, 0, 0, 0
}

// BeginRecord starts a new record at the next line.
func (s *Source) BeginRecord() {
	s.record, s.Line, s.FirstLineLen, s.inLine, s.TooLong = s.record[:0], s.nextLine, 0, false, false
	s.recordTail = 0
}

// nextPart returns the next line, or its next most bytes, as part of the record. The
// bytes are valid until the next call.
func (s *Source) nextPart(most int) ([]byte, error) {
	if s.TooLong || len(s.record) > MaxLine && s.inLine || s.FirstLineLen > 0 && len(s.record) > s.FirstLineLen+maxQuoted {
		s.TooLong = true
		return nil, io.EOF
	}
	if !s.inLine && blank(s.record) { // the parser skips blank lines, and so does the record
		s.record, s.Line = s.record[:0], s.nextLine
	}
	part, err := s.part(most)
	if err != nil {
		return nil, err
	}
	s.record = append(s.record, part...)
	if s.inLine = part[len(part)-1] != '\n'; !s.inLine {
		s.nextLine++
		if s.FirstLineLen == 0 && !blank(s.record) {
			s.FirstLineLen = len(s.record)
		}
	}
	return part, nil
}

// part returns the next line, or at most its next most bytes, and moves on.
func (s *Source) part(most int) ([]byte, error) {
	for {
		ahead := s.Buf[s.Lo:]
		if i := bytes.IndexByte(ahead[s.searched:], '\n'); i >= 0 {
			ahead = ahead[:s.searched+i+1]
		} else if s.searched = len(ahead); s.searched < most && s.Err == nil {
			s.fill(bufferSize)
			continue
		}
		part := ahead[:min(most, len(ahead))]
		if len(part) == 0 {
			return nil, s.Err
		}
		s.Lo += len(part)
		s.recordTail += len(part)
		s.searched = 0
		return part, nil
	}
}

// fillLine reads until a complete line lies ahead in the buffer. It reports false at the
// end of the file, at an error of r, and where a line is longer than the buffer.
func (s *Source) fillLine() bool {
	for {
		ahead := s.Buf[s.Lo:]
		if bytes.IndexByte(ahead[s.searched:], '\n') >= 0 {
			return true
		}
		s.searched = len(ahead)
		if s.Err != nil || len(ahead) >= bufferSize {
			return false
		}
		s.fill(bufferSize)
	}
}

// skipBlankLines skips the lines in the buffer that are empty or hold spaces.
func (s *Source) skipBlankLines() {
	size, lines := blankLines(s.Buf[s.Lo:])
	if size == 0 {
		return
	}
	s.Lo += size
	s.recordTail, s.searched = 0, 0
	s.nextLine += lines
	s.Line = s.nextLine
}

// blankLines returns the size and the number of the blank lines that b begins with. They
// are empty or hold spaces, and end with LF or CRLF.
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

// consumeLine makes the first n bytes ahead, one line, the present record.
func (s *Source) consumeLine(n int) {
	s.Lo += n
	s.recordTail, s.searched = 0, 0
	s.Line = s.nextLine
	s.nextLine++
}

// rewind ends the record after the given number of lines and returns the later ones to
// the bytes ahead.
func (s *Source) rewind(lines int) {
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
	if len(rest) <= s.recordTail {
		s.Lo -= len(rest)
		s.recordTail -= len(rest)
		s.searched = 0
	} else {
		s.refill(rest, s.Buf[s.Lo:])
	}
	s.record = s.record[:len(s.record)-len(rest)]
	s.nextLine = s.Line + lines
	s.inLine = false
}

// SkipLine skips the rest of a line that was returned in part.
func (s *Source) SkipLine() error {
	return s.skipWhile(func() bool { return s.inLine })
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

// checkText returns a [*fault.FileError] for a sample that is empty or begins like
// another kind of file.
func checkText(sample []byte) *fault.FileError {
	const unpack, tables = "Unpack it and open the table inside", "Use a table: CSV, Excel, JSON or Parquet"
	kind, advice := "", "Save it as CSV"
	text := bytes.TrimLeft(sample, " \t\r\n")
	start := bytes.ToLower(text[:min(len(text), 16)])
	switch {
	case len(text) == 0:
		return &fault.FileError{Problem: fault.Empty, Line: 1, Column: 1, Message: "the file is empty. Choose one with a header and rows"}
	case prefix(sample, "\x1f\x8b"):
		kind, advice = "a gzip archive", unpack
	case prefix(sample, "PK\x03\x04"):
		kind, advice = "an Excel workbook or a zip archive", "Save the sheet as CSV, or unpack the archive"
	case prefix(sample, "\xd0\xcf\x11\xe0"):
		kind, advice = "an old Excel workbook", "Save the sheet as CSV"
	case len(sample) > 10 && string(sample[:3])+string(sample[4:10]) == "BZh1AY&SY", prefix(sample, "\x1f\x9d"), prefix(sample, "\xfd7zXZ\x00"), prefix(sample, "\x28\xb5\x2f\xfd"):
		kind, advice = "a compressed file", unpack
	case prefix(sample, "PAR1"):
		kind = "a Parquet file"
	case prefix(sample, "SQLite format 3\x00"):
		kind, advice = "an SQLite database", "Export the table as CSV"
	case prefix(sample, "\x89PNG"), prefix(sample, "\xff\xd8\xff"), prefix(sample, "GIF8"), len(sample) > 12 && string(sample[:4])+string(sample[8:12]) == "RIFFWEBP":
		kind, advice = "an image", tables
	case prefix(sample, "%PDF-"):
		kind, advice = "a PDF document", tables
	case prefix(start, "<!doctype"), prefix(start, "<html"), prefix(start, "<?xml"):
		kind, advice = "a web page or XML", "Save the table as CSV"
	default:
		// A stray zero byte spoils its row; many are another format.
		if i := bytes.IndexByte(sample, 0); i >= 0 && 100*bytes.Count(sample, []byte{0}) >= len(sample) {
			line := 1 + bytes.Count(sample[:i], []byte("\n"))
			return &fault.FileError{Problem: fault.OtherType, Line: line, Column: i - bytes.LastIndexByte(sample[:i], '\n'), Found: zeroByte,
				Message: "found a zero byte, so this is no text. Save the table as CSV, or choose its charset"}
		}
		return nil
	}
	return &fault.FileError{Problem: fault.OtherType, Line: 1, Column: 1, Found: kind, Message: message.Sprintf("this is %s. %s", kind, advice)}
}

func prefix(b []byte, s string) bool { return bytes.HasPrefix(b, []byte(s)) }
