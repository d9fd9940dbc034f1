package solve

import (
	"math"

	"ifmlab/core/fm"
)

// escape takes a fit out of a bad minimum. If the diagonal is removed, L and L + diag(δ)
// predict the same. An eigenvector may then turn into a single column. Its eigenvalue
// hardly serves, and one is missing for the truth. This happens on columns that are not
// Gaussian. Such a minimum has a low wall in one more dimension of each sign. So the fit
// takes some iterations with two more eigenvalues, from the directions of steepest descent
// orthogonal to V. Then it returns to the model's rank, with the diagonal that comes
// nearest to that rank ([completion]).
//
// If the rows determine all pairs well, iFM first tries an escape to all eigenvalues. The
// loss has no bad minimum there, however strongly the columns correlate. Noise could be
// fitted as well, so this escape counts only if it brings the loss nearly to 0. Otherwise
// the fit goes on as if it had not been tried.
//
// The best point stays the model until another is better, so no escape raises the loss.
// An escape that noise explains ends in its first step and changes no bit of the fit.
type escape struct {
	narrow, wide         signCounts // the eigenvalues of the model, and one more of each sign
	narrowMost, wideMost int        // all of them; 0 if there is nothing to escape from
	fullMost             int        // q if an escape may go to all eigenvalues, else 0

	active         bool    // the fit is at the higher rank
	full           bool    // and may have all eigenvalues there
	firstStep      bool    // and has done no step there
	lowerLoss      bool    // the last escape reached a loss that the model's rank does not
	inconclusive   bool    // the last escape began before the end of the fit and decides nothing about its end
	nearZero       bool    // it nearly reached 0, so another start of the completion is worth a try
	count          int     // escapes so far
	iterationsLeft int     // iterations at the higher rank
	slowIterations int     // slow iterations in a row; at the higher rank, in all
	predictedFall  float64 // by the last step, to second order, relative to the loss
	lastLoss       float64 // the loss after the last iteration
	noiseShare     float64 // the share of the loss that the added parameters take from noise, on average
	leastFall      float64 // a smaller relative fall is noise
	leastGain      float64 // a smaller relative fall is no success of an escape
	stopReason     string  // why the fit had ended; "" if it was slow
	modelLoss      float64 // the loss of the model

	origin      savedPoint // the point at which the escape began
	originState stepState  // the state of the iterations there
	directions  *point
	completion
}

// savedPoint is a copy of the coordinates of a point, with its loss.
type savedPoint struct {
	m           int
	v, s, omega []float64
	loss        float64
}

// stepState is the state that one iteration hands to the next.
type stepState struct {
	damping, growth, accuracy, lastGradient, lastGain float64
	small, rejected                                   int
	factors                                           factorSteps
	factorMode                                        bool
}

// The constants were chosen on problems with fifteen kinds of columns, mostly d = 20 and
// k = 2. core/cmd/bench/README.md measures them on other problems.
const (
	escapeIterations = 40      // at the higher rank, at most
	mostEscapes      = 20      // of a fit
	slowFall         = 1e-2    // of the loss in an iteration: three smaller falls in a row are slow
	escapeFall       = 1e-2    // of the loss, predicted at the higher rank: two smaller falls end the escape
	enoughFall       = 1e-4    // of the loss at the origin: what is left needs no higher rank
	nearlyZero       = 1e-2    // of the loss at the origin: so little that noise cannot be left
	mostNoiseShare   = .5      // of the loss: a larger fall is never noise
	leastDirection   = 1e-12   // of the largest: a smaller eigenvalue of the gradient is rounding, perhaps along V
	fullNoiseShare   = .25     // the largest of an escape to all eigenvalues
	mostFullWork     = 1 << 25 // n·q² of such an escape, which bounds what it adds to the time of a fit
)

func newEscape(s *space, limit signCounts) *escape {
	e := &escape{narrow: limit, wide: signCounts{limit.positive + 1, limit.negative + 1}}
	if e.narrowMost = limit.within(s.q); e.narrowMost == 0 {
		return e
	}
	e.wideMost = e.wide.within(s.q)
	if s.diagonal && limit.negative > 0 && s.q > e.wideMost && s.n*s.q*s.q <= mostFullWork && s.noiseShare(e.narrowMost, s.q) <= fullNoiseShare {
		e.fullMost = s.q
	}
	e.origin.v, e.origin.s, e.origin.omega = make([]float64, s.q*e.narrowMost), make([]float64, e.narrowMost), make([]float64, s.q)
	added := max(2, e.fullMost)
	e.directions = &point{v: make([]float64, added*s.q), s: make([]float64, added)}
	e.completion = newCompletion(s, e.narrowMost, e.most())
	return e
}

// most returns the most eigenvalues that a point may have.
func (e *escape) most() int { return max(e.wideMost, e.fullMost) }

// keepsModel reports whether the model belongs to a better point than the present one.
func (g *GaussNewton) keepsModel() bool {
	e := g.escape
	return e.active || e.count > 0 && !(g.point.loss < e.modelLoss)
}

// startEscape starts an escape if the fit has ended or is slow. Otherwise it returns why
// the fit ends. FM may be slow for hundreds of iterations if it cannot represent the
// truth, so it escapes only from its end.
func (g *GaussNewton) startEscape(stop string) string {
	e := g.escape
	if e.active || e.narrowMost == 0 {
		return stop
	}
	loss := g.point.loss
	if e.slowIterations++; e.lastLoss-loss > slowFall*e.lastLoss {
		e.slowIterations = 0
	}
	e.lastLoss = loss
	if stop == "" && e.lowerLoss && e.slowIterations >= 3 && !(loss < e.origin.loss) {
		stop = stopLoss // it is slow above the loss at which the escape began
	}
	creeps := e.slowIterations >= 3 && e.count == 0 && g.model.Kind != fm.FM
	if stop == "" && !creeps {
		return ""
	}
	gained := e.count == 0 || loss < e.origin.loss*(1-e.leastGain)
	if !gained && e.lowerLoss && e.stopReason == "" { // it began before the fit's own end, which is still to come
		e.stopReason, e.leastGain = stop, slowFall
		g.restoreOrigin()
		return ""
	}
	if (gained || e.inconclusive || e.nearZero || e.stopReason == "" && stop != "") && e.count < mostEscapes {
		if !gained && e.origin.loss < loss {
			g.restoreOrigin()
		}
		e.lowerLoss, e.inconclusive, e.nearZero, e.stopReason = false, false, false, stop
		e.full = e.fullMost > 0
		if g.addEigenvalues() {
			g.last.Passes = g.passes()
			return ""
		}
	}
	if e.lowerLoss {
		return stopAbove
	}
	return stop
}

// parameters returns the number of parameters of a fit with m eigenvalues: the mean, ω,
// and a symmetric matrix of rank m.
func (s *space) parameters(m int) int { return 1 + s.q + s.q*m - m*(m-1)/2 }

// noiseShare returns the share of the loss that a fit with from eigenvalues loses on
// average if it gets to of them and its residuals are noise.
func (s *space) noiseShare(from, to int) float64 {
	return float64(s.parameters(to)-s.parameters(from)) / float64(max(1, s.n-s.parameters(from)))
}

// addEigenvalues starts an escape. It adds to V the eigenvectors of the largest and the
// smallest eigenvalue, or all of them, of
//
//	−½R⁻ᵀ(Xᵀdiag(r)X/n − diag)R⁻¹        gFM: with its diagonal
//
// orthogonal to V, with s = 0. It reports whether there is room for them and whether they
// lower the loss by more than rounding. O(n·d²/2 + 11·d³), and half a pass.
func (g *GaussNewton) addEigenvalues() bool {
	s, e, from, to := g.space, g.escape, g.point, g.trial
	kept := from.m
	limit, most, adds := e.wide, e.wideMost, signCounts{1, 1}
	if e.full {
		limit = signCounts{s.q, s.q}
		most, adds = s.q, limit
	}
	room := most - kept
	if room <= 0 {
		return false
	}
	h := g.halfGradient(from.r, s.diagonal)
	g.projectOut(h, from.v, kept)
	g.truncation.truncateTo(e.directions, h, adds, room, leastDirection)
	added := e.directions.m
	largest := 0.0
	for _, v := range e.directions.s[:added] {
		largest = max(largest, math.Abs(v))
	}
	if !(largest > 0) {
		return false
	}
	for f := range e.directions.s[:added] { // only their ratio matters; 1e-16 would be lost in the residual
		e.directions.s[f] /= largest
	}
	m := kept + added
	for j := range s.q {
		copy(to.v[j*m:], from.v[j*kept:(j+1)*kept])
		copy(to.v[j*m+kept:(j+1)*m], e.directions.v[j*added:(j+1)*added])
	}
	copy(to.s, from.s[:kept])
	copy(to.s[kept:m], e.directions.s[:added])
	copy(to.omega, from.omega)
	to.m = m
	g.tangent.evaluate(to)
	if _, fall := g.lineSearch(from.r, to, kept); !(fall > littleFall*from.loss) {
		g.tangent.point = from
		return false
	}
	clear(to.s[kept:m])
	copy(to.r, from.r)
	to.beta, to.misfit, to.loss = from.beta, from.misfit, from.loss

	b := &e.origin
	b.m, b.loss = kept, from.loss
	copy(b.v, from.v[:s.q*kept])
	copy(b.s, from.s[:kept])
	copy(b.omega, from.omega)
	e.originState = stepState{g.damping, g.growth, g.accuracy, g.lastGradient, g.lastGain, g.smallSteps, g.rejections, g.factors, g.tangent.factorMode}

	e.noiseShare = s.noiseShare(kept, m)
	e.leastFall, e.leastGain = min(mostNoiseShare, 3*e.noiseShare), slowFall
	if e.stopReason == "" {
		e.leastFall, e.leastGain = mostNoiseShare, mostNoiseShare
	}
	e.count++
	e.active, e.firstStep, e.iterationsLeft, e.slowIterations, e.lastLoss = true, true, escapeIterations, 0, to.loss
	g.truncation.limit, g.truncation.capacity = limit, most
	g.point, g.trial = to, from
	g.resetSteps()
	return true
}

// resetSteps makes the next iteration like the first.
func (g *GaussNewton) resetSteps() {
	g.damping, g.growth, g.accuracy, g.lastGradient, g.lastGain = 0, 2, mostAccuracy, 0, 1
	g.smallSteps, g.rejections, g.tangent.factorMode = 0, 0, false
}

// isNoise reports whether the first step of an escape promises too little. The limit is
// twice what the added parameters take from noise, their share of the remaining rows. If
// the fit is only slow, and may get there on its own, the limit is half of the loss. With
// all eigenvalues the first step is a least squares, and has to promise nearly 0.
func (g *GaussNewton) isNoise(predicted float64) bool {
	e := g.escape
	e.predictedFall = predicted / g.point.loss
	if !e.active || !e.firstStep {
		return false
	}
	e.firstStep = false
	if e.full {
		return !(e.predictedFall > 1-nearlyZero)
	}
	more := e.predictedFall > min(mostNoiseShare, 2*e.noiseShare)
	if e.stopReason == "" {
		e.inconclusive = more || 2*e.noiseShare > mostNoiseShare
		return !(e.predictedFall > mostNoiseShare)
	}
	return !more
}

// endEscape ends an escape if it has done its work. stop is the reason with which the
// iteration at the higher rank ended. endEscape returns why the fit ends.
func (g *GaussNewton) endEscape(stop string) string {
	e := g.escape
	loss := g.point.loss
	e.iterationsLeft--
	if !(e.predictedFall > escapeFall) {
		e.slowIterations++
	}
	if stop == "" && e.iterationsLeft > 0 && e.slowIterations < 2 && loss > enoughFall*e.origin.loss && g.point.misfit > exactResidual*exactResidual/2 {
		return ""
	}
	e.active, e.firstStep, e.slowIterations = false, false, 0
	g.truncation.limit, g.truncation.capacity = e.narrow, e.narrowMost
	g.resetSteps()
	if e.full && loss > nearlyZero*e.origin.loss {
		g.restoreOrigin()
		e.full, e.count = false, e.count-1
		if !g.addEigenvalues() {
			return e.stopReason
		}
		g.rejectedAll = false
		return g.endEscape(g.iterate())
	}
	stop = ""
	if e.lowerLoss = loss < e.origin.loss*(1-e.leastFall); e.lowerLoss {
		e.nearZero = !(loss > nearlyZero*e.origin.loss)
		g.reduceRank()
	} else {
		stop = e.stopReason
		g.restoreOrigin()
	}
	e.lastLoss = g.point.loss
	return stop
}

// restoreOrigin returns to the origin of the escape and its state. Half a pass.
func (g *GaussNewton) restoreOrigin() {
	b, p, w := &g.escape.origin, g.point, &g.escape.originState
	p.m = b.m
	copy(p.v, b.v[:g.space.q*b.m])
	copy(p.s, b.s[:b.m])
	copy(p.omega, b.omega)
	g.tangent.evaluate(p)
	g.damping, g.growth, g.accuracy, g.lastGradient, g.lastGain = w.damping, w.growth, w.accuracy, w.lastGradient, w.lastGain
	g.smallSteps, g.rejections, g.factors, g.tangent.factorMode = w.small, w.rejected, w.factors, w.factorMode
}

// reduceRank brings the point to the rank of the model. It tries the metrics of the
// whitened and of the scaled columns and takes the lower loss: whitened columns that are
// all alike do not tell diagonals apart. A pass, and the cost of [completion].
func (g *GaussNewton) reduceRank() {
	s, e, from, to := g.space, g.escape, g.point, g.trial
	copy(to.omega, from.omega)
	if !s.diagonal {
		from.largest(to, s.q, e.narrow)
		g.tangent.evaluate(to)
		g.point, g.trial = to, from
		return
	}
	c := &e.completion
	c.setDiagonals(from, e.count-1)
	c.complete(to, g.truncation, from.v, from.s[:from.m], s.root, s.inverseRoots[:s.d*s.q])
	c.complete(&c.truncated, g.truncation, from.vx[:s.d*from.m], from.s[:from.m], nil, nil)
	g.truncation.transform(from, &c.truncated, s.root) // from is not needed any more
	g.tangent.evaluate(to)
	g.tangent.evaluate(from)
	if to.loss < from.loss {
		g.point, g.trial = to, from
	}
	g.tangent.point = g.point
}

// largest sets V and s of to to the largest eigenvalues of p that the limits allow. Those
// of p are in the order of their size.
func (p *point) largest(to *point, q int, limit signCounts) {
	to.m = 0
	for _, s := range p.s[:p.m] {
		if limit.take(s) {
			to.s[to.m] = s
			to.m++
		}
	}
	column, left := 0, signCounts{}
	for _, s := range to.s[:to.m] {
		if s > 0 {
			left.positive++
		} else {
			left.negative++
		}
	}
	for f, s := range p.s[:p.m] {
		if !left.take(s) {
			continue
		}
		for j := range q {
			to.v[j*to.m+column] = p.v[j*p.m+f]
		}
		column++
	}
}
