package csv

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/kernel"
)

// csvReader is the recordReader on encoding/csv: the oracle of ours.
type csvReader struct {
	csv *csv.Reader
	src *Source
}

// newOracle is newScanner on encoding/csv, with numbers left to strconv.
func newOracle(src *Source, d Dialect, _ byte) Scanner {
	// bufio hands on what one call of Read returns, a line, before it asks for
	// more.
	r := csv.NewReader(bufio.NewReaderSize(lineAtATime{src}, sampleSize))
	r.Comma = d.Sep
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	return &rowScanner{src: src, records: &csvReader{r, src}, sep: d.Sep, mark: '"'}
}

func (r *csvReader) read(_ int, lazy bool) ([]string, error) {
	r.csv.LazyQuotes = lazy
	fields, err := r.csv.Read()
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		e := &quoteError{down: parse.Line - parse.StartLine, column: parse.Column, bare: parse.Err == csv.ErrBareQuote}
		e.open = lastOpened(r.src.record, r.csv.Comma, '"', e.down, e.column)
		return nil, e
	}
	return fields, err
}

func (r *csvReader) place(i int) (down, column int) {
	first, _ := r.csv.FieldPos(0)
	line, column := r.csv.FieldPos(i)
	return line - first, column
}

// lineAtATime is the source as an io.Reader.
type lineAtATime struct{ src *Source }

func (r lineAtATime) Read(p []byte) (int, error) {
	part, err := r.src.nextPart(len(p))
	return copy(p, part), err
}

// inChunks is a reader that returns at most size bytes at a time.
type inChunks struct {
	rest []byte
	size int
	err  error // at the end
}

func (r *inChunks) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(p, r.rest[:min(r.size, len(r.rest))])
	r.rest = r.rest[n:]
	return n, nil
}

// scanned is what a scanner makes of one row.
type scanned struct {
	cells   []string
	numbers []float64
	places  [][2]int
	err     error
}

// scanAll scans a whole file, wanting numbers where a column's index is odd,
// after the first few rows everywhere.
func scanAll(t *testing.T, file []byte, chunk int, end error, sep rune, point byte, scan func(*Source, Dialect, byte) Scanner) []scanned {
	t.Helper()
	src := NewSource(&inChunks{file, chunk, end})
	sample, err := src.sample()
	if err != nil {
		return []scanned{{err: err}}
	}
	src.UseLF(sample)
	s := scan(src, Dialect{Sep: sep, Quote: '"'}, point)
	want := 0
	var rows []scanned
	for {
		cells, numbers, err := s.Next(want)
		row := scanned{err: err}
		for i, c := range cells {
			row.cells = append(row.cells, strings.Clone(c))
			line, column := s.Place(i)
			row.places = append(row.places, [2]int{line, column})
		}
		row.numbers = append(row.numbers, numbers...)
		rows = append(rows, row)
		var bad *fault.RowError
		if err != nil && !errors.As(err, &bad) || want == 0 && err != nil {
			return rows
		}
		if want == 0 {
			want = len(cells)
		}
		for i := range want {
			if i%2 == 1 || len(rows) == 5 {
				s.WantNumber(i)
			}
		}
		if len(rows) > len(file)+2 {
			t.Fatal("the scanner does not end")
		}
	}
}

// agree returns the first difference between the scanner and encoding/csv on a
// file that comes in chunks, "" if there is none.
func agree(t *testing.T, file []byte, chunk int, end error, sep rune, point byte) string {
	t.Helper()
	return difference(scanAll(t, file, chunk, end, sep, point, NewScanner), scanAll(t, file, 1<<20, end, sep, point, newOracle), point)
}

// difference returns the first one between what the scanner found and what
// encoding/csv did.
func difference(got, want []scanned, point byte) string {
	for i := range min(len(got), len(want)) {
		g, w := got[i], want[i]
		if !reflect.DeepEqual(g.err, w.err) {
			return fmt.Sprintf("row %d: error %v, encoding/csv %v", i, g.err, w.err)
		}
		if !slices.Equal(g.places, w.places) {
			return fmt.Sprintf("row %d: places %v, encoding/csv %v", i, g.places, w.places)
		}
		for j, text := range w.cells {
			if g.numbers != nil && g.numbers[j] == g.numbers[j] {
				v, ok := cell.ParseNumber(strings.TrimSpace(text), point)
				if !ok || math.Float64bits(v) != math.Float64bits(g.numbers[j]) {
					return fmt.Sprintf("row %d, cell %d: the number %v, encoding/csv %q", i, j, g.numbers[j], text)
				}
			} else if g.cells[j] != text {
				return fmt.Sprintf("row %d, cell %d: %q, encoding/csv %q", i, j, g.cells[j], text)
			}
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d rows, encoding/csv %d", len(got), len(want))
	}
	return ""
}

// holdToOracle compares scanner and table with those of encoding/csv.
func holdToOracle(t *testing.T, file []byte) {
	t.Helper()
	text := bytes.TrimPrefix(file, []byte("\uFEFF"))
	guess := guessSeparator(string(text[:min(len(text), sampleSize)]), len(text) < sampleSize)
	chunks := []int{1, 2, 3, 7, 16, 61, 1 << 10, 1 << 20}
	if testing.Short() {
		chunks = []int{3, 1 << 20}
	}
	for _, sep := range []rune{guess, ',', '\t', ' ', '§'} {
		if len(file) > 1<<16 && sep != guess {
			continue
		}
		point := byte('.')
		if sep == ';' {
			point = ','
		}
		want := scanAll(t, file, 1<<20, io.EOF, sep, point, newOracle)
		for _, chunk := range chunks {
			if len(file) > 1<<16 && chunk < 1<<10 {
				continue
			}
			if d := difference(scanAll(t, file, chunk, io.EOF, sep, point, NewScanner), want, point); d != "" {
				t.Fatalf("chunks of %d, separator %q: %s\nfile: %.300q", chunk, sep, d, file)
			}
		}
	}
}

func TestScannerAgreesWithEncodingCSV(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	require.NoError(t, err)
	require.Len(t, files, 15)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			file, err := os.ReadFile(name)
			require.NoError(t, err)
			holdToOracle(t, file)
		})
	}
}

var pieces = []string{"a", "bc", ",", ",", ",", "\"", "\"", "\r", "\n", "\n", "\r\n", " ", "1.5", "-", "\x00", "é", "\xff", "\"\"", ",\"", "\",",
	"\"\n", "0123456789abcdefgh", "12345678.5", "-7e3", "1,2,3\n", "\"x\",\"y\"\n"}

func TestScannerAgreesWithEncodingCSVOnRandomBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	files := 20_000
	if testing.Short() {
		files = 2_000
	}
	cancelled := errors.New("cancelled")
	for range files {
		var b []byte
		for range 1 + rng.IntN(30) {
			b = append(b, pieces[rng.IntN(len(pieces))]...)
		}
		end := io.EOF
		if rng.IntN(8) == 0 {
			end = cancelled
		}
		if d := agree(t, b, 1+rng.IntN(len(b)+2), end, ',', '.'); d != "" {
			t.Fatalf("%q: %s", b, d)
		}
	}
}

func TestScannerAgreesWithEncodingCSVInLongFiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	files := 12
	if testing.Short() {
		files = 2
	}
	for range files {
		var b []byte
		for len(b) < 3*bufferSize {
			switch rng.IntN(400) {
			case 0:
				b = append(b, "\"one\ntwo\",2,3\n"...)
			case 1:
				b = append(b, "1,\"2,3\n"...)
			case 2:
				b = append(b, "1,5\" pipe,3\n\n"...)
			case 3:
				b = append(b, "1,2\n1,\xff,3\r\n"...)
			case 4:
				if rng.IntN(10) == 0 {
					b = fmt.Appendf(b, "%s,2,3\n", bytes.Repeat([]byte("long "), rng.IntN(70_000)))
				}
			default:
				b = fmt.Appendf(b, "%.*g,u%d,\"%d\"\n", 1+rng.IntN(18), rng.NormFloat64(), rng.IntN(1e6), rng.IntN(10))
			}
		}
		if d := agree(t, b, 1+rng.IntN(300_000), io.EOF, ',', '.'); d != "" {
			t.Fatal(d)
		}
	}
}

// FuzzScanner holds the scanner to encoding/csv.
func FuzzScanner(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file, uint16(5), byte(','))
	}
	f.Add([]byte("a1b\n213\n4-5e6\n"), uint16(9), byte('1'))
	for _, piece := range pieces {
		f.Add([]byte("a,b\n"+piece+",1\n"), uint16(1), byte(';'))
	}
	f.Fuzz(func(t *testing.T, file []byte, chunk uint16, sep byte) {
		if !ValidSeparator(rune(sep)) || sep == 0 {
			return
		}
		point := byte('.')
		if sep == ';' {
			point = ','
		}
		if d := agree(t, file, 1+int(chunk), io.EOF, rune(sep), point); d != "" {
			t.Fatal(d)
		}
	})
}

// BenchmarkScan times a file to cells, beside encoding/csv in the scanner's place.
func BenchmarkScan(b *testing.B) {
	file := bytes.Repeat([]byte("-0.123456,1.23456,user17,0.5\n"), 1<<19)
	for name, scan := range map[string]func(*Source, Dialect, byte) Scanner{"ours": NewScanner, "encoding-csv": newOracle} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				s := scan(NewSource(bytes.NewReader(file)), Dialect{Sep: ',', Quote: '"'}, '.')
				for _, _, err := s.Next(0); err != io.EOF; _, _, err = s.Next(4) {
				}
			}
		})
	}
}

// slowBlankLines is blankLines line by line.
func slowBlankLines(b []byte) (size, lines int) {
	for {
		i := bytes.IndexByte(b[size:], '\n')
		if i < 0 {
			return size, lines
		}
		line := bytes.TrimSuffix(b[size:size+i], []byte("\r"))
		if len(bytes.Trim(line, " ")) > 0 {
			return size, lines
		}
		size += i + 1
		lines++
	}
}

func TestBlankLinesMatchesALineAtATime(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		b := make([]byte, rng.IntN(40))
		for i := range b {
			b[i] = "\n\n\n\n\n\n\r \rx"[rng.IntN(10-rng.IntN(2))]
		}
		size, lines := blankLines(b)
		if wantSize, wantLines := slowBlankLines(b); size != wantSize || lines != wantLines {
			t.Fatalf("%q: %d bytes and %d lines, want %d and %d", b, size, lines, wantSize, wantLines)
		}
	}
}

func TestASampleKeepsItsLastRecordHoweverItEnds(t *testing.T) {
	for _, c := range []struct {
		text string
		sep  rune
		last []string
	}{
		{"a,b\n1,2", ',', []string{"1", "2"}},
		{"a,b\n1,2\n", ',', []string{"1", "2"}},
		{"a,b\n1,", ',', []string{"1", ""}},
		{"a b\n1 2", ' ', []string{"1", "2"}},
		{"a b\n1 2 ", ' ', []string{"1", "2"}},
		{"a b\n1 2  \n", ' ', []string{"1", "2"}},
		{"a b\n# ", ' ', []string{"#"}},
	} {
		d := Dialect{Sep: c.sep, Quote: '"'}
		records := d.cut(c.text, true).records
		if assert.Len(t, records, 2, "%q", c.text) {
			assert.Equal(t, c.last, records[1].cells, "%q", c.text)
		}
	}
}

// lastOpened returns where the last field in quotes begins, at or before a place in a
// record: a walk rune by rune.
func lastOpened(record []byte, sep rune, quote byte, lines, column int) (open position) {
	line, start := 0, 0
	quoted, begins := false, true
	for i := 0; i < len(record); {
		if line > lines || line == lines && i-start+1 > column {
			break
		}
		r, size := utf8.DecodeRune(record[i:])
		switch {
		case begins && r == rune(quote):
			open, quoted, begins = position{line, i - start + 1}, true, false
		case quoted && r == rune(quote) && i+1 < len(record) && record[i+1] == quote:
			size = 2
		case quoted && r == rune(quote):
			quoted = false
		case r == sep && !quoted:
			begins = true
		default:
			begins = false
		}
		if r == '\n' {
			line, start = line+1, i+1
		}
		i += size
	}
	return open
}

func TestOpenQuoteIsTheLastThatOpensACell(t *testing.T) {
	for cell, closed := range map[string]bool{`"a",`: true, `"a""`: false, `"a"",b"`: true, "\"a\n\"": false, `"""a`: false} {
		assert.Equal(t, closed, closedOnLine([]byte(cell), '"'), cell)
	}
	rng := rand.New(rand.NewPCG(4, 7))
	seen := 0
	for range 6_000 {
		sep := []rune{',', '§'}[rng.IntN(2)]
		var record []byte
		for range 1 + rng.IntN(20) {
			record = append(record, []string{"a", string(sep), string(sep), `"`, `"`, "\n", "é", "\xc2"}[rng.IntN(8)]...)
		}
		src := NewSource(bytes.NewReader(record))
		_, err := src.sample()
		require.NoError(t, err)
		_, err = NewLineReader(src, Dialect{Sep: sep, Quote: '"'}).read(0, false)
		e, ok := errors.AsType[*quoteError](err)
		if !ok || e.bare {
			continue // it is asked only where a quote makes no sense
		}
		seen++
		record = src.record
		if want := lastOpened(record, sep, '"', e.down, e.column); want != e.open {
			t.Fatalf("%q, +%d, %d: %v, want %v", record, e.down, e.column, e.open, want)
		}
	}
	assert.Greater(t, seen, 1_000)
}

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
