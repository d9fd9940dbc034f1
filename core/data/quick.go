package data

import (
	"bytes"
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// The quick scanner looks at eight bytes at a time: a word holds them with the
// first in its lowest byte, and a search in a word sets the highest bit of every
// byte that fits, exactly up to and including the first one.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	zeros = 0x3030303030303030 // the digit 0, eight times
	feeds = 0x0a0a0a0a0a0a0a0a // LF, eight times
	marks = 0x2222222222222222 // the quote, eight times
)

// guardBytes stand after the bytes read, so that a search ends there and a word
// may be loaded from wherever a byte may.
const (
	guard      = 16
	guardBytes = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
)

// zeroBytes marks the bytes of w that are 0.
func zeroBytes(w uint64) uint64 { return (w - ones) &^ w & highs }

// first returns the number of bytes before the first marked one, 8 if none is.
func first(marked uint64) int { return bits.TrailingZeros64(marked) >> 3 }

// text8 returns the eight bytes at p + i. The caller knows that they are there.
// The compiler makes one load of it.
func text8(p unsafe.Pointer, i int) uint64 {
	b := (*[8]byte)(unsafe.Add(p, i))
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// text4 returns the four bytes at p + i.
func text4(p unsafe.Pointer, i int) uint32 {
	b := (*[4]byte)(unsafe.Add(p, i))
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// text1 returns the byte at p + i.
func text1(p unsafe.Pointer, i int) byte { return *(*byte)(unsafe.Add(p, i)) }

// quickScanner is the scanner of the usual: lines of UTF-8 that are one row
// each, a separator that is one byte, and quotes around whole cells only. It
// leaves every other row, from its first byte, to rows.
type quickScanner struct {
	*rowScanner
	sep, point byte
	comments   bool // lines that begin with # are no rows

	quick   bool      // it read the last row
	cells   []string  // of that row, in the source's buffer
	numbers []float64 // NaN where a cell was read as text
	starts  []int32   // the bytes before a cell on its line
	wanted  []bool    // cells of use as numbers only
	used    int       // how many of them are wanted

	ahead ahead
	taken bool // the last row was cut ahead
}

// newScanner returns a scanner for a source past its sample.
func newScanner(src *source, d dialect, point byte) scanner {
	sep := d.sep
	rows := &rowScanner{src: src, records: newLineReader(src, d), sep: sep, mark: d.quote}
	if !d.quick() || sep >= utf8.RuneSelf || sep == ' ' || sep == rune(point) || strings.ContainsRune("+-.0123456789Ee", sep) || src.macLines {
		return rows // a number must not hold its separator
	}
	return &quickScanner{rowScanner: rows, sep: byte(sep), point: point, comments: d.comments == commentsAll}
}

func (s *quickScanner) wantNumber(i int) {
	for len(s.wanted) <= i {
		s.wanted = append(s.wanted, false)
	}
	if !s.wanted[i] {
		s.wanted[i] = true
		s.used++
	}
}

func (s *quickScanner) place(i int) (line, column int) {
	switch {
	case s.taken:
		return s.src.line, s.columnAt(i) + 1
	case s.quick:
		return s.src.line, int(s.starts[i]) + 1
	}
	return s.rowScanner.place(i)
}

func (s *quickScanner) next(want int) ([]string, []float64, error) {
	if s.taken = want > 0 && s.ahead.next < s.ahead.lines; s.taken {
		s.take()
		return s.cells, s.numbers, nil
	}
	if s.quick = want > 0 && s.row(want); s.quick {
		return s.cells, s.numbers, nil
	}
	return s.rowScanner.next(want)
}

// row reads the next row if it is a usual one of want cells that the buffer can
// hold, and otherwise nothing but blank lines.
func (s *quickScanner) row(want int) bool {
	if len(s.cells) != want {
		s.cells, s.numbers, s.starts = make([]string, want), make([]float64, want), make([]int32, want)
		for i := range s.numbers {
			s.numbers[i] = math.NaN()
		}
		s.wanted = append(s.wanted, make([]bool, want)...)[:want]
	}
	for {
		s.src.blanks()
		if s.comments && s.src.lo < len(s.src.buf) && s.src.buf[s.src.lo] == '#' {
			return false
		}
		if s.taken = s.cutAhead(); s.taken {
			s.take()
			return true
		}
		size, cut := s.cut()
		switch {
		case size > 0:
			s.src.take(size)
			return true
		case !cut || !s.src.whole():
			return false
		}
	}
}

// cut cuts the line ahead into cells and returns its length, 0 if the line is
// not a usual row or does not end in the buffer, which more tells apart.
func (s *quickScanner) cut() (size int, more bool) {
	buf := s.src.buf
	start, end := s.src.lo, len(buf)
	if start == end {
		return 0, true
	}
	p := unsafe.Pointer(unsafe.SliceData(buf))
	sep, point := s.sep, s.point
	seps := uint64(sep) * ones
	cells := s.cells
	numbers, starts, wanted := s.numbers[:len(cells)], s.starts[:len(cells)], s.wanted[:len(cells)]
	odd := uint64(0) // marks a byte that is 0 or not ASCII
	i := start
	for col := range cells {
		starts[col] = int32(i - start)
		if wanted[col] {
			v, j := number(p, i, point)
			c := text1(p, j)
			if c == '\r' {
				j++
				if c = text1(p, j); c != '\n' {
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
				return s.check(start, i, odd)
			}
			numbers[col] = math.NaN()
		}
		from, to := i, i
		c := text1(p, i)
		if c == '"' {
			from++
			to = from
			for {
				w := text8(p, to)
				odd |= w&highs | zeroBytes(w)
				if m := zeroBytes(w^marks) | zeroBytes(w^feeds); m != 0 {
					to += first(m)
					break
				}
				to += 8
			}
			if to >= end {
				return 0, true
			}
			if text1(p, to) != '"' {
				return 0, false
			}
			i = to + 1
			c = text1(p, i)
			if c == '\r' {
				i++
				if c = text1(p, i); c != '\n' {
					return 0, false
				}
			}
			if c != sep && c != '\n' {
				return 0, false
			}
		} else {
			for {
				w := text8(p, to)
				odd |= w&highs | zeroBytes(w)
				if m := zeroBytes(w^seps) | zeroBytes(w^feeds) | zeroBytes(w^marks); m != 0 {
					to += first(m)
					break
				}
				to += 8
			}
			i = to
			c = text1(p, i)
			if c == '"' {
				return 0, false
			}
			if c == '\n' && to > from && text1(p, to-1) == '\r' {
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
		return s.check(start, i, odd)
	}
	return 0, false
}

// check returns the length of the line between two places of the buffer, 0 if
// it is not text or may be blank.
func (s *quickScanner) check(from, to int, odd uint64) (size int, more bool) {
	if odd != 0 {
		line := s.src.buf[from:to]
		if !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
			return 0, false
		}
		s.src.see(line)
	}
	if len(s.cells) == 1 && s.numbers[0] != s.numbers[0] && strings.TrimSpace(s.cells[0]) == "" {
		return 0, false
	}
	return to - from, false
}
