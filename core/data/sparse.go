package data

import (
	"slices"
	"strconv"
	"strings"

	"ifmlab/core/note"
)

// newBlock returns the block of features with these numbers, each row's once.
func newBlock(name, base string, starts, features []int32, values []float64) *block {
	numbers := slices.Clone(features)
	slices.Sort(numbers)
	numbers = slices.Clip(slices.Compact(numbers))
	out := &block{name: name, base: base, starts: starts, places: make([]int32, len(features)), values: values, numbers: numbers}
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
	b.blocks = append(b.blocks, of)
	if n := len(of.numbers); n > mostColumnsOfSVM || n*b.rows > mostCellsOfSVM {
		b.columns = append(b.columns, newBlockColumn(of))
		b.Notes.Add(note.TopicFeatures, []string{of.name}, "%s stands for %d features, %s to %s, which are kept where they are not 0", of.name, n, of.feature(0), of.feature(int32(n-1)))
		return
	}
	all := make([]int32, len(of.numbers))
	for i := range all {
		all[i] = int32(i)
	}
	b.columns = append(b.columns, of.columns(all)...)
}

// addFields adds a column a field: one of levels, the numbers of its features, where
// a row has at most one and its value is 1; one of numbers where the field has one
// feature; else a block.
func (r *svmReader) addFields() {
	b := r.b
	fields := slices.Clone(r.fields)
	slices.Sort(fields)
	fields = slices.Compact(fields)
	for _, field := range fields {
		of := r.field(field)
		single := true
		for row := range b.rows {
			single = single && of.starts[row+1]-of.starts[row] <= 1
		}
		switch ones := of.values == nil || !slices.ContainsFunc(of.values, func(v float64) bool { return v != 1 }); {
		case single && ones:
			c := newColumn(of.name, '.')
			c.exact, c.told, c.code, c.asText = true, true, true, true
			for row := range b.rows {
				if places, _ := of.entries(row); len(places) == 1 {
					c.add(row, strconv.Itoa(int(of.numbers[places[0]])))
				} else {
					c.addMissing("")
				}
			}
			b.columns = append(b.columns, c)
		case len(of.numbers) == 1:
			c := of.columns([]int32{0})[0]
			c.name = of.name
			b.columns = append(b.columns, c)
			b.blocks = append(b.blocks, of)
		default:
			b.addBlock(of)
		}
	}
}

// field returns the entries of one field.
func (r *svmReader) field(field int32) *block {
	starts, features, values := []int32{0}, []int32(nil), []float64(nil)
	for row := range r.b.rows {
		for e := r.starts[row]; e < r.starts[row+1]; e++ {
			if r.fields[e] != field {
				continue
			}
			features = append(features, r.features[e])
			if r.values != nil {
				values = append(values, r.values[e])
			}
		}
		starts = append(starts, int32(len(features)))
	}
	name := "field" + strconv.Itoa(int(field))
	return newBlock(name, name+":", starts, features, values)
}

// ofSparse returns the column of a name that a model knows from another file in
// LIBSVM's or libFFM's format, where few features made columns of their own and many
// a block; nil if the table is in no such format or the name that of no such column.
// What no row of the file has is 0 in all of them.
func (t *Table) ofSparse(name string, entries bool) *column {
	if t.Format != FormatLIBSVM && t.Format != FormatLibFFM {
		return nil
	}
	for _, b := range t.blocks {
		switch number, ok := cutNumber(name, b.base); {
		case entries && b.name == name:
			return newBlockColumn(b)
		case entries || !ok:
		default:
			if place, ok := slices.BinarySearch(b.numbers, number); ok {
				return b.columns([]int32{int32(place)})[0]
			}
			zeros := &block{base: b.base, starts: make([]int32, t.rows+1), numbers: []int32{number}}
			return zeros.columns([]int32{0})[0]
		}
	}
	base, of := "x", t.Format == FormatLIBSVM
	if !of {
		base = "field"
	}
	number, ok := cutNumber(name, base)
	switch {
	case entries && (of && name == base || !of && ok):
		return newBlockColumn(&block{name: name, base: base, starts: make([]int32, t.rows+1)})
	case of && ok:
		return (&block{base: base, starts: make([]int32, t.rows+1), numbers: []int32{number}}).columns([]int32{0})[0]
	case ok || strings.HasPrefix(name, base) && strings.Contains(name, ":"):
		c := newColumn(name, '.')
		for range t.rows {
			c.addMissing("")
		}
		return c
	}
	return nil
}

// cutNumber returns the number behind the base of a feature's name.
func cutNumber(name, base string) (int32, bool) {
	rest, ok := strings.CutPrefix(name, base)
	n, err := strconv.ParseInt(rest, 10, 32)
	return int32(n), ok && err == nil && n >= 0
}
