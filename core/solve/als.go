package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// ALS is block-coordinate descent, alternating least squares feature by feature:
// the prediction is linear in all that belongs to feature j, so one sweep sets each
// block in turn to the minimum of
//
//	½‖r‖² + ½λw·‖w‖² + ½λ(‖U‖² + ‖V‖²)    λ = Penalty.L2
//
// given all others. With z the column j of Z, A = ZU and C = ZV, the block θⱼ and
// its columns are
//
//	FM    [wⱼ uⱼ]      z∘[1, 2(A − z·uⱼ)]                 k + 1 unknowns
//	iFM   [wⱼ uⱼ vⱼ]   z∘[1, C − z·vⱼ, A − z·uⱼ]          2k + 1
//	gFM   [wⱼ uⱼ], then [wⱼ vⱼ]   z∘[1, C], z∘[1, A]      k + 1 twice, for z² is there
//
// and, X being those columns, θⱼ changes by (XᵀX + Λ)⁻¹(Xᵀ(y − f) − Λθⱼ). After each sweep the whole model
// goes on along what the sweep has moved it, to the minimum on that line, which is
// the root of a cubic: where columns are correlated, sweeps creep in nearly the same
// direction one after the other (Rajih, Comon and Harshman, "Enhanced line search",
// 2008). There is no step to choose, and the objective never rises. Rendle et al., "Fast
// context-aware recommendations with factorization machines", 2011, take one number
// at a time instead of a block, and so need more sweeps.
//
// It is for any design; only rows in which a feature is not 0 cost anything: a sweep
// takes nnz·(p²+4p) multiply-adds for p unknowns, and O(d·p³). It keeps the design
// once more, by columns, and 2·n·(2k + 1) numbers.
//
// # Weights and classes
//
// Weights c of the rows weigh the squares of r. With the logistic loss of classes each
// block takes a step of Newton's in place of its minimum, the same least squares with
// weights c·p(1 − p) in place of c and (y − p)/p(1 − p) in place of r. Where that does
// not lower the objective enough it is halved until it does, so the objective never
// rises here either. That takes an exponential and a logarithm for each row in
// which the feature is not 0.
//
// Classes swapped turn the signs of all that iFM or gFM learns, and so mirror its
// probabilities. They do not for FM, whose M has a sign of its own.
//
// The zero value is ready; an ALS fits one model at a time. One that is started
// again on the same rows keeps their columns.
type ALS struct {
	Weights float64 // λw ≥ 0, what w costs; the bias costs nothing
	Warm    bool    // start from the model's factors instead of drawing them

	z       design.Design
	columns []design.Column

	model     *fm.Model
	n, k      int
	lambda    float64
	r         []float64 // n: y − f
	rows      weighing
	ac        []float64 // n×width: [C A], of FM A alone
	width     int
	iteration int
	nonzeros  float64 // of Z
	failed    error

	before stand     // where the last sweep began
	along  []float64 // n: what the square of the step along a line moves f by

	// Of one block: a chunk of X, the Gram matrix, its right side, and θⱼ's change.
	x, gram, right, change []float64
	theta                  []float64 // width: what each column of ac is shifted by, z times
	at                     []int32   // which rows they are
	values, part           []float64
	bend, bent             []float64 // chunk: their weights, and X times these
}

// stand is where a fit stands.
type stand struct{ b, w, u, v, r, ac []float64 }

// chunk is how many rows of X are written out at a time: at rank 4 they and the
// Gram matrix fit the first-level cache.
const chunk = 256

// alsStart is the length of a feature's row of U, and of V, at the start: both are
// N(0, alsStart²/k), since at 0 their gradients vanish.
const alsStart = .3

// damping keeps a block regular whose columns are collinear or 0, in units of the
// Gram matrix's diagonal. It shortens such steps and does not move the minimum.
const damping = 1e-9

// NewALS returns a solver that is ready to start.
func NewALS() *ALS { return new(ALS) }

// Start draws U and V, unless the start is warm, and returns iteration 0; b and w
// stay as they are. Its errors are those of [AGD.Start]. O(nnz·k).
func (s *ALS) Start(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	progress, err := s.begin(p, m, rng)
	s.failed = err
	return progress, err
}

func (s *ALS) begin(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	batch, err := fixedRows("ALS", p, m)
	if err != nil {
		return Progress{}, err
	}
	if !s.Warm || s.died(m) {
		for _, factors := range [][]float64{m.U, m.V} {
			for i := range factors {
				factors[i] = alsStart / math.Sqrt(float64(m.Rank)) * rng.NormFloat64()
			}
		}
	}
	s.n, _ = batch.Z.Dims()
	s.model, s.k, s.lambda, s.iteration = m, m.Rank, p.Penalty.L2, 0
	if s.z != batch.Z {
		s.z, s.columns, s.nonzeros = batch.Z, design.Columns(batch.Z), 0
		for j := range s.columns {
			s.nonzeros += float64(s.columns[j].Len(s.n))
		}
	}
	s.allocate()
	m.Predict(s.r, s.z, nil)
	for i, y := range batch.Y {
		s.r[i] = y - s.r[i]
	}
	s.rows.begin(p.Loss, batch, s.r, 1)
	s.multiply()
	progress := s.progress()
	return progress, s.check(progress)
}

// died reports whether a penalty has shrunk all factors to nothing, so that a warm
// start would stand on the saddle at 0.
func (s *ALS) died(m *fm.Model) bool {
	least := float64(1e-3*alsStart) / math.Sqrt(float64(m.Rank))
	for _, factors := range [][]float64{m.U, m.V} {
		for _, v := range factors {
			if math.Abs(v) > least {
				return false
			}
		}
	}
	return true
}

func (s *ALS) allocate() {
	s.width = s.k
	if s.model.Kind != fm.FM {
		s.width *= 2
	}
	p := 1 + s.width
	s.r, s.ac, s.along = grown(s.r, s.n), grown(s.ac, s.n*s.width), grown(s.along, s.n)
	s.x, s.gram = grown(s.x, chunk*p), grown(s.gram, p*p)
	s.right, s.change, s.theta = grown(s.right, p), grown(s.change, p), grown(s.theta, s.width)
	s.at, s.values, s.part = make([]int32, chunk), make([]float64, chunk), make([]float64, chunk)
	s.bend, s.bent = make([]float64, chunk), grown(s.bent, chunk*p)
}

// multiply sets ac.
func (s *ALS) multiply() {
	m, k := s.model, s.k
	factors := m.U
	if m.Kind != fm.FM {
		factors = make([]float64, m.D*s.width)
		for j := range m.D {
			row := factors[j*s.width:]
			copy(row[:k], m.V[j*k:][:k])
			copy(row[k:], m.U[j*k:][:k])
		}
	}
	s.z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		b.Forward(s.ac[lo*s.width:hi*s.width], factors, s.width)
	})
}

// grown returns a slice of n numbers, x itself where it is long enough.
func grown(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

// Step does one sweep: the bias, then every feature in its order. It returns a
// [*DivergedError] where the loss is not finite.
func (s *ALS) Step() (Progress, error) {
	if s.failed != nil {
		return Progress{Iteration: s.iteration, Loss: math.NaN(), RMSE: math.NaN()}, s.failed
	}
	s.iteration++
	s.remember()
	s.sweep()
	s.goOn()
	progress := s.progress()
	s.failed = s.check(progress)
	return progress, s.failed
}

// sweep sets the bias and each feature's block in turn to its minimum.
func (s *ALS) sweep() {
	if s.rows.loss == Logistic {
		s.model.B += s.rows.level(s.r)
	} else {
		mean := s.rows.mean(s.r)
		s.model.B += mean
		for i := range s.r {
			s.r[i] -= mean
		}
	}
	for j := range s.columns {
		if s.model.Kind == fm.GFM {
			s.solve(j, s.model.U, nil)
			s.solve(j, nil, s.model.V)
		} else {
			s.solve(j, s.model.U, s.model.V)
		}
	}
}

// stand returns where the fit stands, not a copy of it.
func (s *ALS) stand() stand {
	m := s.model
	return stand{b: []float64{m.B}, w: m.W, u: m.U, v: m.V, r: s.r, ac: s.ac}
}

// blocks lists the numbers of a stand.
func (s *stand) blocks() [6]*[]float64 {
	return [...]*[]float64{&s.b, &s.w, &s.u, &s.v, &s.r, &s.ac}
}

// remember keeps where the fit stands.
func (s *ALS) remember() {
	now := s.stand()
	to := s.before.blocks()
	for i, block := range now.blocks() {
		*to[i] = append((*to[i])[:0], *block...)
	}
}

// goOn moves the model from where a sweep has brought it along what that has moved
// it, Δ, to the lowest point of that line. With the step t the prediction moves by
//
//	t·p + t²·q    q = rowsum(ΔA ∘ ΔC) − Z²·rowsum(ΔU ∘ ΔV)    p = Δf + q
//
// (gFM without the second term), since f moved by Δf = p − q from t = −1 to 0. No
// product with Z but that with its squares is needed. O(nnz + n·k).
func (s *ALS) goOn() {
	now, was := s.stand(), &s.before
	for i, block := range was.blocks() { // what was becomes what has moved
		to, from := *block, *now.blocks()[i]
		for e := range to {
			to[e] = from[e] - to[e]
		}
	}
	q, other := s.along, was.v
	if s.model.Kind == fm.FM {
		other = was.u
	}
	if s.model.Kind == fm.GFM {
		clear(q)
	} else {
		own := make([]float64, s.model.D)
		kernel.RowDots(own, was.u, other, s.k)
		s.z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.SquaresForward(q[lo:hi], own) })
	}
	p := was.r // −Δf
	for i := range q {
		row := was.ac[i*s.width:][:s.width]
		dc, da := row[:s.k], row[s.width-s.k:]
		sum := -q[i]
		for f, v := range da {
			sum += float64(v * dc[f])
		}
		q[i] = sum
		p[i] = sum - p[i]
	}
	var line quartic
	if s.rows.loss == Logistic {
		line = s.rows.along(p, q)
	} else {
		line = quartic{
			a: -s.rows.dot(s.r, p),
			b: s.rows.dot(p, p)/2 - s.rows.dot(s.r, q),
			c: s.rows.dot(p, q),
			d: s.rows.dot(q, q) / 2,
		}
	}
	var slope, bend float64 // of the penalty
	for _, of := range [...]struct {
		lambda    float64
		at, along []float64
	}{{s.Weights, now.w, was.w}, {s.lambda, now.u, was.u}, {s.lambda, now.v, was.v}} {
		falls, bends := float64(of.lambda*kernel.Dot(of.at, of.along)), float64(of.lambda*kernel.Dot(of.along, of.along))
		slope, bend = slope+falls, bend+bends
		line.a += falls
		line.b += bends / 2
	}
	if !(line.a < 0) {
		return
	}
	t := line.best()
	if s.rows.loss == Logistic {
		t = s.rows.search(s.r, p, q, t, slope, bend)
	}
	if !(t > 0) || math.IsInf(t, 1) {
		return
	}
	s.model.B += float64(t * was.b[0])
	for _, of := range [...][2][]float64{{was.w, now.w}, {was.u, now.u}, {was.v, now.v}, {was.ac, now.ac}} {
		kernel.Axpy(t, of[0], of[1])
	}
	kernel.Axpy(-t, p, s.r)
	kernel.Axpy(float64(-t*t), q, s.r)
	s.rows.settle(s.r)
}

func (s *ALS) progress() Progress {
	m := s.model
	loss, squares := s.rows.losses(s.r)
	penalty := float64(s.Weights * kernel.Dot(m.W, m.W))
	for _, factors := range [][]float64{m.U, m.V} {
		penalty += float64(s.lambda * kernel.Dot(factors, factors))
	}
	// A pass is 2·n·d·(1 + 2k) multiply-adds, or 1 + k for FM.
	p := float64(1 + s.k)
	full := p
	sweep := p*p + 4*p
	switch m.Kind {
	case fm.IFM:
		p += float64(s.k)
		full, sweep = p, p*p+4*p
	case fm.GFM:
		full, sweep = p+float64(s.k), 2*sweep
	}
	_, d := s.z.Dims()
	share := s.nonzeros / (float64(s.n) * float64(d))
	return s.rows.progress(Progress{
		Iteration: s.iteration,
		Loss:      (squares + penalty) / 2,
		RMSE:      math.Sqrt(squares / s.rows.total),
		Passes:    .5 + float64(float64(s.iteration)*share*sweep)/(2*full),
	}, loss, penalty)
}

// check returns a *DivergedError unless the loss is finite.
func (s *ALS) check(p Progress) error {
	if math.IsNaN(p.Loss) || math.IsInf(p.Loss, 0) {
		return &DivergedError{Iteration: p.Iteration, Began: p.Iteration, Loss: p.Loss, Start: p.Loss}
	}
	return nil
}
