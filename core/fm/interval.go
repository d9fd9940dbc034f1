package fm

import (
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/message"
)

// Interval describes prediction intervals. For a row z of scaled features the interval of the
// scaled target is
//
//	f(z) ± Half·s(z)    s(z) = exp(max(Least, min(B + zᵀW, Most)))
//
// A share Level of rows like the calibration rows lie within.
type Interval struct {
	Level       float64
	Rows        int // for calibration
	Half        float64
	B           float64
	W           []float64 // nil if s is 1 for every row
	Least, Most float64   // of B + zᵀW in those rows
	// Lowest and Highest are the lowest and the highest effect among the fits that calibrated,
	// each without a part of the rows: for each column a number a point of its shape, in target
	// units. They are nil after one fit.
	Lowest, Highest [][]float64
}

// Spread sets dst to s of the rows of z. O(n·d) for a dense Z, O(nnz) for a sparse one.
func (i *Interval) Spread(dst []float64, z design.Design) {
	if i.W == nil {
		for row := range dst {
			dst[row] = 1
		}
		return
	}
	z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		part := dst[lo:hi]
		b.Forward(part, i.W, 1)
		for row, v := range part { // 1 + Expm1 has the same bits in every browser
			part[row] = 1 + math.Expm1(max(i.Least, min(v+i.B, i.Most)))
		}
	})
}

// intervalOf returns the members of the file's interval, which it makes if there is none.
func (f *file) intervalOf() object {
	if f.interval == nil {
		f.interval = new(Interval)
	}
	i := f.interval
	varies, several := when(i.W != nil), when(i.Lowest != nil)
	return object{
		{"level", &i.Level, always},
		{"rows", integer{&i.Rows, 1, math.MaxInt32, ""}, always},
		{"half", &i.Half, always},
		{"b", &i.B, varies},
		{"w", &i.W, varies},
		{"least", &i.Least, varies},
		{"most", &i.Most, varies},
		{"lowest", &i.Lowest, several},
		{"highest", &i.Highest, several},
	}
}

// Bounds returns the ends of the intervals around predictions f of the scaled target for
// the rows of z, in target units. O(n·d) for a dense Z.
func (i *Interval) Bounds(f []float64, z design.Design, target *design.Target) (low, high []float64) {
	low, high = make([]float64, len(f)), make([]float64, len(f))
	i.Spread(low, z)
	for row, v := range f {
		half := i.Half * low[row]
		low[row], high[row] = target.Raw(v-half), target.Raw(v+half)
	}
	return low, high
}

// check returns a *FileError unless i fits a model of d features.
func (i *Interval) check(d int) error {
	if i == nil {
		return nil
	}
	for _, number := range slices.Concat(append(slices.Concat(i.Lowest, i.Highest), i.W, []float64{i.Half, i.B, i.Least, i.Most})...) {
		if math.IsNaN(number) || math.IsInf(number, 0) {
			return &FileError{Field: "interval", Found: message.Sprintf("%v", number), Want: "finite numbers"}
		}
	}
	switch {
	case !(0 < i.Level && i.Level < 1):
		return &FileError{Field: "interval.level", Found: message.Sprintf("%v", i.Level), Want: "a number between 0 and 1"}
	case i.Rows < 1:
		return &FileError{Field: "interval.rows", Found: message.Sprintf("%d", i.Rows), Want: "a whole number of at least 1"}
	case i.Half < 0:
		return &FileError{Field: "interval.half", Found: message.Sprintf("%v", i.Half), Want: "a number of at least 0"}
	case i.Least > i.Most:
		return &FileError{Field: "interval.least", Found: message.Sprintf("%v", i.Least), Want: message.Sprintf("no more than most, %v", i.Most)}
	case i.W != nil:
		return wantLength("interval.w", len(i.W), d, "numbers, one for each feature")
	}
	return nil
}
