package packed

import (
	"encoding/binary"
	"errors"
	"io"
)

// soundFooter reads what stands at the end of a Parquet file, as far as to see that no
// list or text in it says that it is longer than the footer. The library makes room for
// as much as one says, and no program survives that where it is more than the memory.
func (l limits) soundFooter(at io.ReaderAt, size int64) error {
	var tail [8]byte
	if _, err := at.ReadAt(tail[:], size-8); err != nil || string(tail[4:]) != "PAR1" {
		return nil // which the library says better
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if length > size-12 {
		return errors.New("its footer is said to be longer than the file")
	}
	if length > int64(l.held) {
		return errors.New("its footer is longer than any should be")
	}
	footer := make([]byte, length)
	if _, err := at.ReadAt(footer, size-8-length); err != nil {
		return err
	}
	w := walk{footer}
	if !w.value(compactStruct, 0) {
		return errors.New("something in its footer is said to be longer than the footer")
	}
	return nil
}

// Types of Thrift's compact protocol, in which the footer is written:
// github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.
const (
	compactTrue = iota + 1
	compactFalse
	compactByte
	compactI16
	compactI32
	compactI64
	compactDouble
	compactBinary
	compactList
	compactSet
	compactMap
	compactStruct
)

// walk is what is left of a footer.
type walk struct{ left []byte }

func (w *walk) skip(n uint64) bool {
	if n > uint64(len(w.left)) {
		return false
	}
	w.left = w.left[n:]
	return true
}

func (w *walk) number() (n uint64, ok bool) {
	n, read := binary.Uvarint(w.left)
	return n, read > 0 && w.skip(uint64(read))
}

// value goes over a value and reports whether it ends before the footer does.
func (w *walk) value(kind byte, depth int) bool {
	if depth > 40 {
		return false
	}
	switch kind {
	case compactTrue, compactFalse, compactByte: // as elements; as a field a truth has no byte
		return w.skip(1)
	case compactI16, compactI32, compactI64:
		_, ok := w.number()
		return ok
	case compactDouble:
		return w.skip(8)
	case compactBinary:
		n, ok := w.number()
		return ok && w.skip(n)
	case compactList, compactSet:
		if len(w.left) == 0 {
			return false
		}
		n, of := uint64(w.left[0]>>4), w.left[0]&15
		w.left = w.left[1:]
		if ok := true; n == 15 {
			if n, ok = w.number(); !ok {
				return false
			}
		}
		return w.values(n, depth, of)
	case compactMap:
		n, ok := w.number()
		if !ok || n == 0 {
			return ok
		}
		if len(w.left) == 0 {
			return false
		}
		kinds := w.left[0]
		w.left = w.left[1:]
		return w.values(n, depth, kinds>>4, kinds&15)
	case compactStruct:
		for {
			if len(w.left) == 0 {
				return false
			}
			field := w.left[0]
			w.left = w.left[1:]
			if field == 0 {
				return true
			}
			if field>>4 == 0 { // its number follows
				if _, ok := w.number(); !ok {
					return false
				}
			}
			if kind := field & 15; kind != compactTrue && kind != compactFalse && !w.value(kind, depth+1) {
				return false
			}
		}
	}
	return false
}

// values goes over n values of each kind, which take a byte each at least.
func (w *walk) values(n uint64, depth int, kinds ...byte) bool {
	if n > uint64(len(w.left)) {
		return false
	}
	for range n {
		for _, kind := range kinds {
			if !w.value(kind, depth+1) {
				return false
			}
		}
	}
	return true
}
