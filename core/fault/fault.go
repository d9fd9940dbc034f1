package fault

// The problems of a row. The first seven are found while reading, the others
// depend on what a table is used for.
const (
	FieldCount    Problem = "field count"    // more or fewer cells than the header
	StrayQuote    Problem = "stray quote"    // a quote within a cell
	OpenQuote     Problem = "open quote"     // a quote that is never closed
	NotText       Problem = "not text"       // bytes that are no UTF-8, or a zero byte
	LongLine      Problem = "long line"      // more than maxLine bytes
	NotJSON       Problem = "not JSON"       // or not what was begun
	NotNumber     Problem = "not a number"   // a cell of a numeric column
	MissingTarget Problem = "missing target" // nothing to learn from
	MissingSplit  Problem = "missing split"  // the cell that rows are split by
	MissingCell   Problem = "missing cell"   // where rows with missing cells are dropped
	Repeated      Problem = "repeated"       // what an earlier row says already
)

func (*RowError) Kind() string { return "RowError" }

// The problems of a file.
const (
	Empty      FileProblem = "empty"       // no bytes, or only blank lines
	HeaderOnly FileProblem = "header only" // names without rows
	BadHeader  FileProblem = "bad header"  // the first row cannot be read
	OtherType  FileProblem = "other type"  // a format that is recognised and not read
	TooLarge   FileProblem = "too large"   // more rows than a table holds
	Damaged    FileProblem = "damaged"     // cut short, or in contradiction with itself
	Undeclared FileProblem = "undeclared"  // it leaves open what cannot be guessed
)

func (*FileError) Kind() string { return "FileError" }

func (*ReaderError) Kind() string { return "ReaderError" }

func (*TooManyBadRowsError) Kind() string { return "TooManyBadRowsError" }

func (*TargetError) Kind() string { return "TargetError" }

func (*ColumnError) Kind() string { return "ColumnError" }

func (*MissingColumnsError) Kind() string { return "MissingColumnsError" }

func (*TooFewRowsError) Kind() string { return "TooFewRowsError" }

func (*NoFeaturesError) Kind() string { return "NoFeaturesError" }

func (*SizeError) Kind() string { return "SizeError" }
