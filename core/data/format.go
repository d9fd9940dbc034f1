package data

// Format says what kind of file a table was read from.
type Format string

// The formats of tables.
const (
	FormatText   Format = "text" // cells between separators
	FormatJSON   Format = "json" // or JSON Lines
	FormatLIBSVM Format = "libsvm"
)
