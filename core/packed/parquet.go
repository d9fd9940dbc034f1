package packed

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ifmlab/core/note"
)

const (
	blockRows = 1 << 12 // rows held at once
	valueSize = 8       // bytes held for a value, although a byte of the file may stand for many
)

func (l limits) openParquet(name string, at io.ReaderAt, size int64) (t *Table, err error) {
	defer l.recovered(name, "", &err)
	f := l.readFooter(at, size)
	if len(f.columns) == 0 {
		if len(f.binary) > 0 {
			return nil, &Error{name, "no column is left: " + noValues(f.binary)}
		}
		if len(f.nested) == 0 {
			return nil, &Error{name, noColumns}
		}
		return nil, &Error{name, nestedOnly(f.nested)}
	}
	for i := range f.columns {
		f.columns[i].write = writer(&f.columns[i].schemaElement)
	}
	for i := range f.groups {
		for j := range f.columns {
			f.check(&f.columns[j], &f.groups[i])
			if c := f.groups[i].chunks[f.columns[j].leaf]; max(c.unpacked, valueSize*c.values) > int64(l.held) {
				return nil, &Error{name, large(l.held)}
			}
		}
	}
	t = &Table{Name: name, ReadCloser: l.pipe(name, func(w *bufio.Writer) error { return l.writeParquet(w, name, at, f) })}
	t.settings = map[string]string{"separator": "comma", "header": "yes", "charset": "utf-8"}
	if len(f.nested) > 0 {
		t.Notes.Add(note.TopicFile, nil, "%s", nested(f.nested))
	}
	if len(f.binary) > 0 {
		t.Notes.Add(note.TopicFile, nil, "%s", noValues(f.binary))
	}
	return t, nil
}

// tooLarge is thrown if a page unpacks to more than may be held.
type tooLarge struct{}

// recovered turns what was thrown into an error.
func (l limits) recovered(name, where string, err *error) {
	switch thrown := recover().(type) {
	case nil:
	case damage:
		*err = &Error{name, damagedParquet(where + string(thrown))}
	case tooLarge:
		*err = &Error{name, large(l.held)}
	default:
		panic(thrown)
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

// maxScale bounds the zeros that a decimal's scale adds to each cell. No decimal of a
// database has more than 76 digits.
const maxScale = 100

// writer returns a function that writes the values of a column, nulls apart. It throws
// damage if they cannot mean what they should.
func writer(e *schemaElement) func(value) string {
	are := func(kinds ...int64) { must(slices.Contains(kinds, e.kind), "column %s is of an unknown kind", e.name) }
	switch m := e.meaning; m.is {
	case meansDecimal:
		are(typeInt32, typeInt64, typeByteArray, typeFixedLenByteArray)
		must(m.decimals >= -maxScale && m.decimals <= maxScale, "a decimal has the scale %d", m.decimals)
		if e.kind == typeInt32 || e.kind == typeInt64 {
			return func(v value) string { return fixed(number(v), m.decimals) }
		}
		return func(v value) string { return fixed(twosComplement(v.bytes), m.decimals) }
	case meansDate:
		are(typeInt32)
		return func(v value) string {
			if day := date(v.number); day != "" {
				return day
			}
			return number(v)
		}
	case meansTimestamp:
		are(typeInt64)
		return instant(m.decimals, m.utc)
	case meansTime:
		are(typeInt32, typeInt64)
		return timeOfDay(m.decimals)
	case meansInteger:
		are(typeInt32, typeInt64)
		if m.unsigned && e.kind == typeInt32 {
			return func(v value) string { return strconv.FormatUint(uint64(uint32(v.number)), 10) }
		}
		if m.unsigned {
			return func(v value) string { return strconv.FormatUint(uint64(v.number), 10) }
		}
		return number
	case meansFloat16:
		are(typeFixedLenByteArray)
		return func(v value) string { return numeral(half(v.bytes)) }
	case meansUUID:
		are(typeFixedLenByteArray)
		return func(v value) string {
			h := hex.EncodeToString(v.bytes)
			return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
		}
	}
	switch e.kind {
	case typeInt96:
		return func(v value) string { return instant96(v.bytes) }
	case typeInt32, typeInt64:
		return number
	case typeFloat, typeDouble:
		return func(v value) string { return numeral(v.float()) }
	case typeBoolean:
		return func(v value) string { return strconv.FormatBool(v.number == 1) }
	}
	return func(v value) string {
		if utf8.Valid(v.bytes) && !slices.Contains(v.bytes, 0) {
			return quote(string(v.bytes))
		}
		return "0x" + hex.EncodeToString(v.bytes)
	}
}

func number(v value) string { return strconv.FormatInt(v.number, 10) }

// instant returns a function that writes an instant, counted from 1970.
func instant(decimals int, utc bool) func(value) string {
	perDay := 86400 * int64(math.Pow10(decimals))
	return func(v value) string {
		units := v.number
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
func instant96(b []byte) string {
	const julian1970, perDay = 2440588, 86400e9
	day, nanos := int64(int32(binary.LittleEndian.Uint32(b[8:])))-julian1970, binary.LittleEndian.Uint64(b)
	if text := timestamp(day+int64(nanos/perDay), int64(nanos%perDay), 9); text != "" {
		return text
	}
	total := new(big.Int).Mul(big.NewInt(day), big.NewInt(perDay))
	return total.Add(total, new(big.Int).SetUint64(nanos)).String()
}

func timeOfDay(decimals int) func(value) string {
	return func(v value) string {
		units := v.number
		if units < 0 || units >= 86400*int64(math.Pow10(decimals)) {
			return strconv.FormatInt(units, 10)
		}
		return clock(units, decimals)
	}
}

// twosComplement writes a whole number in bytes, the highest first.
func twosComplement(b []byte) string {
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
func (l limits) writeParquet(w *bufio.Writer, name string, at io.ReaderAt, f *footer) error {
	line := func(texts func(i int) string) {
		for i := range f.columns {
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteString(texts(i))
		}
		w.WriteByte('\n')
	}
	line(func(i int) string { return quote(f.columns[i].name) })
	for _, group := range f.groups {
		readers := make([]columnReader, len(f.columns))
		for i := range readers {
			c := &group.chunks[f.columns[i].leaf]
			readers[i] = columnReader{file: at, column: &f.columns[i], chunk: c, held: l.held, at: c.from, left: c.values}
		}
		block := make([][]string, len(f.columns))
		for left := group.rows; left > 0; left -= blockRows {
			rows := int(min(left, blockRows))
			for i := range readers {
				var err error
				if block[i], err = l.texts(name, &readers[i], block[i][:0], rows); err != nil {
					return err
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

func (l limits) texts(name string, r *columnReader, texts []string, n int) (_ []string, err error) {
	defer l.recovered(name, "column "+r.column.name+": ", &err)
	return r.read(texts, n), nil
}
