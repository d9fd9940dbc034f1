package packed

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
)

// Encodings of values.
const (
	encodingPlain           = 0
	encodingPlainDictionary = 2
	encodingRLE             = 3
	encodingDelta           = 5
	encodingDeltaLength     = 6
	encodingDeltaBytes      = 7
	encodingDictionary      = 8
	encodingSplit           = 9
)

// Kinds of pages.
const (
	pageData       = 0
	pageIndex      = 1
	pageDictionary = 2
	pageDataV2     = 3
)

// value is a number, or the bits of a float64, or bytes.
type value struct {
	number int64
	bytes  []byte
}

func (v value) float() float64 { return math.Float64frombits(uint64(v.number)) }

// values are numbers, or bytes, or places in a dictionary.
type values struct {
	numbers    []int64
	bytes      [][]byte
	places     []uint32
	dictionary *values
}

func (v *values) at(i int) value {
	switch {
	case v.places != nil:
		return v.dictionary.at(int(v.places[i]))
	case v.bytes != nil:
		return value{bytes: v.bytes[i]}
	}
	return value{number: v.numbers[i]}
}

type pageHeader struct {
	kind, unpacked, packed int64 // unpacked and packed in bytes
	crc                    uint32
	values, encoding       int64
	levels                 int64 // their encoding in pageData, and their bytes in pageDataV2
	repetitions            int64 // bytes
	nulls, rows            int64
	uncompressed           bool
}

const (
	endsTooSoon  = "a page ends too soon"
	otherValues  = "a page does not have its values"
	bytesSize    = 32      // of a value that is bytes, besides them
	headerLength = 1 << 10 // bytes that a page's header has at most, unless its statistics are long
)

func (t *thrift) pageHeader() (h pageHeader) {
	h = pageHeader{kind: -1, unpacked: -1, packed: -1, values: -1, encoding: -1, levels: -1, nulls: -1, rows: -1}
	described := int64(-1) // the kind of page
	t.fields(thriftStruct, func(field int64, kind byte) bool {
		switch field {
		case 1:
			h.kind = t.integer(kind)
		case 2:
			h.unpacked = t.integer(kind)
		case 3:
			h.packed = t.integer(kind)
		case 4:
			h.crc = uint32(t.integer(kind))
		case 5, 7:
			described = field - 5
			t.fields(kind, func(field int64, kind byte) bool {
				switch {
				case field == 1:
					h.values = t.integer(kind)
				case field == 2:
					h.encoding = t.integer(kind)
				case field == 3 && described == pageData:
					h.levels = t.integer(kind)
				default:
					return false
				}
				return true
			})
		case 8:
			described = pageDataV2
			t.fields(kind, func(field int64, kind byte) bool {
				switch field {
				case 1:
					h.values = t.integer(kind)
				case 2:
					h.nulls = t.integer(kind)
				case 3:
					h.rows = t.integer(kind)
				case 4:
					h.encoding = t.integer(kind)
				case 5:
					h.levels = t.integer(kind)
				case 6:
					h.repetitions = t.integer(kind)
				case 7:
					h.uncompressed = !boolean(kind)
				default:
					return false
				}
				return true
			})
		default:
			return false
		}
		return true
	})
	must(h.kind == pageIndex || described == h.kind && h.values >= 0, "a page is of an unknown kind")
	return h
}

// columnReader reads the values of a column in a row group, page by page.
// web/src/packed/pages.ts reads the same: github.com/apache/parquet-format/blob/master/Encodings.md.
type columnReader struct {
	file       io.ReaderAt
	column     *flatColumn
	chunk      *chunk
	held       int
	at         int64 // the next page in the file
	left       int64 // values in the pages to come
	dictionary *values
	page       values
	levels     []uint32 // of the page; nil if no value is missing
	length     int      // values of the page, the missing ones too
	done, next int      // of length, and of those in page
}

// read appends the next n values to texts.
func (r *columnReader) read(texts []string, n int) []string {
	for len(texts) < n {
		if r.done == r.length {
			r.readPage()
		}
		for end := min(r.length, r.done+n-len(texts)); r.done < end; r.done++ {
			if r.levels != nil && r.levels[r.done] == 0 {
				texts = append(texts, "")
				continue
			}
			texts = append(texts, r.column.write(r.page.at(r.next)))
			r.next++
		}
	}
	return texts
}

func (r *columnReader) bytes(n int64) []byte {
	b := make([]byte, n)
	_, err := r.file.ReadAt(b, r.at)
	must(err == nil || err == io.EOF, "%v", err)
	return b
}

func (r *columnReader) header() pageHeader {
	for length := int64(headerLength); ; length *= 32 {
		length = min(length, r.chunk.to-r.at)
		t := thrift(r.bytes(length))
		h, ok := tryHeader(&t)
		if ok {
			r.at += length - int64(len(t))
			return h
		}
		must(length < r.chunk.to-r.at, "the header of a page is damaged")
	}
}

// tryHeader reports whether the header of a page could be read.
func tryHeader(t *thrift) (h pageHeader, ok bool) {
	defer func() {
		if _, thrown := recover().(damage); thrown {
			ok = false
		}
	}()
	return t.pageHeader(), true
}

// readPage reads the next page. A dictionary has no values.
func (r *columnReader) readPage() {
	r.page, r.levels, r.length, r.done, r.next = values{}, nil, 0, 0, 0
	must(r.at < r.chunk.to, endsTooSoon)
	h := r.header()
	must(h.packed >= 0 && h.packed <= r.chunk.to-r.at && h.unpacked >= 0, endsTooSoon)
	if h.unpacked > int64(r.held) {
		panic(tooLarge{})
	}
	packed := r.bytes(h.packed)
	r.at += h.packed
	must(h.crc == 0 || h.crc == crc32.ChecksumIEEE(packed), "a page was changed since it was written")
	switch h.kind {
	case pageIndex:
		return
	case pageDictionary:
		must(r.dictionary == nil && (h.encoding == encodingPlain || h.encoding == encodingPlainDictionary), "a dictionary is of an unknown kind")
		dictionary := r.plain(unpack(r.chunk.codec, packed, h.unpacked), h.values)
		r.dictionary = &dictionary
		return
	}
	must(h.values <= r.left, endsTooSoon)
	r.left -= h.values
	optional := r.column.repetition > 0
	var b []byte
	if h.kind == pageData {
		b = unpack(r.chunk.codec, packed, h.unpacked)
		if optional {
			must(h.levels == encodingRLE, "levels are of an unknown kind")
			var run []byte
			run, b = sized(b)
			r.levels = hybrid(run, 1, h.values)
		}
	} else {
		end := h.repetitions + h.levels
		must(h.repetitions >= 0 && h.levels >= 0 && end <= min(h.packed, h.unpacked) && h.rows == h.values, endsTooSoon)
		if optional {
			r.levels = hybrid(packed[h.repetitions:end], 1, h.values)
		}
		codec := r.chunk.codec
		if h.uncompressed {
			codec = codecNone
		}
		b = unpack(codec, packed[end:], h.unpacked-end)
	}
	there := h.values
	if optional {
		there = 0
		for _, level := range r.levels {
			there += int64(level)
		}
	}
	must(h.kind == pageData || h.nulls == h.values-there, "a page does not have its missing values")
	r.page = r.decode(b, h.encoding, there)
	r.length = int(h.values)
}

// sized returns the bytes behind a length, and the rest.
func sized(b []byte) (part, rest []byte) {
	must(len(b) >= 4, endsTooSoon)
	n := int64(binary.LittleEndian.Uint32(b))
	must(n <= int64(len(b)-4), endsTooSoon)
	return b[4 : 4+n], b[4+n:]
}

func (r *columnReader) decode(b []byte, encoding, count int64) (v values) {
	if count == 0 {
		return v
	}
	kind := r.column.kind
	switch {
	case encoding == encodingPlain:
		return r.plain(b, count)
	case encoding == encodingPlainDictionary || encoding == encodingDictionary:
		bits := 0
		if len(b) > 0 {
			bits, b = int(b[0]), b[1:]
		}
		v.dictionary, v.places = r.dictionary, hybrid(b, bits, count)
		for _, i := range v.places {
			must(r.dictionary != nil && int64(i) < int64(max(len(r.dictionary.numbers), len(r.dictionary.bytes))), "a dictionary ends too soon")
		}
	case encoding == encodingRLE && kind == typeBoolean:
		run, _ := sized(b)
		v.numbers = make([]int64, count)
		for i, bit := range hybrid(run, 1, count) {
			v.numbers[i] = int64(bit)
		}
	case encoding == encodingDelta && (kind == typeInt32 || kind == typeInt64):
		v.numbers, _ = deltas(b, count, kind == typeInt32)
	case encoding == encodingDeltaLength && kind == typeByteArray:
		r.bound(count)
		lengths, rest := deltas(b, count, true)
		v.bytes = parts(rest, lengths)
	case encoding == encodingDeltaBytes && (kind == typeByteArray || kind == typeFixedLenByteArray):
		r.bound(count)
		prefixes, rest := deltas(b, count, true)
		lengths, rest := deltas(rest, count, true)
		v.bytes = parts(rest, lengths)
		var before []byte
		total := int64(0)
		for i, suffix := range v.bytes { // each begins as the one before does
			prefix := prefixes[i]
			must(prefix >= 0 && prefix <= int64(len(before)), endsTooSoon)
			if total += prefix; total > int64(r.held) {
				panic(tooLarge{})
			}
			before = bytes.Join([][]byte{before[:prefix], suffix}, nil)
			must(kind == typeByteArray || len(before) == r.column.length, endsTooSoon)
			v.bytes[i] = before
		}
	case encoding == encodingSplit && kind != typeBoolean && kind != typeInt96 && kind != typeByteArray:
		size := r.column.size()
		must(int64(len(b)) == count*int64(size), otherValues)
		joined := make([]byte, len(b))
		for i, c := range b {
			joined[i%int(count)*size+i/int(count)] = c
		}
		return r.plain(joined, count)
	default:
		panic(damage("values are of an unknown kind"))
	}
	return v
}

// bound throws tooLarge if so many values that are bytes may not be held.
func (r *columnReader) bound(count int64) {
	if count*bytesSize > int64(r.held) {
		panic(tooLarge{})
	}
}

// size returns the bytes of a value.
func (e *schemaElement) size() int {
	switch e.kind {
	case typeInt32, typeFloat:
		return 4
	case typeInt96:
		return 12
	case typeFixedLenByteArray:
		return e.length
	}
	return 8
}

func (r *columnReader) plain(b []byte, count int64) (v values) {
	kind := r.column.kind
	size := int64(r.column.size())
	switch kind {
	case typeBoolean:
		must(count <= 8*int64(len(b)), endsTooSoon)
	case typeByteArray:
		must(count <= int64(len(b))/4, endsTooSoon)
	default:
		must(size > 0 && count <= int64(len(b))/size, endsTooSoon)
	}
	if kind == typeByteArray || kind == typeInt96 || kind == typeFixedLenByteArray {
		r.bound(count)
		v.bytes = make([][]byte, count)
		for i := range v.bytes {
			if kind == typeByteArray {
				v.bytes[i], b = sized(b)
			} else {
				v.bytes[i] = b[int64(i)*size:][:size]
			}
		}
		return v
	}
	v.numbers = make([]int64, count)
	for i := range v.numbers {
		switch kind {
		case typeBoolean:
			v.numbers[i] = int64(b[i/8] >> (i % 8) & 1)
		case typeInt32:
			v.numbers[i] = int64(int32(binary.LittleEndian.Uint32(b[4*i:])))
		case typeFloat:
			v.numbers[i] = int64(math.Float64bits(float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))))
		default:
			v.numbers[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
	return v
}

// hybrid reads runs of equal numbers of so many bits, and numbers side by side.
func hybrid(b []byte, bits int, count int64) []uint32 {
	must(bits <= 32, endsTooSoon)
	numbers := make([]uint32, 0, count)
	for int64(len(numbers)) < count {
		left := uint64(count) - uint64(len(numbers))
		var head uint64
		head, b = uvarint(b)
		if size := head >> 1; head&1 == 1 {
			n := left
			if size < left/8+1 {
				n = min(8*size, left)
			}
			must((n*uint64(bits)+7)/8 <= uint64(len(b)), endsTooSoon)
			for i := range n {
				numbers = append(numbers, uint32(slice(b, i*uint64(bits), bits)))
			}
			if size > uint64(len(b)) {
				size = uint64(len(b))
			}
			b = b[min(uint64(len(b)), size*uint64(bits)):]
		} else {
			bytes := (bits + 7) / 8
			must(bytes <= len(b), endsTooSoon)
			value := slice(b, 0, 8*bytes)
			must(value < 1<<bits, endsTooSoon)
			b = b[bytes:]
			for range min(size, left) {
				numbers = append(numbers, uint32(value))
			}
		}
	}
	return numbers
}

// slice returns the number of so many bits from a bit on.
func slice(b []byte, bit uint64, bits int) uint64 {
	var wide [16]byte // what follows the bytes is 0
	next := b[bit/8:]
	if len(next) < 9 {
		copy(wide[:], next)
		next = wide[:]
	}
	shift := bit % 8
	number := binary.LittleEndian.Uint64(next)>>shift | uint64(next[8])<<(63-shift)<<1
	return number & (1<<bits - 1)
}

func uvarint(b []byte) (uint64, []byte) {
	n, length := binary.Uvarint(b)
	must(length > 0, "a number is too long")
	return n, b[length:]
}

func varint(b []byte) (int64, []byte) {
	n, rest := uvarint(b)
	return int64(n>>1) ^ -int64(n&1), rest
}

// deltas reads whole numbers, of 32 bits if narrow, by their differences in blocks of
// smaller blocks. It returns the bytes that follow.
func deltas(b []byte, count int64, narrow bool) (values []int64, rest []byte) {
	block, b := uvarint(b)
	parts, b := uvarint(b)
	must(parts > 0 && block <= 1<<30 && block%parts == 0, otherValues)
	size := block / parts
	must(size > 0 && size%8 == 0, otherValues)
	total, b := uvarint(b)
	must(total == uint64(count), otherValues)
	last, b := varint(b)
	add := func(n int64) {
		if last += n; narrow {
			last = int64(int32(last))
		}
		values = append(values, last)
	}
	add(0)
	for int64(len(values)) < count {
		var least int64
		least, b = varint(b)
		must(parts <= uint64(len(b)), endsTooSoon)
		widths := b[:parts]
		b = b[parts:]
		for _, width := range widths {
			if int64(len(values)) == count {
				break
			}
			must(width <= 64 && size/8*uint64(width) <= uint64(len(b)), endsTooSoon)
			for i := range min(size, uint64(count)-uint64(len(values))) {
				add(least + int64(slice(b, i*uint64(width), int(width))))
			}
			b = b[size/8*uint64(width):]
		}
	}
	return values, b
}

// parts returns byte arrays of these lengths, one after the other.
func parts(b []byte, lengths []int64) [][]byte {
	all := make([][]byte, len(lengths))
	for i, n := range lengths {
		must(n >= 0 && n <= int64(len(b)), endsTooSoon)
		all[i], b = b[:n], b[n:]
	}
	return all
}
