// Package table holds what was read of a file: a [Table] of [Column]s, and what is
// known of each column without asking what it is for.
//
// A column has one of two forms. Up to 4096 different cells are kept as a dictionary,
// with a code for each row. A column of more numbers than that is kept as numbers.
package table
