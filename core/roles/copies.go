package roles

import (
	"math"
	"math/rand/v2"
	"strconv"

	"ifmlab/core/design"
	"ifmlab/core/table"
)

// copies are rows of equal features.
type copies struct {
	of    []int32 // for each row of the table that is used, the number of its kind
	kinds int
}

// fewCopies is the share of rows that may repeat another before they are kept together: of
// fewer, a fifth of them in the test rows, no error shows.
const fewCopies = .01

// copiesOf returns nil if no rows are copies, as [design.Copies] has it, or few are. How columns are read
// does not matter, so that rows are split alike however they are. Sparse features are not
// compared. O(rows·columns) the first time.
func copiesOf(t *table.Table, rows []int32, features []int, target int) *copies {
	hash := uint64(target)
	for _, k := range features {
		hash = (hash+1)*0x9e3779b97f4a7c15 ^ uint64(k)
	}
	for _, row := range rows {
		hash = (hash+1)*0x9e3779b97f4a7c15 ^ uint64(row)
	}
	return t.Memo("copies "+strconv.FormatUint(hash, 36), func() any {
		var cells []design.Cells
		for _, k := range features {
			if t.Columns[k].Block != nil {
				return (*copies)(nil)
			}
			cells = append(cells, cellsOf(t.Columns[k], rows))
		}
		kind, first := design.Copies(len(rows), cells, cellsOf(t.Columns[target], rows))
		if kind == nil {
			return (*copies)(nil)
		}
		if n := len(rows); float64(n-len(first)) < fewCopies*float64(n) {
			return (*copies)(nil)
		}
		same := &copies{make([]int32, t.Rows), len(first)}
		for i, row := range rows {
			same.of[row] = kind[i]
		}
		return same
	}).(*copies)
}

func cellsOf(c *table.Column, rows []int32) design.Cells {
	if c.TextCount == 0 && c.Kind() == design.Numeric || c.PlainNumbers {
		return design.NumberCells(func(i int) float64 { return c.Number(int(rows[i])) })
	}
	return design.Cells{Value: func(i int) uint64 { return uint64(c.Codes.At(int(rows[i]))) }, Evidence: .5}
}

// strata returns the group of each row, the rows of each group, and the class near their mean:
// 0 for all groups if y, the classes of rows, is nil. Copies mostly have one class.
func (c *copies) strata(rows []int32, y []float64) (group []int32, size, class []int) {
	group, size, class = make([]int32, len(rows)), make([]int, c.kinds), make([]int, c.kinds)
	ones := make([]float64, c.kinds)
	for i, row := range rows {
		group[i] = c.of[row]
		size[group[i]]++
		if y != nil {
			ones[group[i]] += y[i]
		}
	}
	for g, n := range size {
		class[g] = int(math.Ceil(ones[g]/float64(n) - .5))
	}
	return group, size, class
}

// drawGroups draws the order of groups of rows and gives each to a part: 0 trains, 1
// validates, 2 tests. want is how many rows of a class a part should have. A group goes to
// the one of test and validation that lacks more if that brings it nearer to what it should
// have, else to the other on the same condition, else to training. A part that should have
// rows and got none takes the smallest group that is not alone in its part.
func drawGroups(size, class []int, want [][3]float64, rng *rand.Rand) (part []int) {
	part = make([]int, len(size))
	now := make([][3]float64, len(want))
	var groups [3]int
	var wanted [3]float64
	for _, of := range want {
		for k, rows := range of {
			wanted[k] += rows
		}
	}
	for _, g := range rng.Perm(len(size)) {
		now, want := &now[class[g]], &want[class[g]]
		first, second := 2, 1
		if want[1]-now[1] > want[2]-now[2] {
			first, second = 1, 2
		}
		for _, k := range [...]int{first, second, 0} {
			then := now[k] + float64(size[g])
			if k == 0 || math.Abs(then-want[k]) < math.Abs(now[k]-want[k]) {
				part[g] = k
				now[k] = then
				groups[k]++
				break
			}
		}
	}
	for k := range part[:min(3, len(part))] {
		least := -1
		for g, n := range size {
			if groups[part[g]] > 1 && (least < 0 || n < size[least]) {
				least = g
			}
		}
		if groups[k] == 0 && least >= 0 && (k == 0 || wanted[k] > .5) {
			groups[part[least]]--
			groups[k]++
			part[least] = k
		}
	}
	return part
}
