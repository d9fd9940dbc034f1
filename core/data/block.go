package data

import (
	"math"
	"slices"
	"strconv"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/message"
)

// blockName is the name of the column that stands for a block; behind it, a feature's
// name has the number.
const blockName = "x"

// block is many columns of numbers at once of which a row has few that are not 0, as
// files in LIBSVM's format hold them. The column of a table that
// has one stands for all of them; they go straight to the sparse part of a design.
type block struct {
	starts  []int32   // row i has entries starts[i] ≤ e < starts[i+1]
	places  []int32   // of entries: which of numbers they are
	values  []float64 // nil: all are 1
	numbers []int32   // of the features, as in the file, ascending
}

// entries returns those of a row.
func (b *block) entries(row int) (places []int32, values []float64) {
	lo, hi := b.starts[row], b.starts[row+1]
	if b.values == nil {
		return b.places[lo:hi], nil
	}
	return b.places[lo:hi], b.values[lo:hi]
}

// valueAt returns one of the values of entries.
func valueAt(values []float64, e int) float64 {
	if values == nil {
		return 1
	}
	return values[e]
}

// perRow returns the mean number of entries of a row.
func (b *block) perRow() float64 { return float64(len(b.places)) / float64(max(1, len(b.starts)-1)) }

// feature returns the name of a feature.
func (b *block) feature(place int32) string {
	return blockName + strconv.Itoa(int(b.numbers[place]))
}

// columns makes columns of numbers of the features at these places, 0 where a row
// has no entry. O(rows·places + entries).
func (b *block) columns(wanted []int32) []*column {
	to := make([]int32, len(b.numbers))
	for i := range to {
		to[i] = nowhere
	}
	cells := make([]float64, len(wanted))
	all := make([]*column, len(wanted))
	for i, place := range wanted {
		to[place] = int32(i)
		all[i] = newColumn(b.feature(place), '.')
		all[i].exact, all[i].told = true, true
	}
	texts := map[float64]string{0: "0"}
	for row := range len(b.starts) - 1 {
		places, values := b.entries(row)
		for e, place := range places {
			if i := to[place]; i >= 0 {
				cells[i] = valueAt(values, e)
			}
		}
		for i, c := range all {
			v := cells[i]
			if c.plain {
				c.values.add(v)
				continue
			}
			text, ok := texts[v]
			if !ok {
				text = cell.FormatNumber(v)
				if len(texts) < maxDistinct {
					texts[v] = text
				}
			}
			c.add(row, text)
		}
		clear(cells)
	}
	scratch := make([]float64, blockLen)
	for _, c := range all {
		c.settle(len(b.starts)-1, scratch)
	}
	return all
}

// newBlockColumn returns the column of a table that stands for a block.
func newBlockColumn(b *block) *column {
	c := newColumn(blockName, '.')
	c.block, c.rising = b, false
	return c
}

// guessBlock is guess for a block.
func (c *column) guessBlock() Use {
	return Use{Column: c.name, Role: RoleFeature, Kind: Sparse, Sure: true,
		Reason: message.Sprintf("it stands for %d features, of which a row has %.3g that are not 0", len(c.block.numbers), c.block.perRow())}
}

// textOf returns the first entries of a row as the file writes them.
func (b *block) textOf(row int) string {
	const most = 4
	places, values := b.entries(row)
	text := ""
	for e, place := range places[:min(most, len(places))] {
		if e > 0 {
			text += " "
		}
		text += strconv.Itoa(int(b.numbers[place])) + ":" + cell.FormatNumber(valueAt(values, e))
	}
	if len(places) > most {
		text += " …"
	}
	return text
}

// sparseBlock makes a feature of each number of a block that training rows have,
// divided by the root mean square of its entries there and not centred, so that 0
// stays 0.
func (e *encoder) sparseBlock(c *column) error {
	b := c.block
	counts, squares := make([]int32, len(b.numbers)), make([]float64, len(b.numbers))
	for row, trains := range e.trains {
		if trains == 0 {
			continue
		}
		places, values := b.entries(row)
		for i, place := range places {
			counts[place]++
			v := valueAt(values, i)
			squares[place] += float64(v * v)
		}
	}
	for place, n := range counts {
		scale := math.Sqrt(squares[place] / float64(n))
		switch {
		case n == 0 || scale == 0:
			continue
		case math.IsInf(scale, 0):
			return &ColumnError{File: e.plan.Table.Name, Field: b.feature(int32(place)), Found: "numbers",
				Message: message.Sprintf("%s holds numbers too large to square; change its unit", b.feature(int32(place)))}
		}
		e.feature(design.Feature{Name: b.feature(int32(place)), Column: c.name, Kind: design.FeatureEntry, Level: strconv.Itoa(int(b.numbers[place])), Scale: scale})
	}
	e.out.EntriesPerRow += b.perRow()
	return nil
}

// blockFeed is how a block becomes features.
type blockFeed struct {
	b       *block
	feature []int32 // of its numbers, or nowhere
	scale   []float64
}

// newBlockFeed returns the feed of a block for the features of e from g.lo on.
func newBlockFeed(c *column, e *design.Encoding, g design.Group) blockFeed {
	f := blockFeed{b: c.block, feature: make([]int32, len(c.block.numbers)), scale: make([]float64, len(c.block.numbers))}
	for place := range f.feature {
		f.feature[place] = nowhere
	}
	for j := g.Lo; j < g.Hi; j++ {
		number, err := strconv.Atoi(e.Features[j].Level)
		if err != nil {
			continue // no file has it
		}
		if place, ok := slices.BinarySearch(c.block.numbers, int32(number)); ok {
			f.feature[place], f.scale[place] = int32(j), e.Features[j].Scale
		}
	}
	return f
}

// known returns how many entries of the rows have a feature, and how many there are.
func (f *blockFeed) known(rows int) (known, all int) {
	for row := range rows {
		places, _ := f.b.entries(row)
		all += len(places)
		for _, place := range places {
			if f.feature[place] >= 0 {
				known++
			}
		}
	}
	return known, all
}

// entriesOf returns the features of rows in blocks as a matrix: row i of it is that
// of the table at rows[i].
func (f *filler) entriesOf(rows []int32) kernel.Entries {
	starts, columns, values := make([]int32, 1, len(rows)+1), []int32(nil), []float64(nil)
	for _, row := range rows {
		for _, d := range f.blocks {
			places, v := d.b.entries(int(row))
			for e, place := range places {
				if j := d.feature[place]; j >= 0 {
					columns, values = append(columns, j), append(values, valueAt(v, e)/d.scale[place])
				}
			}
		}
		starts = append(starts, int32(len(columns)))
	}
	return kernel.NewEntries(f.features, starts, columns, values)
}
