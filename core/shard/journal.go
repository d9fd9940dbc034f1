package shard

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// opening is how the line of a cell begins.
const opening = `{"cell":`

// head is the first line of a part's file.
type head struct {
	Title
	Shard int `json:"shard"`
	Of    int `json:"of"`
}

// journal is the file of a part.
type journal struct {
	file *os.File
	size int64 // of its whole lines
}

// parts returns the files of parts in a folder, and an error for one whose name is nearly
// that of a part, such as a copy's. Others are none of ours.
func parts(folder string) (map[string]Part, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	found := map[string]Part{}
	for _, entry := range entries {
		if text, is := strings.CutSuffix(entry.Name(), ".jsonl"); is && strings.Contains(text, "-of-") {
			p, err := Parse(strings.Replace(text, "-of-", "/", 1))
			if err != nil || entry.Name() != fileOf(p) {
				return nil, fmt.Errorf("%s: the name is of no part, which have 1-of-8.jsonl and so on; move the file elsewhere", filepath.Join(folder, entry.Name()))
			}
			found[entry.Name()] = p
		}
	}
	return found, nil
}

func fileOf(p Part) string { return strconv.Itoa(p.I) + "-of-" + strconv.Itoa(p.N) + ".jsonl" }

// openJournal opens the file of a part, or begins it, and tells of every cell that it
// has. A last line without an end was being written when its process was killed, and is
// cut off.
func openJournal(folder string, p Part, w *Work, has func(cell int)) (*journal, error) {
	name := filepath.Join(folder, fileOf(p))
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	j := &journal{file: file}
	if err := j.begin(name, p, w, has); err != nil {
		file.Close()
		return nil, err
	}
	return j, nil
}

func (j *journal) begin(name string, p Part, w *Work, has func(cell int)) error {
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
	found, size, err := read(j.file, name, func(cell int, at int64, line []byte) error {
		has(cell)
		return nil
	})
	if found == nil && err == nil { // not even the title is whole
		torn := make([]byte, len(title))
		n, _ := j.file.ReadAt(torn, 0)
		if !bytes.HasPrefix(title, bytes.TrimRight(torn[:n], "\x00")) {
			return noneOfOurs(name)
		}
	}
	if err == nil && found != nil {
		err = found.check(name, p, &w.Title)
	}
	if err != nil {
		return err
	}
	if err := j.file.Truncate(size); err != nil {
		return err
	}
	if j.size = size; size == 0 {
		return j.add(title)
	}
	return nil
}

// add appends a line by one call. Where that fails, the line is taken back.
func (j *journal) add(line []byte) error {
	if _, err := j.file.Write(line); err != nil {
		return errors.Join(fmt.Errorf("%w; what was done before is kept; mend that and start again", err), j.file.Truncate(j.size))
	}
	j.size += int64(len(line))
	return nil
}

func noneOfOurs(name string) error {
	return fmt.Errorf("%s:1: the file is none of a sweep; name another folder", name)
}

// check says what a title has that another part's would not.
func (h *head) check(name string, p Part, want *Title) error {
	switch {
	case h.Shard != p.I || h.Of != p.N:
		return fmt.Errorf("%s:1: the file holds shard %d/%d, not %s as its name says; give it its name, %s", name, h.Shard, h.Of, p, fileOf(Part{h.Shard, h.Of}))
	case h.Version != want.Version:
		return fmt.Errorf("%s:1: the file is of version %s, this is of %s, and their numbers may differ; name another folder, or run that version", name, h.Version, want.Version)
	case h.Sweep != want.Sweep || h.Cells != want.Cells:
		return fmt.Errorf("%s:1: the file is of another sweep (%d cells, %.8s; here are %d, %.8s); name another folder, or give the links it was made of", name, h.Cells, h.Sweep, want.Cells, want.Sweep)
	}
	return nil
}

const longest = 1 << 20 // bytes of a line

// mostCells is how many a sweep may have: where each of them is takes 40 bytes. A title
// that says more is damaged.
const mostCells = 1 << 26

// read reads the whole lines of a part's file: its title, nil if there is none, and the
// cells with the place of each. size is theirs.
func read(file io.ReaderAt, name string, each func(cell int, at int64, line []byte) error) (title *head, size int64, err error) {
	lines := bufio.NewReaderSize(io.NewSectionReader(file, 0, 1<<62), longest)
	var seen []bool
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		wrong := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: "+format, append([]any{name, number}, args...)...)
		}
		switch {
		case err == io.EOF: // a torn line is none
			return title, size, nil
		case err == bufio.ErrBufferFull:
			return nil, 0, wrong("the line is longer than a megabyte; delete it, and its cell is done again")
		case err != nil:
			return nil, 0, err
		}
		body := line[:len(line)-1]
		if number == 1 {
			title = new(head)
			if json.Unmarshal(body, title) != nil || title.Sweep == "" || title.Of < 1 || title.Shard < 1 || title.Shard > title.Of || title.Cells < 0 || title.Cells > mostCells {
				return nil, 0, noneOfOurs(name)
			}
			seen = make([]bool, title.Cells)
		} else {
			cell, ok := cellOf(body)
			switch {
			case !ok:
				return nil, 0, wrong("the line is damaged: it begins %.40q; delete it, and its cell is done again", body)
			case cell >= title.Cells || !(Part{title.Shard, title.Of}).Has(cell):
				return nil, 0, wrong("cell %d is none of shard %d/%d; delete the line", cell, title.Shard, title.Of)
			case seen[cell]:
				return nil, 0, wrong("cell %d is there twice; delete one of its lines", cell)
			}
			seen[cell] = true
			if err := each(cell, size, body); err != nil {
				return nil, 0, err
			}
		}
		size += int64(len(line))
	}
}

// cellOf returns the number of a line's cell, if the line is whole.
func cellOf(line []byte) (cell int, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(opening))
	digits, _, found := bytes.Cut(rest, []byte(","))
	cell, err := strconv.Atoi(string(digits))
	return cell, ok && found && err == nil && cell >= 0 && json.Valid(line)
}
