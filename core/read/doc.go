// Package read turns a file's bytes into a table: columns of parsed cells, and
// the rows that cannot be read. A file passes through these packages
// in this order:
//
//	csv     bytes → rows of cells, as texts or as plain numbers
//	read    rows → [table.Table]: which cells are numbers, dates, codes or missing
//	roles   table, settings → [roles.Plan]: what each column is for, and which rows count
//	leaks   plan → notes on columns that reveal the target or repeat one another
//	encode  plan, split → [design.Dataset]: features, scaled by training rows alone
//
// # The meaning of cells
//
// While a file is read, a cell is a number only if it is a plain one. All others are
// kept as texts. Once all rows are there, each column is looked at as a whole: which
// mark is decimal, what stands around the numbers, whether they are codes or dates.
// Only cells whose meaning that changes are read again. A column of more than 4096
// different plain numbers gives its texts up, since keeping them makes reading slower.
// While 1.234 may still mean 1234, it keeps them until a cell settles it.
//
// Every decision is a [note.Note] with its reason. If the cells leave it open, the note
// is a question, which [Answers] answer.
//
// # Errors
//
// All errors that a file can cause are typed errors of package fault, or a
// [fault.RowError] in a list. Each says where, what was found and what to do. Reading
// goes on after a row that cannot be read.
package read
