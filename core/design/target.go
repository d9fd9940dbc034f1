package design

import (
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/moment"
)

// Target is the target of an encoding: y = raw/Scale, or log(raw)/Scale, not centred;
// of classes whose log-odds models learn y is 0 and 1.
type Target struct {
	Name   string
	Mean   float64  // of raw values in training rows; 0 of more than two classes
	Scale  float64  // their standard deviation, or that of their logarithms; 1 where Logistic
	Levels []string // what raw values 0, 1, … stand for; nil if they are numbers
	Log    Log      // that models learn
	// Logistic says that models learn the log-odds f of class 1 over Scale, and predict
	// its probability, 1/(1 + e^(−Scale·f)).
	//
	// With more than two Levels they learn a score fₖ of each class, and predict the
	// probabilities e^(Scale·fₖ)/Σe^(Scale·fⱼ). The scores of a row stand next to each other.
	Logistic bool
	Shares   []float64 // of more than two classes, in training rows; not in model files
	// Least and Most are the ends that what is predicted is held to where models learn
	// a logarithm, in units of the table.
	Least, Most float64
	// Span is the least and the most raw value in the rows that the model was fitted to; nil
	// if it is not known, and of two levels.
	Span []float64
}

// Scores returns how many numbers models learn of a row: one, or that of classes if these are
// more than two.
func (t *Target) Scores() int {
	if t.Logistic && len(t.Levels) > 2 {
		return len(t.Levels)
	}
	return 1
}

// Beyond returns the numbers below and above which a prediction is far beyond Span: more than
// half its width away. A model that has learned a trend rightly predicts some new extremes,
// but seldom by that much, and no row says whether a trend goes on so far. Without a Span
// nothing is far.
func (t *Target) Beyond() (low, high float64) {
	if t.Span == nil {
		return math.Inf(-1), math.Inf(1)
	}
	half := (t.Span[1] - t.Span[0]) / 2
	return t.Span[0] - half, t.Span[1] + half
}

// Log is the logarithm of a target that models learn instead of it: what multiplies
// the target adds to its logarithm.
type Log string

// The natural logarithms of a target y. LogShifted is for targets that hold zeros.
const (
	LogNone    Log = ""
	LogPlain   Log = "log"   // log y
	LogShifted Log = "log1p" // log(1 + y)
)

// LogOf returns the logarithm for targets of which the least is given; ok is false
// where it is negative. O(1).
func LogOf(least float64) (log Log, ok bool) {
	if least > 0 {
		return LogPlain, true
	}
	return LogShifted, least == 0
}

// of returns the logarithm of y, NaN for what it is not defined for.
func (l Log) of(y float64) float64 {
	switch {
	case l == LogShifted:
		return math.Log1p(y)
	case !(y > 0) || math.IsInf(y, 1):
		return math.NaN()
	}
	// The standard library's Log and Exp have other bits in a browser than outside
	// of it; its Log1p and Expm1 have not.
	part, exponent := math.Frexp(y)
	if part < math.Sqrt2/2 {
		part, exponent = 2*part, exponent-1
	}
	return float64(float64(exponent)*math.Ln2) + math.Log1p(part-1)
}

// farthest bounds what is raised to a power of e: beyond it lies no target.
const farthest = 700

// inverse returns the y whose logarithm is given.
func (l Log) inverse(log float64) float64 {
	log = max(-farthest, min(log, farthest))
	if l == LogShifted {
		return math.Expm1(log)
	}
	exponent := math.Round(log / math.Ln2)
	return math.Ldexp(1+math.Expm1(log-float64(exponent*math.Ln2)), int(exponent))
}

// Quantity returns what models learn, in words: "price", "log(price)",
// "log(1 + price)", "log-odds of churned = yes" or "the class of species". Their coefficients are in its units.
func (t *Target) Quantity() string {
	switch {
	case t.Scores() > 1:
		return "the class of " + t.Name
	case t.Logistic:
		return "log-odds of " + t.Name + " = " + t.Levels[1]
	case t.Log == LogPlain:
		return "log(" + t.Name + ")"
	case t.Log == LogShifted:
		return "log(1 + " + t.Name + ")"
	}
	return t.Name
}

// Raw returns the target, in units of the table, whose scaled logarithm is y, or
// which itself is scaled; of the log-odds of class 1 the probability. That of a logarithm is held: to where the training rows
// span, as much again above, and below down to 0; so that it is a number for
// every y that is one. O(1).
func (t *Target) Raw(y float64) float64 {
	if t.Logistic {
		return kernel.Logistic(y * t.Scale)
	}
	if t.Log == LogNone {
		return y * t.Scale
	}
	return max(t.Least, min(t.Log.inverse(y*t.Scale), t.Most))
}

// Scaled returns what models learn of a target in units of the table; of a class
// itself. O(1).
func (t *Target) Scaled(raw float64) float64 {
	if t.Logistic {
		return raw
	}
	if t.Log != LogNone {
		raw = t.Log.of(raw)
	}
	return raw / t.Scale
}

// LogTarget returns the target of training rows whose raw targets are given, as a
// logarithm. Its Scale is 0 where that does not vary.
func LogTarget(name string, raw, weight []float64, log Log) Target {
	span := moment.Weighted(raw, weight)
	logs := make([]float64, len(raw))
	for i, v := range raw {
		logs[i] = log.of(v)
	}
	m := moment.Weighted(logs, weight)
	f := Bound(Feature{}, span.Min(), span.Max())
	return Target{Name: name, Mean: span.Mean(), Scale: m.SD(), Log: log, Least: max(0, f.Least), Most: f.Most}
}
