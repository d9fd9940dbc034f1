package csv

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"ifmlab/core/kernel"
)

// oddCells are written into files of usual cells: what numbers, quotes, line ends and
// letters can do to a scanner.
var oddCells = []string{"", "0", "-0", "-", "+1", ".", "1.", ".5", "-.5e3", "1e5", "1E-300", "1e400", "1e", "1e+", "12345678", "123456789012345678", "12345678901234567890", "0.1234567890123456789",
	"0.30000000000000004", "9007199254740993", "1.7976931348623157e308", "5e-324", "2.2250738585072011e-308", "1,5", "1.2.3", "1 ", " 1", "  ", "abc", "\"\"", "\"a\"", "\"1\"", "\"a,b\"", "\"a\"\"b\"", "\"a\nb\"", "a\"b", "\"a", "é", "\xe9", "a\x00b", "\r", "1\r2",
	"sixteen letters.", "a cell that is longer than sixteen bytes, by far", "NaN", "inf", "#1", "-12345678.12345678", "1234567.1234567e-7"}

// unusual returns a table of numbers and texts, many of whose cells are odd.
func unusual(rng *rand.Rand) []byte {
	columns, end := 1+rng.IntN(6), []string{"\n", "\r\n"}[rng.IntN(2)]
	odd := []int{0, 400, 40, 4}[rng.IntN(4)]
	var b []byte
	for j := range columns {
		b = fmt.Appendf(b, "x%d,", j)
	}
	b = append(b[:len(b)-1], end...)
	for range 20 + rng.IntN(200) {
		for j := range columns {
			switch {
			case odd > 0 && rng.IntN(odd) == 0:
				b = append(b, oddCells[rng.IntN(len(oddCells))]...)
			case j%3 == 1:
				b = fmt.Appendf(b, "level %d", rng.IntN(9))
			default:
				b = fmt.Appendf(b, "%.*g", 1+rng.IntN(18), rng.NormFloat64()*math.Pow(10, float64(rng.IntN(9)-4)))
			}
			b = append(b, ',')
		}
		b = append(b[:len(b)-1], end...)
		if odd > 0 && rng.IntN(odd) == 0 {
			b = append(b, []string{end, "  \n", "1,2,3,4,5,6,7\n", "# a comment\n", "\"\n"}[rng.IntN(5)]...)
		}
	}
	return b
}

// everyRow returns all that a scanner makes of a file, as text: cells, the bits of
// numbers, places and errors. Each column but every third is read as numbers.
func everyRow(t *testing.T, file []byte, ahead bool, small bool) string {
	t.Helper()
	defer restore(kernel.CutsLines)
	cutLines(ahead)
	var r io.Reader = bytes.NewReader(file)
	if small {
		r = iotest.HalfReader(r)
	}
	src := NewSource(r)
	if _, err := src.Open(""); err != nil {
		return err.Error()
	}
	s := NewScanner(src, Dialect{Sep: ',', Quote: '"', comments: commentsOdd}, '.')
	header, _, err := s.Next(0)
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	columns := len(header)
	for j := range columns {
		if j%3 != 1 {
			s.WantNumber(j)
		}
	}
	for {
		cells, numbers, err := s.Next(columns)
		if err == io.EOF {
			return out.String()
		}
		if err != nil {
			fmt.Fprintln(&out, err)
			continue
		}
		for j, c := range cells {
			line, column := s.Place(j)
			if numbers != nil && numbers[j] == numbers[j] {
				fmt.Fprintf(&out, "%d:%d %x ", line, column, math.Float64bits(numbers[j]))
			} else {
				fmt.Fprintf(&out, "%d:%d %q ", line, column, c)
			}
		}
		fmt.Fprintln(&out)
	}
}

func TestScanAheadMatchesALineAtATime(t *testing.T) {
	if !kernel.CutsLines {
		t.Skip("no body of package kernel cuts lines here")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		file := unusual(rng)
		small := rng.IntN(2) == 0
		if got, want := everyRow(t, file, true, small), everyRow(t, file, false, small); got != want {
			got, want := strings.Split(got, "\n"), strings.Split(want, "\n")
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Fatalf("row %d of\n%q\nis\n%s\nwant\n%s", i, file, slices.Concat(got, []string{""})[i], slices.Concat(want, []string{""})[i])
		}
	}
}
