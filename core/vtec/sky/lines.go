package sky

import (
	"bufio"
	"bytes"
	"io"

	"ifmlab/core/fault"
	"ifmlab/core/message"
)

const (
	headLength  = 8 << 10 // bytes that tell the kind of a file
	longestLine = 1 << 20 // bytes; a comment that lists edges is long
)

var byteOrderMark = []byte("\uFEFF")

// buffer returns a reader that can look ahead.
func buffer(r io.Reader) *bufio.Reader {
	if b, ok := r.(*bufio.Reader); ok {
		return b
	}
	return bufio.NewReaderSize(&steady{r: r}, longestLine)
}

// steady is a reader that returns its first error again and again. After that it does
// not read on.
type steady struct {
	r   io.Reader
	err error
}

func (s *steady) Read(b []byte) (n int, err error) {
	if s.err == nil {
		n, s.err = s.r.Read(b)
	}
	return n, s.err
}

// lines cuts a file into lines that end with LF, CRLF or CR.
type lines struct {
	*bufio.Reader
	name  string
	bytes int64 // of the lines so far
	line  int   // the number of the last line
	end   byte  // LF, or CR in a file without LF
}

// next returns the next line without its end, valid until the next call. After the
// last line it returns io.EOF. Other errors are a [*fault.ReaderError], and a
// [*fault.FileError] for a line that is too long.
func (l *lines) next() ([]byte, error) {
	if l.end == 0 {
		l.end = '\n'
		if start, _ := l.Peek(headLength); bytes.IndexByte(start, '\n') < 0 && bytes.IndexByte(start, '\r') >= 0 {
			l.end = '\r'
		}
	}
	line, err := l.ReadSlice(l.end)
	l.bytes += int64(len(line))
	switch {
	case err == bufio.ErrBufferFull:
		return nil, &fault.FileError{Problem: fault.Damaged, File: l.name, Line: l.line + 1, Column: 1, Message: message.Sprintf("the line is longer than %d kB; choose another file", longestLine>>10)}
	case err == io.EOF && len(line) == 0:
		return nil, io.EOF
	case err != nil && err != io.EOF:
		return nil, &fault.ReaderError{File: l.name, Bytes: l.bytes, Err: err}
	}
	if l.line++; l.line == 1 {
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{l.end}), []byte("\r")), nil
}
