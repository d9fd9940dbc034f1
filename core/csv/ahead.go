package csv

import (
	"unsafe"

	"ifmlab/core/cell"
	"ifmlab/core/kernel"
)

// ahead holds lines of the buffer that package kernel has cut in one call, which is
// several times as fast as a line at a time in Go, in WebAssembly. Lines that are not
// of the usual kind are left to quickScanner.cut, which makes the same of all others.
type ahead struct {
	how   kernel.Lines
	cells kernel.Cells
	base  int // where the first of them stands in the buffer
	at    int // where the present one does, from base
	lines int
	next  int

	missed int // calls in a row that cut nothing
	rest   int // lines before the next call: a file may have unusual ones only
}

// Bounds on lines that are cut ahead: so that they stay in a cache, and how long the
// kernel is left alone with a file that is not for it.
const (
	cellsAhead = 4096
	linesAhead = 512
	mostRest   = 32
)

var tens = func() (t kernel.Tens) {
	t.Floats, t.Words = cell.Pow10, cell.Integers
	for i, p := range cell.Powers {
		t.Powers[i] = kernel.Power{Head: p.Head, Shift: int64(p.Shift)}
	}
	return t
}()

// cutAhead cuts the lines that lie ahead in the buffer. It reports whether there is one.
func (s *QuickScanner) cutAhead() bool {
	a := &s.ahead
	if !kernel.CutsLines {
		return false
	}
	if a.rest > 0 {
		a.rest--
		return false
	}
	columns := len(s.cells)
	if len(a.how.Wanted) != columns {
		lines := min(max(1, cellsAhead/columns), linesAhead)
		a.cells = kernel.Cells{Numbers: make([]float64, lines*columns), From: make([]int32, lines*columns), To: make([]int32, lines*columns), Sizes: make([]int32, lines), Texts: make([]int32, lines)}
	}
	a.how = kernel.Lines{Sep: s.sep, Point: s.point, Comments: s.comments, Wanted: s.wanted, Tens: &tens}
	a.base, a.at, a.next = s.src.Lo, 0, 0
	a.lines = kernel.CutLines(s.src.Buf[a.base:], &a.how, &a.cells)
	if a.lines == 0 {
		a.missed++
		a.rest = min(a.missed-1, mostRest)
		return false
	}
	a.missed = 0
	return true
}

// take makes the next line that was cut ahead the present row.
func (s *QuickScanner) take() {
	a, columns := &s.ahead, len(s.cells)
	line := a.next
	lo := line * columns
	s.numbers = a.cells.Numbers[lo : lo+columns]
	from, to := a.cells.From[lo:lo+columns], a.cells.To[lo:lo+columns]
	if a.cells.Texts[line] > 0 {
		p := unsafe.Pointer(unsafe.SliceData(s.src.Buf[a.base:]))
		for i, v := range s.numbers {
			if v != v {
				s.cells[i] = unsafe.String((*byte)(unsafe.Add(p, from[i])), to[i]-from[i])
			}
		}
	}
	if line == 0 {
		a.at = 0
	} else {
		a.at += int(a.cells.Sizes[line-1])
	}
	a.next++
	s.src.take(int(a.cells.Sizes[line]))
}

// columnAt returns the byte of its line with which cell i of the present row starts,
// from 0, of a line that was cut ahead.
func (s *QuickScanner) columnAt(i int) int {
	a := &s.ahead
	from := int(a.cells.From[(a.next-1)*len(s.cells)+i])
	if from > a.at && s.src.Buf[a.base+from-1] == '"' {
		from-- // no separator is a quote
	}
	return from - a.at
}

// Run takes the lines ahead that hold numbers alone, at most so many, and returns their
// numbers, one line after the other. They stand on consecutive lines of the file, from
// the returned one on. It takes none while a cell may be read as a text.
func (s *QuickScanner) Run(most int) (numbers []float64, lines, line int) {
	if s.used < len(s.cells) {
		return nil, 0, 0
	}
	a := &s.ahead
	first, line := a.next, s.src.next
	for a.next < min(a.lines, first+most) && a.cells.Texts[a.next] == 0 {
		s.take()
	}
	columns := len(s.cells)
	return a.cells.Numbers[first*columns : a.next*columns], a.next - first, line
}
