package design

// Kind is how a column is read.
type Kind string

// The kinds of a column.
const (
	Numeric     Kind = "numeric"
	Categorical Kind = "categorical"
	Sparse      Kind = "sparse" // many features at once, few of which are not 0 in a row
)

// Raw is one column of some rows as the table has it, for methods that make
// features of their own.
type Raw struct {
	Name string
	Kind Kind
	// Numbers holds the cells of a numeric column, NaN for one that is missing or
	// no number; nil for a column of levels.
	Numbers []float64
	// Codes holds the cells of a column of levels as indices into Levels, −1 for one
	// that is missing; nil for a column of numbers.
	Codes  []int32
	Levels []string // some may be in none of the rows; other rows may have another list
}
