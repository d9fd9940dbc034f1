package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// checkFooter returns an error if a list or a text in the footer of a Parquet file
// claims to be longer than the footer. parquet-go, up to v0.32.0 at least, allocates as
// much as they claim. That ends the program if it is more than the memory.
func (l limits) checkFooter(at io.ReaderAt, size int64) error {
	var tail [8]byte
	if _, err := at.ReadAt(tail[:], size-8); err != nil || string(tail[4:]) != "PAR1" {
		return nil // parquet-go reports it
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if length > size-12 {
		return errors.New("its footer is said to be longer than the file")
	}
	if length > int64(l.held)/footerShare {
		return errors.New(longFooter)
	}
	footer := make(thrift, length)
	if _, err := at.ReadAt(footer, size-8-length); err != nil {
		return err
	}
	if bytes.Count(footer, []byte{0}) > l.held/structShare { // each of its structures ends with a zero
		return errors.New(longFooter)
	}
	if !footer.skipValue(thriftStruct, 0) {
		return errors.New("something in its footer is said to be longer than the footer")
	}
	return nil
}

// A footer takes at most these parts of what may be held, in bytes and in structures: 16 MB
// and 4 million. In memory a structure takes a hundred times its bytes.
const (
	footerShare = 32
	structShare = 128
	longFooter  = "its footer is longer than any should be"
)

// thrift is the rest of a footer, in Thrift's compact protocol:
// github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.
type thrift []byte

// Types of values that a footer has.
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

// skip reports whether n bytes are left, and removes them.
func (t *thrift) skip(n uint64) bool {
	if n > uint64(len(*t)) {
		return false
	}
	*t = (*t)[n:]
	return true
}

func (t *thrift) next() (b byte, ok bool) {
	if len(*t) > 0 {
		b = (*t)[0]
	}
	return b, t.skip(1)
}

func (t *thrift) number() (n uint64, ok bool) {
	n, length := binary.Uvarint(*t)
	return n, length > 0 && t.skip(uint64(length))
}

// skipValue removes a value and reports whether all of it is there.
func (t *thrift) skipValue(kind byte, depth int) bool {
	if depth > 40 {
		return false
	}
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return t.skip(1)
	case thriftI16, thriftI32, thriftI64:
		_, ok := t.number()
		return ok
	case thriftDouble:
		return t.skip(8)
	case thriftBinary:
		n, ok := t.number()
		return ok && t.skip(n)
	case thriftList:
		head, ok := t.next()
		n := uint64(head >> 4)
		if ok && n == 15 {
			n, ok = t.number()
		}
		if !ok || n > uint64(len(*t)) { // each value takes a byte at least
			return false
		}
		for ; n > 0 && ok; n-- {
			ok = t.skipValue(head&15, depth+1)
		}
		return ok
	case thriftStruct:
		for {
			head, ok := t.next()
			if !ok || head == 0 {
				return ok
			}
			if head>>4 == 0 { // the number of the field follows
				_, ok = t.number()
			}
			if field := head & 15; field != thriftTrue && field != thriftFalse {
				ok = ok && t.skipValue(field, depth+1)
			}
			if !ok {
				return false
			}
		}
	}
	return false
}
