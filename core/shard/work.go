package shard

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// Title says what the cells are. Nothing of another title joins them.
type Title struct {
	Sweep   string `json:"sweep"`   // a digest of all that the cells depend on
	Version string `json:"version"` // whose numbers they are
	Cells   int    `json:"cells"`
}

// Work is cells to be done.
type Work struct {
	Title Title
	// Do does a cell. It appends to line, which holds the beginning of a JSON object,
	// the rest of it, from a key to the last brace, without an end of line. It depends
	// on the cell's number alone and may be called by several goroutines at once. Its
	// error ends the run; what is a result, such as a refusal, is told in the line.
	Do func(ctx context.Context, cell int, line []byte) ([]byte, error)
	// Told, if it is not nil, is called after each cell, one call at a time, and once
	// before the first: how many of the part's cells are done.
	Told func(done, all int)
	// Warn, if it is not nil, hears what keeps the run from nothing.
	Warn func(message string)
}

// Run does the cells of a part that the folder has not kept yet, as many at a time as
// there are workers, until all are done or ctx is. It refuses a folder in which a part of
// another N or of another title is, and a part at which another process works.
func (w *Work) Run(ctx context.Context, folder string, p Part, workers int) error {
	if w.Title.Cells > mostCells {
		return fmt.Errorf("these links have %d cells, and a sweep has %d at most; do them in several sweeps", w.Title.Cells, mostCells)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	names, err := parts(folder)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if names[name].N != p.N {
			return fmt.Errorf("%s is there, and this is shard %s; say -shard with its number of parts, or name another folder", filepath.Join(folder, name), p)
		}
	}
	done := make([]bool, w.Title.Cells)
	all, kept := 0, 0
	for cell := range done {
		if p.Has(cell) {
			all++
		}
	}
	j, err := openJournal(folder, p, w, func(cell int) {
		done[cell] = true
		kept++
	})
	if err != nil {
		return err
	}
	defer j.file.Close()
	if w.Told != nil {
		w.Told(kept, all)
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
				cell := int(next.Add(1)) - 1
				if cell >= len(done) {
					return
				}
				if done[cell] || !p.Has(cell) {
					continue
				}
				line = strconv.AppendInt(append(line[:0], opening...), int64(cell), 10)
				var err error
				if line, err = w.Do(stopping, cell, append(line, ',')); err == nil {
					line = append(line, '\n')
					mutex.Lock()
					if err = stopping.Err(); err == nil {
						err = j.add(line)
					}
					if err == nil {
						if kept++; w.Told != nil {
							w.Told(kept, all)
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
