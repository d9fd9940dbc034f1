package shard

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// MissingError says which cells a folder has not kept.
type MissingError struct {
	Folder  string
	Missing int
	First   int // the first of them
	Cells   int
	Parts   []int // that they are of
	Of      int
}

func (e *MissingError) Error() string {
	verb := "are"
	if e.Missing == 1 {
		verb = "is"
	}
	text := fmt.Sprintf("%s: %d of %d cells %s missing, the first is cell %d; ", e.Folder, e.Missing, e.Cells, verb, e.First)
	const again = " again with the same links and folder"
	list := ranges(e.Parts)
	switch {
	case e.Of == 1:
		return text + "run the sweep" + again + ": what is done is not repeated"
	case len(e.Parts) == 1:
		text += fmt.Sprintf("part %s of %d has them. Run that part"+again, list, e.Of)
	default:
		text += fmt.Sprintf("parts %s of %d have them. Run those parts"+again, list, e.Of)
	}
	return text + fmt.Sprintf(", and -shard %d/%d: what is done is not repeated. On SLURM: sbatch --array=%s, with -shard $SLURM_ARRAY_TASK_ID/%d in the script", e.Parts[0], e.Of, list, e.Of)
}

// ranges writes ascending numbers as SLURM reads them: 1,3-5.
func ranges(numbers []int) string {
	var b strings.Builder
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(numbers[i]))
		if last > i {
			b.WriteString("-" + strconv.Itoa(numbers[last]))
		}
		i = last + 1
	}
	return b.String()
}

// Gather checks the files of all parts in a folder against each other and, if want is
// not nil, against it. It then calls each for the title and, in the order of cells, for
// every line, with a cell of −1 for the title; a line holds until the call ends. Where
// cells are missing nothing is called, and the error is a [*MissingError]. A last line
// without an end is missing. It takes some 40 bytes of memory a cell.
func Gather(folder string, want *Title, each func(cell int, line []byte) error) error {
	names, err := parts(folder)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("%s holds no results; run the sweep first, or name the folder of its -out", folder)
	}
	order := slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(names[a].N-names[b].N, names[a].I-names[b].I)
	})
	of := names[order[0]].N
	if other := names[order[len(order)-1]].N; other != of {
		return fmt.Errorf("%s holds parts of %d and of %d; move those of one number elsewhere", folder, of, other)
	}
	type place struct {
		at           int64
		file, length int32
	}
	var places []place
	var title *head
	files := make([]*os.File, len(order))
	for i, name := range order {
		p, name := names[name], filepath.Join(folder, name)
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		files[i] = file
		type line struct {
			cell int
			place
		}
		var lines []line
		h, _, err := read(file, name, func(cell int, at int64, text []byte) error {
			lines = append(lines, line{cell, place{at, int32(i), int32(len(text))}})
			return nil
		})
		if err != nil {
			return err
		}
		if h == nil { // killed before it had a title
			continue
		}
		if want == nil {
			want = &h.Title
		}
		if err := h.check(name, p, want); err != nil {
			return err
		}
		if title = h; places == nil {
			places = make([]place, h.Cells)
		}
		for _, l := range lines {
			places[l.cell] = l.place
		}
	}
	if title == nil {
		return fmt.Errorf("%s holds files without a whole line; run the sweep again", folder)
	}
	missing := MissingError{Folder: folder, First: -1, Cells: len(places), Of: of}
	found := map[int]bool{}
	for cell, p := range places {
		if p.length > 0 {
			continue
		}
		if missing.Missing++; missing.First < 0 {
			missing.First = cell
		}
		found[partOf(cell, of)] = true
	}
	if missing.Missing > 0 {
		for i := range found {
			missing.Parts = append(missing.Parts, i)
		}
		slices.Sort(missing.Parts)
		return &missing
	}
	head, err := json.Marshal(*want)
	if err != nil {
		return err
	}
	if err := each(-1, head); err != nil {
		return err
	}
	var buffer []byte
	for cell, p := range places {
		buffer = slices.Grow(buffer[:0], int(p.length))[:p.length]
		if _, err := files[p.file].ReadAt(buffer, p.at); err != nil {
			return errors.Join(fmt.Errorf("%s: the line of cell %d can be read no more", order[p.file], cell), err)
		}
		if err := each(cell, buffer); err != nil {
			return err
		}
	}
	return nil
}
