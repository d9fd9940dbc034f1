package kernel

// Cells has room for the cells that [CutLines] cuts, line by line, for as many lines as Sizes
// has elements.
type Cells struct {
	Numbers  []float64 // of each cell; NaN for a text
	From, To []int32   // the place of a text, without its quotes
	Sizes    []int32   // bytes of each line, with its end
	Texts    []int32   // cells of each line that are texts
}

// Tens has the powers of ten for reading numbers.
type Tens struct {
	Floats [23]float64 // 1 to 10²², which are exact
	Words  [9]uint64   // 1 to 10⁸
	Powers [55]Power   // 10⁻²⁷ to 10²⁷
}

// Power is Head·2^Shift. Head has its highest bit set and is rounded down.
type Power struct {
	Head  uint64
	Shift int64
}

// Lines describes lines: they have as many cells as Wanted has elements, and the cells that it
// marks are numbers.
type Lines struct {
	Sep, Point byte
	Comments   bool // lines that begin with # are comments
	Wanted     []bool
	Tens       *Tens
}
