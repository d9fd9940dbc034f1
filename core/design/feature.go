package design

// FeatureKind says what a feature holds.
type FeatureKind string

// The kinds of a feature. Those of levels, "other" and missing cells are 0 or 1.
const (
	FeatureValue   FeatureKind = "value"   // the column's number
	FeatureKnot    FeatureKind = "knot"    // a hat function of the number: 1 at the knot, 0 from the next knots on
	FeatureLevel   FeatureKind = "level"   // 1 where the column has the level
	FeatureOther   FeatureKind = "other"   // 1 for levels that are no features of their own
	FeatureMissing FeatureKind = "missing" // 1 where the cell is missing
	FeatureEntry   FeatureKind = "entry"   // the number of one feature of a column of kind Sparse
)

// Feature is one column of the design: z = (x − Mean)/Scale, where x is the column's
// number, or 0 or 1.
type Feature struct {
	Name   string // "mass", "origin=USA", "origin=other", "mass is missing"
	Column string // of the table
	Kind   FeatureKind
	Level  string // the level of a FeatureLevel; the number in the file of a FeatureEntry
	// Knot is the number at which a FeatureKnot is 1. Fill replaces
	// missing cells of its column: the mean of the training rows.
	Knot, Fill float64
	Mean       float64
	Scale      float64
	// Least and Most bound the number of a FeatureValue. They are equal if it
	// has no bounds.
	Least, Most float64
	// Shares are, of a FeatureValue, the shares of the training rows by weight near each of
	// DefaultKnots numbers, spaced equally from the least to the greatest of these rows. A row
	// is shared by its two neighbours, and counts for none if its cell is missing. Nil if they
	// are not known.
	Shares []float64
	// IsDays reports that the number counts days since 1970, as a part of a column of dates.
	IsDays bool
}

// IsBounded reports whether f has bounds.
func (f *Feature) IsBounded() bool { return f.Least < f.Most }

// IsIndicator reports whether f is 0 or 1.
func (f *Feature) IsIndicator() bool {
	return f.Kind != FeatureValue && f.Kind != FeatureKnot && f.Kind != FeatureEntry
}

// Bound returns f with bounds on its number: the range of the training rows, extended by
// its width on either side. Beyond it, a linear term, and a product even more, would soon
// predict absurd values.
func Bound(f Feature, least, most float64) Feature {
	span := most - least
	f.Least, f.Most = least-span, most+span
	return f
}
