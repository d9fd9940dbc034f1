package fault

import "ifmlab/core/message"

// FileProblem says why a whole file cannot be used.
type FileProblem string

// The problems of a file.
const (
	Empty      FileProblem = "empty"       // no bytes, or only blank lines
	HeaderOnly FileProblem = "header only" // names without rows
	BadHeader  FileProblem = "bad header"  // the first row cannot be read
	OtherType  FileProblem = "other type"  // a known format that is not supported
	TooLarge   FileProblem = "too large"   // more rows than a table holds
	Damaged    FileProblem = "damaged"     // cut short or inconsistent
	Undeclared FileProblem = "undeclared"  // it lacks a declaration that cannot be guessed
)

// FileError says why a file cannot be used at all.
type FileError struct {
	Problem FileProblem
	File    string
	Line    int
	Column  int
	Field   string // the record or the column in question, or ""
	Found   string // what the file holds
	Message string // what was found, what is wanted, what to do
}

func (e *FileError) Error() string { return place(e.File, e.Line, e.Column) + e.Message }

// Kind returns what the page tells errors apart by.
func (*FileError) Kind() string { return "FileError" }

// ReaderError says that an io.Reader failed before the end of the file.
type ReaderError struct {
	File  string
	Bytes int64 // read before the error
	Err   error // of the reader
}

func (e *ReaderError) Error() string {
	return message.Sprintf("%sreading stopped after %d bytes: %v", place(e.File, 0, 0), e.Bytes, e.Err)
}

// Kind returns what the page tells errors apart by.
func (*ReaderError) Kind() string { return "ReaderError" }

// Unwrap returns the error of the reader.
func (e *ReaderError) Unwrap() error { return e.Err }
