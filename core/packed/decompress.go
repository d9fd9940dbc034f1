package packed

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// Compressions of pages.
const (
	codecNone   = 0
	codecSnappy = 1
	codecGzip   = 2
	codecBrotli = 4
	codecLZ4    = 5
	codecZstd   = 6
	codecLZ4Raw = 7
)

// unpack returns the size bytes of a page, and throws damage if it has more or fewer.
func unpack(codec int64, packed []byte, size int64) []byte {
	if size == 0 {
		return nil
	}
	page := make([]byte, size)
	n, err := 0, error(nil)
	switch codec {
	case codecNone:
		n, page = len(packed), packed
	case codecSnappy:
		if n, err = snappy.DecodedLen(packed); err == nil && int64(n) == size {
			page, err = snappy.Decode(page, packed)
		}
	case codecGzip:
		n, err = gunzip(page, packed)
	case codecBrotli:
		n, err = whole(page, brotli.NewReader(bytes.NewReader(packed)))
	case codecLZ4:
		n = lz4Frames(page, packed)
	case codecZstd:
		n, err = unzstd(page, packed)
	case codecLZ4Raw:
		n = lz4(page, packed)
	default:
		must(false, "compression %d is unknown", codec)
	}
	must(err == nil, "%v", err)
	must(int64(n) == size, "a page is not as long as it should be")
	return page
}

// whole reads all that there is, and one byte more than fits.
func whole(page []byte, r io.Reader) (n int, err error) {
	n, err = io.ReadFull(r, page)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return n, nil
	}
	if err != nil {
		return n, err
	}
	more, err := io.ReadFull(r, make([]byte, 1))
	if err == io.EOF {
		err = nil
	}
	return n + more, err
}

func gunzip(page, packed []byte) (int, error) {
	const flags, known = 3, 0x1f
	if len(packed) <= flags || packed[flags] > known { // as a browser has it
		return 0, gzip.ErrHeader
	}
	left := bytes.NewReader(packed)
	r, err := gzip.NewReader(left)
	if err != nil {
		return 0, err
	}
	r.Multistream(false)
	n, err := whole(page, r)
	return n + left.Len(), err // nothing may follow
}

// unzstd checks no checksums, as the page.
func unzstd(page, packed []byte) (int, error) {
	r, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1), zstd.IgnoreChecksum(true))
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return whole(page, r)
}

// lz4Frames unpacks LZ4 as Hadoop frames it: each block behind two lengths. Others wrote
// one block without them.
func lz4Frames(page, packed []byte) int {
	to := 0
	for rest := packed; len(rest) >= 8; {
		unpacked, length := int64(binary.BigEndian.Uint32(rest)), int64(binary.BigEndian.Uint32(rest[4:]))
		rest = rest[8:]
		if length > int64(len(rest)) || unpacked > int64(len(page)-to) || lz4(page[to:to+int(unpacked)], rest[:length]) != int(unpacked) {
			break
		}
		to += int(unpacked)
		if rest = rest[length:]; len(rest) == 0 && to == len(page) {
			return to
		}
	}
	return lz4(page, packed)
}

// lz4 unpacks one block and returns how many bytes it has, or -1 if it is damaged.
// web/src/packed/decompress.ts does the same: other decoders differ in what they refuse.
func lz4(page, packed []byte) (to int) {
	length := func(four int) int {
		for more := four == 15; more && len(packed) > 0; packed = packed[1:] {
			four += int(packed[0])
			more = packed[0] == 255
		}
		return four
	}
	for len(packed) > 0 {
		token := int(packed[0])
		packed = packed[1:]
		literals := length(token >> 4)
		if literals > len(packed) || literals > len(page)-to {
			return -1
		}
		to += copy(page[to:], packed[:literals])
		if packed = packed[literals:]; len(packed) == 0 {
			return to
		}
		if len(packed) < 2 {
			return -1
		}
		distance := int(binary.LittleEndian.Uint16(packed))
		packed = packed[2:]
		match := 4 + length(token&15)
		if distance == 0 || distance > to || match > len(page)-to {
			return -1
		}
		for end := to + match; to < end; to++ {
			page[to] = page[to-distance]
		}
	}
	return -1
}
