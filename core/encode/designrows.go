package encode

import (
	"math"
	"slices"
	"strconv"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/roles"
	"ifmlab/core/table"
)

// designRows encodes rows of the table. It goes through them in the order of the file, which
// keeps memory accesses near each other.
func designRows(p *roles.Plan, e *design.Encoding, rows []int32) design.Design {
	sorted, to := fileOrder(p, rows)
	return newFiller(e, p.Table.ByName(), len(rows)).design(sorted, to)
}

// design encodes rows, which are ascending. Row i of them becomes row to[i] of the design.
func (f *filler) design(rows, to []int32) design.Design {
	slots := make([]int32, len(rows)*f.slots)
	for lo := 0; lo < len(rows); lo += fillRows {
		hi := min(lo+fillRows, len(rows))
		for i := range f.feeds {
			f.feeds[i].fill(rows[lo:hi], to[lo:hi], slots, f.slots)
		}
	}
	var hats kernel.Hats
	if f.hats.per > 0 {
		hats = kernel.NewHats(f.features, f.hats.per, f.hats.left, f.hats.at)
	} else if f.slots == 0 && f.blocks == nil {
		return f.runs[0].Z
	}
	var entries kernel.Sparse
	if f.blocks != nil {
		from := make([]int32, len(rows))
		for i, row := range to {
			from[row] = rows[i]
		}
		entries = f.entriesOf(from)
	}
	starts, column := make([]int32, 1, len(rows)+1), slots[:0]
	for i := range rows {
		for _, j := range slots[i*f.slots:][:f.slots] {
			if j >= 0 { // moves it to the front
				column = append(column, j)
			}
		}
		starts = append(starts, int32(len(column)))
	}
	return design.NewMixed(f.runs, kernel.NewSparse(f.features, starts, column, nil), hats, entries)
}

// fileOrder returns rows in the order of the file, and the place of each in rows.
func fileOrder(p *roles.Plan, rows []int32) (sorted, from []int32) {
	place := make([]int32, p.Table.Rows)
	for i, row := range rows {
		place[row] = int32(i + 1)
	}
	sorted, from = make([]int32, 0, len(rows)), make([]int32, 0, len(rows))
	for row, i := range place {
		if i > 0 {
			sorted, from = append(sorted, int32(row)), append(from, i-1)
		}
	}
	return sorted, from
}

// fillRows is how many rows are filled at a time, column by column. 20 columns of so many
// rows fit the first-level cache.
const fillRows = 128

// filler turns the columns of a table into the parts of a design.
type filler struct {
	features int
	runs     []design.Run
	feeds    []feed
	slots    int // columns of the table that have sparse features
	blocks   []blockFeed
	hats     hatRows
}

// hatRows are the arguments of [kernel.NewHats].
type hatRows struct {
	per  int // columns of the table that have knots
	left []int32
	at   []float64
}

// lane is the place of a dense feature: element (i, j) of the design is x[i·stride].
type lane struct {
	x      []float64
	stride int
}

// feed turns one column of the table into features. All look-ups are prepared before the
// first row.
type feed struct {
	c            *table.Column
	numeric      bool
	mean, scale  float64
	low, high    float64   // bounds of the scaled number
	scaled       []float64 // the scaled numbers of a dictionary: code c at c+1, NaN for missing
	value        lane      // of its number, unless it has knots
	knots        []float64 // where its hats peak, ascending
	missingValue float64   // the number that replaces a missing cell
	lowest       int32     // the feature of the first knot
	hat          int       // which of the columns with knots it is
	hats         *hatRows
	flag         int32 // the feature that marks missing cells, or nowhere

	feature []int32          // the features of a dictionary's levels: code c at c+1
	numbers map[uint64]int32 // the features of levels stored as numbers, by their bits
	texts   map[string]int32
	other   int32

	first int32  // the first feature that is not the column's number
	dense []lane // of the features from first on, if they are
	slot  int    // else
}

// newFiller prepares a design of so many rows.
func newFiller(e *design.Encoding, columns map[string]*table.Column, rows int) *filler {
	f := &filler{features: len(e.Features)}
	sparse := e.Sparse()
	places := make([]lane, len(sparse))
	lies := func(j int) bool { return !sparse[j] && e.Features[j].Kind != design.FeatureKnot } // in a run
	for lo := 0; lo < len(sparse); {
		hi := lo
		for hi < len(sparse) && lies(hi) {
			hi++
		}
		if w := hi - lo; w > 0 {
			x := make([]float64, rows*w)
			f.runs = append(f.runs, design.Run{At: lo, Z: design.NewDense(rows, w, x)})
			for j := range w {
				places[lo+j] = lane{x[min(j, len(x)):], w}
			}
		}
		lo = hi + 1
	}
	for _, g := range e.Groups() {
		if e.Features[g.Lo].Kind == design.FeatureEntry {
			f.blocks = append(f.blocks, newBlockFeed(columns[e.Features[g.Lo].Column], e, g))
			continue
		}
		d := newFeed(columns[e.Features[g.Lo].Column], e, g)
		if d.knots != nil {
			d.hat, d.hats = f.hats.per, &f.hats
			f.hats.per++
		} else if d.numeric && g.Lo < int(d.first) {
			d.value = places[g.Lo]
		}
		if first := int(d.first); first < g.Hi && sparse[first] {
			d.slot = f.slots
			f.slots++
		} else {
			d.slot, d.dense = table.NoPlace, places[first:g.Hi]
		}
		f.feeds = append(f.feeds, d)
	}
	f.hats.left, f.hats.at = make([]int32, rows*f.hats.per), make([]float64, rows*f.hats.per)
	return f
}

// newFeed returns the feed of one column. Its features have no places yet.
func newFeed(c *table.Column, e *design.Encoding, g design.Group) feed {
	d := feed{c: c, scale: 1, low: math.Inf(-1), high: math.Inf(1), first: int32(g.Lo), flag: table.NoPlace, other: table.NoPlace}
	levels := map[string]int32{}
	for j := g.Lo; j < g.Hi; j++ {
		switch f := e.Features[j]; f.Kind {
		case design.FeatureValue:
			d.first, d.mean, d.scale = int32(j+1), f.Mean, f.Scale
			if f.IsBounded() {
				d.low, d.high = (f.Least-f.Mean)/f.Scale, (f.Most-f.Mean)/f.Scale
			}
		case design.FeatureKnot:
			d.first, d.knots, d.missingValue, d.lowest = int32(j+1), append(d.knots, f.Knot), f.Fill, int32(g.Lo)
		case design.FeatureLevel:
			levels[f.Level] = int32(j)
		case design.FeatureOther:
			d.other = int32(j)
		case design.FeatureMissing:
			d.flag = int32(j)
		}
	}
	d.numeric = int(d.first) > g.Lo || len(levels) == 0 && d.other < 0
	switch {
	case d.numeric && !c.PlainNumbers:
		d.scaled = make([]float64, len(c.Entries)+1)
		d.scaled[table.MissingCode+1] = math.NaN()
		for code, entry := range c.Entries {
			d.scaled[code+1] = d.clamp((entry.Number - d.mean) / d.scale)
		}
	case !d.numeric && !c.PlainNumbers:
		d.feature = make([]int32, len(c.Entries)+1)
		d.feature[table.MissingCode+1] = d.flag
		var numbers map[uint64]int32
		if byNumber(e, c) {
			numbers = levelNumbers(e, g)
		}
		for code, entry := range c.Entries {
			j, ok := levels[entry.Text]
			if !ok && entry.Number == entry.Number {
				j, ok = numbers[math.Float64bits(entry.Number)]
			}
			if !ok {
				j = d.other
			}
			d.feature[code+1] = j
		}
	case !d.numeric:
		d.numbers, d.texts = levelNumbers(e, g), levels
	}
	return d
}

// byNumber reports whether a cell may match a level by number if no level has its text. That
// is so if one of the two columns was stored as numbers, so that its texts are not known,
// or if the files have different decimal marks.
func byNumber(e *design.Encoding, c *table.Column) bool {
	return c.PlainNumbers || c.Point != e.FileStyle.PointOf(c.Name) || slices.Contains(e.FileStyle.Numbers, c.Name)
}

// levelNumbers maps the bits of numbers to the features of levels. If two levels are the same
// number, the one in shortest form wins, else the first.
func levelNumbers(e *design.Encoding, g design.Group) map[uint64]int32 {
	point := e.FileStyle.PointOf(e.Features[g.Lo].Column)
	if slices.Contains(e.FileStyle.Numbers, e.Features[g.Lo].Column) {
		point = '.'
	}
	numbers := make(map[uint64]int32, g.Hi-g.Lo)
	for j := g.Hi - 1; j >= g.Lo; j-- {
		f := e.Features[j]
		if v, ok := cell.ParseNumber(f.Level, point); ok && f.Kind == design.FeatureLevel {
			numbers[math.Float64bits(v)] = int32(j)
		}
	}
	for j := g.Lo; j < g.Hi; j++ {
		f := e.Features[j]
		if v, err := strconv.ParseFloat(f.Level, 64); err == nil && f.Kind == design.FeatureLevel && cell.FormatNumber(v) == f.Level {
			numbers[math.Float64bits(v)] = int32(j)
		}
	}
	return numbers
}

// fill fills rows of the design, each from a row of the table. It writes dense features to
// their places. The sparse feature of row i, or −1, goes to slots[i·stride + slot].
func (d *feed) fill(rows, to, slots []int32, stride int) {
	var at [fillRows]int32 // the feature of a row that is 1
	ones := at[:len(rows)]
	if d.numeric {
		d.fillNumbers(rows, to, ones)
	} else {
		d.fillLevels(rows, ones)
	}
	switch { // neither for a column of numbers without a flag
	case d.slot >= 0:
		for i, j := range ones {
			slots[int(to[i])*stride+d.slot] = j
		}
	case len(d.dense) > 0:
		for i, j := range ones {
			if j >= 0 {
				lane := &d.dense[j-d.first]
				lane.x[int(to[i])*lane.stride] = 1
			}
		}
	}
}

// fillNumbers sets the features that hold numbers, and ones.
func (d *feed) fillNumbers(rows, to, ones []int32) {
	if d.c.PlainNumbers && d.flag == table.NoPlace && d.slot < 0 && d.knots == nil {
		if first := uint32(rows[0]) / table.BlockLen; uint32(rows[len(rows)-1])/table.BlockLen == first {
			d.fillValues(d.c.Values[first], rows, to)
			return
		}
	}
	var numbers [fillRows]float64
	scaled := numbers[:len(rows)]
	if d.c.PlainNumbers {
		gather(scaled, d.c.Values, rows)
		mean, scale := d.mean, d.scale
		for i, v := range scaled {
			scaled[i] = d.clamp((v - mean) / scale)
		}
	} else {
		gather(ones, d.c.Codes, rows)
		for i, code := range ones {
			scaled[i] = d.scaled[code+1]
		}
	}
	if d.knots != nil {
		for i, v := range scaled {
			if v != v {
				v = d.missingValue
			}
			left, t := design.Between(d.knots, v)
			at := int(to[i])*d.hats.per + d.hat
			d.hats.left[at], d.hats.at[at] = d.lowest+left, t
		}
	} else if x, stride := d.value.x, d.value.stride; stride > 0 {
		for i, v := range scaled {
			if v != v {
				v = 0
			}
			x[int(to[i])*stride] = v
		}
	}
	if d.flag == table.NoPlace && d.slot < 0 {
		return // ones is not looked at
	}
	for i, v := range scaled {
		if ones[i] = table.NoPlace; v != v {
			ones[i] = d.flag
		}
	}
}

// clamp returns a scaled number within its bounds.
func (d *feed) clamp(v float64) float64 {
	if v < d.low {
		return d.low
	}
	if v > d.high {
		return d.high
	}
	return v
}

// fillValues is fillNumbers for the most frequent case: numbers of one block and no flag.
func (d *feed) fillValues(block []float64, rows, to []int32) {
	x, stride, mean, scale, low, high := d.value.x, d.value.stride, d.mean, d.scale, d.low, d.high
	to = to[:len(rows)]
	for i, row := range rows {
		v := (block[uint32(row)%table.BlockLen] - mean) / scale
		switch {
		case v < low:
			v = low
		case v > high:
			v = high
		case v != v:
			v = 0
		}
		x[int(to[i])*stride] = v
	}
}

// gather sets dst to the elements of rows, which are ascending.
func gather[T any](dst []T, b table.Blocks[T], rows []int32) {
	dst = dst[:len(rows)]
	first := uint32(rows[0]) / table.BlockLen
	if block := b[first]; uint32(rows[len(rows)-1])/table.BlockLen == first {
		for i, row := range rows {
			dst[i] = block[uint32(row)%table.BlockLen]
		}
		return
	}
	for i, row := range rows {
		dst[i] = b[uint32(row)/table.BlockLen][uint32(row)%table.BlockLen]
	}
}

// fillLevels sets ones to the features of the rows' levels.
func (d *feed) fillLevels(rows, ones []int32) {
	if !d.c.PlainNumbers {
		gather(ones, d.c.Codes, rows)
		for i, code := range ones {
			ones[i] = d.feature[code+1]
		}
		return
	}
	for i, row := range rows {
		v := d.c.Values.At(int(row))
		j, ok := d.numbers[math.Float64bits(v)]
		if math.IsNaN(v) {
			if text := d.c.Text(int(row)); text == "" {
				j, ok = d.flag, true
			} else {
				j, ok = d.texts[text]
			}
		}
		if !ok {
			j = d.other
		}
		ones[i] = j
	}
}
