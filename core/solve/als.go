package solve

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// ALS is alternating least squares, feature by feature. The prediction is linear in the
// parameters of feature j. So a sweep sets each feature's block in turn to the minimum of
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
// and, with X for those columns, θⱼ changes by (XᵀX + Λ)⁻¹(Xᵀ(y − f) − Λθⱼ). After each
// sweep the whole model goes on in the direction of the sweep, to the minimum on that
// line. With correlated columns, sweeps creep in nearly the same direction (Rajih, Comon
// and Harshman, "Enhanced line search", 2008). There is no step to choose, and the
// objective never rises. Rendle et al., "Fast context-aware recommendations with
// factorization machines", 2011, update one number at a time and need more sweeps.
//
// It is for any design. Only rows in which a feature is not 0 cost anything: a sweep
// takes nnz·(p²+4p) multiply-adds for p unknowns, and O(d·p³). It keeps a copy of the
// design, by columns, and 2·n·(2k + 1) numbers.
//
// # Weights and classes
//
// Row weights c multiply the squares of r. With the logistic loss each block takes a
// Newton step instead: the same least squares with weights c·p(1 − p) in place of c and
// (y − p)/p(1 − p) in place of r. The step is halved until it lowers the objective enough,
// so the objective never rises here either. A step takes an exponential and a logarithm
// for each row in which the feature is not 0.
//
// Swapping the classes flips all signs that iFM or gFM learns, and so mirrors its
// probabilities. FM's M has a sign of its own, so its probabilities change.
//
// Of more than two classes a sweep is one over each in turn. With the other scores fixed, the
// softmax loss is in the score of class k the logistic loss of "it is k" at the log-odds
//
//	fₖ − log Σ_{j≠k} e^fⱼ
//
// up to a constant: a logistic fit of which an offset is known. So no sweep raises the objective.
//
// The zero value is ready; an ALS fits one model at a time. A second start on the same
// rows reuses their columns.
type ALS struct {
	Weights float64 // λw ≥ 0, the penalty on w; the bias has none
	Warm    bool    // start from the model's factors instead of drawing them

	z       design.Design
	columns []design.Column

	model     *fm.Model
	n, k      int
	lambda    float64
	residual  []float64 // n: y − f
	loss      rowLoss
	products  []float64 // n×width: [C A], for FM A
	width     int
	iteration int
	nonzeros  float64 // of Z
	err       error

	classes []*ALS    // of more than two classes; else nil
	scores  []float64 // n×K, of these

	lastState  alsState  // where the last sweep began
	lineSquare []float64 // n: q of extrapolate

	// For one block: a chunk of X, the Gram matrix, its right side, and θⱼ's change.
	x, gram, right, change []float64
	theta                  []float64 // width: the shift of each column of products, per unit of z
	rowIndex               []int32   // the rows of the chunk
	values, rowGradient    []float64
	rowWeight, weighted    []float64 // chunkRows: their weights, and X times these
}

// alsState is the state of a fit.
type alsState struct{ b, w, u, v, r, ac []float64 }

// chunkRows is the number of rows of X that are written out at a time. At rank 4 they and
// the Gram matrix fit the first-level cache.
const chunkRows = 256

// alsStart is the initial length of a feature's row of U, and of V. Both are drawn from
// N(0, alsStart²/k), because at 0 their gradients vanish.
const alsStart = .3

// damping keeps the Gram matrix of collinear or empty columns regular, in units of its
// diagonal. It shortens such steps and does not move the minimum.
const damping = 1e-9

// NewALS returns a solver that is ready to start.
func NewALS() *ALS { return new(ALS) }

// Start draws U and V, unless the start is warm, and returns iteration 0; b and w
// stay as they are. Its errors are those of [AGD.Start]. O(nnz·k).
func (s *ALS) Start(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	begin := s.begin
	if p.Loss == Softmax {
		begin = s.beginClasses
	}
	progress, err := begin(p, m, rng)
	s.err = err
	return progress, err
}

func (s *ALS) begin(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	s.classes = nil
	batch, err := fixedRows("ALS", p, m)
	if err != nil {
		return Progress{}, err
	}
	if !s.Warm || s.factorsVanished(m) {
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
	m.Predict(s.residual, s.z, nil)
	for i, y := range batch.Y {
		s.residual[i] = y - s.residual[i]
	}
	s.loss.begin(p.Loss, batch, s.residual, 1)
	s.multiply()
	progress := s.progress()
	return progress, s.check(progress)
}

// factorsVanished reports whether a penalty has shrunk all factors to about 0. A warm
// start would then begin on the saddle point at 0.
func (s *ALS) factorsVanished(m *fm.Model) bool {
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
	s.residual, s.products, s.lineSquare = resized(s.residual, s.n), resized(s.products, s.n*s.width), resized(s.lineSquare, s.n)
	s.x, s.gram = resized(s.x, chunkRows*p), resized(s.gram, p*p)
	s.right, s.change, s.theta = resized(s.right, p), resized(s.change, p), resized(s.theta, s.width)
	s.rowIndex, s.values, s.rowGradient = make([]int32, chunkRows), make([]float64, chunkRows), make([]float64, chunkRows)
	s.rowWeight, s.weighted = make([]float64, chunkRows), resized(s.weighted, chunkRows*p)
}

// multiply sets products.
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
		b.Forward(s.products[lo*s.width:hi*s.width], factors, s.width)
	})
}

// resized returns a slice of n numbers, x itself if it is long enough.
func resized(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

// Step does one sweep: the bias, then each feature in order. It returns a
// [*DivergedError] if the loss is not finite.
func (s *ALS) Step() (Progress, error) {
	if s.err != nil {
		return Progress{Iteration: s.iteration, Loss: math.NaN(), RMSE: math.NaN()}, s.err
	}
	s.iteration++
	if s.classes != nil {
		return s.stepClasses()
	}
	s.saveState()
	s.sweep()
	s.extrapolate()
	progress := s.progress()
	s.err = s.check(progress)
	return progress, s.err
}

// sweep sets the bias and each feature's block in turn to its minimum.
func (s *ALS) sweep() {
	if s.loss.kind == Logistic {
		s.model.B += s.loss.stepIntercept(s.residual)
	} else {
		mean := s.loss.mean(s.residual)
		s.model.B += mean
		for i := range s.residual {
			s.residual[i] -= mean
		}
	}
	for j := range s.columns {
		if s.model.Kind == fm.GFM {
			s.updateBlock(j, s.model.U, nil)
			s.updateBlock(j, nil, s.model.V)
		} else {
			s.updateBlock(j, s.model.U, s.model.V)
		}
	}
}

// state returns the state of the fit, not a copy of it.
func (s *ALS) state() alsState {
	m := s.model
	return alsState{b: []float64{m.B}, w: m.W, u: m.U, v: m.V, r: s.residual, ac: s.products}
}

// blocks lists the numbers of a state.
func (s *alsState) blocks() [6]*[]float64 {
	return [...]*[]float64{&s.b, &s.w, &s.u, &s.v, &s.r, &s.ac}
}

// saveState copies the state to lastState.
func (s *ALS) saveState() {
	now := s.state()
	to := s.lastState.blocks()
	for i, block := range now.blocks() {
		*to[i] = append((*to[i])[:0], *block...)
	}
}

// extrapolate moves the model further along Δ, the change of the last sweep, to the lowest
// point on that line. A step t moves the prediction by
//
//	t·p + t²·q    q = rowsum(ΔA ∘ ΔC) − Z²·rowsum(ΔU ∘ ΔV)    p = Δf + q
//
// without the second term for gFM, because f moved by Δf = p − q from t = −1 to 0. Only
// the product with the squares of Z is needed. O(nnz + n·k).
func (s *ALS) extrapolate() {
	now, was := s.state(), &s.lastState
	for i, block := range was.blocks() { // the last state becomes Δ
		to, from := *block, *now.blocks()[i]
		for e := range to {
			to[e] = from[e] - to[e]
		}
	}
	q, other := s.lineSquare, was.v
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
	if s.loss.kind == Logistic {
		line = s.loss.lineModel(p, q)
	} else {
		line = quartic{
			a: -s.loss.dot(s.residual, p),
			b: s.loss.dot(p, p)/2 - s.loss.dot(s.residual, q),
			c: s.loss.dot(p, q),
			d: s.loss.dot(q, q) / 2,
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
	t := line.minimum()
	if s.loss.kind == Logistic {
		t = s.loss.lineSearch(s.residual, p, q, t, slope, bend)
	}
	if !(t > 0) || math.IsInf(t, 1) {
		return
	}
	s.model.B += float64(t * was.b[0])
	for _, of := range [...][2][]float64{{was.w, now.w}, {was.u, now.u}, {was.v, now.v}, {was.ac, now.ac}} {
		kernel.Axpy(t, of[0], of[1])
	}
	kernel.Axpy(-t, p, s.residual)
	kernel.Axpy(float64(-t*t), q, s.residual)
	s.loss.update(s.residual)
}

func (s *ALS) progress() Progress {
	m := s.model
	loss, squares := s.loss.sums(s.residual)
	penalty := s.penalty()
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
	return s.loss.progress(Progress{
		Iteration: s.iteration,
		Loss:      (squares + penalty) / 2,
		RMSE:      math.Sqrt(squares / s.loss.total),
		Passes:    .5 + float64(float64(s.iteration)*share*sweep)/(2*full),
	}, loss, penalty)
}

// penalty returns λw·‖w‖² + λ(‖U‖² + ‖V‖²).
func (s *ALS) penalty() float64 {
	m := s.model
	penalty := float64(s.Weights * kernel.Dot(m.W, m.W))
	for _, factors := range [][]float64{m.U, m.V} {
		penalty += float64(s.lambda * kernel.Dot(factors, factors))
	}
	return penalty
}

// check returns a *DivergedError unless the loss is finite.
func (s *ALS) check(p Progress) error {
	if math.IsNaN(p.Loss) || math.IsInf(p.Loss, 0) {
		return &DivergedError{Iteration: p.Iteration, Began: p.Iteration, Loss: p.Loss, Start: p.Loss}
	}
	return nil
}
