package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/cell"
	"ifmlab/core/order"
)

// MaxIndex returns the largest feature number in a LIBSVM file; ok is false for other
// formats.
func (t *Table) MaxIndex() (most int, ok bool) {
	most = -1
	for _, c := range t.Columns {
		if n, is := cutNumber(c.Name); is {
			most = max(most, int(n))
		}
	}
	if t.Block != nil {
		most = max(most, int(t.Block.Numbers[len(t.Block.Numbers)-1]))
	}
	return most, t.Format == FormatLIBSVM
}

// BlockName is the name of the column that stands for a block. The names of features add
// their numbers to it.
const BlockName = "x"

// SparseBlock is many columns of numbers that are mostly 0, as in a LIBSVM file. One column
// of the table stands for all of them. They become the sparse part of a design.
type SparseBlock struct {
	starts  []int32   // row i has entries starts[i] ≤ e < starts[i+1]
	places  []int32   // of entries: indices into Numbers
	values  []float64 // nil: all are 1
	Numbers []int32   // the features' numbers in the file, ascending
}

// Entries returns the entries of a row.
func (b *SparseBlock) Entries(row int) (places []int32, values []float64) {
	lo, hi := b.starts[row], b.starts[row+1]
	if b.values == nil {
		return b.places[lo:hi], nil
	}
	return b.places[lo:hi], b.values[lo:hi]
}

// ValueAt returns values[e], or 1 if values is nil.
func ValueAt(values []float64, e int) float64 {
	if values == nil {
		return 1
	}
	return values[e]
}

// PerRow returns the mean number of entries of a row.
func (b *SparseBlock) PerRow() float64 {
	return float64(len(b.places)) / float64(max(1, len(b.starts)-1))
}

// Feature returns the name of a feature.
func (b *SparseBlock) Feature(place int32) string {
	return BlockName + strconv.Itoa(int(b.Numbers[place]))
}

// Columns returns the features at these places as columns of numbers, 0 in rows without an
// entry. O(rows·places + entries).
func (b *SparseBlock) Columns(wanted []int32) []*Column {
	to := make([]int32, len(b.Numbers))
	for i := range to {
		to[i] = NoPlace
	}
	cells := make([]float64, len(wanted))
	all := make([]*Column, len(wanted))
	for i, place := range wanted {
		to[place] = int32(i)
		all[i] = NewColumn(b.Feature(place), '.')
		all[i].ExactMark, all[i].ExplicitMark = true, true
	}
	texts := map[float64]string{0: "0"}
	for row := range len(b.starts) - 1 {
		places, values := b.Entries(row)
		for e, place := range places {
			if i := to[place]; i >= 0 {
				cells[i] = ValueAt(values, e)
			}
		}
		for i, c := range all {
			v := cells[i]
			if c.PlainNumbers {
				c.Values.Add(v)
				continue
			}
			text, ok := texts[v]
			if !ok {
				text = cell.FormatNumber(v)
				if len(texts) < MaxDistinct {
					texts[v] = text
				}
			}
			c.Add(row, text)
		}
		clear(cells)
	}
	scratch := make([]float64, BlockLen)
	for _, c := range all {
		c.SumUp(len(b.starts)-1, scratch)
	}
	return all
}

// NewBlockColumn returns the column of a table that stands for a block.
func NewBlockColumn(b *SparseBlock) *Column {
	c := NewColumn(BlockName, '.')
	c.Block, c.rising = b, false
	return c
}

// textOf returns the first entries of a row as the file writes them.
func (b *SparseBlock) textOf(row int) string {
	const most = 4
	places, values := b.Entries(row)
	text := ""
	for e, place := range places[:min(most, len(places))] {
		if e > 0 {
			text += " "
		}
		text += strconv.Itoa(int(b.Numbers[place])) + ":" + cell.FormatNumber(ValueAt(values, e))
	}
	if len(places) > most {
		text += " …"
	}
	return text
}

// NoPlace stands for a feature that the block does not have.
const NoPlace = -1

// NewBlock returns the block with these entries. Row i has the features and values from
// starts[i] to starts[i+1]. If values is nil, all are 1.
func NewBlock(starts, features []int32, values []float64) *SparseBlock {
	var found order.Numbering
	out := &SparseBlock{starts: starts, places: make([]int32, len(features)), values: values}
	for e, f := range features {
		out.places[e] = int32(found.Of(uint64(f)))
	}
	out.Numbers = make([]int32, len(found.Keys))
	places := make([]int32, len(found.Keys))
	for place, number := range order.Of(len(places), func(i, j int) int { return cmp.Compare(found.Keys[i], found.Keys[j]) }) {
		out.Numbers[place], places[number] = int32(found.Keys[number]), int32(place)
	}
	for e, number := range out.places {
		out.places[e] = places[number]
	}
	return out
}

// SparseColumn returns the column of a LIBSVM file that a model of another file needs. The
// name is that of the block if entries is true, and of one feature if not. Features that
// the file does not have are 0. SparseColumn returns nil for other formats and names.
func (t *Table) SparseColumn(name string, entries bool) *Column {
	number, ok := cutNumber(name)
	if t.Format != FormatLIBSVM || entries && name != BlockName || !entries && !ok {
		return nil
	}
	b := t.Block
	if b == nil {
		b = &SparseBlock{starts: make([]int32, t.Rows+1)}
	}
	if entries {
		return NewBlockColumn(b)
	}
	place, found := slices.BinarySearch(b.Numbers, number)
	if !found {
		b, place = &SparseBlock{starts: make([]int32, t.Rows+1), Numbers: []int32{number}}, 0
	}
	return b.Columns([]int32{int32(place)})[0]
}

// cutNumber returns the number of a feature's name.
func cutNumber(name string) (int32, bool) {
	rest, ok := strings.CutPrefix(name, BlockName)
	n, err := strconv.ParseInt(rest, 10, 32)
	return int32(n), ok && err == nil && n >= 0
}
