package sky

import (
	"errors"
	"io"
	"slices"
	"strings"

	"ifmlab/core/fault"
)

// File is a file of a sky: maps of the TEC in IONEX, or a table of pierce points or of
// Madrigal's line-of-sight TEC. It does not change, so any number of experiments may
// use it at once.
type File struct {
	Description
	Maps   *Maps      // or nil
	Points *Recording // or nil
}

// Kind returns "maps" or "points".
func (f *File) Kind() string {
	if f.Maps != nil {
		return "maps"
	}
	return "points"
}

// Simulated reports whether the simulator has written it.
func (f *File) Simulated() bool { return slices.Contains(f.Notices, simulatedNotice) }

// Read reads a file of either kind, once and as a stream. The file's beginning tells
// which kind it is. Read returns
//   - a [*fault.FileError], with line, column and what to do, for a file that is of
//     neither kind, is cut short or contradicts itself,
//   - a [*fault.TooManyBadRowsError] if more than a tenth of a table's rows are of no use,
//   - a [*fault.ReaderError] if r fails.
//
// It costs O(bytes), and memory for the file's numbers.
func Read(name string, r io.Reader) (*File, error) {
	whole := buffer(r)
	if head, _ := whole.Peek(headLength); isIONEX(head) {
		m, err := readIONEX(name, whole)
		if err != nil {
			return nil, err
		}
		return &File{m.describe(), m, nil}, nil
	}
	p, err := readRecording(name, whole)
	if err != nil {
		return nil, forSky(err)
	}
	return &File{p.describe(), nil, p}, nil
}

// forSky rewrites the error for a file of another type: it asks for a sky instead of
// a table. IONEX files are most often handed out compressed.
func forSky(err error) error {
	bad, ok := errors.AsType[*fault.FileError](err)
	if !ok {
		return err
	}
	if kind, advice, other := strings.Cut(bad.Message, ". "); other && strings.HasPrefix(kind, "this is ") {
		if strings.HasPrefix(advice, "Unpack it") {
			advice = "Unpack it, as gunzip or 7-Zip does, and open the file inside"
		}
		bad.Message = kind + ", not maps of the TEC in IONEX or a table of pierce points. " + advice
	}
	return err
}
