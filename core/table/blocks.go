package table

// BlockLen is the number of elements in a full block.
const BlockLen = 8192

// Blocks is a growing slice cut into blocks, so that growing neither copies it nor wastes
// memory.
type Blocks[T any] [][]T

// Add appends v.
func (b *Blocks[T]) Add(v T) {
	last := len(*b) - 1
	if last < 0 || len((*b)[last]) == BlockLen {
		var block []T
		if last >= 0 { // a column of few rows stays small
			block = make([]T, 0, BlockLen)
		}
		*b = append(*b, block)
		last++
	}
	(*b)[last] = append((*b)[last], v)
}

// AddEach appends every stride-th element of x. They must fit the last block, or the next
// one if that is full.
func (b *Blocks[T]) AddEach(x []T, stride int) {
	b.Add(x[0])
	last := len(*b) - 1
	block := (*b)[last]
	for i := stride; i < len(x); i += stride {
		block = append(block, x[i])
	}
	(*b)[last] = block
}

// At returns element i.
func (b Blocks[T]) At(i int) T { return b[i/BlockLen][i%BlockLen] }

// length returns the number of elements.
func length[T any](b Blocks[T]) int {
	if len(b) == 0 {
		return 0
	}
	return (len(b)-1)*BlockLen + len(b[len(b)-1])
}

// pick returns a copy of the elements of rows.
func pick[T any](b Blocks[T], rows []int32) (out Blocks[T]) {
	for i := 0; len(b) > 0 && i < len(rows); i++ {
		out.Add(b.At(int(rows[i])))
	}
	return out
}
