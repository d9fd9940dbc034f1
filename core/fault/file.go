package fault

import "ifmlab/core/message"

// FileProblem names what makes a whole file unusable.
type FileProblem string

// The problems of a file.
const (
	Empty      FileProblem = "empty"       // no bytes, or only blank lines
	HeaderOnly FileProblem = "header only" // names without rows
	BadHeader  FileProblem = "bad header"  // the first row cannot be read
	OtherType  FileProblem = "other type"  // a format that is recognised and not read
	TooLarge   FileProblem = "too large"   // more rows than a table holds
	Damaged    FileProblem = "damaged"     // cut short, or in contradiction with itself
	Undeclared FileProblem = "undeclared"  // it leaves open what cannot be guessed
)

// FileError says why a file cannot be read at all.
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

// ReaderError says that the file could not be read to its end.
type ReaderError struct {
	File  string
	Bytes int64 // read before
	Err   error // of the reader
}

func (e *ReaderError) Error() string {
	return message.Sprintf("%sreading stopped after %d bytes: %v", place(e.File, 0, 0), e.Bytes, e.Err)
}

// Kind returns what the page tells errors apart by.
func (*ReaderError) Kind() string { return "ReaderError" }

// Unwrap returns the error of the reader.
func (e *ReaderError) Unwrap() error { return e.Err }
