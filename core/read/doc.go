// Package read turns a file's bytes into a table: columns whose cells have been
// understood, and the rows that cannot be read. One file walks through the packages
// of this floor in this order:
//
//	csv     bytes → rows of cells, as texts or as plain numbers
//	read    rows → [table.Table]: which cells are numbers, dates, codes or missing
//	roles   table, settings → [roles.Plan]: what each column is for, and which rows count
//	leaks   plan → notes on columns that tell the target or repeat one another
//	encode  plan, split → [design.Dataset]: features, scaled by training rows alone
//
// # What a cell means
//
// While a file is read, a cell is a number only if it is a plain one. All others are
// kept as texts. Once all rows are there, each column is looked at as a whole: which
// mark is decimal, what stands around the numbers, whether they are codes or dates.
// Only cells whose meaning that changes are read again. A column of more than 4096
// different plain numbers gives its texts up, since keeping them costs a fifth of the
// speed. While 1.234 may still be 1234 in it, its cells are looked at one by one.
//
// Every decision is a [note.Note] with its reason. What the cells leave open is a note
// that asks, and [Answers] answer it.
//
// # Errors
//
// Whatever a reader's file can cause is a typed error of package fault, or a
// [fault.RowError] in a list. Each says where, what was found and what to do. Reading
// goes on after a row that cannot be read.
package read
