package shard

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// MissingError says which cells of a sweep are missing.
type MissingError struct {
	Folder  string
	Missing int
	First   int // the first missing cell
	Cells   int
	Parts   []int // with missing cells
	Of      int   // parts
}

func (e *MissingError) Error() string {
	verb := "are"
	if e.Missing == 1 {
		verb = "is"
	}
	run := "the sweep"
	switch {
	case e.Of > 1 && len(e.Parts) == 1:
		run = fmt.Sprintf("part %d of %d", e.Parts[0], e.Of)
	case e.Of > 1:
		run = fmt.Sprintf("parts %s of %d", ranges(e.Parts), e.Of)
	}
	return fmt.Sprintf("%s: %d of %d cells %s missing, the first is cell %d. Run %s again with the same links and folder; what is done is not repeated.", e.Folder, e.Missing, e.Cells, verb, e.First, run)
}

// ranges writes ascending numbers in the form of a SLURM array: 1,3-5.
func ranges(numbers []int) string {
	var all []string
	for i := 0; i < len(numbers); i++ {
		first := i
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		text := strconv.Itoa(numbers[first])
		if i > first {
			text += "-" + strconv.Itoa(numbers[i])
		}
		all = append(all, text)
	}
	return strings.Join(all, ",")
}

// Gather checks the files of all parts in a folder against each other. It then calls each
// for the title, with a cell of −1, and for the line of every cell in order. A line is
// valid during the call. If cells are missing, Gather calls nothing and returns a
// [*MissingError]. An unfinished last line counts as missing. It takes about 40 bytes of
// memory a cell.
func Gather(folder string, each func(cell int, line []byte) error) error {
	parts, err := partsIn(folder)
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		return fmt.Errorf("%s holds no results; run the sweep first, or name the folder of its -out", folder)
	}
	of := parts[0].N
	if other := parts[len(parts)-1].N; other != of {
		return fmt.Errorf("%s holds parts of %d and of %d; move those of one number elsewhere", folder, of, other)
	}
	var found index
	for _, p := range parts {
		file, err := os.Open(filepath.Join(folder, p.fileName()))
		if err != nil {
			return err
		}
		defer file.Close()
		if _, err := found.add(file, p); err != nil {
			return err
		}
	}
	if found.title == nil {
		return fmt.Errorf("%s holds files without a whole line; run the sweep again", folder)
	}
	missing := MissingError{Folder: folder, Cells: len(found.lines), Of: of}
	lacks := make([]bool, of+1)
	for cell, l := range found.lines {
		if l.file != nil {
			continue
		}
		if missing.Missing++; missing.Missing == 1 {
			missing.First = cell
		}
		lacks[partOf(cell, of)] = true
	}
	for i, yes := range lacks {
		if yes {
			missing.Parts = append(missing.Parts, i)
		}
	}
	if missing.Missing > 0 {
		return &missing
	}
	title, err := json.Marshal(found.title)
	if err != nil {
		return err
	}
	if err := each(-1, title); err != nil {
		return err
	}
	buffer := make([]byte, longest+1)
	for cell, l := range found.lines {
		line := buffer[:l.length]
		if _, err := l.file.ReadAt(line, l.at); err != nil {
			return fmt.Errorf("%s: the line of cell %d can no longer be read: %w", l.file.Name(), cell, err)
		}
		if err := each(cell, append(line, '}')); err != nil {
			return err
		}
	}
	return nil
}
