// Package csv cuts a text file into rows of cells. It handles any separator, quotes and
// escapes, charsets, comments and titles above the header. [GuessDialect] guesses from
// the first bytes how a file is written. A [Source] returns its lines, and a [Scanner]
// cuts them.
//
// # Why not encoding/csv
//
// Reading a table is most of the wait. In WebAssembly, this scanner cuts rows of three
// numbers and a text almost seven times as fast as encoding/csv (BenchmarkScan).
// It looks at eight bytes at a time, reads numbers on the way and makes no string of a
// cell. It leaves rows that are not plain to a slower reader that knows all
// rules. In WebAssembly, package kernel cuts many lines and parses their numbers in one
// call, which is faster still.
//
// Tests compare the kernel with the scanner, both readers with encoding/csv, and
// numbers with strconv.
package csv
