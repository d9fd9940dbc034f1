package main

import (
	"bytes"
	"encoding/binary"
	"maps"
	"regexp"
	"slices"
)

// trimmed returns a WebAssembly module of Go's linker that does the same in fewer
// bytes. Of each engine it saves some 190 kB, brotli:
//
//   - 50 by fewer data segments. The linker begins a new segment after every eight
//     zeros. Zeros pack to nothing, and the places of 41,000 segments do not.
//   - 140 by the tables of source lines and arguments, see [forgetLines].
//
// A new version of Go may write either otherwise. What trimmed does not know stays
// as it is, and larger then says what that costs and where to look.
func trimmed(module []byte, toolchain string) (small []byte, larger string) {
	unknown := func(size, what string) string {
		return "each engine is some " + size + " kB larger, brotli, because the " + what + " not known here; see web/build/trim.go"
	}
	whole := unknown("190", "data section that "+toolchain+" writes is")
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
				larger = unknown("140", "tables of "+toolchain+" are")
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

// forgetLines clears, in a memory as it is at the start, what Go's runtime knows only
// for the text of a stack (source lines, inlined calls, arguments) and for interrupts,
// which WebAssembly does not have. The text still names functions and places in their
// code, "+0x17", and has "?:0" for a line. To find the line, build the same commit without
// this: it gives the same code.
//
// It also makes the search for a function start up to 31 functions earlier, so that the
// table of starts repeats itself. The runtime searches forward from there.
//
// It reports false, with nothing changed, for another toolchain than go1.26 and
// where the tables (runtime/symtab.go) are not as it expects.
func forgetLines(memory []byte, toolchain string) bool {
	if !knownToolchain.MatchString(toolchain) {
		return false
	}
	t, ok := findTables(memory)
	if !ok {
		return false
	}
	needed := make([]bool, len(t.values))
	parts := map[uint32]bool{uint32(len(t.data)): true} // whether the data from there on are needed
	for _, f := range t.functions {
		tables := []uint32{f.word(funcSP)}
		for i := range f.tables() {
			if !unusedTables[i] {
				tables = append(tables, f.word(funcHead+i))
			}
		}
		for _, at := range tables {
			end, ok := tableEnd(t.values, at)
			if !ok {
				return false
			}
			for i := at; i < end; i++ {
				needed[i] = true
			}
		}
		for i := range f.data() {
			if at := f.word(funcHead + f.tables() + i); at < noData {
				if at >= uint32(len(t.data)) {
					return false
				}
				parts[at] = parts[at] || !unusedData[i]
			}
		}
	}

	clear(t.files)
	for i := range t.values {
		if !needed[i] {
			t.values[i] = 0
		}
	}
	places := slices.Sorted(maps.Keys(parts))
	for i, at := range places {
		if !parts[at] {
			clear(t.data[at:places[i+1]])
		}
	}
	for _, f := range t.functions {
		for _, i := range []uint32{funcFile, funcLine, funcUnit, funcStart} {
			f.set(i, 0)
		}
		for i := range f.tables() {
			if unusedTables[i] {
				f.set(funcHead+i, 0)
			}
		}
		for i := range f.data() {
			if unusedData[i] {
				f.set(funcHead+f.tables()+i, noData)
			}
		}
	}
	for i := 0; i+4 <= len(t.buckets); i += bucketSize {
		t.buckets[i] &^= 31
	}
	return true
}

var knownToolchain = regexp.MustCompile(`^go1\.26([.-]|$)`)

// function is a runtime._func. After its head come the places of its tables of
// values by code, then those of its other data, whose number is the head's last byte.
type function []byte

// The words of a function.
const (
	funcSP     = 4
	funcFile   = 5
	funcLine   = 6
	funcTables = 7 // how many tables come after the head
	funcUnit   = 8 // numbers the files
	funcStart  = 9 // its first line
	funcHead   = 11
)

const (
	noData     = 1<<32 - 1
	bucketSize = 20
)

// What internal/abi numbers PCDATA and FUNCDATA.
var (
	unusedTables = map[uint32]bool{0: true, 2: true, 3: true} // where an interrupt is safe, inlined calls, live arguments
	unusedData   = map[uint32]bool{3: true, 5: true, 6: true} // inlined calls, arguments, live arguments
)

func (f function) word(i uint32) uint32 { return binary.LittleEndian.Uint32(f[4*i:]) }

func (f function) set(i, v uint32) { binary.LittleEndian.PutUint32(f[4*i:], v) }

func (f function) tables() uint32 { return f.word(funcTables) }

func (f function) data() uint32 { return uint32(f[4*funcHead-1]) }

// tables are what Go's runtime knows of a module's functions.
type tables struct {
	files, values, data []byte
	functions           []function
	buckets             []byte // by place in the code, the number of a function at or before it, then 16 bytes to add
}

// findTables returns the tables in a memory. Their header is a magic number, two zeros,
// the least length of an instruction and the size of a pointer, then numbers of functions
// and files, and offsets. The places of what follows the functions are in
// runtime.moduledata, which begins with the places of the header and of the names.
func findTables(memory []byte) (t tables, ok bool) {
	const magic, head = "\xf1\xff\xff\xff\x00\x00\x01\x08", 8 + 8*8
	at := 0
	for ; at+head <= len(memory) && string(memory[at:at+8]) != magic; at += 8 {
	}
	if at+head > len(memory) {
		return t, false
	}
	table := memory[at:]
	var n [8]uint64
	for i := range n {
		n[i] = binary.LittleEndian.Uint64(table[8+8*i:])
		if n[i] >= uint64(len(table)) || i >= 4 && n[i] <= n[i-1] {
			return t, false
		}
	}
	count, list := n[0], n[7]
	places := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(at)), uint64(at)+n[3])
	_, module, found := bytes.Cut(table[head:], places)
	const buckets, data, end = 19, 40, 41 // fields of runtime.moduledata, of 8 bytes
	if n[3] != head || !found || len(module) < 8*(end-1) {
		return t, false
	}
	from := func(field int) uint64 { return binary.LittleEndian.Uint64(module[8*(field-2):]) - uint64(at) }
	if !slices.IsSorted([]uint64{list + 8*count, from(data), from(buckets), from(end), uint64(len(table))}) {
		return t, false
	}
	for i := range count {
		start := list + uint64(binary.LittleEndian.Uint32(table[list+8*i+4:]))
		if start+4*funcHead > from(data) {
			return t, false
		}
		f := function(table[start:from(data)])
		if words := uint64(funcHead) + uint64(f.tables()) + uint64(f.data()); f.tables() > 16 || start+4*words > from(data) {
			return t, false
		}
		t.functions = append(t.functions, f)
	}
	t.files, t.values, t.data, t.buckets = table[n[4]:n[6]], table[n[6]:list], table[from(data):from(buckets)], table[from(buckets):from(end)]
	return t, count > 0
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
