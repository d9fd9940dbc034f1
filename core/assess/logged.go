package assess

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/spec"
	"ifmlab/core/task"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// Logged says whether it pays to learn the logarithm of the target. It compares ridge on
// the logarithm with ridge on the target itself, by validation rows. These also choose the
// encoding and the penalty of each. RMSE are in units of the target.
type Logged struct {
	Quantity   string  // the logarithm in words, as [design.Target.Quantity]; "" where there is none
	Plain, Log float64 // RMSE on validation rows; 0 where there is no logarithm
	// By is by how many standard errors the squared errors of the logarithm are below
	// those of the target itself, row by row: t = mean d/(sd d/√n); 0 where all are alike.
	By float64
	// Pays reports that the logarithm is better, by more than both leastGain and two
	// standard errors.
	Pays bool
}

// leastGain is the least share of ridge's validation RMSE by which the logarithm of the
// target has to be better. Less would not change the third digit.
const leastGain = .01

// Logged fits ridge once more, to the logarithm of the target if the run learns the
// target itself, else the other way round. The first call costs what ridge costs, and,
// on a run that is done, the rows once more. There is no logarithm of drawn rows, of a
// target of two values, and of one with negative numbers; and without validation
// rows nothing is compared. It returns a [trial.NoTableError] if the run is closed and its
// table gone with it.
func (a *Assessment) Logged() (Logged, error) {
	if a.shared.logged != nil {
		return *a.shared.logged, nil
	}
	var l Logged
	if a.run.Spec().Source == "table" {
		rows, source := a.run.Rows(), a.run.Source()
		if task.Folds(a.run.Spec()) > 0 { // validation rows compare the two
			if a.task == nil {
				return Logged{}, trial.NoTableError{}
			}
			source = a.task.WithoutFolds().Source(trial.NoFold)
			var err error
			if rows, err = source.Open(false); err != nil {
				return Logged{}, err
			}
		}
		encodings, err := encodings(a.run.Spec(), rows, source)
		if err == nil {
			l, err = compareLog(encodings)
		}
		if err != nil {
			return Logged{}, err
		}
	}
	a.shared.logged = &l
	return l, nil
}

// compareLog compares a target with its logarithm, in the better of some encodings.
func compareLog(encodings []*trial.Trial) (l Logged, err error) {
	var here, there []float64 // squared errors of the better of the encodings so far
	for _, mine := range encodings {
		set, ok := mine.SwitchLog()
		if !ok || len(mine.Valid.Y) == 0 {
			return Logged{}, nil
		}
		base, err := mine.Ridge()
		if err != nil {
			return Logged{}, err
		}
		against, err := (&trial.Trial{Dataset: set, Penalties: mine.Penalties}).Ridge()
		if err != nil {
			return Logged{}, err
		}
		here = smaller(here, squaredErrors(base.Shown, mine.Valid, &mine.Encoding.Target))
		there = smaller(there, squaredErrors(against.Shown, set.Valid, &set.Encoding.Target))
		l.Quantity = set.Encoding.Target.Quantity()
	}
	plain, log := here, there
	if target := &encodings[0].Encoding.Target; target.Log != design.LogNone {
		plain, log, l.Quantity = there, here, target.Quantity()
	}
	l.Plain, l.Log, l.By = math.Sqrt(linear.Mean(plain)), math.Sqrt(linear.Mean(log)), pairedBy(plain, log)
	l.Pays = l.Log < (1-leastGain)*l.Plain && l.By > 2
	return l, nil
}

// encodings returns the rows in each encoding of numbers that the settings try.
func encodings(s spec.Spec, rows *trial.Trial, source trial.Source) (all []*trial.Trial, err error) {
	tried := train.Candidates(s, rows.LinearOnly, false)
	if tried[0].Encoding == train.Linear {
		linear, err := rows.Again(source, false)
		if err != nil {
			return nil, err
		}
		all = append(all, linear)
	}
	if tried[len(tried)-1].Encoding == train.Hats {
		hats, err := rows.WithHats(source)
		if err != nil {
			return nil, err
		}
		all = append(all, hats)
	}
	return all, nil
}

// squaredErrors returns those of a fit, in units of the table, a row of p each; of rows
// with weights times these over their mean.
func squaredErrors(fit trial.Predictor, p design.Part, target *design.Target) []float64 {
	f := make([]float64, len(p.Y))
	fit.Predict(f, p.Z)
	for i, y := range f {
		actual := target.Raw(p.Y[i])
		if p.Raw != nil {
			actual = p.Raw[i]
		}
		e := target.Raw(y) - actual
		f[i] = e * e
		if p.Weight != nil {
			f[i] *= p.Weight[i] * float64(len(f)) / measure.Total(p)
		}
	}
	return f
}

// smaller returns the squared errors with the smaller sum; one may be nil.
func smaller(a, b []float64) []float64 {
	if a == nil || kernel.Sum(b) < kernel.Sum(a) {
		return b
	}
	return a
}

// pairedBy returns by how many standard errors the squared errors of b are below
// those of a on the same rows; 0 where no row differs, or there is one alone.
func pairedBy(a, b []float64) float64 {
	n := float64(len(a))
	mean, squares := linear.Mean(a)-linear.Mean(b), 0.0
	for i := range a {
		e := a[i] - b[i] - mean
		squares += float64(e * e)
	}
	if t := mean / math.Sqrt(squares/(n-1)/n); t == t {
		return t
	}
	return 0
}
