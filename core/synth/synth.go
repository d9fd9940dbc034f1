// Package synth draws rows from a known second-order truth. Its interactions are those of
// the paper's Figure 1: positive semi-definite, the exact negative of that, or of both
// signs. Columns may have any moment invertibility τ, which decides whether the diagonal of
// the interactions can be learnt.
package synth

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/message"
)

// Scenario names the sign of the true interactions.
type Scenario string

// The scenarios, a, b and c of Figure 1.
const (
	PSD     Scenario = "psd"     // M* = UUᵀ − diag
	Flipped Scenario = "flipped" // the rows of PSD with y and the truth negated, bit for bit
	Mixed   Scenario = "mixed"   // M* = UVᵀ − diag
)

// Config describes a draw. The zero value of each setting after K is the paper's.
type Config struct {
	Scenario Scenario
	D, K     int     // features, rank
	N, Test  int     // training and test rows
	Noise    float64 // standard deviation of the Gaussian noise on y, in units of [Sample.SD]
	Truth    Factors // how w, U and V are drawn
	// Pairs, unless "", are M* itself, for the scenario Mixed: its upper triangle without
	// the diagonal, row by row, as numbers between commas. They are over columns scaled to
	// variance 1. Then only w is drawn. With OneHot features they are factors of the blocks
	// between table columns, in the same order, and the blocks are those of PSD.
	Pairs        string
	KeepDiagonal bool         // the truth is a gFM, M* = UVᵀ, instead of an iFM
	Features     Distribution // of the columns; all have mean 0 and variance 1/D
	Tau          float64      // moment invertibility of ThreePoint and Slider columns
	Share        float64      // probability of the larger value of TwoPoint columns
	Rho          float64      // correlation of neighbouring columns, Gaussian ones only
	Levels       int          // of a table column of OneHot features
}

// Streams are the random numbers of a draw, one for the truth and one for each set of rows.
// So the truth depends on D, K and Truth alone, and the test rows do not depend on the
// number of training rows.
type Streams struct{ Truth, Train, Test *rand.Rand }

// Sample is one draw.
type Sample struct {
	Train, Test Rows
	// Truth is the model behind the targets, over the columns as drawn, with bias 0. It is
	// an iFM, or a gFM with KeepDiagonal.
	Truth *fm.Model
	// SD is the standard deviation of the targets without noise, and SecondOrderSD the part
	// that the best linear model leaves. Both are over the population, not over the rows.
	// With M = sym M* and the raw moments κ and φ of independent columns, τ = φ − 1 − κ²:
	//
	//	Var f          = ‖w‖²/D + 2κΣ wᵢMᵢᵢ/D^{3/2} + (2Σ_{i≠j} Mᵢⱼ² + (φ−1)Σ Mᵢᵢ²)/D²
	//	SecondOrderSD² = (2Σ_{i≠j} Mᵢⱼ² + τΣ Mᵢᵢ²)/D²
	//
	// since κ²Σ Mᵢᵢ² of the variance of squares is linear: all of it for TwoPoint columns.
	// For Gaussian columns with correlations R, R_ij = ρ^|i−j| or .9 for Equicorrelated ones:
	//
	//	Var f          = wᵀRw/D + 2tr(MRMR)/D²
	//	SecondOrderSD² = 2tr(MRMR)/D²
	//
	// as for OneHot features, whose M* is 0 within a table column.
	SD, SecondOrderSD float64
}

// ConfigError says that a setting is invalid.
type ConfigError struct {
	Setting string
	Found   any
	Want    string
}

func (e *ConfigError) Error() string {
	return message.Sprintf("synth: %s is %v, expected %s", e.Setting, e.Found, e.Want)
}

func (*ConfigError) Kind() string { return "ConfigError" }

// mostTau and leastShare bound the settings that would otherwise overflow φ.
const mostTau, leastShare = 1e6, 1e-6

func (c Config) check() error {
	switch {
	case c.Scenario != PSD && c.Scenario != Flipped && c.Scenario != Mixed:
		return &ConfigError{"the scenario", message.Sprintf("%q", string(c.Scenario)), `"psd", "flipped" or "mixed"`}
	case c.D < 1:
		return &ConfigError{"the number of features", c.D, "at least 1"}
	case c.K < 1:
		return &ConfigError{"the rank", c.K, "at least 1"}
	case c.N < 0:
		return &ConfigError{"the number of training rows", c.N, "at least 0"}
	case c.Test < 0:
		return &ConfigError{"the number of test rows", c.Test, "at least 0"}
	case !(c.Noise >= 0) || math.IsInf(c.Noise, 1):
		return &ConfigError{"the noise", c.Noise, "a finite number of at least 0"}
	case c.Truth != "" && c.Truth != GaussianFactors && c.Truth != OrthonormalFactors:
		return &ConfigError{"the truth", message.Sprintf("%q", string(c.Truth)), `"gaussian" or "orthonormal"`}
	case c.Pairs != "" && c.Scenario != Mixed:
		return &ConfigError{"the scenario", message.Sprintf("%q", string(c.Scenario)), `"mixed" where the pairs of the truth are given`}
	case c.Truth == OrthonormalFactors && c.K > c.D:
		return &ConfigError{"the rank", c.K, message.Sprintf("at most %d, the number of features, of orthonormal factors", c.D)}
	}
	if err := c.checkFeatures(); err != nil || c.Pairs == "" {
		return err
	}
	_, err := c.pairs()
	return err
}

// Generate draws a sample. It returns a [*ConfigError] for an invalid setting.
// O((N + Test)·D·K + D²·K).
func Generate(c Config, s Streams) (*Sample, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if c.Features == OneHot {
		if err := c.checkOneHotRows(); err != nil {
			return nil, err
		}
	}
	sample := &Sample{Truth: c.truth(s.Truth)}
	sample.SD, sample.SecondOrderSD = c.spread(sample.Truth)
	sample.Train = c.drawer(sample.Truth, sample.SD, c.N, s.Train).Next()
	sample.Test = c.drawer(sample.Truth, sample.SD, c.Test, s.Test).Next()
	return sample, nil
}

// spread returns SD and SecondOrderSD of [Sample]. O(D²·K).
func (c Config) spread(truth *fm.Model) (sd, secondOrder float64) {
	m, w, d := truth.Interaction(), truth.W, float64(c.D)
	if c.Rho != 0 || c.Features == Equicorrelated || c.Features == OneHot {
		rw, mr := make([]float64, c.D), make([]float64, c.D*c.D)
		c.correlate(rw, w)
		for i := range c.D {
			c.correlate(mr[i*c.D:][:c.D], m[i*c.D:][:c.D])
		}
		trace := 0.0 // of MRMR
		for i := range c.D {
			for j := range c.D {
				trace += float64(mr[i*c.D+j] * mr[j*c.D+i])
			}
		}
		return math.Sqrt(kernel.Dot(w, rw)/d + float64(2*trace/d/d)), math.Sqrt(2*trace) / d
	}
	kappa, phi := c.Moments()
	squares, shared := 0.0, 0.0 // Σ M_ii², Σ wᵢMᵢᵢ
	for i, w := range w {
		diagonal := m[i*c.D+i]
		squares += float64(diagonal * diagonal)
		shared += float64(w * diagonal)
		m[i*c.D+i] = 0
	}
	pairs := float64(2 * kernel.Dot(m, m))
	if squares == 0 { // φ may be infinite
		phi = 0
	}
	both := float64(2 * kappa * shared / (d * math.Sqrt(d)))
	second := pairs + float64((phi-1)*squares)
	left := pairs + float64(max(0, phi-1-float64(kappa*kappa))*squares)
	return math.Sqrt(max(0, kernel.Dot(w, w)/d+float64(second/d/d)+both)), math.Sqrt(left) / d
}

// correlate sets dst to xᵀR, with the correlations R of the columns. O(n).
func (c Config) correlate(dst, x []float64) {
	switch c.Features {
	case Equicorrelated:
	case OneHot: // levels of a column have correlation −1/(Levels − 1)
		for from := 0; from < len(x); from += c.Levels {
			group := dst[from:][:c.Levels]
			copy(group, x[from:])
			centre(group, 1, c.Levels)
			scale(group, float64(c.Levels)/float64(c.Levels-1))
		}
		return
	default:
		timesAR1(dst, x, c.Rho)
		return
	}
	sum := float64(shared * kernel.Sum(x))
	for j, v := range x {
		dst[j] = sum + float64((1-shared)*v)
	}
}

// timesAR1 sets dst to xᵀR with R_ij = ρ^|i−j|, in one pass from the left and one from the
// right. O(n).
func timesAR1(dst, x []float64, rho float64) {
	decayed := 0.0
	for j, v := range x {
		decayed = float64(rho*decayed) + v
		dst[j] = decayed
	}
	decayed = 0
	for j := len(x) - 1; j >= 0; j-- {
		decayed = float64(rho * decayed)
		dst[j] += decayed
		decayed += x[j]
	}
}
