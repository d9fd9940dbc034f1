package packed

import (
	"fmt"
	"unicode/utf8"
)

// damage is what a file is not read for. It is thrown, and [recovered] makes it an error.
type damage string

// must throws damage unless a file is as it should be.
func must(fits bool, format string, args ...any) {
	if !fits {
		panic(damage(fmt.Sprintf(format, args...)))
	}
}

// thrift is the rest of a structure in Thrift's compact protocol. web/src/packed/thrift.ts
// reads the same: github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.
type thrift []byte

// Kinds of values.
const (
	thriftTrue = iota + 1
	thriftFalse
	thriftByte
	thriftI16
	thriftI32
	thriftI64
	thriftDouble
	thriftBinary
	thriftList
	_ // set
	_ // map
	thriftStruct
)

const (
	thriftDepth  = 40
	numberLength = 7 // bytes: 48 bits and their sign
	otherKind    = "a structure has a field of another kind than it should"
	tooLong      = "something in its footer is said to be longer than the footer"
)

// take removes n bytes.
func (t *thrift) take(n uint64) []byte {
	must(n <= uint64(len(*t)), tooLong)
	taken := (*t)[:n]
	*t = (*t)[n:]
	return taken
}

func (t *thrift) byte() byte {
	must(len(*t) > 0, "a structure ends too soon")
	return t.take(1)[0]
}

func (t *thrift) unsigned() (n uint64) {
	for i := range numberLength {
		b := t.byte()
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return n
		}
	}
	panic(damage("a number is too long"))
}

// integer reads a whole number of any width.
func (t *thrift) integer(kind byte) int64 {
	if kind == thriftByte {
		return int64(int8(t.byte()))
	}
	must(kind > thriftByte && kind <= thriftI64, otherKind)
	n := t.unsigned()
	return int64(n>>1) ^ -int64(n&1)
}

func boolean(kind byte) bool {
	must(kind == thriftTrue || kind == thriftFalse, otherKind)
	return kind == thriftTrue
}

func (t *thrift) text(kind byte) string {
	must(kind == thriftBinary, otherKind)
	text := t.take(t.unsigned())
	must(utf8.Valid(text), "a name is no text")
	return string(text)
}

// list calls read for each value, with its kind.
func (t *thrift) list(kind byte, read func(kind byte)) {
	must(kind == thriftList, otherKind)
	head := t.byte()
	n := uint64(head >> 4)
	if n == 15 {
		n = t.unsigned()
	}
	must(n <= uint64(len(*t)), tooLong) // each value takes a byte at least
	for ; n > 0; n-- {
		read(head & 15)
	}
}

// fields calls read for each field of a structure. read returns false for a field that
// it does not need and has not read.
func (t *thrift) fields(kind byte, read func(field int64, kind byte) bool) {
	must(kind == thriftStruct, otherKind)
	field := int64(0)
	for head := t.byte(); head != 0; head = t.byte() {
		before := field
		if head>>4 != 0 {
			field += int64(head >> 4)
		} else {
			field = t.integer(thriftI64)
		}
		must(field > before, otherKind)
		if !read(field, head&15) {
			t.skip(head&15, 0)
		}
	}
}

func (t *thrift) skip(kind byte, depth int) {
	must(depth <= thriftDepth, otherKind)
	switch kind {
	case thriftTrue, thriftFalse: // the kind is the value
	case thriftByte, thriftI16, thriftI32, thriftI64:
		t.integer(kind)
	case thriftDouble:
		t.take(8)
	case thriftBinary:
		t.take(t.unsigned())
	case thriftList:
		t.list(kind, func(of byte) {
			if of == thriftTrue || of == thriftFalse {
				t.byte()
			} else {
				t.skip(of, depth+1)
			}
		})
	default:
		t.fields(kind, func(_ int64, of byte) bool {
			t.skip(of, depth+1)
			return true
		})
	}
}
