package synth

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/message"
	"ifmlab/core/triangular"
)

// Factors names the distribution of the truth.
type Factors string

// The ways to draw a truth. "" is GaussianFactors.
const (
	// GaussianFactors are w, U and V with mean 0 and variance 1/D, as in Figure 1. The
	// interactions are small beside the linear part, and their spectrum is random.
	GaussianFactors Factors = "gaussian"
	// OrthonormalFactors give a truth of known size and condition. With an orthonormal Q,
	// D×K, and eigenvalues Λ whose sizes fall evenly from 1 to ½ (1 for K = 1),
	//
	//	M* = D·QΛQᵀ, without its diagonal unless KeepDiagonal    w = √D·(a unit vector)
	//
	// Over columns scaled to variance 1, ‖w‖ = 1 and ‖QΛQᵀ‖₂ = 1. The eigenvalues are
	// positive for PSD and negative for Flipped. For Mixed the signs alternate, and the
	// largest eigenvalue is positive.
	OrthonormalFactors Factors = "orthonormal"
)

// truth draws w, U and, for Mixed Gaussian factors, V, in this order. So all scenarios share
// w and U.
func (c Config) truth(rng *rand.Rand) *fm.Model {
	kind, sd := fm.IFM, 1/math.Sqrt(float64(c.D))
	if c.KeepDiagonal {
		kind = fm.GFM
	}
	m := fm.New(kind, c.D, c.K)
	gaussian(m.W, sd, rng)
	gaussian(m.U, sd, rng)
	if c.Pairs != "" && c.Features != OneHot {
		return c.fromPairs(m)
	}
	switch {
	case c.Truth == OrthonormalFactors:
		scale(m.W, math.Sqrt(float64(c.D)/kernel.Dot(m.W, m.W)))
		orthogonal(m.U, c.D, c.K)
		for j := range m.V {
			m.V[j] = m.U[j]
			if f := j % c.K; c.Scenario == Mixed && c.Pairs == "" && f%2 == 1 {
				m.V[j] = -m.U[j]
			}
		}
	case c.Scenario == Mixed && c.Pairs == "":
		gaussian(m.V, sd, rng)
	default:
		copy(m.V, m.U)
	}
	if c.Scenario == Flipped {
		for j, w := range m.W {
			m.W[j] = -w
		}
		for j, v := range m.V {
			m.V[j] = -v
		}
	}
	if c.Features == OneHot {
		return c.oneHot(m)
	}
	return m
}

// fromPairs returns a truth with w of a drawn one and M* of Pairs: U = I and V = M*.
func (c Config) fromPairs(drawn *fm.Model) *fm.Model {
	m := fm.New(drawn.Kind, c.D, c.D)
	copy(m.W, drawn.W)
	if c.Truth == OrthonormalFactors {
		scale(m.W, math.Sqrt(float64(c.D)/kernel.Dot(m.W, m.W)))
	}
	pairs, _ := c.pairs() // they are valid after check
	for i := range c.D {
		m.U[i*c.D+i] = 1
		for j := i + 1; j < c.D; j++ {
			m.V[i*c.D+j] = float64(c.D) * pairs[0]
			m.V[j*c.D+i] = m.V[i*c.D+j]
			pairs = pairs[1:]
		}
	}
	return m
}

// mostPair bounds the elements of a given M*: the squares of targets must not overflow.
const mostPair = 1e6

// pairs parses Pairs. It returns a [*ConfigError] unless they are D(D−1)/2 numbers of at
// most mostPair, or for OneHot features one for each two table columns, and not all 0.
func (c Config) pairs() ([]float64, error) {
	var pairs []float64
	columns, zero := c.D, c.Features == OneHot
	if zero {
		columns /= c.Levels
	}
	for cell := range strings.SplitSeq(c.Pairs, ",") {
		if m, err := strconv.ParseFloat(cell, 64); err == nil && math.Abs(m) <= mostPair {
			pairs, zero = append(pairs, m), zero && m == 0
			continue
		}
		pairs = nil
		break
	}
	if want := columns * (columns - 1) / 2; len(pairs) != want || want == 0 {
		return nil, &ConfigError{"the list of the truth's pairs", message.Sprintf("%q", c.Pairs), message.Sprintf("%d numbers from −1000000 to 1000000 between commas", want)}
	}
	if zero {
		return nil, &ConfigError{"the list of the truth's pairs", message.Sprintf("%q", c.Pairs), "at least one that is not 0"}
	}
	return pairs, nil
}

// orthogonal replaces U, d×k with k ≤ d, by Q·√(d|Λ|). Q is the Q factor of U for a triangular
// factor with a positive diagonal, and |Λ| falls evenly from 1 to ½. Two passes of Gram–Schmidt
// projections leave Q orthonormal to rounding. O(d·k²).
func orthogonal(u []float64, d, k int) {
	columns := make([]float64, k*d) // Uᵀ
	for f := range k {
		q := columns[f*d:][:d]
		for j := range q {
			q[j] = u[j*k+f]
		}
		for range 2 {
			scale(q, 1/triangular.Project(q, columns[:f*d]))
		}
	}
	for f := range k {
		eigenvalue := 1.0
		if k > 1 {
			eigenvalue -= .5 * float64(f) / float64(k-1)
		}
		size := math.Sqrt(float64(d) * eigenvalue)
		for j, q := range columns[f*d:][:d] {
			u[j*k+f] = size * q
		}
	}
}

// scale multiplies x by a number.
func scale(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}

// gaussian fills x with draws of mean 0.
func gaussian(x []float64, sd float64, rng *rand.Rand) {
	for i := range x {
		x[i] = sd * rng.NormFloat64()
	}
}
