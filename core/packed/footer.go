package packed

import (
	"bytes"
	"encoding/binary"
	"io"
)

// Physical types of columns.
const (
	typeBoolean = iota
	typeInt32
	typeInt64
	typeInt96
	typeFloat
	typeDouble
	typeByteArray
	typeFixedLenByteArray
	typeGroup = -1 // of columns
)

// What the values of a column mean: the fields of the format's union of logical types.
const (
	meansDecimal   = 5
	meansDate      = 6
	meansTime      = 7
	meansTimestamp = 8
	meansInteger   = 10
	meansUUID      = 14
	meansFloat16   = 15
)

type meaning struct {
	is       int64 // 0 if nothing is said
	decimals int   // of seconds, or of a decimal
	utc      bool
	unsigned bool
}

// schemaElement is a column, or a group of columns.
type schemaElement struct {
	name       string
	kind       int64 // a physical type
	length     int   // in bytes, of a typeFixedLenByteArray
	repetition int64 // 0 required, 1 optional, 2 repeated
	children   int64
	meaning    meaning
}

const repeated = 2

// hasMeaning reports whether the bytes of a column are decimals, halves or UUIDs.
func (e *schemaElement) hasMeaning() bool {
	is := e.meaning.is
	return is == meansDecimal || is == meansFloat16 && e.length == 2 || is == meansUUID && e.length == 16
}

// chunk is the values of a column in a row group.
type chunk struct {
	kind, codec, values, unpacked int64
	path                          []string
	from, to                      int64 // in the file
}

type rowGroup struct {
	rows   int64
	chunks []chunk // one a column, those in groups of columns too
}

// flatColumn is a column with one value a row.
type flatColumn struct {
	schemaElement
	leaf  int // its place among all columns
	write func(value) string
}

// footer is what a table needs of a Parquet file's footer. The rest, such as statistics,
// is skipped. web/src/packed/footer.ts reads the same.
type footer struct {
	end            int64 // of the pages
	groups         []rowGroup
	columns        []flatColumn
	nested, binary []string // names of nested columns, and of those that hold bytes or intervals
}

// A footer takes at most these parts of what may be held, in bytes and in structures: 16 MB
// and 4 million. In memory a structure takes a hundred times its bytes.
const (
	footerShare = 32
	structShare = 128
	longFooter  = "its footer is longer than any should be"
)

// readFooter throws damage if the footer of a Parquet file is not as it should be.
func (l limits) readFooter(at io.ReaderAt, size int64) *footer {
	var tail [8]byte
	_, err := at.ReadAt(tail[:], max(0, size-8))
	must(size >= 12 && (err == nil || err == io.EOF) && string(tail[4:]) == "PAR1", "its end is missing")
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	must(length <= size-12, "its footer is said to be longer than the file")
	must(length <= int64(l.held)/footerShare, longFooter)
	t := make(thrift, length)
	_, err = at.ReadAt(t, size-8-length)
	must(err == nil || err == io.EOF, "%v", err)
	must(bytes.Count(t, []byte{0}) <= l.held/structShare, longFooter) // each of its structures ends with a zero
	f := &footer{end: size - 8 - length}
	var schema []schemaElement
	t.fields(thriftStruct, func(field int64, kind byte) bool {
		switch field {
		case 2:
			t.list(kind, func(of byte) { schema = append(schema, t.schemaElement(of)) })
		case 4:
			t.list(kind, func(of byte) { f.groups = append(f.groups, t.rowGroup(of)) })
		default:
			return false
		}
		return true
	})
	must(len(t) == 0, "its footer is longer than it should be")
	leaves := f.addColumns(schema)
	for _, g := range f.groups {
		must(g.rows >= 0 && len(g.chunks) == leaves, "a row group does not have the columns of the table")
	}
	return f
}

// addColumns returns how many columns there are with those in groups of columns.
func (f *footer) addColumns(schema []schemaElement) (leaves int) {
	children := int64(0)
	for at := 1; at < len(schema); children++ {
		e := &schema[at]
		switch {
		case e.kind == typeGroup || e.repetition == repeated:
			f.nested = append(f.nested, e.name)
		case e.kind == typeFixedLenByteArray && !e.hasMeaning():
			f.binary = append(f.binary, e.name)
		default:
			f.columns = append(f.columns, flatColumn{schemaElement: *e, leaf: leaves})
		}
		for open := int64(1); open > 0; open-- {
			must(at < len(schema), "a group of columns lacks some")
			if schema[at].kind != typeGroup {
				leaves++
			}
			open += schema[at].children
			at++
		}
	}
	must(len(schema) > 0 && schema[0].children == children, "the table does not have its columns")
	return leaves
}

func (t *thrift) schemaElement(kind byte) (e schemaElement) {
	e.kind = typeGroup
	converted, scale := int64(-1), 0
	t.fields(kind, func(field int64, of byte) bool {
		switch field {
		case 1:
			e.kind = t.integer(of)
		case 2:
			e.length = int(t.integer(of))
		case 3:
			e.repetition = t.integer(of)
		case 4:
			e.name = t.text(of)
		case 5:
			e.children = t.integer(of)
		case 6:
			converted = t.integer(of)
		case 7:
			scale = int(t.integer(of))
		case 10:
			e.meaning = t.meaning(of)
		default:
			return false
		}
		return true
	})
	must(e.kind >= typeGroup && e.kind <= typeFixedLenByteArray && e.repetition >= 0 && e.repetition <= repeated && e.children >= 0 && (e.kind == typeGroup || e.children == 0), "column %s is of an unknown kind", e.name)
	if e.meaning.is == 0 {
		e.meaning = converts(converted, scale)
	}
	return e
}

func (t *thrift) meaning(kind byte) (m meaning) {
	t.fields(kind, func(field int64, of byte) bool {
		switch field {
		case meansDecimal, meansDate, meansTime, meansTimestamp, meansInteger, meansUUID, meansFloat16:
		default:
			return false
		}
		m = meaning{is: field}
		t.fields(of, func(inner int64, of byte) bool {
			switch {
			case field == meansDecimal && inner == 1:
				m.decimals = int(t.integer(of))
			case field == meansInteger && inner == 2:
				m.unsigned = !boolean(of)
			case (field == meansTime || field == meansTimestamp) && inner == 1:
				m.utc = boolean(of)
			case (field == meansTime || field == meansTimestamp) && inner == 2:
				t.fields(of, func(unit int64, of byte) bool {
					if unit <= 3 {
						m.decimals = int(3 * unit)
						t.fields(of, func(int64, byte) bool { return false })
					}
					return unit <= 3
				})
			default:
				return false
			}
			return true
		})
		return true
	})
	must(m.decimals != 0 || m.is != meansTime && m.is != meansTimestamp, "a time has no unit")
	return m
}

// converts returns the meaning as older writers note it.
func converts(converted int64, scale int) meaning {
	switch converted {
	case 5:
		return meaning{is: meansDecimal, decimals: scale}
	case 6:
		return meaning{is: meansDate}
	case 7, 8:
		return meaning{is: meansTime, decimals: int(3 * (converted - 6))}
	case 9, 10:
		return meaning{is: meansTimestamp, decimals: int(3 * (converted - 8)), utc: true}
	case 11, 12, 13, 14:
		return meaning{is: meansInteger, unsigned: true}
	}
	return meaning{}
}

func (t *thrift) rowGroup(kind byte) (g rowGroup) {
	g.rows = -1
	t.fields(kind, func(field int64, of byte) bool {
		switch field {
		case 1:
			t.list(of, func(inner byte) { g.chunks = append(g.chunks, t.chunk(inner)) })
		case 3:
			g.rows = t.integer(of)
		default:
			return false
		}
		return true
	})
	return g
}

func (t *thrift) chunk(kind byte) chunk {
	c := chunk{kind: -1, codec: -1, values: -1, unpacked: -1}
	length, data, dictionary := int64(-1), int64(-1), int64(0)
	t.fields(kind, func(field int64, of byte) bool {
		if field != 3 {
			return false
		}
		t.fields(of, func(field int64, of byte) bool {
			switch field {
			case 1:
				c.kind = t.integer(of)
			case 3:
				t.list(of, func(part byte) { c.path = append(c.path, t.text(part)) })
			case 4:
				c.codec = t.integer(of)
			case 5:
				c.values = t.integer(of)
			case 6:
				c.unpacked = t.integer(of)
			case 7:
				length = t.integer(of)
			case 9:
				data = t.integer(of)
			case 11:
				dictionary = t.integer(of)
			default:
				return false
			}
			return true
		})
		return true
	})
	c.from = data
	if dictionary > 0 {
		c.from = min(data, dictionary)
	}
	c.to = c.from + length
	return c
}

// check throws damage unless the values of a column in a group are what the column's
// schema says.
func (f *footer) check(c *flatColumn, g *rowGroup) {
	chunk := &g.chunks[c.leaf]
	must(chunk.kind == c.kind && len(chunk.path) == 1 && chunk.path[0] == c.name && chunk.values == g.rows && chunk.unpacked >= 0 && chunk.from >= 4 && chunk.from <= chunk.to && chunk.to <= f.end, "column %s is not as its footer says", c.name)
}
