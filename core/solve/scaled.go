package solve

import (
	"math/rand/v2"

	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/triangular"
)

// ScaledGD is [AGD] with each factor's gradient G scaled by the Gram matrix of the other
// factor H:
//
//	D = G(HᵀH + (ε + λ/n)I)⁻¹    ε = 1e-10·tr(HᵀH)/k
//
// The step goes along −D to the minimum on that line, η = ⟨G,D⟩/(‖p‖² + λ‖D‖²). For FM, H
// is U itself. Without a penalty the step's effect on UVᵀ does not depend on how U and V
// share it. So directions of M with small eigenvalues are learnt as fast as those with
// large ones; AGD takes as many times longer as they are smaller. Over n rows of columns
// of mean square 1 the curvature of the loss is about n·HᵀH + λI, hence λ/n. Without it,
// directions of H that the penalty shrinks to 0 would get huge steps, and the line search
// would allow none to the others. Tong, Ma and Chi, "Accelerating ill-conditioned low-rank
// matrix estimation via scaled gradient descent", 2021, take a fixed step and have no
// penalty.
//
// It is for any design, dense or sparse, and for all three kinds. The loss never rises.
// Correlated columns slow it down, as they do AGD. An iteration costs O(d·k²) more than
// one of AGD.
//
// The zero value is ready; a ScaledGD fits one model at a time.
type ScaledGD struct {
	StartNorm float64 // as that of [AGD]

	agd AGD
}

// NewScaledGD returns a solver that is ready to start.
func NewScaledGD() *ScaledGD { return new(ScaledGD) }

// Start is that of [AGD.Start].
func (s *ScaledGD) Start(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	s.agd.StartNorm = s.StartNorm
	return s.agd.restart(new(scaledGD), p, m, rng)
}

// Step is that of [AGD.Step].
func (s *ScaledGD) Step() (Progress, error) { return s.agd.Step() }

// scaledRidge is ε over the mean of the diagonal of HᵀH. Directions of H shorter than its
// root, 1e-5 of the others, count as that long. V is 0 at the start, and some directions
// stay rounding if the truth has a smaller rank.
const scaledRidge = 1e-10

// scaledGD is the working space of ScaledGD.
type scaledGD struct{ gram []float64 } // k×k: HᵀH, then L with LLᵀ = HᵀH + (ε + λ/n)I

// apply replaces g, d×k, by D = G(HᵀH + (ε + penalty)I)⁻¹ and returns ⟨G,D⟩. The penalty
// is λ/n. If H is 0, D is G.
func (s *scaledGD) apply(g, h []float64, k int, penalty float64) float64 {
	if len(s.gram) != k*k {
		s.gram = make([]float64, k*k)
	}
	l := s.gram
	clear(l)
	kernel.Gemm(k, k, len(h)/max(k, 1), 1, h, 1, k, h, k, 1, l, k)
	trace := 0.0
	for f := range k {
		trace += l[f*k+f]
	}
	if trace == 0 {
		return kernel.Dot(g, g)
	}
	ridge := float64(scaledRidge*trace/float64(k)) + penalty
	for i := range k {
		l[i*k+i] += ridge
	}
	triangular.Cholesky(l, k, 0)
	// With LX = Gᵀ, ⟨G,D⟩ is ‖X‖², which cannot be negative.
	slope := 0.0
	for ; len(g) > 0; g = g[k:] {
		row := g[:k]
		triangular.Forward(l, row)
		for _, v := range row {
			slope += float64(v * v)
		}
		triangular.Backward(l, row)
	}
	return slope
}
