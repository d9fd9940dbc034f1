package table

import (
	"math/bits"
	"unsafe"

	"ifmlab/core/cell"
)

// MissingCode is the code of a missing cell.
const MissingCode = -1

// dictionary maps texts to codes. It is a hash table with open addressing, at most half
// full. The zero value is empty. Texts must not be empty or hold a zero byte. Those of up
// to eight bytes are stored in the table itself.
type dictionary struct {
	slots []slot // a power of two
	shift uint8  // 64 less that power
	size  int
}

// slot is one place of the hash table.
type slot struct {
	key    uint64 // of the text
	code   int32  // of its entry, plus 1; 0 in a free slot
	long   bool   // the text has more than eight bytes, and key is its hash
	isText bool   // the text is no number
}

// spread multiplies keys, so that similar texts lie far apart.
const spread = 0x9e3779b97f4a7c15

// find returns the code of text and whether it is no number, or MissingCode and the key to
// add it with. Entries are the texts added so far.
func (d *dictionary) find(entries []Entry, text string) (code int32, odd bool, key uint64) {
	long := len(text) > 8
	if long {
		key = longKey(text)
	} else {
		key = shortKey(text)
	}
	if d.size == 0 {
		return MissingCode, false, key
	}
	mask := len(d.slots) - 1
	for i := int(key * spread >> d.shift); ; i++ {
		s := &d.slots[i&mask]
		if s.code == 0 {
			return MissingCode, false, key
		}
		if s.key == key && s.long == long && (!long || entries[s.code-1].Text == text) {
			return s.code - 1, s.isText, key
		}
	}
}

// add gives a new text the next code.
func (d *dictionary) add(text string, key uint64, odd bool) {
	if d.size++; 2*d.size > len(d.slots) {
		old := d.slots
		d.slots = make([]slot, max(16, 2*len(old)))
		d.shift = 64 - uint8(bits.TrailingZeros(uint(len(d.slots))))
		for _, s := range old {
			if s.code != 0 {
				d.place(s)
			}
		}
	}
	d.place(slot{key: key, code: int32(d.size), long: len(text) > 8, isText: odd})
}

func (d *dictionary) place(s slot) {
	mask := len(d.slots) - 1
	i := int(s.key * spread >> d.shift)
	for d.slots[i&mask].code != 0 {
		i++
	}
	d.slots[i&mask] = s
}

// shortKey returns one to eight bytes as a number, the first byte lowest.
func shortKey(text string) uint64 {
	p := unsafe.Pointer(unsafe.StringData(text))
	n := len(text)
	if n >= 4 { // the middle ones may be read twice
		return uint64(cell.Load4(p, 0)) | uint64(cell.Load4(p, n-4))<<(8*(n-4)&63)
	}
	return uint64(cell.Load1(p, 0)) | uint64(cell.Load1(p, n>>1))<<(8*(n>>1)&63) | uint64(cell.Load1(p, n-1))<<(8*(n-1)&63)
}

// longKey returns a hash of more than eight bytes, the same on every machine.
func longKey(text string) uint64 {
	p := unsafe.Pointer(unsafe.StringData(text))
	n := len(text)
	key := uint64(n)
	for i := 0; i+8 < n; i += 8 {
		key = (key ^ cell.Load8(p, i)) * spread
		key ^= key >> 32
	}
	key = (key ^ cell.Load8(p, n-8)) * spread // bytes may be read twice
	return key ^ key>>32
}
