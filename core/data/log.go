package data

import (
	"math"

	"ifmlab/core/kernel"
	"ifmlab/core/message"
)

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

// Learnt returns what models learn, in words: "price", "log(price)",
// "log(1 + price)" or "log-odds of churned = yes". Their coefficients are in its units.
func (t *Target) Learnt() string {
	switch {
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
// which itself is scaled; of log-odds the probability. That of a logarithm is held: to where the training rows
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

// logTarget returns the target of training rows whose raw targets are given, as a
// logarithm. Its Scale is 0 where that does not vary.
func logTarget(name string, raw, weight []float64, log Log) Target {
	span := weighted(raw, weight)
	logs := make([]float64, len(raw))
	for i, v := range raw {
		logs[i] = log.of(v)
	}
	m := weighted(logs, weight)
	f := held(Feature{}, span.Min(), span.Max())
	return Target{Name: name, Mean: span.Mean(), Scale: m.SD(), Log: log, Least: max(0, f.Least), Most: f.Most}
}

// settleLog settles which logarithm models learn, from all rows that are used, so
// that it is the same for every split and defined for every row. It returns a
// [*TargetError] that names the first negative target.
func (p *Plan) settleLog() error {
	if !p.settings.Log {
		return nil
	}
	if p.levels != nil {
		p.Notes.add(TopicTarget, []string{p.Target}, "%s has two values, so that its logarithm is only another name for them; it is learnt as it is", p.Target)
		return nil
	}
	log, ok := LogOf(p.least)
	if !ok {
		t, c := p.Table, p.Table.columns[p.target]
		for _, row := range p.rows {
			if v := c.number(int(row)); v < 0 {
				found := formatNumber(v)
				return &TargetError{File: t.Name, Field: p.Target, Found: found,
					Message: message.Sprintf("%s is %s on line %d, want no number below 0, whose logarithm there is none of; learn %s itself (log=no) or choose another target", p.Target, found, t.Line(int(row)), p.Target)}
			}
		}
	}
	p.log = log
	return nil
}

// logTarget settles a target that is learnt as a logarithm.
func (e *encoder) logTarget() error {
	raw := e.plan.Targets(e.rows)
	e.out.Target = logTarget(e.plan.Target, raw, e.plan.Weights(e.rows), e.plan.log)
	if e.out.Target.Scale > 0 {
		return nil
	}
	found := formatNumber(raw[0])
	return &TargetError{File: e.plan.Table.Name, Field: e.plan.Target, Found: found,
		Message: message.Sprintf("the logarithm of %s is that of %s in every training row, want one that varies; learn %s itself (log=no)", e.plan.Target, found, e.plan.Target)}
}

// Otherwise returns the same rows for models that learn the logarithm of the
// target where those of s learn it as it is, or the other way round; the designs are
// those of s. ok is false where there is none: of a target of two values, or one that
// is negative or the same in some of its numbers' logarithms. O(rows).
func (s *Dataset) Otherwise() (other *Dataset, ok bool) {
	t := s.Encoding.Target
	if t.Levels != nil {
		return nil, false
	}
	parts := [...]Part{s.Train, s.Valid, s.Test}
	least := math.Inf(1)
	for i := range parts {
		parts[i].Raw = s.Encoding.raw(parts[i])
		for _, v := range parts[i].Raw {
			least = min(least, v)
		}
	}
	log, ok := LogOf(least)
	if !ok || len(s.Train.Y) == 0 {
		return nil, false
	}
	encoding := s.Encoding
	if t.Log == LogNone {
		encoding.Target = logTarget(t.Name, parts[0].Raw, parts[0].Weight, log)
	} else {
		m := weighted(parts[0].Raw, parts[0].Weight)
		encoding.Target = Target{Name: t.Name, Mean: m.Mean(), Scale: m.SD()}
	}
	if !(encoding.Target.Scale > 0) {
		return nil, false
	}
	for i := range parts {
		parts[i].Y = make([]float64, len(parts[i].Raw))
		for row, v := range parts[i].Raw {
			parts[i].Y[row] = encoding.Target.Scaled(v)
		}
		if encoding.Target.Log == LogNone {
			parts[i].Raw = nil
		}
	}
	return &Dataset{Train: parts[0], Valid: parts[1], Test: parts[2], Encoding: encoding}, true
}

// raw returns the targets of rows in units of the table.
func (e *Encoding) raw(p Part) []float64 {
	if p.Raw != nil {
		return p.Raw
	}
	raw := make([]float64, len(p.Y))
	for i, y := range p.Y {
		raw[i] = y * e.Target.Scale
	}
	return raw
}
