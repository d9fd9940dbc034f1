package core

// Row is a row
// of a [Table].
type Row struct {
	Cells  []string // as written
	X, Y   float64
	hidden int
	Place
}

type Place struct{ Line int32 }

type Rows []Row

// Why says why.
type Why string

const (
	Rare Why = "rare" // seen once
	Odd  Why = "odd"
)
