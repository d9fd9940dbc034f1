package solve

import (
	"math"

	"ifmlab/core/message"
)

// Stop decides when a fit has gone far enough. Set the rules, then ask Reason
// after every iteration, the start included; a rule that is 0 never applies.
type Stop struct {
	Iterations int     // this many
	Tolerance  float64 // an iteration lowered the training loss by less than this share of it
	Little     float64 // a loss below which falls are measured against this one
	Patience   int     // this many in a row without a lower validation RMSE

	loss     float64 // of the last iteration
	best     float64 // validation RMSE
	bestAt   int
	followed bool // by any iteration
}

// Reason returns why to stop after this iteration, a sentence's end such as
// "150 iterations done", or "" to go on. valid is the RMSE on validation rows,
// NaN where there are none: Patience then never applies.
func (s *Stop) Reason(p Progress, valid float64) string {
	first, last := !s.followed, s.loss
	s.followed, s.loss = true, p.Loss
	if first || valid < s.best || math.IsNaN(s.best) {
		s.best, s.bestAt = valid, p.Iteration
	}
	if p.Held { // nothing was tried on validation rows
		s.bestAt++
	}
	switch {
	case p.Stop != "":
		return p.Stop
	case s.Tolerance > 0 && !first && !p.Held && last-p.Loss < s.Tolerance*max(last, s.Little):
		return message.Sprintf("the training loss fell by less than %g of itself", s.Tolerance)
	case s.Tolerance > 0 && p.Loss == 0:
		return "the training loss is 0"
	case s.Patience > 0 && !math.IsNaN(valid) && p.Iteration-s.bestAt >= s.Patience:
		return message.Sprintf("no better on validation rows for %d iterations", s.Patience)
	case s.Iterations > 0 && p.Iteration >= s.Iterations:
		return message.Sprintf("%d iterations done", s.Iterations)
	}
	return ""
}
