package sky

import (
	"bytes"
	"io"

	"ifmlab/core/data"
	"ifmlab/core/message"
)

const (
	ahead    = 64 << 10 // bytes read at once
	longest  = 8 << 10  // bytes of a line of maps
	mostIdle = 100      // reads in a row that return neither bytes nor an error
)

// lines cuts a file into lines that end with LF, CRLF or CR.
type lines struct {
	name  string
	r     io.Reader
	buf   []byte // read and not yet handed out
	err   error
	bytes int64 // read from r
	line  int   // number of the line handed out last
	end   byte  // LF, or CR in a file without LF
	most  int   // bytes of a line, before it is refused
}

// sample reads ahead, and returns what of the file's beginning it has.
func (l *lines) sample() []byte {
	for len(l.buf) < longest && l.err == nil {
		l.fill()
	}
	return l.buf
}

// fill reads once.
func (l *lines) fill() {
	for range mostIdle {
		n := len(l.buf)
		if cap(l.buf)-n < ahead/2 {
			l.buf = append(make([]byte, 0, n+ahead), l.buf...)
		}
		read, err := l.r.Read(l.buf[n:cap(l.buf)])
		l.buf = l.buf[:n+read]
		l.bytes += int64(read)
		l.err = err
		if read > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// next returns the next line without its end, valid until the next call. It
// returns io.EOF after the last, a [*data.ReaderError], and a [*data.FileError]
// for a line that is too long.
func (l *lines) next() ([]byte, error) {
	if l.end == 0 {
		l.end = '\n'
		start := l.sample()
		if bytes.IndexByte(start, '\n') < 0 && bytes.IndexByte(start, '\r') >= 0 {
			l.end = '\r'
		}
		l.buf = bytes.TrimPrefix(l.buf, []byte("\uFEFF"))
	}
	seen := 0
	for {
		if i := bytes.IndexByte(l.buf[seen:], l.end); i >= 0 {
			line := l.buf[:seen+i]
			l.buf = l.buf[seen+i+1:]
			l.line++
			return bytes.TrimSuffix(line, []byte("\r")), nil
		}
		switch seen = len(l.buf); {
		case seen > l.most:
			return nil, &data.FileError{Problem: data.Damaged, File: l.name, Line: l.line + 1, Column: 1, Message: message.Sprintf("the line is longer than %d kB; choose another file", l.most>>10)}
		case l.err == io.EOF && seen == 0:
			return nil, io.EOF
		case l.err == io.EOF:
			line := l.buf
			l.buf = nil
			l.line++
			return bytes.TrimSuffix(line, []byte("\r")), nil
		case l.err != nil:
			return nil, &data.ReaderError{File: l.name, Bytes: l.bytes, Err: l.err}
		}
		l.fill()
	}
}
