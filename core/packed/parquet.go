package packed

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"

	"ifmlab/core/note"
)

const (
	blockRows = 1 << 12 // rows held at once
	valueSize = 8       // bytes held for a value, although a byte of the file may stand for many
)

// flatColumn is a column with one value a row.
type flatColumn struct {
	name  string
	leaf  int // its index among all columns with values
	write func(parquet.Value) string
}

func (l limits) openParquet(name string, at io.ReaderAt, size int64) (t *Table, err error) {
	defer recovered(name, &err)
	if err := l.checkFooter(at, size); err != nil {
		return nil, &Error{name, damagedParquet(err.Error())}
	}
	file, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, &Error{name, damagedParquet(err.Error())}
	}
	for _, e := range file.Metadata().Schema {
		if scale := scaleOf(&e); scale < -maxScale || scale > maxScale {
			return nil, &Error{name, damagedParquet(fmt.Sprintf("a decimal has the scale %d", scale))}
		}
	}
	columns, others, binary := columnsOf(file.Metadata().Schema)
	if len(columns) == 0 {
		if len(binary) > 0 {
			return nil, &Error{name, "no column is left: " + noValues(binary)}
		}
		if len(others) == 0 {
			return nil, &Error{name, noColumns}
		}
		return nil, &Error{name, nestedOnly(others)}
	}
	for _, group := range file.Metadata().RowGroups {
		for _, c := range columns {
			if chunk := group.Columns[c.leaf].MetaData; max(chunk.TotalUncompressedSize, valueSize*chunk.NumValues) > int64(l.held) {
				return nil, &Error{name, large(l.held)}
			}
		}
	}
	t = &Table{Name: name, ReadCloser: l.pipe(name, func(w *bufio.Writer) error { return writeParquet(w, name, file, columns) })}
	t.settings = map[string]string{"separator": "comma", "header": "yes", "charset": "utf-8"}
	if len(others) > 0 {
		t.Notes.Add(note.TopicFile, nil, "%s", nested(others))
	}
	if len(binary) > 0 {
		t.Notes.Add(note.TopicFile, nil, "%s", noValues(binary))
	}
	return t, nil
}

// recovered turns a panic of parquet-go, which damaged files cause, into an error.
func recovered(name string, err *error) {
	if recover() != nil {
		*err = &Error{name, damagedParquet("its parts do not fit together")}
	}
}

// pipe returns a reader of what write writes. Closing it ends write with an error.
func (l limits) pipe(name string, write func(*bufio.Writer) error) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		buffered := bufio.NewWriterSize(w, 1<<16)
		err := write(buffered)
		if err == nil {
			err = buffered.Flush()
		}
		w.CloseWithError(err)
	}()
	return bounded(r, name, l.text, func(err error) string { return damagedParquet(err.Error()) })
}

// columnsOf returns the columns with one value a row, and the names of the others: of
// nested ones, and of those that hold bytes or intervals.
func columnsOf(schema []format.SchemaElement) (columns []flatColumn, nested, binary []string) {
	leaf := 0
	var skip func(at int) int
	skip = func(at int) int {
		if schema[at].Type != nil {
			leaf++
		}
		next := at + 1
		for range schema[at].NumChildren {
			next = skip(next)
		}
		return next
	}
	for at := 1; at < len(schema); {
		e := &schema[at]
		if e.Type == nil || e.NumChildren > 0 || value(e.RepetitionType) == format.Repeated {
			nested = append(nested, e.Name)
		} else if *e.Type == format.FixedLenByteArray && !hasMeaning(e) {
			binary = append(binary, e.Name)
		} else {
			columns = append(columns, flatColumn{e.Name, leaf, writer(e)})
		}
		at = skip(at)
	}
	return columns, nested, binary
}

// hasMeaning reports whether the bytes of a column are decimals, halves or UUIDs.
func hasMeaning(e *format.SchemaElement) bool {
	kind, length := value(e.LogicalType), value(e.TypeLength)
	return kind.Decimal != nil || kind.Float16 != nil && length == 2 || kind.UUID != nil && length == 16 || e.ConvertedType != nil && *e.ConvertedType == deprecated.Decimal
}

// value returns what p points to, and the zero value for nil.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// maxScale bounds the zeros that a decimal's scale adds to each cell. No decimal of a
// database has more than 76 digits.
const maxScale = 100

func scaleOf(e *format.SchemaElement) int {
	if d := value(e.LogicalType).Decimal; d != nil {
		return int(d.Scale)
	}
	return int(value(e.Scale))
}

// writer returns a function that writes the values of a column, nulls apart.
func writer(e *format.SchemaElement) func(parquet.Value) string {
	kind := value(e.LogicalType)
	converted := func(all ...deprecated.ConvertedType) bool {
		return e.ConvertedType != nil && slices.Contains(all, *e.ConvertedType)
	}
	if kind.Decimal != nil || converted(deprecated.Decimal) {
		scale := scaleOf(e)
		return func(v parquet.Value) string { return fixed(integer(v), scale) }
	}
	if kind.Date != nil || converted(deprecated.Date) {
		return func(v parquet.Value) string {
			if day := date(int64(v.Int32())); day != "" {
				return day
			}
			return strconv.Itoa(int(v.Int32()))
		}
	}
	if t := kind.Timestamp; t != nil {
		return instant(decimalsOf(t.Unit), t.IsAdjustedToUTC)
	}
	if converted(deprecated.TimestampMillis) {
		return instant(3, true)
	}
	if converted(deprecated.TimestampMicros) {
		return instant(6, true)
	}
	if *e.Type == format.Int96 {
		return func(v parquet.Value) string { return instant96(v.Int96()) }
	}
	if t := kind.Time; t != nil {
		return timeOfDay(decimalsOf(t.Unit))
	}
	if converted(deprecated.TimeMillis) {
		return timeOfDay(3)
	}
	if converted(deprecated.TimeMicros) {
		return timeOfDay(6)
	}
	switch *e.Type {
	case format.Int32, format.Int64:
		unsigned := converted(deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64)
		if t := kind.Integer; t != nil {
			unsigned = !t.IsSigned
		}
		return func(v parquet.Value) string {
			switch {
			case unsigned && v.Kind() == parquet.Int32:
				return strconv.FormatUint(uint64(v.Uint32()), 10)
			case unsigned:
				return strconv.FormatUint(v.Uint64(), 10)
			}
			return integer(v)
		}
	case format.Float:
		return func(v parquet.Value) string { return numeral(float64(v.Float())) }
	case format.Double:
		return func(v parquet.Value) string { return numeral(v.Double()) }
	case format.Boolean:
		return func(v parquet.Value) string { return strconv.FormatBool(v.Boolean()) }
	}
	length := value(e.TypeLength)
	if kind.Float16 != nil && length == 2 {
		return func(v parquet.Value) string { return numeral(half(v.ByteArray())) }
	}
	if kind.UUID != nil && length == 16 {
		return func(v parquet.Value) string {
			h := hex.EncodeToString(v.ByteArray())
			return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
		}
	}
	return func(v parquet.Value) string {
		if b := v.ByteArray(); utf8.Valid(b) && !slices.Contains(b, 0) {
			return quote(string(v.ByteArray()))
		}
		return "0x" + hex.EncodeToString(v.ByteArray())
	}
}

// instant returns a function that writes an instant, counted from 1970.
func instant(decimals int, utc bool) func(parquet.Value) string {
	perDay := 86400 * int64(math.Pow10(decimals))
	return func(v parquet.Value) string {
		units := v.Int64()
		day := units / perDay
		if units%perDay < 0 {
			day--
		}
		text := timestamp(day, units-day*perDay, decimals)
		switch {
		case text == "":
			return strconv.FormatInt(units, 10)
		case utc:
			return text + "Z"
		}
		return text
	}
}

// instant96 writes an instant as Impala and early Spark stored it: nanoseconds of a day
// that counts from 4713 BC.
func instant96(v deprecated.Int96) string {
	const julian1970, perDay = 2440588, 86400e9
	day, nanos := int64(int32(v[2]))-julian1970, uint64(v[1])<<32|uint64(v[0])
	if text := timestamp(day+int64(nanos/perDay), int64(nanos%perDay), 9); text != "" {
		return text
	}
	total := new(big.Int).Mul(big.NewInt(day), big.NewInt(perDay))
	return total.Add(total, new(big.Int).SetUint64(nanos)).String()
}

func timeOfDay(decimals int) func(parquet.Value) string {
	return func(v parquet.Value) string {
		units := v.Int64()
		if v.Kind() == parquet.Int32 {
			units = int64(v.Int32())
		}
		if units < 0 || units >= 86400*int64(math.Pow10(decimals)) {
			return strconv.FormatInt(units, 10)
		}
		return clock(units, decimals)
	}
}

func decimalsOf(unit format.TimeUnit) int {
	switch {
	case unit.Millis != nil:
		return 3
	case unit.Micros != nil:
		return 6
	}
	return 9
}

// integer writes a whole number: of bytes in two's complement for the widest decimals.
func integer(v parquet.Value) string {
	switch v.Kind() {
	case parquet.Int32:
		return strconv.FormatInt(int64(v.Int32()), 10)
	case parquet.Int64:
		return strconv.FormatInt(v.Int64(), 10)
	}
	b := v.ByteArray()
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n.String()
}

// half reads IEEE 754 binary16.
func half(b []byte) float64 {
	bits := uint16(b[0]) | uint16(b[1])<<8
	sign, exponent, fraction := 1.0, int(bits>>10&0x1f), float64(bits&0x3ff)
	if bits&0x8000 != 0 {
		sign = -1
	}
	switch {
	case exponent == 0x1f && fraction != 0:
		return math.NaN()
	case exponent == 0x1f:
		return sign * math.Inf(1)
	case exponent == 0:
		return sign * math.Ldexp(fraction, -24)
	}
	return sign * math.Ldexp(1+fraction/1024, exponent-15)
}

// writeParquet writes a header and a line a row.
func writeParquet(w *bufio.Writer, name string, file *parquet.File, columns []flatColumn) (err error) {
	defer recovered(name, &err)
	line := func(texts func(i int) string) {
		for i := range columns {
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteString(texts(i))
		}
		w.WriteByte('\n')
	}
	line(func(i int) string { return quote(columns[i].name) })
	for _, group := range file.RowGroups() {
		chunks := group.ColumnChunks()
		readers := make([]*columnReader, len(columns))
		for i, c := range columns {
			readers[i] = &columnReader{pages: chunks[c.leaf].Pages(), write: c.write}
			defer readers[i].pages.Close()
		}
		block := make([][]string, len(columns))
		for left := group.NumRows(); left > 0; left -= blockRows {
			rows := int(min(left, blockRows))
			for i, r := range readers {
				if block[i], err = r.read(block[i][:0], rows); err != nil {
					return &Error{name, damagedParquet(fmt.Sprintf("column %s: %v", columns[i].name, err))}
				}
			}
			for row := range rows {
				line(func(i int) string { return block[i][row] })
			}
			if _, err := w.Write(nil); err != nil { // the reader is closed
				return err
			}
		}
	}
	return nil
}

// columnReader reads the values of a column as texts.
type columnReader struct {
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	write  func(parquet.Value) string
	buf    [256]parquet.Value
}

// read appends the next n values to texts.
func (r *columnReader) read(texts []string, n int) ([]string, error) {
	for len(texts) < n {
		if r.values == nil {
			if r.page != nil {
				parquet.Release(r.page)
				r.page = nil
			}
			page, err := r.pages.ReadPage()
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				return nil, err
			}
			if page.NumValues()-page.NumNulls() > stored(page) { // parquet-go would look for the others for ever
				return nil, io.ErrUnexpectedEOF
			}
			r.page, r.values = page, page.Values()
			if data := page.Data(); data.Kind() == encoding.Boolean {
				r.values = &booleans{page, data.Boolean(), 0, 0}
			}
		}
		got, err := r.values.ReadValues(r.buf[:min(len(r.buf), n-len(texts))])
		for _, v := range r.buf[:got] {
			if v.IsNull() {
				texts = append(texts, "")
			} else {
				texts = append(texts, r.write(v))
			}
		}
		if err == io.EOF {
			r.values = nil
		} else if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// stored returns the number of values that a page holds. Of booleans it knows none.
func stored(page parquet.Page) int64 {
	data := page.Data()
	switch data.Kind() {
	case encoding.Int32:
		return int64(len(data.Int32()))
	case encoding.Int64:
		return int64(len(data.Int64()))
	case encoding.Int96:
		return int64(len(data.Int96()))
	case encoding.Float:
		return int64(len(data.Float()))
	case encoding.Double:
		return int64(len(data.Double()))
	case encoding.ByteArray:
		_, offsets := data.ByteArray()
		return int64(len(offsets)) - 1
	case encoding.FixedLenByteArray:
		bytes, size := data.FixedLenByteArray()
		return int64(len(bytes) / max(1, size))
	}
	return page.NumValues()
}

// booleans reads a page of booleans, of which parquet-go does not tell how many there are.
type booleans struct {
	page    parquet.Page
	bits    []byte
	at, bit int // the next value, and where it is stored unless it is null
}

func (b *booleans) ReadValues(values []parquet.Value) (n int, err error) {
	levels := b.page.DefinitionLevels()
	for ; n < len(values); n++ {
		switch {
		case b.at == int(b.page.NumValues()):
			return n, io.EOF
		case b.at < len(levels) && levels[b.at] != 1:
			values[n] = parquet.NullValue()
		case b.bit >= 8*len(b.bits):
			return n, io.ErrUnexpectedEOF
		default:
			values[n] = parquet.BooleanValue(b.bits[b.bit/8]>>(b.bit%8)&1 == 1)
			b.bit++
		}
		b.at++
	}
	return n, nil
}
