// Package protocol declares the calls from the page to its engines, their arguments and
// their results. web/build writes these types for
// TypeScript, with their comments (web/src/engine/protocol.gen.ts), and the code
// that converts them (wasm/protocol.gen.go).
//
// # Messages
//
// The page posts {id, call, args} to a worker, which answers {id, result} or
// {id, error}. The error is a [Failure], after which all handles stay valid. An engine
// computes only during a call, so that a pause needs no call of its own.
//
// Two more calls read a file, and are answered by {id, progress} until they are over:
// "open" returns a [Table], "sky" a [Sky]. Their arguments are {file, query}. The
// worker unpacks the file where it is packed and streams its text into the engine.
// The message {id: 0, call: "cancel", args: {id}} ends such a call.
//
// # How values cross
//
// A struct is an object of its fields, whose names begin with a small letter. A slice
// of numbers is a typed array: a Float64Array for float64, an Int32Array for int and
// int32, a Uint8Array for byte. Any other slice is an array, also if it is nil. A nil
// pointer is null. A string type with constants is one of them. An argument that is
// missing is the zero value.
//
// A query is the settings of a link, which package spec reads. A handle is the number of
// an object that the engine keeps until the page closes it.
package protocol

// Engine are the calls that every engine answers.
type Engine interface {
	// Info describes the engine, and the cells of a query.
	Info(Query) (Info, error)
	// Close frees the object of a handle. An unknown handle is no error.
	Close(Handle) error
}

// Query is a link's settings.
type Query struct{ Query string }

// Handle names a table, a run, a sky or a survey.
type Handle struct{ Handle int }

// Info describes an engine and a query.
type Info struct {
	Version string
	Body    Body
	Cells   int     // of the query; 0 from an engine that trains nothing
	Points  []Point // of its sweep; one, the query itself, without a sweep; none from an engine that trains nothing
}

// Body is the implementation of the hot loops. Both give the same curves.
type Body string

// The bodies.
const (
	SIMD Body = "simd"
	Go   Body = "go"
)

// Point is one point of a sweep. Its cells are trials × models, models fastest.
type Point struct {
	Query   string  // the run that it stands for, with all its trials and models
	Ratio   float64 // n/(d·k) as asked for
	N       int     // training rows
	Clipped bool    // n is not what Ratio asks for: it is at least 10 and at most what fits
	K       int
	Tau     float64 // of its columns as a population; NaN for a table
}

// Place is the place of an error, such as an unusable line of a file.
type Place struct {
	Message string // what was found, what is wanted, what to do
	File    string
	Line    int    // from 1; 0 if it is not known
	Column  int    // from 1, in bytes; 0 if it is not known
	Field   string // the column's name, or ""
	Found   string // the cell as written, shortened, or ""
}

// Failure is the error of a call, with its place in a file if it has one.
type Failure struct {
	Kind string // the name of the error's Go type
	Place
}
