package solve

import (
	"math"

	"ifmlab/core/fm"
)

// escape takes a fit out of a bad minimum. Where the diagonal is removed, L and
// L + diag(δ) predict the same, and an eigenvector may turn into a single column: its
// eigenvalue then hardly serves, and the truth has one too few. It came about
// on columns that are not Gaussian, where such a minimum has a low wall in one more
// dimension of each sign. So the fit goes on there for some iterations, from the
// directions of steepest descent across V, and then returns to the rank of the
// model by way of the diagonal that comes nearest to that rank ([completion]).
//
// The best point stays the model until another is better, so that no escape raises
// the loss. One that noise explains
// ends in its first step, and leaves the fit as it was to the last bit.
type escape struct {
	narrow, wide         signs // the eigenvalues of the model, and one more of each sign
	narrowMost, wideMost int   // all of them; 0 where there is nothing to escape from

	under    bool    // way: the fit is at the higher rank
	first    bool    // and has not done a step there
	above    bool    // the last one reached what the model's rank does not
	open     bool    // the last one, begun where the fit crept, says nothing about one from its end
	all      bool    // it reached all but 0, so that another diagonal is worth a try
	rounds   int     // escapes so far
	left     int     // iterations at the higher rank
	slow     int     // iterations of little fall in a row; at the higher rank, of little promise in all
	promised float64 // the fall of the last step to second order, relative to the loss
	before   float64 // the loss after the last iteration
	chance   float64 // the share of the loss that as many parameters as are added take from noise, on average
	worth    float64 // the share below which noise explains the fall of the loss
	gain     float64 // the share below which nothing came of an escape
	why      string  // the fit had ended, "" where it crept
	reported float64 // the loss of the model

	best  model // where the escape began
	path  path  // how the fit would have gone on
	found *point
	completion
}

// model is what a point predicts from, and its loss.
type model struct {
	m           int
	v, s, omega []float64
	loss        float64
}

// path is what the next iteration takes over from those before.
type path struct {
	damping, growth, accuracy, lastGradient, lastGain float64
	small, rejected                                   int
	factors                                           factorSteps
	inFactors                                         bool
}

// The constants were chosen on problems of fifteen kinds of columns, most with d = 20
// and k = 2; on others they were measured, see core/cmd/bench/README.md.
const (
	slackIterations = 40   // at the higher rank, at most
	mostEscapes     = 10   // of a fit
	slowFall        = 1e-2 // of the loss in an iteration: three less than that in a row creep
	slackFall       = 1e-2 // of the loss, to second order, in an iteration at the higher rank: two less end it
	enoughFall      = 1e-4 // of the loss where the escape began: what is left needs no higher rank
	mostWorth       = .5   // of the loss: a fall that is never taken for noise
)

// starts are the shares of the diagonal of L that completions leave out at first, one
// an escape and then from the first again: none is right for all.
var starts = [...]float64{1, 1.5, .5, 2, 0}

func newEscape(s *space, limit signs) *escape {
	e := &escape{narrow: limit, wide: signs{limit.positive + 1, limit.negative + 1}}
	if e.narrowMost = limit.within(s.q); e.narrowMost == 0 {
		return e
	}
	e.wideMost = e.wide.within(s.q)
	e.best.v, e.best.s, e.best.omega = make([]float64, s.q*e.narrowMost), make([]float64, e.narrowMost), make([]float64, s.q)
	e.found = &point{v: make([]float64, 2*s.q), s: make([]float64, 2)}
	e.completion = newCompletion(s, e.narrowMost, e.wideMost)
	return e
}

// holds reports whether the model is that of a better point than where the fit
// stands.
func (g *GaussNewton) holds() bool {
	e := g.escape
	return e.under || e.rounds > 0 && !(g.at.loss < e.reported)
}

// escapes begins an escape where the fit has come to its end or creeps, and returns
// why the fit ends otherwise. FM, which may creep for hundreds of iterations where
// it cannot follow the truth, escapes from its end alone.
func (g *GaussNewton) escapes(stop string) string {
	e := g.escape
	if e.under || e.narrowMost == 0 {
		return stop
	}
	loss := g.at.loss
	if e.slow++; e.before-loss > slowFall*e.before {
		e.slow = 0
	}
	e.before = loss
	if stop == "" && e.above && e.slow >= 3 && !(loss < e.best.loss) {
		stop = stopLoss // it creeps above where the escape began
	}
	creeps := e.slow >= 3 && e.rounds == 0 && g.model.Kind != fm.FM
	if stop == "" && !creeps {
		return ""
	}
	gained := e.rounds == 0 || loss < e.best.loss*(1-e.gain)
	if !gained && e.above && e.why == "" { // it began before the fit's own end, which is still to come
		e.why, e.gain = stop, slowFall
		g.back()
		return ""
	}
	if (gained || e.open || e.all || e.why == "" && stop != "") && e.rounds < mostEscapes {
		if !gained && e.best.loss < loss {
			g.back()
		}
		e.above, e.open, e.all, e.why = false, false, false, stop
		if g.widen() {
			g.last.Passes = g.passes()
			return ""
		}
	}
	if e.above {
		return stopAbove
	}
	return stop
}

// parameters returns how many numbers a fit with m eigenvalues has: the mean, ω, and a
// symmetric matrix of rank m.
func (s *space) parameters(m int) int { return 1 + s.q + s.q*m - m*(m-1)/2 }

// widen begins an escape: it adds to V the eigenvectors of the most positive and of
// the most negative eigenvalue of
//
//	−½R⁻ᵀ(Xᵀdiag(r)X/n − diag)R⁻¹        gFM: with its diagonal
//
// across V, with s = 0. It reports whether there is room for them and whether they
// lower the loss by more than rounding. O(n·d²/2 + 11·d³), and half a pass.
func (g *GaussNewton) widen() bool {
	s, e, from, to := g.space, g.escape, g.at, g.try
	kept := from.m
	room := min(e.wideMost-kept, 2)
	if room <= 0 {
		return false
	}
	h := g.halfGradient(from.r, s.diagonal)
	g.across(h, from.v, kept)
	g.signed.truncateTo(e.found, h, signs{1, 1}, room)
	added := e.found.m
	largest := 0.0
	for _, v := range e.found.s[:added] {
		largest = max(largest, math.Abs(v))
	}
	if !(largest > 0) {
		return false
	}
	for f := range e.found.s[:added] { // only their ratio counts; 1e-16 would be lost in the residual
		e.found.s[f] /= largest
	}
	m := kept + added
	for j := range s.q {
		copy(to.v[j*m:], from.v[j*kept:(j+1)*kept])
		copy(to.v[j*m+kept:(j+1)*m], e.found.v[j*added:(j+1)*added])
	}
	copy(to.s, from.s[:kept])
	copy(to.s[kept:m], e.found.s[:added])
	copy(to.omega, from.omega)
	to.m = m
	g.t.evaluate(to)
	if _, fall := g.lineSearch(from.r, to, kept); !(fall > littleFall*from.loss) {
		g.t.point = from
		return false
	}
	clear(to.s[kept:m])
	copy(to.r, from.r)
	to.beta, to.misfit, to.loss = from.beta, from.misfit, from.loss

	b := &e.best
	b.m, b.loss = kept, from.loss
	copy(b.v, from.v[:s.q*kept])
	copy(b.s, from.s[:kept])
	copy(b.omega, from.omega)
	e.path = path{g.damping, g.growth, g.accuracy, g.lastGradient, g.lastGain, g.small, g.rejected, g.factors, g.t.factors}

	e.chance = float64(s.parameters(m)-s.parameters(kept)) / float64(max(1, s.n-s.parameters(kept)))
	e.worth, e.gain = min(mostWorth, 3*e.chance), slowFall
	if e.why == "" {
		e.worth, e.gain = mostWorth, mostWorth
	}
	e.rounds++
	e.under, e.first, e.left, e.slow, e.before = true, true, slackIterations, 0, to.loss
	g.signed.limit, g.signed.most = e.wide, e.wideMost
	g.at, g.try = to, from
	g.fresh()
	return true
}

// fresh makes the next iteration one without any before it.
func (g *GaussNewton) fresh() {
	g.damping, g.growth, g.accuracy, g.lastGradient, g.lastGain = 0, 2, mostAccuracy, 0, 1
	g.small, g.rejected, g.t.factors = 0, 0, false
}

// noise reports whether the first step of an escape promises too little: no more
// than twice what as many parameters take from noise, which is their share of the
// rows that the others leave; or, where the fit creeps and may still get there on its
// own, no more than half of the loss.
func (g *GaussNewton) noise(predicted float64) bool {
	e := g.escape
	e.promised = predicted / g.at.loss
	if !e.under || !e.first {
		return false
	}
	e.first = false
	more := e.promised > min(mostWorth, 2*e.chance)
	if e.why == "" {
		e.open = more || 2*e.chance > mostWorth
		return !(e.promised > mostWorth)
	}
	return !more
}

// returned ends an escape, after an iteration at the higher rank that ended with
// stop, once it has brought what it can. It returns why the fit ends.
func (g *GaussNewton) returned(stop string) string {
	e := g.escape
	loss := g.at.loss
	e.left--
	if !(e.promised > slackFall) {
		e.slow++
	}
	if stop == "" && e.left > 0 && e.slow < 2 && loss > enoughFall*e.best.loss && g.at.misfit > exact*exact/2 {
		return ""
	}
	e.under, e.first, e.slow = false, false, 0
	g.signed.limit, g.signed.most = e.narrow, e.narrowMost
	g.fresh()
	stop = ""
	if e.above = loss < e.best.loss*(1-e.worth); e.above {
		e.all = !(loss > enoughFall*e.best.loss)
		g.narrowed()
	} else {
		stop = e.why
		g.back()
	}
	e.before = g.at.loss
	return stop
}

// back returns to the best point, and to the path from there. Half a pass.
func (g *GaussNewton) back() {
	b, p, w := &g.escape.best, g.at, &g.escape.path
	p.m = b.m
	copy(p.v, b.v[:g.space.q*b.m])
	copy(p.s, b.s[:b.m])
	copy(p.omega, b.omega)
	g.t.evaluate(p)
	g.damping, g.growth, g.accuracy, g.lastGradient, g.lastGain = w.damping, w.growth, w.accuracy, w.lastGradient, w.lastGain
	g.small, g.rejected, g.factors, g.t.factors = w.small, w.rejected, w.factors, w.inFactors
}

// narrowed brings the point to the rank of the model. There are two metrics in
// which a matrix may come near to it, and the one that leads to the lower loss is
// taken: that of the whitened columns does not tell diagonals apart where all
// columns are alike. A pass, and what [completion] takes.
func (g *GaussNewton) narrowed() {
	s, e, from, to := g.space, g.escape, g.at, g.try
	copy(to.omega, from.omega)
	if !s.diagonal {
		from.largest(to, s.q, e.narrow)
		g.t.evaluate(to)
		g.at, g.try = to, from
		return
	}
	c := &e.completion
	c.hide(from)
	c.share = starts[(e.rounds-1)%len(starts)]
	c.complete(to, g.signed, from.v, from.s[:from.m], s.root, s.roots[:s.d*s.q])
	c.complete(&c.plain, g.signed, from.vx[:s.d*from.m], from.s[:from.m], nil, nil)
	g.signed.images(from, &c.plain, s.root) // from is not needed any more
	g.t.evaluate(to)
	g.t.evaluate(from)
	if to.loss < from.loss {
		g.at, g.try = to, from
	}
	g.t.point = g.at
}

// largest sets V and s of to to the eigenvalues of p that the limits allow, which
// come in the order of their size.
func (p *point) largest(to *point, q int, limit signs) {
	to.m = 0
	for _, s := range p.s[:p.m] {
		if limit.take(s) {
			to.s[to.m] = s
			to.m++
		}
	}
	column, left := 0, signs{}
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
