// Package packed finds the text of a table in a file that holds it packed: by gzip
// or zip, as an Excel workbook (.xlsx), or as Parquet. The page does the same in its
// worker, by web/src/packed, and the text is the same to the byte.
//
// A workbook's rows stand on the lines of their numbers, so that an error's line is
// the sheet's row; rows above the table are left out, which is told. Dates are
// written as 2024-05-31 or 2024-05-31T13:45:00, truths as true and false, errors of
// formulas as #N/A. Of a Parquet file all columns with one value a row are read, to
// their last digit; the others are left out, which is told.
//
// It stands outside the engine: it imports [github.com/parquet-go/parquet-go], which
// makes a program 4 MB larger.
package packed

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ifmlab/core/spec"
)

// most are the most bytes that are read: of text that one file unpacks to, and of what
// is held at once, a file in an archive that cannot be streamed, a part of a workbook,
// a column of Parquet's row group.
type limits struct{ text, held int }

var defaultLimits = limits{text: 1 << 31, held: 1 << 29}

// Table is the text of a table. Closing it closes the file.
type Table struct {
	io.ReadCloser
	Name string // the file's, or that of the file in it, without the ending of what it was packed by

	settings map[string]string
	notices  []string
}

// Reading returns s with the settings of reading that the kind of the file leaves no
// choice of.
func (t *Table) Reading(s spec.Spec) spec.Spec {
	for key, value := range t.settings {
		switch key {
		case "separator":
			s.Separator = value
		case "header":
			s.Header = value
		case "charset":
			s.Charset = value
		}
	}
	return s
}

// Notices returns what was left out, as sentences. They are complete once the text has
// been read to its end.
func (t *Table) Notices() []string { return t.notices }

// Error says why a file cannot be read: the sentence that the page shows.
type Error struct {
	File    string
	Message string // without a full stop
}

func (e *Error) Error() string { return e.File + ": " + e.Message }

// ChoiceError says that a file has several tables, and that none of them was asked for
// that is there.
type ChoiceError struct {
	File    string
	Message string
	Key     string   // the setting that names one: "member" of an archive, "sheet" of a workbook
	Names   []string // of the tables
}

func (e *ChoiceError) Error() string {
	return e.File + ": " + e.Message + ", as in " + e.Key + "=" + strings.ReplaceAll(e.Names[0], " ", "%20")
}

// Open opens a file. Of s the settings Member and Sheet say which of several tables in
// it is meant. It returns an [*Error] for a file that is none, or packed in a way that is not
// known here or damaged, and a [*ChoiceError] for one with several tables; what is
// found to be damaged later is an [*Error] of Read.
func Open(path string, s spec.Spec) (*Table, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{path, "there is no such file; give the path of one"}
	case errors.Is(err, fs.ErrPermission):
		return nil, &Error{path, "you may not read this file; ask for the right to read it, or choose another"}
	case err != nil:
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	if info.IsDir() {
		f.Close()
		return nil, &Error{path, "this is a folder; give the path of a file in it"}
	}
	if !info.Mode().IsRegular() {
		return New(filepath.Base(path), f, s)
	}
	t, err := defaultLimits.open(filepath.Base(path), f, info.Size(), s, 0)
	if err != nil {
		f.Close()
		return nil, err
	}
	t.ReadCloser = both{t.ReadCloser, f}
	return t, nil
}

// New is [Open] for what can be read once. A zip archive, a workbook and a Parquet file
// are held as a whole.
func New(name string, r io.Reader, s spec.Spec) (*Table, error) {
	return defaultLimits.read(name, r, s)
}

func (l limits) read(name string, r io.Reader, s spec.Spec) (*Table, error) {
	buffered := bufio.NewReader(r)
	head, _ := buffered.Peek(8)
	kind := kindOf(head)
	if kind == "gzip" || kind == "" {
		t, err := l.open(name, buffered, -1, s, 0)
		if c, ok := r.(io.Closer); ok && err == nil {
			t.ReadCloser = both{t.ReadCloser, c}
		}
		return t, err
	}
	all, err := io.ReadAll(io.LimitReader(buffered, int64(l.held)+1))
	if err != nil {
		return nil, err
	}
	if c, ok := r.(io.Closer); ok {
		c.Close()
	}
	if len(all) > l.held {
		return nil, &Error{name, large(l.held)}
	}
	return l.open(name, bytes.NewReader(all), int64(len(all)), s, 0)
}

// both closes what is read and what that is read from.
type both struct {
	io.ReadCloser
	file io.Closer
}

func (b both) Close() error {
	b.ReadCloser.Close()
	return b.file.Close()
}

// kindOf tells by its first bytes how a file is packed.
func kindOf(head []byte) string {
	for _, kind := range []struct{ begins, name string }{
		{"\x1f\x8b", "gzip"}, {"PK\x03\x04", "zip"}, {"PK\x05\x06", "zip"}, {"PAR1", "parquet"}, {"PARE", "locked"}, {"\xd0\xcf\x11\xe0", "old"},
	} {
		if bytes.HasPrefix(head, []byte(kind.begins)) {
			return kind.name
		}
	}
	return ""
}

// deepest is how many archives may be in each other.
const deepest = 2

// open finds a table in a file of so many bytes. One that is an [io.ReaderAt] is read
// from its beginning.
func (l limits) open(name string, r io.Reader, size int64, s spec.Spec, depth int) (*Table, error) {
	at, random := r.(io.ReaderAt)
	if !random {
		b := r.(*bufio.Reader)
		if head, _ := b.Peek(8); kindOf(head) == "gzip" {
			return text(ungzipped(name), l.gunzip(name, b)), nil
		}
		return text(name, io.NopCloser(b)), nil
	}
	var head [8]byte
	n, _ := at.ReadAt(head[:], 0)
	whole := io.NewSectionReader(at, 0, size)
	switch kindOf(head[:n]) {
	case "gzip":
		return text(ungzipped(name), l.gunzip(name, whole)), nil
	case "parquet":
		return l.openParquet(name, at, size)
	case "locked":
		return nil, &Error{name, lockedParquet}
	case "old":
		locked, err := holds(whole, encryptedPackage)
		if err != nil {
			return nil, err
		}
		if locked {
			return nil, &Error{name, lockedWorkbook}
		}
		return nil, &Error{name, oldWorkbook}
	case "zip":
		return l.openZip(name, at, size, s, depth)
	}
	return text(name, io.NopCloser(whole)), nil
}

func text(name string, r io.ReadCloser) *Table { return &Table{ReadCloser: r, Name: name} }

func ungzipped(name string) string {
	for _, ending := range []string{".gz", ".gzip", ".bgz"} {
		if cut := len(name) - len(ending); cut >= 0 && strings.EqualFold(name[cut:], ending) {
			return name[:cut]
		}
	}
	return name
}

// encryptedPackage is what a compound file has in its directory that is a workbook
// behind a password, in UTF-16.
var encryptedPackage = []byte(strings.Join(strings.Split("EncryptedPackage", ""), "\x00") + "\x00")

// holds reports whether bytes are anywhere in r.
func holds(r io.Reader, sign []byte) (bool, error) {
	buf := make([]byte, 0, 1<<20)
	for {
		n, err := io.ReadFull(r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if bytes.Contains(buf, sign) {
			return true, nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		buf = buf[:copy(buf, buf[len(buf)-len(sign):])]
	}
}
