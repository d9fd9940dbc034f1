// Package data turns a reader's file into what the solvers train on. One file
// walks through it in this order:
//
//	Read      bytes → Table: rows, columns, and the rows that cannot be read
//	Profile   Table → one Profile a column: what it holds, what it is for
//	Plan      Table, Settings → Plan: roles, kinds, the rows that can be used
//	Split     Plan → 60/20/20 of the rows, at random
//	Encode    Plan, Split → Encoding: features, centres and scales of training rows
//	Dataset   all of it → three Parts, each a Design Z and a target Y
//
// Drawn rows enter at the end, through [FromMatrix].
//
// # Scaling
//
// Z is the n×d design matrix, a row per instance, of features
//
//	z = (x − Mean)/Scale
//
// where numeric columns take mean and standard deviation from training rows
// alone and 0/1 columns are left as they are. The target is divided by its
// standard deviation over training rows and not centred.
//
// # Errors
//
// Whatever a reader's file can cause is a typed error or a [RowError] in a
// list, and each says where, what was found and what to do. Reading goes on
// after a row that cannot be read.
package data
