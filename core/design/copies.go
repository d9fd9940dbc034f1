package design

import (
	"math"

	"ifmlab/core/order"
)

// beyondChance is how many times as often as by chance rows agree that count as copies.
const beyondChance = 10

// Cells are a column that rows may agree in.
type Cells struct {
	Value func(row int) uint64 // the same for equal cells
	// Evidence says how much it tells that two rows agree here: 1 for numbers, ½ for levels,
	// which often follow from each other, and 0 to take it as expected.
	Evidence float64
}

// NumberCells are a column of numbers. Missing ones are equal.
func NumberCells(at func(row int) float64) Cells {
	return Cells{Evidence: 1, Value: func(row int) uint64 {
		v := at(row)
		if v != v {
			v = math.NaN()
		}
		return math.Float64bits(v + 0) // −0 is 0
	}}
}

// Copies numbers n rows by first appearance, so that rows that agree in all columns have the
// same number, and returns the first row of each number. It returns nil if all rows differ,
// or if they agree less than ten times as often as they would if columns were independent.
// Then rows may still be copies if they agree in the target, too. O(rows·columns).
func Copies(n int, columns []Cells, target Cells) (of []int32, first []int) {
	hash := make([]uint64, n)
	add := func(c Cells) {
		for i, h := range hash {
			h = (h ^ c.Value(i)) * 0x9e3779b97f4a7c15
			h = (h ^ h>>32) * 0xd6e8feb86659fd93
			hash[i] = h ^ h>>29
		}
	}
	for _, c := range columns {
		add(c)
	}
	of, first, agree := alike(n, func(i int) uint64 { return hash[i] })
	chance := 1.
	weigh := func(c Cells) {
		if c.Evidence > 0 && beyondChance*chance > agree {
			_, _, share := alike(n, c.Value)
			chance *= math.Pow(share, c.Evidence)
		}
	}
	if len(first) == n {
		return nil, nil
	}
	for _, c := range columns {
		weigh(c)
	}
	if beyondChance*chance > agree {
		add(target)
		of, first, agree = alike(n, func(i int) uint64 { return hash[i] })
		if weigh(target); beyondChance*chance > agree || len(first) == n {
			return nil, nil
		}
	}
	return of, first
}

// alike numbers n rows by their values. It returns the first row of each value and the share
// of pairs of rows that agree.
func alike(n int, value func(row int) uint64) (of []int32, first []int, share float64) {
	of = make([]int32, n)
	var seen order.Numbering
	var rows []int
	pairs := 0
	for i := range of {
		at := seen.Of(value(i))
		if at == len(first) {
			first, rows = append(first, i), append(rows, 0)
		}
		of[i] = int32(at)
		pairs += rows[at]
		rows[at]++
	}
	return of, first, 2 * float64(pairs) / float64(n) / max(float64(n-1), 1)
}
