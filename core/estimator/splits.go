package estimator

import (
	"context"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ifmlab/core/measure"
)

// Splits are test errors on several splits of the same rows, in the order of the splits: those
// of the model by its kind, those of its baselines by their names.
type Splits map[string][]float64

// Splits trains f's kind of model and its baselines on other splits of the rows, which the
// seed draws, and returns the errors on n of them; the first is f's own. Each makes its
// choices anew. A split that cannot be trained, such as one without a class, is left out, as
// are trees where they cannot be grown. It returns a [*SettingError] for more than one split of a
// table of [ReadTest]. progress, if not nil, is called after each split. It
// returns the cause when ctx ends. It costs n−1 times what [FitTable] and [Fitted.Trees] do.
func (f *Fitted) Splits(ctx context.Context, n int, progress func(done, of int)) (Splits, error) {
	if f.table.Test != nil && n > 1 {
		return nil, &SettingError{"splits", strconv.Itoa(n), "1, because the test rows are those of " + f.table.Test.Name}
	}
	all := Splits{}
	if err := f.addTo(ctx, all); err != nil {
		return nil, err
	}
	o := f.spec
	o.Progress, o.Models, o.Trials = nil, []string{f.Kind()}, n
	for split := 1; split < n; split++ {
		own, err := f.on(ctx, o, split)
		if err == nil {
			own.addTo(ctx, all) // a split without one of the errors is left out
			own.run.Close()
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if progress != nil {
			progress(split, n-1)
		}
	}
	return all, nil
}

// on trains on another split.
func (f *Fitted) on(ctx context.Context, o Options, split int) (*Fitted, error) {
	run, err := openRun(ctx, &o, split, f.table, nil)
	if err != nil {
		return nil, err
	}
	if _, err := finish(ctx, run, nil); err != nil {
		run.Close()
		return nil, err
	}
	own := &Fitted{table: f.table, spec: o, run: run, Model: f.Model}
	own.test, err = run.Predictions()
	return own, err
}

// addTo appends the errors, if there are all but those of trees.
func (f *Fitted) addTo(ctx context.Context, all Splits) error {
	mean, err := f.Mean()
	if err != nil {
		return err
	}
	linear, err := f.Ridge()
	if err != nil {
		return err
	}
	additive, ok := f.Additive()
	if !ok { // validation rows find no curve better than a line
		additive.Error = linear.Error
	}
	grown, err := f.Trees(ctx, nil)
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		grown.Error = math.NaN()
	}
	for name, error := range map[string]float64{mean.Name: mean.Error, linear.Name: linear.Error, "curves": additive.Error, f.Kind(): f.test.Error, "boosted trees": grown.Error} {
		all[name] = append(all[name], error)
	}
	return nil
}

// Mean returns the mean error of one model.
func (s Splits) Mean(name string) float64 { return stat.Mean(s[name], nil) }

// Lead returns how much the mean error of one model is below that of another. The interval is
// that of the mean logarithm of their ratio, whose variance allows for the training rows that
// splits share: (1/n + test rows/training rows) times the variance of one split's (Nadeau and
// Bengio, "Inference for the Generalization Error", Machine Learning 52, 2003). Its ends are
// two standard errors away, as wide as Student's t for n − 1 makes them. With
// fewer than [measure.FewestCompared] splits it has no upper end.
func (s Splits) Lead(model, other string) Lead {
	const tested = 1. / 4 // test rows for each row that trains or validates
	own := s.Mean(model)
	logs := make([]float64, len(s[model]))
	for i, error := range s[model] {
		logs[i] = math.Log(s[other][i] / error)
	}
	mean, variance := stat.MeanVariance(logs, nil)
	n := float64(len(logs))
	lead := Lead{By: own * (math.Exp(mean) - 1), Low: -own, High: math.Inf(1), P: 1}
	if len(logs) < measure.FewestCompared || variance == 0 && mean == 0 {
		return lead
	}
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}
	error := math.Sqrt(float64((1/n + tested) * variance))
	reach := error * t.Quantile(distuv.UnitNormal.CDF(2))
	lead.Low, lead.High = own*(math.Exp(mean-reach)-1), own*(math.Exp(mean+reach)-1)
	lead.P = 2 * t.Survival(math.Abs(mean)/error)
	return lead
}
