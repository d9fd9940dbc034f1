package core

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
)

// Logged says whether it pays to learn the logarithm of the target: what ridge then
// predicts of the validation rows, beside what it does where it learns the target
// itself. Both have the better of the encodings that the run tries, and the penalty,
// as these rows choose them. RMSE are in units of the target.
type Logged struct {
	Learnt     string  // the logarithm in words, as [design.Target.Learnt]; "" where there is none
	Plain, Log float64 // RMSE on validation rows; 0 where there is no logarithm
	// By is by how many standard errors the squared errors of the logarithm are below
	// those of the target itself, row by row: t = mean d/(sd d/√n); 0 where all are alike.
	By float64
	// Pays reports that the logarithm is better, by more than both leastGain and two
	// standard errors.
	Pays bool
}

// leastGain is the share of ridge's validation RMSE that the logarithm of the target has
// to win to be offered: less would move no third digit.
const leastGain = .01

// Logged fits ridge once more, to the logarithm of the target if the run learns the
// target itself, else the other way round. The first call costs what ridge costs, and,
// on a run that is done, the rows once more. There is no logarithm of drawn rows, of a
// target of two values, and of one with negative numbers; and without validation
// rows nothing is compared. It returns a [NoTableError] if the run is closed and its
// table gone with it.
func (r *Run) Logged() (Logged, error) {
	if r.rows.logged != nil {
		return *r.rows.logged, nil
	}
	var l Logged
	if r.spec.Source == "table" {
		on, err := r, error(nil)
		if r.found != nil { // validation rows compare the two
			if r.table == nil {
				return Logged{}, NoTableError{}
			}
			if on, err = r.unfolded(); err != nil {
				return Logged{}, err
			}
		}
		if l, err = on.tryLog(); err != nil {
			return Logged{}, err
		}
	}
	r.rows.logged = &l
	return l, nil
}

// tryLog compares the two.
func (r *Run) tryLog() (Logged, error) {
	var l Logged
	var here, there []float64 // squared errors of the better of the encodings so far
	encodings, err := r.encodings()
	if err != nil {
		return Logged{}, err
	}
	for _, mine := range encodings {
		set, ok := mine.Otherwise()
		if !ok || len(mine.Valid.Y) == 0 {
			return Logged{}, nil
		}
		base, err := mine.baselines()
		if err != nil {
			return Logged{}, err
		}
		against, err := (&rows{Dataset: set, penalties: mine.penalties}).baselines()
		if err != nil {
			return Logged{}, err
		}
		here = smaller(here, squaredErrors(base.shown, mine.Valid, &mine.Encoding.Target))
		there = smaller(there, squaredErrors(against.shown, set.Valid, &set.Encoding.Target))
		l.Learnt = set.Encoding.Target.Learnt()
	}
	plain, log := here, there
	if target := &r.rows.Encoding.Target; target.Log != design.LogNone {
		plain, log, l.Learnt = there, here, target.Learnt()
	}
	l.Plain, l.Log, l.By = math.Sqrt(linear.Mean(plain)), math.Sqrt(linear.Mean(log)), pairedBy(plain, log)
	l.Pays = l.Log < (1-leastGain)*l.Plain && l.By > 2
	return l, nil
}

// encodings returns the rows of the encodings that the settings ask for, as far as
// they can be had, with the baselines that are known.
func (r *Run) encodings() (all []*rows, err error) {
	tried := candidates(r.spec, r.rows.straight, false)
	var known *rows
	if tried[0].encoding == linearly {
		if known, err = r.trainingRows(r.rows); err != nil {
			return nil, err
		}
		known.ridge, all = r.rows.ridge, append(all, known)
	}
	if tried[len(tried)-1].encoding == linearly {
		return all, nil
	}
	var hats *rows
	if r.rows.hats != nil {
		if hats, err = r.trainingRows(r.rows.hats); err == nil {
			hats.ridge = r.rows.hats.ridge
		}
	} else {
		hats, err = r.encoded(true)
	}
	if err != nil {
		return nil, err
	}
	return append(all, hats), nil
}

// squaredErrors returns those of a fit, in units of the table, a row of p each; of rows
// with weights times these over their mean.
func squaredErrors(fit predictor, p design.Part, target *design.Target) []float64 {
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
