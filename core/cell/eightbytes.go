package cell

import (
	"math/bits"
	"unsafe"
)

// The quick scanner reads words of eight bytes, the first byte lowest. A search
// sets the highest bit of each byte that matches, exactly up to and including
// the first match.
const (
	Ones      = 0x0101010101010101
	Highs     = 0x8080808080808080
	zeros     = 0x3030303030303030 // the digit 0, eight times
	LineFeeds = 0x0a0a0a0a0a0a0a0a // LF, eight times
	Quotes    = 0x2222222222222222 // the quote, eight times
)

// GuardBytes follow the bytes of a buffer, so that each search ends and a word
// can be loaded wherever a byte can.
const (
	Guard      = 16
	GuardBytes = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
)

// ZeroBytes marks the bytes of w that are 0.
func ZeroBytes(w uint64) uint64 { return (w - Ones) &^ w & Highs }

// First returns the number of bytes before the first marked one, 8 if there is none.
func First(marked uint64) int { return bits.TrailingZeros64(marked) >> 3 }

// Load8 returns the eight bytes at p + i, which must exist. It compiles to one load.
func Load8(p unsafe.Pointer, i int) uint64 {
	b := (*[8]byte)(unsafe.Add(p, i))
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// Load4 returns the four bytes at p + i.
func Load4(p unsafe.Pointer, i int) uint32 {
	b := (*[4]byte)(unsafe.Add(p, i))
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// Load1 returns the byte at p + i.
func Load1(p unsafe.Pointer, i int) byte { return *(*byte)(unsafe.Add(p, i)) }
