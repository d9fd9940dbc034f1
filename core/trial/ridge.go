package trial

import (
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/note"
)

// Ridge is the linear baseline.
type Ridge struct {
	Fit    linear.Fit // where a model starts from
	Shown  linear.Fit // the same, its levels centred
	Lambda float64    // a row
	Total  float64    // the same for all rows
	Valid  float64    // error on validation rows, in the measure of the target; with folds, the mean over them
	Test   float64    // error on test rows, of classes calibrated where that is used; compared is that of [Trial.Baseline]
	Mean   float64    // that of the training mean

	Calibration measure.Calibration // of classes
}

// Calibrated returns the fit as it is compared: of classes calibrated, where that is used.
func (r *Ridge) Calibrated() linear.Fit {
	c := r.Calibration
	if !c.Used {
		return r.Shown
	}
	calibrated := func(of linear.Fit) linear.Fit {
		fit := linear.Fit{W: make([]float64, len(of.W)), B: float64(c.Slope*of.B) + c.Offset}
		kernel.Axpy(c.Slope, of.W, fit.W)
		return fit
	}
	fit := calibrated(r.Shown)
	for _, of := range r.Shown.Classes {
		fit.Classes = append(fit.Classes, calibrated(of))
	}
	return fit
}

// Ridge fits ridge the first time that it is asked for: one fit a penalty, of which the
// one with the lowest validation error stays. Without validation rows there is one
// penalty. O(n·d²).
func (t *Trial) Ridge() (*Ridge, error) {
	if t.ridge != nil {
		return t.ridge, nil
	}
	target := &t.Encoding.Target
	fits, err := newLinear(target, t.Train)
	if err != nil {
		return nil, err
	}
	chosen, lambda, err := t.Choose(func(total float64) (Predictor, error) { return fits.Fit(total) })
	if err != nil {
		return nil, err
	}
	fit := chosen.(linear.Fit)
	shown := t.CentredFit(fit)
	best := &Ridge{Fit: fit, Shown: shown, Lambda: lambda / measure.Total(t.Train), Total: lambda, Valid: t.OverFolds}
	if len(t.Valid.Y) > 0 {
		best.Valid = Error(shown, t.Valid, target)
	}
	best.Mean = Error(constant(target, t.Train), t.Test, target)
	if t.calibration != nil {
		best.Calibration = *t.calibration
	} else if target.Logistic {
		if !best.Fit.Separable && t.nearlySeparable(&best.Fit) { // the penalty may keep the last rows on the wrong side
			if free, err := fits.Fit(0); err == nil { // without one, nothing is told
				best.Fit.Separable = free.Separable
			}
		}
		if err := t.calibrate(best); err != nil {
			return nil, err
		}
	}
	best.Test = Error(best.Calibrated(), t.Test, target)
	if target.Log != design.LogNone { // the mean stays that of the target itself
		best.Mean = t.errorOfMean(t.Test)
	}
	t.ridge = best
	return best, nil
}

// Baseline returns ridge as other models are compared with it, and the rows that it was
// fitted to: those of [Trial.Refit]. Its penalty and its calibration are those of
// [Trial.Ridge], as validation rows have to choose and to calibrate without training.
func (t *Trial) Baseline(from Source, hats bool) (*Ridge, *Trial, error) {
	on := t
	switch {
	case t.refit != nil:
		on = t.refit
	case from.Refit != nil && len(t.Valid.Y) > 0:
		var err error
		if on, err = t.Refit(from, hats); err != nil {
			return nil, nil, err
		}
	}
	ridge, err := on.Ridge()
	return ridge, on, err
}

// Additive is the baseline of single columns: ridge with numbers as piecewise-linear bases.
type Additive struct {
	Lambda    float64   // a row
	Test      float64   // error on test rows, as that of [Ridge]
	Predicted []float64 // the test rows, as [measure.Predicted] has them
}

// Additive returns the additive baseline if it is better than ridge on the rows that choose,
// or if the settings always take bases. It is nil otherwise, and where bases are not tried or
// not reached. The runs of a trial fit it once, O(n·d²).
func (t *Trial) Additive(from Source, always bool) (*Additive, error) {
	if t.curves != nil || t.LinearOnly || t.hats == nil && len(t.Valid.Y) > 0 {
		return t.curves, nil
	}
	base, err := t.Ridge()
	if err != nil {
		return nil, err
	}
	hats, err := t.WithHats(from)
	if err != nil {
		return nil, err
	}
	ridge, err := hats.Ridge()
	if err != nil || !always && !(ridge.Valid < base.Valid) {
		return nil, err
	}
	ridge, on, err := hats.Baseline(from, true)
	if err != nil {
		return nil, err
	}
	f := make([]float64, len(on.Test.Y)*on.Encoding.Target.Scores())
	ridge.Calibrated().Predict(f, on.Test.Z)
	t.curves = &Additive{Lambda: ridge.Lambda, Test: ridge.Test, Predicted: measure.Predicted(f, on.Test.Y, &on.Encoding.Target)}
	return t.curves, nil
}

// errorOfMean returns the RMSE of the mean training target on a part, in units of the
// table.
func (t *Trial) errorOfMean(p design.Part) float64 {
	mean, f := measure.Mean(t.Train.Raw, t.Train.Weight), make([]float64, len(p.Raw))
	for i := range f {
		f[i] = mean
	}
	return measure.RootMeanSquare(f, p.Raw, p.Weight)
}

// TargetSD returns the standard deviation of the training targets in units of the table.
// For classes it returns the log-loss of their shares, which is to the log-loss what the
// standard deviation is to the RMSE.
func (t *Trial) TargetSD() float64 {
	if t.Encoding.Target.Logistic {
		return t.LossOfMean() / measure.Total(t.Train)
	}
	if t.Encoding.Target.Log == design.LogNone {
		return t.Encoding.Target.Scale
	}
	return t.errorOfMean(t.Train)
}

// LossOfMean returns the loss of the mean over all training rows, in units of the scaled
// target: half of their total weight, as the variance is 1, or of classes their entropy.
func (t *Trial) LossOfMean() float64 {
	n := measure.Total(t.Train)
	if !t.Encoding.Target.Logistic {
		return n / 2
	}
	if shares := t.Encoding.Target.Shares; shares != nil {
		sum := 0.0
		for _, share := range shares {
			if share > 0 {
				sum -= float64(share * math.Log(share))
			}
		}
		return n * sum
	}
	share := t.Encoding.Target.Mean
	return -n * (float64(share*math.Log(share)) + float64((1-share)*math.Log(1-share)))
}

// penalized is a linear model for any penalty.
type penalized interface {
	Fit(total float64) (linear.Fit, error)
}

// newLinear prepares ridge on some rows, logistic for two classes and a softmax for more.
func newLinear(t *design.Target, p design.Part) (penalized, error) {
	if k := t.Scores(); k > 1 {
		return linear.NewSoftmax(p.Z, p.Y, p.Weight, k)
	}
	if t.Logistic {
		return linear.NewLogistic(p.Z, p.Y, p.Weight)
	}
	return linear.NewWeightedRidge(p.Z, p.Y, p.Weight)
}

// FitLinear fits ridge by one penalty, logistic for classes.
func FitLinear(t *design.Target, p design.Part, penalty float64) (linear.Fit, error) {
	ridge, err := newLinear(t, p)
	if err != nil {
		return linear.Fit{}, err
	}
	return ridge.Fit(penalty)
}

// constant returns the prediction of the scaled target without any feature: its mean, the
// log-odds of it, or the logarithms of the shares of the classes.
func constant(t *design.Target, p design.Part) linear.Fit {
	_, d := p.Z.Dims()
	fit := linear.Fit{W: make([]float64, d)}
	if t.Scores() > 1 {
		for _, share := range t.Shares {
			fit.Classes = append(fit.Classes, linear.Fit{W: fit.W, B: math.Log(max(share, .5/float64(len(p.Y))))})
		}
		return fit
	}
	if fit.B = measure.Mean(p.Y, p.Weight); t.Logistic {
		fit.B = math.Log(fit.B / (1 - fit.B))
	}
	return fit
}

// nearlySeparable reports whether a fit gives all but a twentieth of the training rows'
// classes more than a half.
func (t *Trial) nearlySeparable(fit *linear.Fit) bool {
	y, k := t.Train.Y, t.Encoding.Target.Scores()
	f := make([]float64, len(y)*k)
	fit.Predict(f, t.Train.Z)
	wrong := 0
	for i, class := range y {
		if k > 1 {
			if row := f[i*k:][:k]; row[int(class)] < slices.Max(row) {
				wrong++
			}
		} else if float64((class-.5)*f[i]) <= 0 {
			wrong++
		}
	}
	return 20*wrong <= len(y)
}

// calibrate calibrates ridge by rows that it has not seen, and notes training rows that
// are separable.
func (t *Trial) calibrate(r *Ridge) error {
	var unseen measure.OutOfSample
	if t.Folds == nil {
		unseen.Add(t.Valid, t.Encoding.Target.Scores(), func(f []float64) { r.Shown.Predict(f, t.Valid.Z) })
	}
	for _, fold := range t.Folds {
		train, held := fold()
		fit, err := FitLinear(&t.Encoding.Target, train, r.Total)
		if err != nil {
			return err
		}
		shown := t.CentredFit(fit)
		unseen.Add(held, t.Encoding.Target.Scores(), func(f []float64) { shown.Predict(f, held.Z) })
	}
	r.Calibration = unseen.Platt()
	if r.Fit.Separable {
		t.Notes = append(t.Notes, note.Note{Topic: note.TopicTarget, Columns: []string{t.Encoding.Target.Name}, Text: message.Sprintf("a linear model separates the classes of all %d training rows, so only the penalty keeps probabilities away from 0 and 1", len(t.Train.Y))})
	}
	return nil
}

// Predictor is a baseline once it is fitted.
type Predictor interface {
	Predict(dst []float64, z design.Design)
}

// Choose returns the fit of the penalty with the lowest validation error, and that
// penalty. Without validation rows there is one. Where penalties fall, it stops after
// several in a row that were worse.
func (t *Trial) Choose(fit func(total float64) (Predictor, error)) (best Predictor, lambda float64, err error) {
	const several = 3
	lowest, worse := math.NaN(), 0
	for i, l := range t.Penalties {
		if worse == several && !t.EveryPenalty && i > 0 && l < t.Penalties[i-1] {
			break
		}
		p, err := fit(l)
		if err != nil {
			return nil, 0, err
		}
		worse++
		valid := Error(p, t.Valid, &t.Encoding.Target)
		if t.EveryPenalty {
			t.Tried = append(t.Tried, valid)
		}
		if !(valid >= lowest) {
			best, lambda, lowest, worse = p, l, valid, 0
		}
	}
	return best, lambda, nil
}

// Error returns the error of a fit over the rows of p, in the measure of the target and
// units of the table. It is NaN without rows.
func Error(fit Predictor, p design.Part, target *design.Target) float64 {
	f := make([]float64, len(p.Y)*target.Scores())
	if len(f) > 0 {
		fit.Predict(f, p.Z)
	}
	return measure.Error(f, p, target)
}
