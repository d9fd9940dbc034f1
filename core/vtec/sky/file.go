package sky

import (
	"errors"
	"io"
	"slices"
	"strings"

	"ifmlab/core/data"
)

// File is a file of a sky: maps of the TEC in IONEX, or a table of pierce points or of
// Madrigal's line-of-sight TEC. It
// does not change, so any number of experiments may use it at once.
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
func (f *File) Simulated() bool { return slices.Contains(f.Notices, wasSimulated) }

// Read reads a file of either kind, once and as a stream, and tells which it is by
// what stands at the beginning. It returns a [*data.FileError], with line, column and
// what to do, for a file that is of neither kind, cut short, or contradicts itself; a
// [*data.TooManyBadRowsError] if more than a tenth of the rows of a table cannot be
// used; and a [*data.ReaderError] where r fails. It costs O(bytes), and of memory what
// the file takes as numbers.
func Read(name string, r io.Reader) (*File, error) {
	head := make([]byte, 4096)
	n, idle := 0, 0
	var err error
	for n < len(head) && err == nil {
		var k int
		k, err = r.Read(head[n:])
		n += k
		if idle++; k > 0 {
			idle = 0
		} else if idle == mostIdle && err == nil {
			err = io.ErrNoProgress
		}
	}
	head = head[:n]
	whole := &prefixed{head, err, r}
	if isIONEX(head) {
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

// forSky returns the error with what is wanted of a sky in place of a table, where
// the file is of a type that is none. IONEX files are most often handed out
// compressed.
func forSky(err error) error {
	bad, ok := errors.AsType[*data.FileError](err)
	if !ok {
		return err
	}
	if is, advice, other := strings.Cut(bad.Message, "a table of text; "); other {
		if unpack, _, packed := strings.Cut(advice, " and drop the table inside"); packed {
			advice = unpack + ", as gunzip or 7-Zip does, and open the file inside"
		}
		bad.Message = is + "maps of the TEC in IONEX or a table of pierce points; " + advice
	}
	return err
}

// prefixed is a reader whose first bytes have been read, up to an error if there
// was one.
type prefixed struct {
	head []byte
	err  error
	rest io.Reader
}

func (p *prefixed) Read(b []byte) (int, error) {
	if len(p.head) > 0 {
		n := copy(b, p.head)
		p.head = p.head[n:]
		return n, nil
	}
	if p.err != nil {
		return 0, p.err
	}
	return p.rest.Read(b)
}
