package kernel

// Cells is room for the cells of lines that [CutLines] has cut, one line after the
// other; as many lines as Sizes has elements.
type Cells struct {
	Numbers  []float64 // of each cell; NaN for a text
	From, To []int32   // where a text stands, its quotes left out
	Sizes    []int32   // bytes of each line, its end included
	Texts    []int32   // cells of each line that are texts
}

// Tens holds the powers of ten by which numbers are read.
type Tens struct {
	Floats [23]float64 // 1 to 10²², which are exact
	Words  [9]uint64   // 1 to 10⁸
	Powers [55]Power   // 10⁻²⁷ to 10²⁷
}

// Power is head·2^shift, where head has its highest bit set and is rounded down.
type Power struct {
	Head  uint64
	Shift int64
}

// Lines says how lines are cut: into as many cells as Wanted has elements, of which
// those that it marks are read as numbers.
type Lines struct {
	Sep, Point byte
	Comments   bool // lines that begin with # are none
	Wanted     []bool
	Tens       *Tens
}
