// Package roles decides what the columns of a table are for, and which of its rows
// train, validate and test. [NewPlan] takes a table and [Settings] and returns a [Plan].
//
// # Guesses
//
// The role of a column is guessed from its name and its cells, whether or not a target
// is named. Each guess is a [Use] with its reason. The settings overrule it. Whole
// numbers may be amounts or names of things. If the cells leave that open, package task
// decides it on validation rows and passes the result in [Settings].Choices.
//
// # Splits
//
// Related rows belong in one part, such as the visits of a patient or the hours of a day. A
// random split spreads them over all three. The test then measures how well a model knows
// the patients of the training rows. The column that groups rows is no feature unless
// the settings make it one: its values in test rows are new. [Settings].Split and By
// choose the split, and [Plan].Suggested lists others that fit the table. Rows without a
// time or a group are listed and left out.
package roles
