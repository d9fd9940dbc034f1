package csv

import (
	"unsafe"

	"ifmlab/core/cell"
	"ifmlab/core/kernel"
)

// ahead holds lines of the buffer that package kernel cut in one call. In WebAssembly
// that is several times as fast as Go line by line. The kernel stops at a line that is
// not plain and leaves it to [QuickScanner.cut], which gives the same result.
type ahead struct {
	how   kernel.Lines
	cells kernel.Cells
	base  int // the first line's place in the buffer
	at    int // the present line's place, from base
	lines int
	next  int

	failures int // calls in a row that cut nothing
	pause    int // lines before the next call: a file may have unusual ones only
}

// Limits on lines that are cut ahead. The first two keep them in a cache. The last one
// limits the pause after calls that cut nothing.
const (
	maxCellsAhead = 4096
	maxLinesAhead = 512
	maxPause      = 32
)

var tens = func() (t kernel.Tens) {
	t.Floats, t.Words = cell.Pow10, cell.Integers
	for i, p := range cell.Powers {
		t.Powers[i] = kernel.Power{Head: p.Head, Shift: int64(p.Shift)}
	}
	return t
}()

// cutAhead cuts the plain lines in the buffer. It reports whether there is one.
func (s *QuickScanner) cutAhead() bool {
	a := &s.ahead
	if !kernel.CutsLines {
		return false
	}
	if a.pause > 0 {
		a.pause--
		return false
	}
	columns := len(s.cells)
	if len(a.how.Wanted) != columns {
		lines := min(max(1, maxCellsAhead/columns), maxLinesAhead)
		a.cells = kernel.Cells{Numbers: make([]float64, lines*columns), From: make([]int32, lines*columns), To: make([]int32, lines*columns), Sizes: make([]int32, lines), Texts: make([]int32, lines)}
	}
	a.how = kernel.Lines{Sep: s.sep, Point: s.point, Comments: s.comments, Wanted: s.isNumber, Tens: &tens}
	a.base, a.at, a.next = s.src.Lo, 0, 0
	a.lines = kernel.CutLines(s.src.Buf[a.base:], &a.how, &a.cells)
	if a.lines == 0 {
		a.failures++
		a.pause = min(a.failures-1, maxPause)
		return false
	}
	a.failures = 0
	return true
}

// take makes the next line of ahead the present row.
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
	if line > 0 {
		a.at += int(a.cells.Sizes[line-1])
	}
	a.next++
	s.src.consumeLine(int(a.cells.Sizes[line]))
}

// columnAt returns the offset of cell i in the present line, which was cut ahead.
func (s *QuickScanner) columnAt(i int) int {
	a := &s.ahead
	from := int(a.cells.From[(a.next-1)*len(s.cells)+i])
	if from > a.at && s.src.Buf[a.base+from-1] == '"' {
		from-- // no separator is a quote
	}
	return from - a.at
}

// NumberRows consumes the next rows, at most most, as long as all their cells are numbers,
// and returns their numbers row by row. They stand on consecutive lines, the first of which
// is returned. It consumes none while a cell is needed as a text.
func (s *QuickScanner) NumberRows(most int) (numbers []float64, lines, line int) {
	if s.numberColumns < len(s.cells) {
		return nil, 0, 0
	}
	a := &s.ahead
	first, line := a.next, s.src.nextLine
	for a.next < min(a.lines, first+most) && a.cells.Texts[a.next] == 0 {
		s.take()
	}
	columns := len(s.cells)
	return a.cells.Numbers[first*columns : a.next*columns], a.next - first, line
}
