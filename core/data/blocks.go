package data

// blockLen is the number of elements of a block of a column.
const blockLen = 8192

// blocks is a growing column in blocks, so that growing copies little and
// leaves no gap of half its size.
type blocks[T any] [][]T

func (b *blocks[T]) add(v T) {
	last := len(*b) - 1
	if last < 0 || len((*b)[last]) == blockLen {
		var block []T
		if last >= 0 { // a column of few rows stays small
			block = make([]T, 0, blockLen)
		}
		*b = append(*b, block)
		last++
	}
	(*b)[last] = append((*b)[last], v)
}

// addEach adds every stride-th element of x. They fit the present block, or the next
// one if that is full.
func (b *blocks[T]) addEach(x []T, stride int) {
	b.add(x[0])
	last := len(*b) - 1
	block := (*b)[last]
	for i := stride; i < len(x); i += stride {
		block = append(block, x[i])
	}
	(*b)[last] = block
}

func (b blocks[T]) at(i int) T { return b[i/blockLen][i%blockLen] }

// length returns the number of elements.
func length[T any](b blocks[T]) int {
	if len(b) == 0 {
		return 0
	}
	return (len(b)-1)*blockLen + len(b[len(b)-1])
}

// slice returns elements first ≤ i < last of a column.
func slice[T any](b blocks[T], first, last int) (out blocks[T]) {
	if len(b) == 0 {
		return b
	}
	for i := first; i < last; i++ {
		out.add(b.at(i))
	}
	return out
}
