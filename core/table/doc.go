// Package table holds a file that was read: a [Table] of [Column]s, and facts about each
// column that do not depend on its use.
//
// A column has one of two forms. Up to 4096 different cells form a dictionary, with a code
// for each row. A column of more different numbers is stored as numbers.
package table
