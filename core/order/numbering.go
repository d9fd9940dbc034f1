package order

import "math/bits"

// Numbering numbers different keys, from 0, by their first appearance. The zero value is
// empty. A map takes several times as long in WebAssembly.
type Numbering struct {
	Keys  []uint64 // by number
	slots []int32  // a hash table with open addressing: numbers plus 1, 0 in a free slot
	shift uint8    // 64 less the power of two that slots has
}

// Of returns the number of a key, which is new if it is the former length of Keys. O(1).
func (n *Numbering) Of(key uint64) int {
	if 2*len(n.Keys) >= len(n.slots) {
		n.grow()
	}
	slot := n.slot(key)
	if *slot == 0 {
		n.Keys = append(n.Keys, key)
		*slot = int32(len(n.Keys))
	}
	return int(*slot) - 1
}

// slot returns the slot of a key, or a free one for it.
func (n *Numbering) slot(key uint64) *int32 {
	const spread = 0x9e3779b97f4a7c15 // so that similar keys lie far apart
	mask := len(n.slots) - 1
	for i := int((key ^ key>>32) * spread >> n.shift); ; i++ {
		slot := &n.slots[i&mask]
		if *slot == 0 || n.Keys[*slot-1] == key {
			return slot
		}
	}
}

func (n *Numbering) grow() {
	n.slots = make([]int32, max(64, 2*len(n.slots)))
	n.shift = 64 - uint8(bits.TrailingZeros(uint(len(n.slots))))
	for i, key := range n.Keys {
		*n.slot(key) = int32(i + 1)
	}
}
