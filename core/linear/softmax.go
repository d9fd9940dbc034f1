//go:build !figure && !ionosphere

package linear

import (
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/invalid"
	"ifmlab/core/kernel"
)

// Softmax fits multinomial logistic ridge regression to classes y of 0, 1, …, K − 1,
//
//	min over W, b of Σcᵢ(log Σₖ e^fᵢₖ − fᵢ,yᵢ) + ½λ‖W‖²        f = ZW + b
//
// for any number of λ, with row weights c. The biases have no penalty. The objective is that
// of scikit-learn's multinomial LogisticRegression(C=1/λ). Weights and biases sum to 0 over
// the classes: adding the same to all changes no probability, and the penalty is least there.
//
// Each step is Newton's, by conjugate gradients. The preconditioner has for each class the
// Cholesky factor of [Ridge] with the weights c·p(1 − p), as a step of [Logistic] does.
// Halving is as there.
type Softmax struct {
	z             design.Design
	n, d, classes int
	y, weight     []float64
	total         float64
	sd            []float64 // d: of the columns
	shares        []float64 // K: logarithms of the shares of the classes
}

// NewSoftmax prepares fits to the n rows of Z and their classes, with row weights; nil is 1
// each. A class may have no rows. It returns the errors of [NewLogistic]. O(n·d).
func NewSoftmax(z design.Design, y, weight []float64, classes int) (*Softmax, error) {
	r, err := newRidge(z, y, weight, 0)
	if err != nil {
		return nil, err
	}
	s := &Softmax{z: z, n: r.n, d: r.d, classes: classes, y: y, weight: weight, total: r.total, sd: r.sd, shares: make([]float64, classes)}
	for i, v := range y {
		s.shares[int(v)] += weightOf(weight, i)
	}
	if c := slices.Index(s.shares, r.total); c >= 0 {
		return nil, &invalid.OneClassError{Rows: inLinear, Class: c}
	}
	for c, share := range s.shares {
		s.shares[c] = math.Log(max(share/r.total, .5/float64(r.n)))
	}
	return s, nil
}

// scores are d×K weights and K biases: the parameters, a gradient or a step.
type scores struct{ w, b []float64 }

func (s *Softmax) newScores() scores {
	return scores{make([]float64, s.d*s.classes), make([]float64, s.classes)}
}

func (x scores) dot(y scores) float64 { return kernel.Dot(x.w, y.w) + kernel.Dot(x.b, y.b) }

// add adds t·y.
func (x scores) add(t float64, y scores) {
	kernel.Axpy(t, y.w, x.w)
	kernel.Axpy(t, y.b, x.b)
}

// centre makes each row of x sum to 0 over the classes.
func (x scores) centre() {
	for _, v := range [...][]float64{x.w, x.b} {
		for k := len(x.b); len(v) > 0; v = v[k:] {
			mean := kernel.Sum(v[:k]) / float64(k)
			for c := range k {
				v[c] -= mean
			}
		}
	}
}

// forward sets f, n×K, to Zw + b.
func (s *Softmax) forward(f []float64, x scores) {
	k := s.classes
	s.z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		part := f[lo*k : hi*k]
		b.Forward(part, x.w, k)
		for ; len(part) > 0; part = part[k:] {
			kernel.Axpy(1, x.b, part[:k])
		}
	})
}

// adjoint sets to to the gradient of Σ r∘f plus penalty∘w. r is n×K.
func (s *Softmax) adjoint(to scores, r, penalty []float64, at scores) {
	k := s.classes
	clear(to.b)
	for e, v := range at.w {
		to.w[e] = float64(penalty[e/k] * v)
	}
	s.z.Each(design.BlockRows, func(lo, hi int, b design.Block) { b.Adjoint(to.w, r[lo*k:hi*k], k) })
	for ; len(r) > 0; r = r[k:] {
		kernel.Axpy(1, r[:k], to.b)
	}
}

const (
	// mostConjugate bounds the conjugate gradients of one Newton step; 5 to 30 are common.
	mostConjugate = 200
	// conjugateEnough ends them, as a share of the squared size of the gradient. The next
	// Newton step corrects what is left.
	conjugateEnough = 1e-8
	// evenCurvature is added to p(1 − p) in the preconditioner, as a share of its mean, so that
	// no column loses all its variance.
	evenCurvature = 1e-3
)

// Fit returns the fit for one λ ≥ 0, the total penalty. The least penalty is that of
// [Logistic.Fit]. It returns a [*PenaltyError] for any other λ.
func (s *Softmax) Fit(lambda float64) (Fit, error) {
	if !(lambda >= 0) || math.IsInf(lambda, 1) {
		return Fit{}, &PenaltyError{Found: lambda}
	}
	penalty := make([]float64, s.d)
	for j, sd := range s.sd {
		penalty[j] = max(lambda, float64(leastLogistic*s.total)*sd*sd)
	}
	k := s.classes
	at, gradient := s.newScores(), s.newScores()
	copy(at.b, s.shares)
	at.centre()
	f, by, p, r := make([]float64, s.n*k), make([]float64, s.n*k), make([]float64, s.n*k), make([]float64, s.n*k)
	s.forward(f, at)
	loss := s.loss(f, nil, 0)
	for range newtonSteps {
		for i, y := range s.y {
			row := p[i*k:][:k]
			kernel.Softmax(row, f[i*k:][:k])
			c := weightOf(s.weight, i)
			for e, v := range row {
				r[i*k+e] = float64(c * v)
			}
			r[i*k+int(y)] -= c
		}
		s.adjoint(gradient, r, penalty, at)
		step, err := s.newton(gradient, p, r, penalty)
		if err != nil {
			return Fit{}, err
		}
		s.forward(by, step)
		var cost, linear, square float64 // penalty along the step t: ½cost + t·linear + ½t²·square
		for e, v := range at.w {
			l := penalty[e/k]
			cost += float64(float64(l*v) * v)
			linear += float64(float64(l*v) * step.w[e])
			square += float64(float64(l*step.w[e]) * step.w[e])
		}
		size, along := loss+cost/2, gradient.dot(step)
		t := 1.0
		last := math.Abs(along) <= newtonEnough*size
		for !last {
			moved := s.loss(f, by, t)
			if moved-loss+float64(t*linear)+float64(t*t*square)/2 <= 1e-4*t*along {
				loss = moved
				break
			}
			if t /= 2; t < 1e-12 {
				return s.fit(at, f), nil
			}
		}
		at.add(t, step)
		kernel.Axpy(t, by, f)
		if last {
			break
		}
	}
	return s.fit(at, f), nil
}

// newton returns the step −H⁻¹·gradient at probabilities p, by conjugate gradients. It uses
// r, n×K, as scratch.
func (s *Softmax) newton(gradient scores, p, r, penalty []float64) (scores, error) {
	k := s.classes
	precondition, err := s.preconditioner(p, penalty)
	if err != nil {
		return scores{}, err
	}
	step, residual, moved, along, size := s.newScores(), s.newScores(), s.newScores(), s.newScores(), 0.0
	residual.add(-1, gradient)
	first := 0.0
	for pass := range mostConjugate {
		z := precondition(residual)
		z.centre()
		now := residual.dot(z)
		if pass == 0 {
			first = now
		} else if !(now > conjugateEnough*first) {
			break
		} else {
			z.add(now/size, along)
		}
		along, size = z, now
		s.forward(r, along)
		for i := range s.n {
			row, own := r[i*k:][:k], p[i*k:][:k]
			mean, c := kernel.Dot(row, own), weightOf(s.weight, i)
			for e, v := range row {
				row[e] = float64(float64(c*own[e]) * (v - mean))
			}
		}
		s.adjoint(moved, r, penalty, along)
		curvature := along.dot(moved)
		if !(curvature > 0) {
			break
		}
		step.add(size/curvature, along)
		residual.add(-size/curvature, moved)
	}
	return step, nil
}

// preconditioner returns a function that solves each class by itself: with the means of the
// columns under its weights h, its bias and the centred columns are apart.
func (s *Softmax) preconditioner(p, penalty []float64) (func(g scores) scores, error) {
	k := s.classes
	ridges, solves := make([]*Ridge, k), make([]func(x, g []float64), k)
	zeros, h := make([]float64, s.n), make([]float64, s.n)
	for c := range k {
		mean := 0.0
		for i := range h {
			v := p[i*k+c]
			h[i] = float64(v * (1 - v))
			mean += h[i] / float64(s.n)
		}
		for i := range h {
			h[i] = float64(weightOf(s.weight, i) * max(h[i]+float64(evenCurvature*mean), leastCurvature))
		}
		r, err := newRidge(s.z, zeros, h, newtonBudget)
		if err != nil {
			return nil, err
		}
		own := make([]float64, s.d)
		for j, sd := range r.sd {
			own[j] = 1
			if sd > 0 {
				own[j] = penalty[j]/sd/sd/r.total + leastPenalty
			}
		}
		solve, _ := r.preconditioner(own)
		r.gram, r.root, r.weight, r.weighted = nil, nil, nil, nil
		ridges[c], solves[c] = r, solve
	}
	x, g := make([]float64, s.d), make([]float64, s.d)
	return func(from scores) scores {
		to := s.newScores()
		for c, r := range ridges {
			for j := range g {
				g[j] = r.scaled(j, from.w[j*k+c]-float64(r.mean[j]*from.b[c])) / r.total
			}
			solves[c](x, g)
			to.b[c] = from.b[c] / r.total
			for j, v := range x {
				to.w[j*k+c] = r.scaled(j, v)
				to.b[c] -= float64(r.mean[j] * to.w[j*k+c])
			}
		}
		return to
	}, nil
}

// loss returns Σcᵢ(log Σₖ e^gᵢₖ − gᵢ,yᵢ) for g = f + t·by. A nil by is 0.
func (s *Softmax) loss(f, by []float64, t float64) (sum float64) {
	g := make([]float64, s.classes)
	for i, y := range s.y {
		copy(g, f[i*s.classes:])
		if by != nil {
			kernel.Axpy(t, by[i*s.classes:][:s.classes], g)
		}
		sum += float64(weightOf(s.weight, i) * (kernel.LogSumExp(g, -1) - g[int(y)]))
	}
	return sum
}

// fit returns the parameters as a Fit, Separable set from the scores of the training rows.
func (s *Softmax) fit(at scores, f []float64) Fit {
	fit := Fit{Separable: true, Classes: make([]Fit, s.classes)}
	for c := range fit.Classes {
		of := Fit{W: make([]float64, s.d), B: at.b[c]}
		for j := range of.W {
			of.W[j] = at.w[j*s.classes+c]
		}
		fit.Classes[c] = of
	}
	for i, y := range s.y {
		row := f[i*s.classes:][:s.classes]
		for c, v := range row {
			if weightOf(s.weight, i) > 0 && c != int(y) && v >= row[int(y)] {
				fit.Separable = false
			}
		}
	}
	return fit
}
