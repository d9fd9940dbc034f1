package estimator_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"

	"gonum.org/v1/gonum/mat"

	"ifmlab/core/estimator"
)

// rows draws n rows of four columns, y = bias + 2x₁ − 3x₂x₃ + noise.
func rows(n int, bias float64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(7, 7))
	x, y := mat.NewDense(n, 4, nil), make([]float64, n)
	for i := range y {
		for j := range 4 {
			x.Set(i, j, rng.NormFloat64())
		}
		y[i] = bias + 2*x.At(i, 0) - 3*x.At(i, 1)*x.At(i, 2) + .1*rng.NormFloat64()
	}
	return x, y
}

// From a matrix to coefficients in its own units.
func Example() {
	x, y := rows(400, 5)
	o := estimator.Default()
	o.Encoding = "linear"
	f, err := estimator.Fit(context.Background(), x, y, &o)
	if err != nil {
		log.Fatal(err)
	}
	m, err := f.Interactions()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("bias %.1f\n", f.Bias())
	fmt.Printf("weights %.1f\n", f.Weights())
	fmt.Printf("x2·x3 %.1f\n", 2*m.At(1, 2))

	p, err := f.Predict(mat.NewDense(1, 4, []float64{1, 2, -1, 0}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("predicted %.0f\n", p[0]) // 5 + 2 + 6

	e, err := f.Explain([]float64{1, 2, -1, 0}, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("the average %.0f\n", e.Base)
	for _, term := range e.Terms {
		name := e.Columns[term.First]
		if term.Second >= 0 {
			name += "·" + e.Columns[term.Second]
		}
		fmt.Printf("%s %+.0f\n", name, term.Value)
	}
	// Output:
	// bias 5.0
	// weights [2.0 0.0 0.0 0.0]
	// x2·x3 -3.0
	// predicted 13
	// the average 5
	// x2·x3 +6
	// x1 +2
}

// From a table's file: open, train, predict, explain, save.
func Example_table() {
	file, err := os.Open("../../web/samples/cars.csv")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	o, err := estimator.Parse("target=Miles_per_Gallon&ignore=Name")
	if err != nil {
		log.Fatal(err)
	}
	table, err := estimator.ReadTable("cars.csv", file, &o)
	if err != nil {
		log.Fatal(err)
	}
	f, err := estimator.FitTable(context.Background(), table, &o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s of rank %d, %s: test RMSE %.2f\n", f.Kind(), f.Rank(), f.Best.Encoding, f.Test().Error)

	ridge, err := f.Ridge()
	if err != nil {
		log.Fatal(err)
	}
	lead, err := f.Lead(ridge)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ridge %.2f, which is %.2f more; 95 %%: %.2f to %.2f\n", ridge.Error, lead.By, lead.Low, lead.High)

	var saved bytes.Buffer
	if err := f.Save(&saved); err != nil {
		log.Fatal(err)
	}
	model, err := estimator.Load(&saved)
	if err != nil {
		log.Fatal(err)
	}
	p, err := model.PredictTable(table)
	if err != nil {
		log.Fatal(err)
	}
	e, err := model.ExplainTable(table, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("line 2: %.1f predicted, %.0f actual\n", p.Predicted[0], p.Actual[0])
	fmt.Printf("%.1f on average, %+.1f by %s\n", e.Base, e.Terms[0].Value, e.Columns[e.Terms[0].First])
	// Output:
	// ifm of rank 2, hats: test RMSE 2.90
	// ridge 3.09, which is 0.19 more; 95 %: -0.39 to 0.99
	// line 2: 15.2 predicted, 18 actual
	// 23.6 on average, -3.8 by Weight_in_lbs
}

// Each solver fits the same rows. Algorithm 1 has no bias, asks for columns of mean 0
// that do not depend on each other, and for many rows.
func ExampleFit_solvers() {
	x, y := rows(2000, 0)
	for _, query := range []string{
		"solver=als",
		"solver=agd",
		"solver=scaled",
		"solver=gauss-newton",
		"solver=auto",
		"solver=algorithm1&ranks=2&lambdas=0",
		"solver=centred&models=gfm&ranks=2&lambdas=0",
		"solver=printed&ranks=2&lambdas=0",
	} {
		o, err := estimator.Parse("encode=linear&" + query)
		if err != nil {
			log.Fatal(err)
		}
		f, err := estimator.Fit(context.Background(), x, y, &o)
		if err != nil {
			fmt.Println(o.Solver, err)
			continue
		}
		fmt.Printf("%s: %s, test RMSE %.1f\n", o.Solver, f.Kind(), f.Test().Error)
	}
	// Output:
	// als: ifm, test RMSE 0.2
	// agd: ifm, test RMSE 0.1
	// scaled: ifm, test RMSE 0.1
	// gauss-newton: ifm, test RMSE 0.1
	// auto: ifm, test RMSE 0.1
	// algorithm1: ifm, test RMSE 0.1
	// centred: gfm, test RMSE 0.1
	// printed: ifm, test RMSE 0.1
}

// baseline prints the test error of one.
func baseline(b estimator.Baseline, err error) {
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %.2f\n", b.Name, b.Error)
}

func ExampleFitted_Ridge() {
	x, y := rows(400, 5)
	f, err := estimator.Fit(context.Background(), x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("iFM %.2f\n", f.Test().Error)
	baseline(f.Mean())
	baseline(f.Ridge())
	baseline(f.Quadratic())
	baseline(f.Trees(context.Background(), nil))
	// Output:
	// iFM 0.11
	// mean 3.68
	// linear 2.95
	// pairs 0.12
	// boosted trees 1.61
}

// A range beside the number, that nine of ten rows lie in.
func ExampleFitted_Calibrate() {
	x, y := rows(400, 5)
	o := estimator.Default()
	o.Encoding, o.Level = "linear", .9
	f, err := estimator.Fit(context.Background(), x, y, &o)
	if err != nil {
		log.Fatal(err)
	}
	found, err := f.Calibrate(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d test rows lie within\n", found.Covered, len(found.Low))
	low, high, err := f.Intervals(mat.NewDense(1, 4, []float64{1, 2, -1, 0}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f to %.1f\n", low[0], high[0])
	// Output:
	// 68 of 80 test rows lie within
	// 12.8 to 13.1
}

// For a target with two values: how well the probabilities tell the classes apart.
func ExampleFitted_ClassMetrics() {
	x, y := rows(400, 5)
	for i, v := range y {
		y[i] = 0
		if v > 5 {
			y[i] = 1
		}
	}
	f, err := estimator.Fit(context.Background(), x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	classes, err := f.ClassMetrics()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("AUC %.2f, ridge %.2f\n", classes.Model.AUC, classes.Ridge.AUC)
	// Output:
	// AUC 0.99, ridge 0.81
}
