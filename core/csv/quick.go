package csv

import (
	"bytes"
	"math"
	"strings"
	"unicode/utf8"
	"unsafe"

	"ifmlab/core/cell"
)

// QuickScanner reads plain rows: one line of UTF-8 each, a separator of one byte, and
// quotes around whole cells only. It leaves every other row to the slower rowScanner.
type QuickScanner struct {
	*rowScanner
	sep, point byte
	comments   bool // lines that begin with # are comments

	quick         bool      // it read the last row
	cells         []string  // of that row, in the source's buffer
	numbers       []float64 // NaN where a cell was read as text
	starts        []int32   // the bytes before a cell on its line
	isNumber      []bool    // cells needed as numbers only
	numberColumns int       // how many cells isNumber has

	ahead ahead
	taken bool // the last row was cut ahead
}

// NewScanner returns a scanner for a source past its sample.
func NewScanner(src *Source, d Dialect, point byte) Scanner {
	sep := d.Sep
	rows := &rowScanner{src: src, records: NewLineReader(src, d), sep: sep, mark: d.Quote, short: d.Short}
	if !d.quick() || sep >= utf8.RuneSelf || sep == ' ' || sep == rune(point) || strings.ContainsRune("+-.0123456789Ee", sep) {
		return rows // a number must not hold its separator
	}
	return &QuickScanner{rowScanner: rows, sep: byte(sep), point: point, comments: d.comments == commentsAll}
}

func (s *QuickScanner) WantNumber(i int) {
	for len(s.isNumber) <= i {
		s.isNumber = append(s.isNumber, false)
	}
	if !s.isNumber[i] {
		s.isNumber[i] = true
		s.numberColumns++
	}
}

func (s *QuickScanner) Place(i int) (line, column int) {
	switch {
	case s.taken:
		return s.src.Line, s.columnAt(i) + 1
	case s.quick:
		return s.src.Line, int(s.starts[i]) + 1
	}
	return s.rowScanner.Place(i)
}

func (s *QuickScanner) Next(want int) ([]string, []float64, error) {
	if s.taken = want > 0 && s.ahead.next < s.ahead.lines; s.taken {
		s.take()
		return s.cells, s.numbers, nil
	}
	if s.quick = want > 0 && s.row(want); s.quick {
		return s.cells, s.numbers, nil
	}
	return s.rowScanner.Next(want)
}

// row reads the next row if it is a plain one of want cells that fits the buffer. It
// skips blank lines in any case.
func (s *QuickScanner) row(want int) bool {
	if len(s.cells) != want {
		s.cells, s.numbers, s.starts = make([]string, want), make([]float64, want), make([]int32, want)
		for i := range s.numbers {
			s.numbers[i] = math.NaN()
		}
		s.isNumber = append(s.isNumber, make([]bool, want)...)[:want]
	}
	for {
		s.src.skipBlankLines()
		if s.comments && s.src.Lo < len(s.src.Buf) && s.src.Buf[s.src.Lo] == '#' {
			return false
		}
		if s.taken = s.cutAhead(); s.taken {
			s.take()
			return true
		}
		size, cut := s.cut()
		switch {
		case size > 0:
			s.src.consumeLine(size)
			return true
		case !cut || !s.src.fillLine():
			return false
		}
	}
}

// cut cuts the line ahead into cells and returns its length. The length is 0 if the line
// is not a plain row, or, where more is true, if the buffer ends within it.
func (s *QuickScanner) cut() (size int, more bool) {
	buf := s.src.Buf
	start, end := s.src.Lo, len(buf)
	if start == end {
		return 0, true
	}
	p := unsafe.Pointer(unsafe.SliceData(buf))
	sep, point := s.sep, s.point
	seps := uint64(sep) * cell.Ones
	cells := s.cells
	numbers, starts, wanted := s.numbers[:len(cells)], s.starts[:len(cells)], s.isNumber[:len(cells)]
	odd := uint64(0) // marks a byte that is 0 or not ASCII
	i := start
	for col := range cells {
		starts[col] = int32(i - start)
		if wanted[col] {
			v, j := cell.ScanNumber(p, i, point)
			c := cell.Load1(p, j)
			if c == '\r' {
				j++
				if c = cell.Load1(p, j); c != '\n' {
					c = '\r'
				}
			}
			if (c == sep || c == '\n') && v == v {
				if j >= end {
					return 0, true
				}
				numbers[col] = v
				i = j + 1
				if c == sep {
					continue
				}
				if col+1 != len(cells) {
					return 0, false
				}
				return s.checkLine(start, i, odd)
			}
			numbers[col] = math.NaN()
		}
		from, to := i, i
		c := cell.Load1(p, i)
		if c == '"' {
			from++
			to = from
			for {
				w := cell.Load8(p, to)
				odd |= w&cell.Highs | cell.ZeroBytes(w)
				if m := cell.ZeroBytes(w^cell.Quotes) | cell.ZeroBytes(w^cell.LineFeeds); m != 0 {
					to += cell.First(m)
					break
				}
				to += 8
			}
			if to >= end {
				return 0, true
			}
			if cell.Load1(p, to) != '"' {
				return 0, false
			}
			i = to + 1
			c = cell.Load1(p, i)
			if c == '\r' {
				i++
				if c = cell.Load1(p, i); c != '\n' {
					return 0, false
				}
			}
			if c != sep && c != '\n' {
				return 0, false
			}
		} else {
			for {
				w := cell.Load8(p, to)
				odd |= w&cell.Highs | cell.ZeroBytes(w)
				if m := cell.ZeroBytes(w^seps) | cell.ZeroBytes(w^cell.LineFeeds) | cell.ZeroBytes(w^cell.Quotes); m != 0 {
					to += cell.First(m)
					break
				}
				to += 8
			}
			i = to
			c = cell.Load1(p, i)
			if c == '"' {
				return 0, false
			}
			if c == '\n' && to > from && cell.Load1(p, to-1) == '\r' {
				to--
			}
		}
		if i >= end {
			return 0, true
		}
		cells[col] = unsafe.String((*byte)(unsafe.Add(p, from)), to-from)
		i++
		if c == sep {
			continue
		}
		if col+1 != len(cells) {
			return 0, false
		}
		return s.checkLine(start, i, odd)
	}
	return 0, false
}

// checkLine returns the length of the line between two places of the buffer, 0 if it is
// not text or may be blank.
func (s *QuickScanner) checkLine(from, to int, odd uint64) (size int, more bool) {
	if odd != 0 {
		line := s.src.Buf[from:to]
		if !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
			return 0, false
		}
		s.src.noteNonASCII(line)
	}
	if len(s.cells) == 1 && s.numbers[0] != s.numbers[0] && strings.TrimSpace(s.cells[0]) == "" {
		return 0, false
	}
	return to - from, false
}
