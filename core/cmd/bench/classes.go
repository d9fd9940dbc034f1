package main

import (
	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fm"
	"ifmlab/core/linear"
	"ifmlab/core/roles"
	"ifmlab/core/solve"
	"ifmlab/core/trial"
)

// classes draws rows of 30 Gaussian columns, and classes that depend on the first column
// and on a product.
func classes() (*design.Dense, []float64) {
	const d = 30
	z, x, y := drawn(much.rows, d)
	for i, noise := range y {
		if y[i] = 0; x[i*d]+x[i*d+1]*x[i*d+2]+noise > 0 {
			y[i] = 1
		}
	}
	return z, y
}

// logisticRidge returns the milliseconds of logistic ridge regression with one penalty.
func logisticRidge() (float64, error) {
	z, y := classes()
	fits, err := linear.NewLogistic(z, y, nil)
	if err != nil {
		return 0, err
	}
	return fastest(much.repeats, func() error { _, err := fits.Fit(10); return err })
}

// logisticSweep returns the milliseconds of a sweep of ALS on classes, iFM of rank 4.
func logisticSweep() (float64, error) {
	z, y := classes()
	return sweepOf(z, y, fm.IFM, 4)
}

// logisticRatings returns the milliseconds of a sweep on the 600,000 ratings that train,
// as classes above and below their mean, FM of rank 8.
func logisticRatings() (float64, error) {
	file, _ := ratingsFile()
	table, err := readBench(file)
	if err != nil {
		return 0, err
	}
	plan, err := roles.NewPlan(table, roles.Settings{Target: "rating"})
	if err != nil {
		return 0, err
	}
	set, err := encode.Dataset(plan, trial.Stream(1, 0, trial.StreamSplit))
	if err != nil {
		return 0, err
	}
	y := set.Train.Y
	for i, v := range y {
		if y[i] = 0; v > 0 {
			y[i] = 1
		}
	}
	return sweepOf(set.Train.Z, y, fm.FM, 8)
}

// sweepOf returns the milliseconds of a sweep on classes.
func sweepOf(z design.Design, y []float64, kind fm.Kind, k int) (float64, error) {
	_, d := z.Dims()
	als := &solve.ALS{Weights: 1}
	problem := solve.Problem{Source: solve.Whole(z, y), Loss: solve.Logistic, Penalty: solve.L2(10)}
	if _, err := als.Start(problem, fm.New(kind, d, k), trial.Stream(1, 0, trial.StreamStart)); err != nil {
		return 0, err
	}
	return fastest(much.steps, func() error { _, err := als.Step(); return err })
}
