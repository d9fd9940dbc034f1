package shard

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
)

// Title identifies a sweep. Cells of different titles are never merged.
type Title struct {
	Sweep   string `json:"sweep"`   // digest of everything that the cells depend on
	Version string `json:"version"` // of the program
	Cells   int    `json:"cells"`
}

// Work is the work of a sweep.
type Work struct {
	Title Title
	// Do runs a cell. It appends the rest of a JSON object to line, from a key to the last
	// brace, without the end of the line. The result depends on the cell's number alone.
	// Several goroutines may call Do at once. An error ends the run. A result such as a
	// refusal belongs in the line.
	Do func(ctx context.Context, cell int, line []byte) ([]byte, error)
	// Progress, if not nil, is called before the first cell and after each with the number of
	// the part's cells that are done. Calls do not overlap.
	Progress func(done, all int)
	// Warn, if not nil, is called with warnings.
	Warn func(message string)
}

// Run runs the cells of a part that are not in the folder yet, as many at a time as there
// are workers, until all are done or ctx ends. It refuses a folder with a part of another
// N or another title, and a part on which another process works.
func (w *Work) Run(ctx context.Context, folder string, p Part, workers int) error {
	if w.Title.Cells > mostCells {
		return fmt.Errorf("these links have %d cells, and a sweep has %d at most; do them in several sweeps", w.Title.Cells, mostCells)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	parts, err := partsIn(folder)
	if err != nil {
		return err
	}
	for _, other := range parts {
		if other.N != p.N {
			return fmt.Errorf("%s is there, and this is shard %s; say -shard with its number of parts, or name another folder", filepath.Join(folder, other.fileName()), p)
		}
	}
	j, lines, err := openJournal(folder, p, w)
	if err != nil {
		return err
	}
	defer j.file.Close()
	var left []int // cells to do
	all := 0
	for cell, line := range lines {
		if !p.Has(cell) {
			continue
		}
		if all++; line.file == nil {
			left = append(left, cell)
		}
	}
	done := all - len(left)
	if w.Progress != nil {
		w.Progress(done, all)
	}
	stopping, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var mutex sync.Mutex
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			var line []byte
			for stopping.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(left) {
					return
				}
				cell := left[i]
				line = strconv.AppendInt(append(line[:0], opening...), int64(cell), 10)
				var err error
				if line, err = w.Do(stopping, cell, append(line, ',')); err == nil {
					line = append(sealed(line), '\n')
					mutex.Lock()
					if err = stopping.Err(); err == nil {
						err = j.add(line)
					}
					if err == nil {
						if done++; w.Progress != nil {
							w.Progress(done, all)
						}
					}
					mutex.Unlock()
				}
				if err != nil {
					stop(err)
					return
				}
			}
		})
	}
	group.Wait()
	if stopping.Err() != nil {
		return context.Cause(stopping)
	}
	return j.file.Sync()
}
