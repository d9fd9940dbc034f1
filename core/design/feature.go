package design

// FeatureKind is what a feature of the design holds.
type FeatureKind string

// The kinds of a feature. Those of levels, "other" and missing cells are 0 or 1.
const (
	FeatureValue   FeatureKind = "value"   // the column's number
	FeatureKnot    FeatureKind = "knot"    // 1 at a number, 0 from the next such numbers on, straight between
	FeatureLevel   FeatureKind = "level"   // 1 where the column has the level
	FeatureOther   FeatureKind = "other"   // 1 where the column has a level that is no feature of its own
	FeatureMissing FeatureKind = "missing" // 1 where the cell is missing
	FeatureEntry   FeatureKind = "entry"   // the number of one of the many that a column of kind Sparse stands for
)

// Feature is one column of the design: z = (x − Mean)/Scale, where x is the
// column's number, or 0 or 1.
type Feature struct {
	Name   string // "mass", "origin=USA", "origin=other", "mass is missing"
	Column string // of the table
	Kind   FeatureKind
	Level  string // of kind FeatureLevel; of kind FeatureEntry its number in the file
	// Knot is where a feature of kind FeatureKnot is 1, and Fill the number that
	// stands in for a missing cell of its column, the mean of the training rows.
	Knot, Fill float64
	Mean       float64
	Scale      float64
	// Least and Most are the ends that the number of a feature of kind FeatureValue is
	// held to; it is free where they are equal.
	Least, Most float64
}

// IsBounded reports whether the numbers of f are held.
func (f *Feature) IsBounded() bool { return f.Least < f.Most }

// IsIndicator reports whether f is 0 or 1.
func (f *Feature) IsIndicator() bool {
	return f.Kind != FeatureValue && f.Kind != FeatureKnot && f.Kind != FeatureEntry
}

// Bounded returns f with the numbers that its column is held to: where the training
// rows span from least to most, as much again on either side. Beyond, a straight
// line, and a product of two even more, would soon predict what is absurd.
func Bounded(f Feature, least, most float64) Feature {
	span := most - least
	f.Least, f.Most = least-span, most+span
	return f
}
