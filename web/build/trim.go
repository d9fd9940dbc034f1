package main

import (
	"bytes"
	"encoding/binary"
	"regexp"
)

// trimmed returns a WebAssembly module of Go's linker that does the same in fewer
// bytes. Of each engine it saves some 140 kB, brotli:
//
//   - 50 by fewer data segments. The linker begins a new segment after every eight
//     zeros. Zeros pack to nothing, and the places of 41,000 segments do not.
//   - 90 by the tables of source lines, see [forgetLines].
//
// A new version of Go may write either otherwise. What trimmed does not know stays
// as it is, and larger then says what that costs and where to look.
func trimmed(module []byte, toolchain string) (small []byte, larger string) {
	unknown := func(size, what string) string {
		return "each engine is some " + size + " kB larger, brotli, because the " + what + " not known here; see web/build/trim.go"
	}
	whole := unknown("140", "data section that "+toolchain+" writes is")
	if len(module) < wasmHead {
		return module, whole
	}
	small = bytes.Clone(module[:wasmHead])
	r := wasmReader{rest: module[wasmHead:]}
	for len(r.rest) > 0 {
		number := r.take(1)[0]
		content := r.take(r.number())
		if r.failed {
			return module, whole
		}
		if number == dataSection {
			memory, ok := readData(content)
			if !ok {
				return module, whole
			}
			segments := segmentsOf(memory) // before it has the zeros of forgetLines, which need no cut
			if !forgetLines(memory, toolchain) {
				larger = unknown("90", "tables of "+toolchain+" are")
			}
			content = writeData(segments)
		}
		small = binary.AppendUvarint(append(small, number), uint64(len(content)))
		small = append(small, content...)
	}
	return small, larger
}

// A module is its head and sections. A section is its number, its size and its
// content. A data segment that Go's linker writes is active, and its place in
// memory is a constant.
const (
	wasmHead     = 8 // magic and version
	dataSection  = 11
	activeInZero = 0 // memory 0
	i32Const     = 0x41
	endOfPlace   = 0x0b
	largestData  = 1 << 28
	segmentGap   = 64 // zeros between two segments that are written out at most
)

// readData returns the memory that a data section leaves.
func readData(content []byte) (memory []byte, ok bool) {
	r := wasmReader{rest: content}
	for count := r.number(); count > 0 && !r.failed; count-- {
		head := r.take(2)
		at := r.place()
		end := r.take(1)
		bytes := r.take(r.number())
		if r.failed || head[0] != activeInZero || head[1] != i32Const || end[0] != endOfPlace || at > largestData {
			return nil, false
		}
		if missing := int(at) + len(bytes) - len(memory); missing > 0 {
			memory = append(memory, make([]byte, missing)...)
		}
		copy(memory[at:], bytes)
	}
	return memory, !r.failed && len(r.rest) == 0
}

// segment is a part of the memory.
type segment struct {
	at      int
	content []byte
}

// segmentsOf returns the parts of a memory between long runs of zeros.
func segmentsOf(memory []byte) (segments []segment) {
	gap := make([]byte, segmentGap+1)
	for rest := bytes.TrimLeft(memory, "\x00"); len(rest) > 0; rest = bytes.TrimLeft(rest, "\x00") {
		content, _, _ := bytes.Cut(rest, gap)
		segments = append(segments, segment{len(memory) - len(rest), content})
		rest = rest[len(content):]
	}
	return segments
}

func writeData(segments []segment) []byte {
	out := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		out = appendPlace(append(out, activeInZero, i32Const), uint64(s.at))
		out = binary.AppendUvarint(append(out, endOfPlace), uint64(len(s.content)))
		out = append(out, s.content...)
	}
	return out
}

// appendPlace appends a number as signed LEB128, whose last byte has the sign.
func appendPlace(out []byte, at uint64) []byte {
	out = binary.AppendUvarint(out, at)
	if last := len(out) - 1; out[last]&0x40 != 0 {
		out[last] |= 0x80
		out = append(out, 0)
	}
	return out
}

// wasmReader reads a module's bytes and numbers. It has failed after a read beyond
// the end.
type wasmReader struct {
	rest   []byte
	failed bool
}

func (r *wasmReader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.failed = true
		return make([]byte, 2)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// number reads an unsigned LEB128.
func (r *wasmReader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	r.failed = r.failed || n <= 0
	r.take(uint64(max(n, 0)))
	return v
}

// place reads a signed LEB128 that is not negative.
func (r *wasmReader) place() uint64 {
	before := r.rest
	at := r.number()
	if n := len(before) - len(r.rest); n == 0 || before[n-1]&0x40 != 0 {
		r.failed = true
	}
	return at
}

// forgetLines clears, in a memory as it is at the start, what Go's runtime knows of
// source lines and of inlined calls. Only the text of a stack needs it: that names
// functions and places in their code, "+0x17", and for a line "?:0". Whoever looks
// for the line builds the same commit, which gives the same bytes, without this.
//
// It reports false, with nothing changed, for another toolchain than go1.26 and
// where the tables (runtime/symtab.go) are not as it expects.
func forgetLines(memory []byte, toolchain string) bool {
	if !knownToolchain.MatchString(toolchain) {
		return false
	}
	values, functions := findFunctions(memory)
	needed := make([]bool, len(values))
	for _, f := range functions {
		tables := []uint32{f.word(funcSP)}
		for i := range f.word(funcTables) {
			if i != inlineTable {
				tables = append(tables, f.word(funcHead+i))
			}
		}
		for _, at := range tables {
			end, ok := tableEnd(values, at)
			if !ok {
				return false
			}
			for i := at; i < end; i++ {
				needed[i] = true
			}
		}
	}
	for i := range values {
		if !needed[i] {
			values[i] = 0
		}
	}
	for _, f := range functions {
		f.set(funcFile, 0)
		f.set(funcLine, 0)
		if tables := f.word(funcTables); tables > inlineTable {
			f.set(funcHead+inlineTable, 0)
			if f[4*funcHead-1] > inlineTree {
				f.set(funcHead+tables+inlineTree, 1<<32-1)
			}
		}
	}
	return len(functions) > 0
}

var knownToolchain = regexp.MustCompile(`^go1\.26([.-]|$)`)

// function is a runtime._func. After its head come the places of its tables of
// values by code, then those of its other data, whose number is the head's last byte.
type function []byte

// The words of a function.
const (
	funcSP      = 4
	funcFile    = 5
	funcLine    = 6
	funcTables  = 7 // how many tables come after the head
	funcHead    = 11
	inlineTable = 2 // the table that says which inlined call a place belongs to
	inlineTree  = 3 // the data that says what was inlined
)

func (f function) word(i uint32) uint32 { return binary.LittleEndian.Uint32(f[4*i:]) }

func (f function) set(i, v uint32) { binary.LittleEndian.PutUint32(f[4*i:], v) }

// findFunctions returns all functions and the tables of their values; none where
// they are not found. Their header is a magic number, two zeros, the least length of
// an instruction and the size of a pointer, then numbers of functions and files, and
// offsets.
func findFunctions(memory []byte) (values []byte, functions []function) {
	const magic, head = "\xf1\xff\xff\xff\x00\x00\x01\x08", 8 + 8*8
	at := 0
	for ; at+head <= len(memory) && string(memory[at:at+8]) != magic; at += 8 {
	}
	if at+head > len(memory) {
		return nil, nil
	}
	table := memory[at:]
	var n [8]uint64
	for i := range n {
		n[i] = binary.LittleEndian.Uint64(table[8+8*i:])
		if n[i] >= uint64(len(table)) || i >= 4 && n[i] <= n[i-1] {
			return nil, nil
		}
	}
	count, list := n[0], n[7]
	if n[3] != head || list+8*count > uint64(len(table)) {
		return nil, nil
	}
	for i := range count {
		start := list + uint64(binary.LittleEndian.Uint32(table[list+8*i+4:]))
		if start+4*funcHead > uint64(len(table)) {
			return nil, nil
		}
		f := function(table[start:])
		if words := uint64(funcHead) + uint64(f.word(funcTables)) + uint64(f[4*funcHead-1]); f.word(funcTables) > 16 || start+4*words > uint64(len(table)) {
			return nil, nil
		}
		functions = append(functions, f)
	}
	return table[n[6]:list], functions
}

// tableEnd returns where the table at a place of values ends. It holds pairs of
// differences, of the value and of the code, up to a difference of 0 that is not
// the first. The place 0 is no table.
func tableEnd(values []byte, at uint32) (end uint32, ok bool) {
	if at == 0 {
		return 0, true
	}
	r := wasmReader{rest: values[min(int(at), len(values)):]}
	for first := true; !r.failed; first = false {
		if r.number() == 0 && !first && !r.failed {
			return uint32(len(values) - len(r.rest)), true
		}
		r.number()
	}
	return 0, false
}
