package main

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// What a module is made of, as far as changeData looks: a section is its
// number, its size and its content; a segment is active, its place in memory a
// constant.
const (
	wasmHead     = 8 // magic and version
	dataSection  = 11
	i32Const     = 0x41
	endOfPlace   = 0x0b
	activeInZero = 0 // memory 0
)

// segmentGap is how many zeros between two segments are written out at most.
// They pack to nothing, and the places of segments do not: of the engine's 41 000
// segments a dozen is left, and 47 kB less cross the network.
const segmentGap = 64

// segment is a piece of memory as it is at the start.
type segment struct {
	at      uint64
	content []byte
}

// trimmed returns a module that does the same in fewer bytes: in few segments, and
// without the lines that [forgetLines] knows of. What is not as it should be is left
// as it is, and larger says so.
func trimmed(module []byte, toolchain string) (small []byte, larger string) {
	forgotten := false
	small, ok := changeData(module, func(segments []segment) {
		last := segments[len(segments)-1]
		memory := make([]byte, int(last.at)+len(last.content))
		for _, s := range segments {
			copy(memory[s.at:], s.content)
		}
		if forgotten = forgetLines(memory, toolchain); forgotten {
			for _, s := range segments {
				copy(s.content, memory[s.at:])
			}
		}
	})
	switch {
	case !ok:
		return module, "each engine is some 140 kB larger, brotli, because the data section that " + toolchain + " writes is not known here; see web/build/segments.go"
	case !forgotten:
		return small, "each engine is some 90 kB larger, brotli, because the tables of " + toolchain + " are not known here; see web/build/lines.go"
	}
	return small, ""
}

// changeData returns the WebAssembly module with few, long data segments, which
// change may alter; they are in the order of their places. Go's linker leaves out
// every run of eight zeros and begins a new segment after it, which is short before
// packing only. Memory is all zeros before it is filled, so what is in it
// afterwards is the same. ok is false where the module is not as the linker
// writes it.
func changeData(module []byte, change func([]segment)) (out []byte, ok bool) {
	if len(module) < wasmHead {
		return nil, false
	}
	out = slices.Clone(module[:wasmHead])
	r := wasmReader{rest: module[wasmHead:]}
	for len(r.rest) > 0 {
		number := r.take(1)
		content := r.take(r.unsigned())
		if r.short {
			return nil, false
		}
		if number[0] == dataSection {
			segments, ok := readSegments(content)
			if ok {
				segments, ok = joined(segments)
			}
			if !ok {
				return nil, false
			}
			if len(segments) > 0 {
				change(segments)
			}
			content = writeSegments(segments)
		}
		out = append(out, number[0])
		out = binary.AppendUvarint(out, uint64(len(content)))
		out = append(out, content...)
	}
	return out, true
}

func readSegments(content []byte) (segments []segment, ok bool) {
	r := wasmReader{rest: content}
	for count := r.unsigned(); count > 0 && !r.short; count-- {
		head := r.take(2)
		at := r.signed()
		end := r.take(1)
		bytes := r.take(r.unsigned())
		if r.short || head[0] != activeInZero || head[1] != i32Const || end[0] != endOfPlace {
			return nil, false
		}
		segments = append(segments, segment{uint64(uint32(at)), bytes})
	}
	return segments, !r.short && len(r.rest) == 0
}

// joined returns the same memory in fewer segments, in the order of their places;
// ok is false where two overlap.
func joined(segments []segment) (few []segment, ok bool) {
	segments = slices.DeleteFunc(segments, func(s segment) bool { return len(s.content) == 0 })
	slices.SortFunc(segments, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	for _, s := range segments {
		if n := len(few); n > 0 {
			last := &few[n-1]
			end := last.at + uint64(len(last.content))
			if end > s.at {
				return nil, false
			}
			if zeros := s.at - end; zeros <= segmentGap {
				last.content = append(append(last.content, make([]byte, zeros)...), s.content...)
				continue
			}
		}
		few = append(few, segment{s.at, slices.Clone(s.content)})
	}
	return few, true
}

func writeSegments(segments []segment) []byte {
	out := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		out = append(out, activeInZero, i32Const)
		out = appendSigned(out, int64(int32(s.at)))
		out = append(out, endOfPlace)
		out = binary.AppendUvarint(out, uint64(len(s.content)))
		out = append(out, s.content...)
	}
	return out
}

// wasmReader reads a module's numbers, LEB128, and bytes. After a read beyond the
// end it is short.
type wasmReader struct {
	rest  []byte
	short bool
}

func (r *wasmReader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.short = true
		return make([]byte, 2)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *wasmReader) unsigned() uint64 {
	v, n := binary.Uvarint(r.rest)
	r.take(uint64(max(n, 0)))
	r.short = r.short || n <= 0
	return v
}

func (r *wasmReader) signed() int64 {
	v, shift := int64(0), 0
	for !r.short && shift < 64 {
		b := r.take(1)[0]
		v |= int64(b&0x7f) << shift
		shift += 7
		if b&0x80 == 0 {
			if shift < 64 && b&0x40 != 0 {
				v |= -1 << shift
			}
			break
		}
	}
	return v
}

func appendSigned(out []byte, v int64) []byte {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
