// Package packed extracts the text of a table from a gzip file, a zip archive, an Excel
// workbook (.xlsx) or a Parquet file. web/src/packed does the same for the page, with
// the same text to the byte.
//
// A row of a workbook is on the line of its number, so that the line in an error is the
// row of the sheet. Rows above the table are left out, with a notice. Dates are written
// as 2024-05-31 or 2024-05-31T13:45:00, booleans as true and false, errors of formulas
// as #N/A. Of a Parquet file, every column with one value a row is read to its last
// digit. The other columns are left out, with a notice.
//
// # Why is Parquet read by functions of this package and not by a library?
//
// Of 600 copies of a file, each with one bit flipped, parquet-go and hyparquet disagreed
// on 75, and one copy of another made parquet-go ask for more memory than there is. Here
// and in web/src/packed the same steps in the same order check what they read, so that
// the page and the command read or refuse the same files.
//
// The package is not part of the engine: what unpacks makes a program larger.
package packed

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"

	"ifmlab/core/note"
	"ifmlab/core/spec"
)

// limits are the most bytes to read: text is for the text of a table. held is for what
// is held in memory at once: a file that cannot be streamed, a part of a workbook or a
// column of one row group of a Parquet file.
type limits struct{ text, held int }

var defaultLimits = limits{text: 1 << 31, held: 1 << 29}

// Table is the text of a table. Closing it closes the file.
type Table struct {
	io.ReadCloser
	Name  string     // of the file or the member of an archive, without .gz
	Notes note.Notes // of what was left out; complete once the text has been read to its end

	settings map[string]string
}

// Reading returns s with the settings that the kind of the file determines.
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

// Error says why a file cannot be read. The page shows the same sentence.
type Error struct {
	File    string
	Message string // without a full stop
}

func (e *Error) Error() string { return e.File + ": " + e.Message }

// ChoiceError says that a file has several tables, and that the settings name none of
// them.
type ChoiceError struct {
	File    string
	Message string
	Key     string   // the setting: "member" of an archive, "sheet" of a workbook
	Names   []string // of the tables
}

func (e *ChoiceError) Error() string {
	return e.File + ": " + e.Message + ", as in " + e.Key + "=" + strings.ReplaceAll(e.Names[0], " ", "%20")
}

// Open opens a file. If it has several tables, s.Member or s.Sheet names one. Open
// returns an [*Error] for a file that is missing, damaged or of an unknown kind, and a
// [*ChoiceError] if no table is named. Read returns an [*Error] for damage that is found
// later.
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
	t.ReadCloser = fileCloser{t.ReadCloser, f}
	return t.decode(s.Charset), nil
}

// charsets are those that package csv does not decode. The engine would grow by their
// tables; the page leaves them to the browser.
var charsets = map[string]encoding.Encoding{"windows-1251": charmap.Windows1251, "shift_jis": japanese.ShiftJIS, "gbk": simplifiedchinese.GBK}

// decode makes the text UTF-8 if it is in one of charsets.
func (t *Table) decode(charset string) *Table {
	if from := charsets[charset]; from != nil && t.settings["charset"] == "" {
		t.ReadCloser = struct {
			io.Reader
			io.Closer
		}{from.NewDecoder().Reader(t.ReadCloser), t.ReadCloser}
		t.settings = map[string]string{"charset": "utf-8"}
	}
	return t
}

// New is [Open] for a stream. It holds a zip archive, a workbook or a Parquet file in
// memory.
func New(name string, r io.Reader, s spec.Spec) (*Table, error) {
	t, err := defaultLimits.read(name, r, s)
	if err != nil {
		return nil, err
	}
	return t.decode(s.Charset), nil
}

func (l limits) read(name string, r io.Reader, s spec.Spec) (*Table, error) {
	file, ok := r.(io.Closer)
	if !ok {
		file = io.NopCloser(r)
	}
	buffered := bufio.NewReader(r)
	head, _ := buffered.Peek(8)
	if t := l.stream(name, kindOf(head), buffered); t != nil {
		t.ReadCloser = fileCloser{t.ReadCloser, file}
		return t, nil
	}
	all, err := io.ReadAll(io.LimitReader(buffered, int64(l.held)+1))
	if err != nil {
		return nil, err
	}
	file.Close()
	if len(all) > l.held {
		return nil, &Error{name, large(l.held)}
	}
	return l.open(name, bytes.NewReader(all), int64(len(all)), s, 0)
}

// fileCloser closes a file after the reader of its content.
type fileCloser struct {
	io.ReadCloser
	file io.Closer
}

func (c fileCloser) Close() error {
	c.ReadCloser.Close()
	return c.file.Close()
}

// kindOf tells the kind of a file by its first bytes, "" for text.
func kindOf(head []byte) string {
	for _, kind := range []struct{ signature, name string }{
		{"\x1f\x8b", "gzip"}, {"PK\x03\x04", "zip"}, {"PK\x05\x06", "zip"}, {"PAR1", "parquet"}, {"PARE", "encrypted"}, {"\xd0\xcf\x11\xe0", "compound"},
	} {
		if bytes.HasPrefix(head, []byte(kind.signature)) {
			return kind.name
		}
	}
	return ""
}

// stream returns the table in a file that is read from its beginning, nil for a file
// of another kind.
func (l limits) stream(name, kind string, r io.Reader) *Table {
	switch kind {
	case "":
		return &Table{ReadCloser: io.NopCloser(r), Name: name}
	case "gzip":
		return &Table{ReadCloser: l.gunzip(name, r), Name: gzipSuffix.ReplaceAllString(name, "")}
	}
	return nil
}

var gzipSuffix = regexp.MustCompile(`(?i)\.(gz|gzip|bgz)$`)

// open finds the table in a file. depth counts the archives around it.
func (l limits) open(name string, at io.ReaderAt, size int64, s spec.Spec, depth int) (*Table, error) {
	var head [8]byte
	n, _ := at.ReadAt(head[:], 0)
	kind, whole := kindOf(head[:n]), io.NewSectionReader(at, 0, size)
	switch kind {
	case "parquet":
		return l.openParquet(name, at, size)
	case "encrypted":
		return nil, &Error{name, lockedParquet}
	case "compound":
		encrypted, err := contains(whole, encryptedPackage)
		if err != nil {
			return nil, err
		}
		if encrypted {
			return nil, &Error{name, lockedWorkbook}
		}
		return nil, &Error{name, oldWorkbook}
	case "zip":
		return l.openZip(name, at, size, s, depth)
	}
	return l.stream(name, kind, whole), nil
}

// encryptedPackage is in the directory of a compound file that is a workbook with a
// password, in UTF-16.
var encryptedPackage = []byte(strings.Join(strings.Split("EncryptedPackage", ""), "\x00") + "\x00")

// contains reports whether r holds some bytes.
func contains(r io.Reader, wanted []byte) (bool, error) {
	buf := make([]byte, 0, 1<<20)
	for {
		n, err := io.ReadFull(r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if bytes.Contains(buf, wanted) {
			return true, nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		buf = buf[:copy(buf, buf[len(buf)-len(wanted):])]
	}
}
