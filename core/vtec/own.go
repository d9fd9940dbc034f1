package vtec

import (
	"errors"
	"math"
	"math/rand/v2"

	"ifmlab/core/message"
	"ifmlab/core/vtec/sky"
)

// mostTunings is how many windows an experiment is tuned on at most, evenly spread.
const mostTunings = 30

// OwnCandidates returns what a method is tuned over on a reader's own file: for FM, iFM
// and gFM ranks of 1, 3 and 10, penalties of 10, 1, .1, 10⁻³ and 10⁻⁵ and penalties of w
// of 1, 10⁻³ and 10⁻⁶, because what holds on the simulator in the middle of a net need
// not hold elsewhere; for the others those of [Candidates].
func OwnCandidates(m Method) (all []Tuning) {
	if m != FM && m != IFM && m != GFM {
		return Candidates(m, 0)
	}
	for _, rank := range [...]int{1, 3, 10} {
		for _, w := range [...]float64{1, 1e-3, 1e-6} {
			for _, penalty := range [...]float64{10, 1, .1, 1e-3, 1e-5} {
				t := Tuning{FMRank: rank, FMLinear: w, IFMRank: rank, IFMLinear: w, GFMRank: rank, GFMLinear: w}
				*t.Penalty(m) = penalty
				all = append(all, t)
			}
		}
	}
	return all
}

// Tuned is what one window says of the candidates of the methods.
type Tuned struct {
	Test     int
	Squares  []float64 // Σ (y − ŷ)², m²: of each candidate of each method, in their orders; NaN where one cannot be fitted
	Unusable string    // why the window cannot be used, as a sentence; "" where it can
}

// firstPart parts what a source has in two: methods are tuned on the first, and tested
// on the rest. It is a third of the days where there are three at least and their
// first third has a minute, else a third of the minutes.
func firstPart(all []sky.At, days int) (first, rest []sky.At) {
	n := 0
	for days >= fewestDays && n < len(all) && all[n].Day < days/3 {
		n++
	}
	if n == 0 {
		n = len(all) / 3
	}
	return all[:n], all[n:]
}

// thin returns some of them, evenly spread.
func thin(all []sky.At, most int) (some []sky.At) {
	n := min(most, len(all))
	for i := range n {
		some = append(some, all[i*len(all)/n])
	}
	return some
}

// Tunings returns when the windows are that methods are tuned on; none unless the
// settings ask for it. None of them is among Windows, nor of their days where there are
// three at least.
func (e *Experiment) Tunings() []sky.At { return e.tunings }

// Tune fits every method with every candidate to the i-th of Tunings and tests it
// there; of stations that are left out in turn it takes one after the other, or every
// second, third … where there are fewer windows. Its errors
// are those of Window. A window of eight satellites takes some second.
func (e *Experiment) Tune(i int) (Tuned, error) {
	at := e.tunings[i]
	s, err := e.tuning.Snapshot(at.Day, at.Minute)
	if err != nil {
		if u, ok := errors.AsType[*sky.UnusableError](err); ok {
			return Tuned{Unusable: u.Reason}, nil
		}
		return Tuned{}, err
	}
	net := e.network
	net.Test = e.Station(i)
	if stations, n := len(e.stations), len(e.tunings); n < stations {
		net.Test = e.stations[i*stations/n]
	}
	w, err := e.window(&net, &s)
	if err != nil {
		return Tuned{Unusable: reason(err)}, nil
	}
	t := Tuned{Test: len(w.Test)}
	for _, m := range e.settings.Methods {
		t.Squares = append(t.Squares, w.Squares(m, OwnCandidates(m), func() *rand.Rand { return random(at, e.settings.Seed, forStarts) })...)
	}
	return t, nil
}

// Choose returns the tuning with the least squares of each method, the settings' own of
// methods that are not in the experiment. sums are those of [Tuned].Squares over all
// windows. It returns a [*SettingError] where a method has no candidate with a fit in
// all of them.
func (e *Experiment) Choose(sums []float64) (Tuning, error) {
	chosen := e.settings.Tuning
	for _, m := range e.settings.Methods {
		least := math.Inf(1)
		for _, t := range OwnCandidates(m) {
			if len(sums) == 0 {
				break
			}
			if sums[0] < least {
				least = sums[0]
				chosen.Choose(m, t)
			}
			sums = sums[1:]
		}
		if math.IsInf(least, 1) {
			return Tuning{}, &SettingError{message.Sprintf("%s has no tuning that fits each of %d windows of the first part; choose other methods, or a file with more of it", m, len(e.tunings))}
		}
	}
	return chosen, nil
}
