package design

import (
	"math"

	"ifmlab/core/message"
	"ifmlab/core/moment"
)

// Matrix is simulated rows before scaling. X is n×d, row-major without gaps, where n is the
// length of Y.
type Matrix struct{ X, Y []float64 }

// FromMatrix returns a Dataset of simulated rows without validation rows. names are those of
// the d columns, target is that of y. Columns are divided by their root mean square over
// training rows and not centred. y is divided by its standard deviation over training
// rows. FromMatrix scales train and test in place, and they belong to the Dataset.
//
// It returns a [*ShapeError] if names, columns and rows do not agree, for fewer than
// two training rows or no test rows, and for a number that is not finite. It also does so
// if a column of training rows is all 0, or if y is constant. O(n·d).
func FromMatrix(names []string, target string, train, test Matrix) (*Dataset, error) {
	d := len(names)
	switch {
	case d < 1:
		return nil, shape("there are no columns, expected at least 1")
	case len(train.X) != d*len(train.Y) || len(test.X) != d*len(test.Y):
		return nil, shape("%d and %d numbers for %d and %d rows of %d columns", len(train.X), len(test.X), len(train.Y), len(test.Y), d)
	case len(train.Y) < 2 || len(test.Y) < 1:
		return nil, shape("there are %d training rows and %d test rows, expected at least 2 and 1", len(train.Y), len(test.Y))
	}
	var m moment.Accumulator
	for _, v := range train.Y {
		m.Add(v)
	}
	switch sd := m.SD(); {
	case sd == 0:
		return nil, shape("the target is %.3g in all %d training rows, so there is nothing to learn; ask for more rows, for a smaller τ, or for a share nearer ½", m.Mean(), len(train.Y))
	case math.IsNaN(sd) || math.IsInf(sd, 0):
		return nil, shape("the target has standard deviation %v in training rows, expected a finite one. Look for numbers that are missing or too large to square", sd)
	}
	set := &Dataset{Encoding: Encoding{Target: Target{Name: target, Mean: m.Mean(), Scale: m.SD()}}}
	squares := make([]float64, d)
	for i := 0; i < len(train.X); i += d {
		for j, v := range train.X[i : i+d] {
			squares[j] += float64(v * v)
		}
	}
	for j, s := range squares {
		rms := math.Sqrt(s / float64(len(train.Y)))
		switch {
		case rms == 0:
			return nil, shape("column %s is 0 in all %d training rows; ask for more rows, or for a smaller τ: 0 is rarer then", names[j], len(train.Y))
		case math.IsNaN(rms) || math.IsInf(rms, 0):
			return nil, shape("column %s has root mean square %v in training rows, expected a finite one. Look for numbers that are missing or too large to square", names[j], rms)
		}
		set.Encoding.Features = append(set.Encoding.Features, Feature{Name: names[j], Column: names[j], Kind: FeatureValue, Scale: rms})
	}
	var err error
	if set.Train, err = set.Encoding.Scale("training", train); err != nil {
		return nil, err
	}
	if set.Test, err = set.Encoding.Scale("test", test); err != nil {
		return nil, err
	}
	set.Valid = Part{Z: NewDense(0, d, nil)}
	return set, nil
}

// Scale scales simulated rows in place as the training rows were, and returns them as a
// part. It returns a [*ShapeError], which names the rows by which, if a number is not
// finite. O(n·d).
func (e *Encoding) Scale(which string, m Matrix) (Part, error) {
	d := len(e.Features)
	part := Part{Y: m.Y, Line: make([]int, len(m.Y))}
	for i, v := range m.Y {
		m.Y[i] = v / e.Target.Scale
		part.Line[i] = i + 1
		row := m.X[i*d : (i+1)*d]
		finite := !math.IsNaN(v) && !math.IsInf(v, 0)
		for j, v := range row {
			finite = finite && !math.IsNaN(v) && !math.IsInf(v, 0)
			row[j] = v / e.Features[j].Scale
		}
		if !finite {
			return Part{}, shape("%s row %d holds a number that is not finite", which, i+1)
		}
	}
	part.Z = NewDense(len(m.Y), d, m.X)
	return part, nil
}

func shape(format string, args ...any) *ShapeError {
	return &ShapeError{Message: message.Sprintf(format, args...)}
}

// ShapeError says that simulated rows do not form a matrix.
type ShapeError struct{ Message string }

func (e *ShapeError) Error() string { return "data: " + e.Message }

func (*ShapeError) Kind() string { return "ShapeError" }
