package main

import (
	"encoding/binary"
	"strings"
)

// forgetLines clears, in a memory as it is at the start, what Go's runtime knows of
// the lines of the source and of calls that were inlined. Nothing but the text of a
// stack needs it: that names functions and places in their code, "+0x17", and for
// a line "?:0". It is a ninth of the engine. Whoever looks for the line builds the
// same commit, which gives the same bytes, and leaves this out.
//
// It reports false, with nothing changed, where [knowsTables] does and wherever
// anything is not as it should be.
func forgetLines(memory []byte, toolchain string) bool {
	if !knowsTables(toolchain) {
		return false
	}
	t, ok := findFunctions(memory)
	if !ok {
		return false
	}
	kept, dropped := map[uint32]bool{}, map[uint32]bool{}
	for _, f := range t.functions {
		kept[f.word(funcSP)] = true
		for i := range f.word(funcPCData) {
			if at := f.word(funcHead + i); i != inlineIndex {
				kept[at] = true
			} else {
				dropped[at] = true
			}
		}
		dropped[f.word(funcFile)], dropped[f.word(funcLine)] = true, true
	}
	needed := make([]bool, len(t.values))
	for at := range kept {
		end, ok := t.end(at)
		if !ok {
			return false
		}
		for i := at; i < end; i++ {
			needed[i] = true
		}
	}
	for at := range dropped {
		end, ok := t.end(at)
		if !ok {
			return false
		}
		for i := at; i < end; i++ {
			if needed[i] && !kept[at] {
				return false // it would be part of another
			}
		}
	}

	for at := range dropped {
		if end, _ := t.end(at); !kept[at] {
			clear(t.values[at:end])
		}
	}
	for _, f := range t.functions {
		f.set(funcFile, 0)
		f.set(funcLine, 0)
		if data := f.word(funcPCData); data > inlineIndex {
			f.set(funcHead+inlineIndex, 0)
			if f[4*funcHead-1] > inlineTree {
				f.set(funcHead+data+inlineTree, 1<<32-1)
			}
		}
	}
	return true
}

// knowsTables reports whether a toolchain's tables (runtime/symtab.go) are known
// here: those of go1.26 and its releases.
func knowsTables(toolchain string) bool {
	return toolchain == "go1.26" || strings.HasPrefix(toolchain, "go1.26.") || strings.HasPrefix(toolchain, "go1.26-")
}

// The words of a runtime._func; after the head come the places of its tables of
// values, then those of its other data, whose number is the head's last byte.
const (
	funcSP      = 4
	funcFile    = 5
	funcLine    = 6
	funcPCData  = 7 // how many tables there are
	funcHead    = 11
	inlineIndex = 2 // the table of which inlined call a place belongs to
	inlineTree  = 3 // the data that says what was inlined
)

// function is a runtime._func.
type function []byte

func (f function) word(i uint32) uint32 { return binary.LittleEndian.Uint32(f[4*i:]) }

func (f function) set(i, v uint32) { binary.LittleEndian.PutUint32(f[4*i:], v) }

// functionTables is what the runtime knows of all functions.
type functionTables struct {
	functions []function
	values    []byte // tables of values by place in the code
}

// findFunctions finds the tables by their header: a magic number, two zeros, the
// least length of an instruction and the size of a pointer, then numbers of
// functions and files, and offsets.
func findFunctions(memory []byte) (t functionTables, ok bool) {
	const size = 8 + 8*8
	for at := 0; at+size <= len(memory); at += 8 {
		if string(memory[at:at+8]) != "\xf1\xff\xff\xff\x00\x00\x01\x08" {
			continue
		}
		table := memory[at:]
		var n [8]uint64
		rising := true
		for i := range n {
			n[i] = binary.LittleEndian.Uint64(table[8+8*i:])
			rising = rising && (i < 4 || n[i] > n[i-1]) && n[i] < uint64(len(table))
		}
		count, values, functions := n[0], n[6], n[7]
		if !rising || n[3] != size || count == 0 || functions+8*count > uint64(len(table)) {
			continue
		}
		t = functionTables{values: table[values:functions]}
		for i := range count {
			start := functions + uint64(binary.LittleEndian.Uint32(table[functions+8*i+4:]))
			if start+4*funcHead > uint64(len(table)) {
				return t, false
			}
			f := function(table[start:])
			if words := uint64(funcHead) + uint64(f.word(funcPCData)) + uint64(f[4*funcHead-1]); f.word(funcPCData) > 16 || start+4*words > uint64(len(table)) {
				return t, false
			}
			t.functions = append(t.functions, f)
		}
		return t, true
	}
	return t, false
}

// end returns where the table of values that begins at a place ends: pairs of
// differences, of the value and of the place, up to a difference of 0 that is not
// the first; 0 is no table.
func (t *functionTables) end(at uint32) (end uint32, ok bool) {
	if at == 0 {
		return 0, true
	}
	rest := t.values[min(int(at), len(t.values)):]
	for first := true; ; first = false {
		value, n := binary.Uvarint(rest)
		if n <= 0 {
			return 0, false
		}
		rest = rest[n:]
		if value == 0 && !first {
			return uint32(len(t.values) - len(rest)), true
		}
		if _, n = binary.Uvarint(rest); n <= 0 {
			return 0, false
		}
		rest = rest[n:]
	}
}
