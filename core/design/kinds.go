package design

// Kind is how a column is read.
type Kind string

// The kinds of a column.
const (
	Numeric     Kind = "numeric"
	Categorical Kind = "categorical"
	Sparse      Kind = "sparse" // many features at once, mostly 0
)

// Raw is one column of some rows before encoding, for methods that make their own features.
type Raw struct {
	Name string
	Kind Kind
	// Numbers holds the cells of a numeric column, NaN for a missing cell or
	// a text; nil for a column of levels.
	Numbers []float64
	// Codes holds the cells of a column of levels as indices into Levels, −1 for a
	// missing cell; nil for a column of numbers.
	Codes  []int32
	Levels []string // some may be in none of the rows, and other rows may have other levels
}
