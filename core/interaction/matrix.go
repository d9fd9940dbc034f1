// Package interaction writes out the interactions of a model, and of the truth of drawn
// rows, for people to look at.
package interaction

import (
	"cmp"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/order"
)

// Matrix is an interaction matrix with the names of its rows, and the fit it
// comes from.
type Matrix struct {
	Names  []string
	Values []float64 // len(Names)², row-major, symmetric; 0 of features that never meet in a row
	// Eigenvalues are those of the matrix before its diagonal is left out that are
	// not 0 by its form, largest first: Rank of FM's UUᵀ, none negative; 2·Rank of
	// sym(UVᵀ); of a truth as many as it was drawn with, K, or 2·K of Gaussian
	// factors of both signs; and at most len(Names). Of drawn rows they are in the
	// units of Values; of a table in target units for a standard deviation of both
	// features, as eigenvalues over features of different units mean nothing.
	Eigenvalues []float64
	Rank        int
	Lambda      float64 // a row
	Iteration   int
}

// MaxFeatures is the number of features beyond which an interaction matrix is not
// written out: it would take 32 MB.
const MaxFeatures = 2000

// TooWideError says that a matrix is too large to write out.
type TooWideError struct{ Features int }

func (e *TooWideError) Error() string {
	return message.Sprintf("interaction: the interactions of %d features are %d numbers, expected at most %d features. Use the model file, which contains the factors", e.Features, e.Features*e.Features, MaxFeatures)
}

func (*TooWideError) Kind() string { return "TooWideError" }

// Of returns the interactions of a model in the units of the features and the target as
// they were given; where a logarithm is learnt, in those of the logarithm. Units are those
// of the features for the eigenvalues, nil for a standard deviation. Of returns a
// [*TooWideError] beyond [MaxFeatures] features. O(d²k).
func Of(m *fm.Model, enc design.Encoding, units []float64) (Matrix, error) {
	if m.D > MaxFeatures {
		return Matrix{}, &TooWideError{Features: m.D}
	}
	return Matrix{Names: Names(enc), Values: m.Raw(enc).M, Eigenvalues: Eigenvalues(m, units, enc.Target.Scale), Rank: m.Rank}, nil
}

// Eigenvalues returns scale times those of a model over features in these units:
// with 0 for the second one of a factor that turned out a square. O(d·k² + k³).
func Eigenvalues(m *fm.Model, units []float64, scale float64) []float64 {
	values := m.Eigenvalues(units)
	for i := range values {
		values[i] *= scale
	}
	if m.Kind != fm.FM {
		values = append(values, make([]float64, min(2*m.Rank, m.D)-len(values))...)
		order.Sort(values, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	return values
}

// Names returns the names of the columns of a design.
func Names(enc design.Encoding) []string {
	names := make([]string, len(enc.Features))
	for i, f := range enc.Features {
		names[i] = f.Name
	}
	return names
}
