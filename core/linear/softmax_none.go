//go:build figure || ionosphere

package linear

import (
	"ifmlab/core/design"
	"ifmlab/core/invalid"
)

// Softmax is left out of engines without tables: drawn rows have no classes.
type Softmax struct{}

// NewSoftmax returns an error.
func NewSoftmax(_ design.Design, _, _ []float64, _ int) (*Softmax, error) {
	return nil, invalid.Shape("linear", "this engine has no classes")
}

// Fit returns nothing.
func (*Softmax) Fit(float64) (Fit, error) { return Fit{}, nil }
