// Package encode turns rows of a table into a design matrix. [Encoding] settles the
// features, centres and scales of a plan from its training rows, [Dataset] encodes the
// three parts of a split, and [Apply] encodes the rows of another table in the features
// of a trained model.
package encode
