package data

import (
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/note"
)

// newBlock returns the block of features with these numbers, each row's once.
func newBlock(starts, features []int32, values []float64) *block {
	numbers := slices.Clone(features)
	slices.Sort(numbers)
	numbers = slices.Clip(slices.Compact(numbers))
	out := &block{starts: starts, places: make([]int32, len(features)), values: values, numbers: numbers}
	for e, f := range features {
		place, _ := slices.BinarySearch(numbers, f)
		out.places[e] = int32(place)
	}
	return out
}

// addBlock adds a block to the table, as columns of their own if these are few.
func (b *builder) addBlock(of *block) {
	if len(of.numbers) == 0 {
		return
	}
	b.block = of
	if n := len(of.numbers); n > mostColumnsOfSVM || n*b.rows > mostCellsOfSVM {
		b.columns = append(b.columns, newBlockColumn(of))
		b.Notes.Add(note.TopicFeatures, []string{blockName}, "%s stands for %d features, %s to %s, which are kept where they are not 0", blockName, n, of.feature(0), of.feature(int32(n-1)))
		return
	}
	all := make([]int32, len(of.numbers))
	for i := range all {
		all[i] = int32(i)
	}
	b.columns = append(b.columns, of.columns(all)...)
}

// ofSparse returns the column of a name that a model knows from another file in
// LIBSVM's format, where few features made columns of their own and many a block; nil
// if the table is in another format or the name is that of no such column.
// What no row of the file has is 0 in all of them.
func (t *Table) ofSparse(name string, entries bool) *column {
	number, ok := cutNumber(name)
	if t.Format != FormatLIBSVM || entries && name != blockName || !entries && !ok {
		return nil
	}
	b := t.block
	if b == nil {
		b = &block{starts: make([]int32, t.rows+1)}
	}
	if entries {
		return newBlockColumn(b)
	}
	place, found := slices.BinarySearch(b.numbers, number)
	if !found {
		b, place = &block{starts: make([]int32, t.rows+1), numbers: []int32{number}}, 0
	}
	return b.columns([]int32{int32(place)})[0]
}

// cutNumber returns the number of a feature's name.
func cutNumber(name string) (int32, bool) {
	rest, ok := strings.CutPrefix(name, blockName)
	n, err := strconv.ParseInt(rest, 10, 32)
	return int32(n), ok && err == nil && n >= 0
}
