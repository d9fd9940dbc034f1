package encode

import (
	"math"
	"slices"
	"strconv"

	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/kernel"
	"ifmlab/core/message"
	"ifmlab/core/table"
)

// sparseBlock makes a feature of each number of a block that training rows have. It is
// divided by the root mean square of its entries there and not centred, so that 0 stays 0.
func (e *encoder) sparseBlock(c *table.Column) error {
	b := c.Block
	counts, squares := make([]int32, len(b.Numbers)), make([]float64, len(b.Numbers))
	for row, trains := range e.trains {
		if trains == 0 {
			continue
		}
		places, values := b.Entries(row)
		for i, place := range places {
			counts[place]++
			v := table.ValueAt(values, i)
			squares[place] += float64(v * v)
		}
	}
	for place, n := range counts {
		scale := math.Sqrt(squares[place] / float64(n))
		switch {
		case n == 0 || scale == 0:
			continue
		case math.IsInf(scale, 0):
			return &fault.PlanError{Problem: fault.Column, File: e.plan.Table.Name, Field: b.Feature(int32(place)), Found: "numbers",
				Message: message.Sprintf("%s has numbers too large to square; change its unit", b.Feature(int32(place)))}
		}
		e.feature(design.Feature{Name: b.Feature(int32(place)), Column: c.Name, Kind: design.FeatureEntry, Level: strconv.Itoa(int(b.Numbers[place])), Scale: scale})
	}
	e.out.EntriesPerRow += b.PerRow()
	return nil
}

// blockFeed turns a block into features.
type blockFeed struct {
	b       *table.SparseBlock
	feature []int32 // of its numbers, or nowhere
	scale   []float64
}

// newBlockFeed returns the feed of a block for the features of e from g.lo on.
func newBlockFeed(c *table.Column, e *design.Encoding, g design.Group) blockFeed {
	f := blockFeed{b: c.Block, feature: make([]int32, len(c.Block.Numbers)), scale: make([]float64, len(c.Block.Numbers))}
	for place := range f.feature {
		f.feature[place] = table.NoPlace
	}
	for j := g.Lo; j < g.Hi; j++ {
		number, err := strconv.Atoi(e.Features[j].Level)
		if err != nil {
			continue // no file has it
		}
		if place, ok := slices.BinarySearch(c.Block.Numbers, int32(number)); ok {
			f.feature[place], f.scale[place] = int32(j), e.Features[j].Scale
		}
	}
	return f
}

// countKnown returns how many entries of the rows have a feature, and how many there are.
func (f *blockFeed) countKnown(rows int) (known, all int) {
	for row := range rows {
		places, _ := f.b.Entries(row)
		all += len(places)
		for _, place := range places {
			if f.feature[place] >= 0 {
				known++
			}
		}
	}
	return known, all
}

// entriesOf returns the features of rows in blocks as a matrix with one row per element of
// rows.
func (f *filler) entriesOf(rows []int32) kernel.Sparse {
	starts, columns, values := make([]int32, 1, len(rows)+1), []int32(nil), []float64(nil)
	for _, row := range rows {
		for _, d := range f.blocks {
			places, v := d.b.Entries(int(row))
			for e, place := range places {
				if j := d.feature[place]; j >= 0 {
					columns, values = append(columns, j), append(values, table.ValueAt(v, e)/d.scale[place])
				}
			}
		}
		starts = append(starts, int32(len(columns)))
	}
	return kernel.NewSparse(f.features, starts, columns, values)
}
