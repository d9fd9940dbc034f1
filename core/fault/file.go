package fault

import "ifmlab/core/message"

// FileProblem names what makes a whole file unusable.
type FileProblem string

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

// ReaderError says that the file could not be read to its end.
type ReaderError struct {
	File  string
	Bytes int64 // read before
	Err   error // of the reader
}

func (e *ReaderError) Error() string {
	return message.Sprintf("%sreading stopped after %d bytes: %v", place(e.File, 0, 0), e.Bytes, e.Err)
}

// Unwrap returns the error of the reader.
func (e *ReaderError) Unwrap() error { return e.Err }
