// Package roles settles what the columns of a table are for, and which of its rows
// train, validate and test. [NewPlan] takes a table and [Settings] and returns a [Plan].
//
// # Guesses
//
// What a column is for is guessed from its name and its cells, whether or not a target
// is named. Every guess is a [Use] with its reason, and the settings overrule it. Where
// cells leave open whether whole numbers are amounts or names, package core lets
// validation rows choose, and [Settings].Choices brings what they chose.
//
// # Splits
//
// Rows that know each other belong in one part: visits of a patient, hours of a day. A
// random split puts them in all three, and the test then measures how well a model knows
// those of the training rows. The column that groups rows is therefore no feature by
// itself: what was learnt of its values says nothing of others. [Settings].Split and By
// choose, and [Plan].Suggested names the splits that columns speak for. Rows without a
// time or a group are listed and left out.
package roles
