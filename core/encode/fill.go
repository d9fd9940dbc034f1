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

// designRows encodes rows of the table. It goes through them in the order of the
// file: what is read is then near, and of what is written, all columns of a row
// are.
func designRows(p *roles.Plan, e *design.Encoding, rows []int32) design.Design {
	sorted, to := fileOrder(p, rows)
	return newFiller(e, p.Table.ByName(), len(rows)).design(sorted, to)
}

// design encodes rows, which rise: row i of them becomes row to[i] of the design.
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

// fileOrder returns rows in the order of the file, and where each stood.
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

// fillRows is how many rows are filled at a time, one column of the table after
// the other: of so many, 20 columns fit the first-level cache.
const fillRows = 128

// filler is how the columns of a table become the runs and ones of a design.
type filler struct {
	features int
	runs     []design.Run
	feeds    []feed
	slots    int // columns of the table that have sparse features
	blocks   []blockFeed
	hats     hatRows
}

// hatRows is what [kernel.NewHats] is made of.
type hatRows struct {
	per  int // columns of the table that have knots
	left []int32
	at   []float64
}

// lane is where one feature goes: element (i, j) of the design to x[i·stride]
// if it is dense.
type lane struct {
	x      []float64
	stride int
}

// feed is how one column of the table becomes features. All it looks up was
// settled before the first row.
type feed struct {
	c           *table.Column
	numeric     bool
	mean, scale float64
	low, high   float64   // what the scaled number is held to
	scaled      []float64 // of a numeric column kept as codes: code c at c+1, NaN for missing
	value       lane      // of its number, unless it has knots
	knots       []float64 // where its hats peak, ascending
	standIn     float64   // what stands in for a missing cell between the knots
	lowest      int32     // the feature of the first knot
	hat         int       // which of the columns with knots it is
	hats        *hatRows
	flag        int32 // the feature that marks missing cells, or nowhere

	feature []int32          // of levels kept as codes: code c at c+1
	numbers map[uint64]int32 // of levels kept as numbers: by their bits
	texts   map[string]int32
	other   int32

	first int32  // the first feature that is not the column's number
	dense []lane // of the features from first on, if they are
	slot  int    // else
}

// newFiller settles where the features of so many rows go.
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
			d.slot, d.dense = table.Nowhere, places[first:g.Hi]
		}
		f.feeds = append(f.feeds, d)
	}
	f.hats.left, f.hats.at = make([]int32, rows*f.hats.per), make([]float64, rows*f.hats.per)
	return f
}

// newFeed returns the feed of one column but for the places of its features.
func newFeed(c *table.Column, e *design.Encoding, g design.Group) feed {
	d := feed{c: c, scale: 1, low: math.Inf(-1), high: math.Inf(1), first: int32(g.Lo), flag: table.Nowhere, other: table.Nowhere}
	levels := map[string]int32{}
	for j := g.Lo; j < g.Hi; j++ {
		switch f := e.Features[j]; f.Kind {
		case design.FeatureValue:
			d.first, d.mean, d.scale = int32(j+1), f.Mean, f.Scale
			if f.IsBounded() {
				d.low, d.high = (f.Least-f.Mean)/f.Scale, (f.Most-f.Mean)/f.Scale
			}
		case design.FeatureKnot:
			d.first, d.knots, d.standIn, d.lowest = int32(j+1), append(d.knots, f.Knot), f.Fill, int32(g.Lo)
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
	case d.numeric && !c.AsNumbers:
		d.scaled = make([]float64, len(c.Entries)+1)
		d.scaled[table.MissingCode+1] = math.NaN()
		for code, entry := range c.Entries {
			d.scaled[code+1] = d.held((entry.Number - d.mean) / d.scale)
		}
	case !d.numeric && !c.AsNumbers:
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

// byNumber reports whether a cell of a column of levels that is a number stands
// for the level of the same number where no level has the same text: where either
// of the two columns was kept as numbers, so that its texts are not known, and
// where the files write fractions differently.
func byNumber(e *design.Encoding, c *table.Column) bool {
	return c.AsNumbers || c.Point != e.Written.PointOf(c.Name) || slices.Contains(e.Written.Numbers, c.Name)
}

// levelNumbers returns the features of levels that are numbers, by the bits of
// those; of two for the same number the one that is written as a column kept as
// numbers writes it, else the first.
func levelNumbers(e *design.Encoding, g design.Group) map[uint64]int32 {
	point := e.Written.PointOf(e.Features[g.Lo].Column)
	if slices.Contains(e.Written.Numbers, e.Features[g.Lo].Column) {
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

// fill fills rows of the design, each with a row of the table: dense features
// where they belong, the sparse one of row i, or nowhere, to
// slots[i·stride + slot].
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
	if d.c.AsNumbers && d.flag == table.Nowhere && d.slot < 0 && d.knots == nil {
		if first := uint32(rows[0]) / table.BlockLen; uint32(rows[len(rows)-1])/table.BlockLen == first {
			d.fillValues(d.c.Values[first], rows, to)
			return
		}
	}
	var numbers [fillRows]float64
	scaled := numbers[:len(rows)]
	if d.c.AsNumbers {
		gather(scaled, d.c.Values, rows)
		mean, scale := d.mean, d.scale
		for i, v := range scaled {
			scaled[i] = d.held((v - mean) / scale)
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
				v = d.standIn
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
	if d.flag == table.Nowhere && d.slot < 0 {
		return // ones is not looked at
	}
	for i, v := range scaled {
		if ones[i] = table.Nowhere; v != v {
			ones[i] = d.flag
		}
	}
}

// held returns a scaled number, or the end that it is beyond.
func (d *feed) held(v float64) float64 {
	if v < d.low {
		return d.low
	}
	if v > d.high {
		return d.high
	}
	return v
}

// fillValues is fillNumbers for what most columns are: numbers of one block and
// no flag.
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

// gather sets dst to the elements of rows, which rise.
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
	if !d.c.AsNumbers {
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
