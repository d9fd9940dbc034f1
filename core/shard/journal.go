package shard

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	opening   = `{"cell":` // of a cell's line
	longest   = 1 << 20    // bytes of a line
	mostCells = 1 << 26    // of a sweep; a title with more is damaged
)

// head is the title of a part's file.
type head struct {
	Title
	Shard int `json:"shard"`
	Of    int `json:"of"`
}

// fileName returns the name of a part's file.
func (p Part) fileName() string { return strconv.Itoa(p.I) + "-of-" + strconv.Itoa(p.N) + ".jsonl" }

// partsIn returns the parts that have files in a folder, by N and I. A name that is almost
// that of a part, such as the name of a copy, is an error. Other files are passed over.
func partsIn(folder string) (parts []Part, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		text, is := strings.CutSuffix(entry.Name(), ".jsonl")
		if !is || !strings.Contains(text, "-of-") {
			continue
		}
		p, err := Parse(strings.Replace(text, "-of-", "/", 1))
		if err != nil || entry.Name() != p.fileName() {
			return nil, fmt.Errorf("%s: the name is of no part, which have 1-of-8.jsonl and so on; move the file elsewhere", filepath.Join(folder, entry.Name()))
		}
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Or(a.N-b.N, a.I-b.I) })
	return parts, nil
}

// index knows the place of each cell's line.
type index struct {
	title *Title // all files have it; nil: the first file's
	lines []place
}

// place is where a line is.
type place struct {
	file   *os.File // nil: nowhere
	at     int64
	length int32 // without its sum and the last brace
}

// add reads and checks a part's file. It returns the size of the whole lines, which is 0 if
// even the title is unfinished.
func (x *index) add(file *os.File, p Part) (size int64, err error) {
	lines := bufio.NewReaderSize(io.NewSectionReader(file, 0, 1<<62), longest)
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		wrong := func(format string, args ...any) (int64, error) {
			return 0, fmt.Errorf("%s:%d: "+format, append([]any{file.Name(), number}, args...)...)
		}
		switch {
		case err == io.EOF:
			return size, nil
		case err == bufio.ErrBufferFull:
			return wrong("the line is longer than a megabyte; delete it, and its cell is done again")
		case err != nil:
			return 0, err
		}
		body := line[:len(line)-1]
		if number == 1 {
			if err := x.check(file.Name(), p, body); err != nil {
				return 0, err
			}
		} else {
			cell, ok := cellOf(body)
			switch {
			case !ok:
				return wrong("the line is damaged: it begins %.40q; delete it, and its cell is done again", body)
			case !bytes.HasSuffix(body, sum(body[:max(0, len(body)-len(sum(nil)))])):
				return wrong("cell %d has changed since it was written; delete the line, and its cell is done again", cell)
			case cell >= len(x.lines) || !p.Has(cell):
				return wrong("cell %d is none of shard %s; delete the line", cell, p)
			case x.lines[cell].file != nil:
				return wrong("cell %d is there twice; delete one of its lines", cell)
			}
			x.lines[cell] = place{file, size, int32(len(body) - len(sum(nil)))}
		}
		size += int64(len(line))
	}
}

// check checks the title of a part's file.
func (x *index) check(name string, p Part, line []byte) error {
	var h head
	if json.Unmarshal(line, &h) != nil || h.Sweep == "" || h.Of < 1 || h.Shard < 1 || h.Shard > h.Of || h.Cells < 0 || h.Cells > mostCells {
		return foreign(name)
	}
	if x.title == nil {
		x.title = &h.Title
	}
	switch want := x.title; {
	case h.Shard != p.I || h.Of != p.N:
		return fmt.Errorf("%s:1: the file holds shard %d/%d, not %s as its name says; give it its name, %s", name, h.Shard, h.Of, p, Part{h.Shard, h.Of}.fileName())
	case h.Version != want.Version:
		return fmt.Errorf("%s:1: the file is of version %s, this is of %s, and their numbers may differ; name another folder, or run that version", name, h.Version, want.Version)
	case h.Title != *want:
		return fmt.Errorf("%s:1: the file is of another sweep (%d cells, %.8s; here are %d, %.8s); name another folder, or give the links it was made of", name, h.Cells, h.Sweep, want.Cells, want.Sweep)
	}
	if x.lines == nil {
		x.lines = make([]place, h.Cells)
	}
	return nil
}

// foreign returns the error for a file that no sweep has written.
func foreign(name string) error {
	return fmt.Errorf("%s:1: the file is none of a sweep; name another folder", name)
}

// sum returns the end of a cell's line: a checksum of what is before it, and the last brace.
func sum(line []byte) []byte {
	return fmt.Appendf(nil, `,"sum":"%08x"}`, crc32.Checksum(line, castagnoli))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealed returns a cell's line with its sum in front of the last brace.
func sealed(line []byte) []byte {
	line = line[:len(line)-1]
	return append(line, sum(line)...)
}

// cellOf returns the number of a line's cell. ok is false for a damaged line.
func cellOf(line []byte) (cell int, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(opening))
	digits, _, found := bytes.Cut(rest, []byte(","))
	cell, err := strconv.Atoi(string(digits))
	return cell, ok && found && err == nil && cell >= 0 && json.Valid(line)
}

// journal is a part's file that is open for writing.
type journal struct {
	file *os.File
	size int64 // of the whole lines
}

// openJournal opens or creates the file of a part and returns the lines that it has. An
// unfinished last line, of a process that was killed, is cut off.
func openJournal(folder string, p Part, w *Work) (*journal, []place, error) {
	name := filepath.Join(folder, p.fileName())
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, nil, err
	}
	j, found := &journal{file: file}, index{title: &w.Title, lines: make([]place, w.Title.Cells)}
	if err := j.begin(p, w, &found); err != nil {
		file.Close()
		return nil, nil, err
	}
	return j, found.lines, nil
}

func (j *journal) begin(p Part, w *Work, found *index) error {
	name := j.file.Name()
	switch err := lock(j.file); {
	case errors.Is(err, errTaken):
		return fmt.Errorf("%s: another process works on this shard; wait for it, or end it", name)
	case err != nil && w.Warn != nil:
		w.Warn(fmt.Sprintf("%s: this file system cannot lock (%v); see to it that no other process works on this shard", name, err))
	}
	title, err := json.Marshal(head{w.Title, p.I, p.N})
	if err != nil {
		return err
	}
	title = append(title, '\n')
	if j.size, err = found.add(j.file, p); err != nil {
		return err
	}
	if j.size > 0 {
		return j.file.Truncate(j.size)
	}
	torn := make([]byte, len(title))
	n, _ := j.file.ReadAt(torn, 0)
	if !bytes.HasPrefix(title, bytes.TrimRight(torn[:n], "\x00")) {
		return foreign(name)
	}
	if err := j.file.Truncate(0); err != nil {
		return err
	}
	return j.add(title)
}

// add appends a line with one call, and takes it back if that fails.
func (j *journal) add(line []byte) error {
	if _, err := j.file.Write(line); err != nil {
		return errors.Join(fmt.Errorf("%w; what was done before is kept; mend that and start again", err), j.file.Truncate(j.size))
	}
	j.size += int64(len(line))
	return nil
}
