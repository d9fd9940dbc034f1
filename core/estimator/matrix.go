package estimator

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"ifmlab/core/table"
)

// ShapeError says that a matrix or a slice has not the size that is wanted.
type ShapeError struct {
	What  string // "y", "columns of x"
	Found int
	Want  string
}

func (e *ShapeError) Error() string {
	return fmt.Sprintf("estimator: %s: found %d, expected %s", e.What, e.Found, e.Want)
}

// NotFiniteError says where a number is NaN or infinite. Rows and columns count from
// 0, as those of a matrix; Column is −1 for the targets.
type NotFiniteError struct {
	Row, Column int
	Found       float64
}

func (e *NotFiniteError) Error() string {
	place := fmt.Sprintf("x at row %d, column %d", e.Row, e.Column)
	if e.Column < 0 {
		place = fmt.Sprintf("y at row %d", e.Row)
	}
	return fmt.Sprintf("estimator: %s is %v, expected a finite number. Correct it or leave the row out", place, e.Found)
}

// names returns those of d columns.
func (o *Options) names(d int) ([]string, error) {
	if o.Columns != nil {
		if len(o.Columns) != d {
			return nil, &ShapeError{"names in Columns", len(o.Columns), fmt.Sprintf("%d, as x has columns", d)}
		}
		return o.Columns, nil
	}
	names := make([]string, d)
	for j := range names {
		names[j] = "x" + strconv.Itoa(j+1)
	}
	return names, nil
}

// finite returns a *NotFiniteError for the first number that is none, row by row.
func finite(x mat.Matrix, y []float64) error {
	n, d := x.Dims()
	for i := range n {
		for j := range d {
			if v := x.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return &NotFiniteError{i, j, v}
			}
		}
		if y != nil && (math.IsNaN(y[i]) || math.IsInf(y[i], 0)) {
			return &NotFiniteError{i, -1, y[i]}
		}
	}
	return nil
}

// table returns the table of x and y, whose target is the last column.
func (o *Options) table(x mat.Matrix, y []float64) (*table.Table, error) {
	n, d := x.Dims()
	names, err := o.names(d)
	if err != nil {
		return nil, err
	}
	if n != len(y) {
		return nil, &ShapeError{"y", len(y), fmt.Sprintf("%d numbers, one a row of x", n)}
	}
	if err := finite(x, y); err != nil {
		return nil, err
	}
	numbers := table.Numbers{Name: "matrix", Columns: append(names[:d:d], o.Target), Rows: n, Valid: o.ValidShare, Test: o.TestShare, At: func(i, j int) float64 {
		if j == d {
			return y[i]
		}
		return x.At(i, j)
	}}
	return table.FromNumbers(numbers)
}
