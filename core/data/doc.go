// Package data turns a reader's file into what the solvers train on. One file
// walks through it in this order:
//
//	Read      bytes → Table: rows, columns as their cells show they are meant, and
//	          the rows that cannot be read
//	Profile   Table → one Profile a column: what it holds, what it is for
//	Plan      Table, Settings → Plan: roles, kinds, the rows that can be used
//	Split     Plan → 60/20/20 of the rows, at random, by time or by group
//	Encode    Plan, Split → [design.Encoding]: features, centres and scales of training rows
//	Dataset   all of it → [design.Dataset]: training, validation and test rows
//
// # Guesses
//
// What a column is for is guessed from its name and its cells, with a target named and
// without. Every guess is a [Use] with its reason, and the settings overrule it. Where
// cells leave open whether whole numbers are amounts or names, package core lets
// validation rows choose, and Settings.Choices brings what they chose: see [Choice].
// Leaks and copies are told as a [note.Note]; nothing is left out for them.
//
// # Splits
//
// Rows that know each other belong in one part: visits of a patient, hours of a day.
// At random they are in all three, and a test says how well a model knows those of
// the training rows. The column that groups rows is therefore no feature by itself:
// what was learnt of its values says nothing of others. Settings.Split and By choose,
// [Plan.Suggested] tells what the columns speak for, and rows without a time or a
// group are listed and left out.
//
// # A scanner of our own
//
// Reading a table is most of the wait. In WebAssembly, with encoding/csv in its
// place, this package read 48 MB of numbers a second and 17 of ratings; with its
// own scanner it reads 114 and 68 (BenchmarkRead). The scanner looks at eight
// bytes at a time, reads numbers on the way and makes no string of a cell. It
// leaves each row that is not a plain one to a slower reader with all the rules.
// In WebAssembly package kernel cuts many lines in one call (CutLines), numbers too,
// which makes reading half as fast again; lines that are not for it are the scanner's.
// The tests hold the kernel to the scanner, both readers to encoding/csv and the
// numbers to strconv.
//
// # What a cell means
//
// While a file is read, a cell is a number only if it is a plain one; all others
// are kept as texts. Once all rows are there, each column is looked at as a whole:
// which mark is decimal, what stands around the numbers, whether they are codes or
// dates. Only cells whose meaning that changes are read again, from their texts. A
// column of many plain numbers gives its texts up, unless 1.234 may be 1234 in it:
// then it is looked at cell by cell until one settles the question. What was
// settled, with the reason, is a [note.Note]; what cannot be is a question, and the
// settings answer it ([Said]).
//
// # Errors
//
// Whatever a reader's file can cause is a typed error or a [RowError] in a
// list, and each says where, what was found and what to do. Reading goes on
// after a row that cannot be read.
package data
