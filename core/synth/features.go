package synth

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/message"
)

// Distribution names that of the columns. They are drawn with mean 0 and
// variance 1/D; the moments below are of columns standardized to variance 1.
type Distribution string

// The distributions, with their raw moments κ = E x³, φ = E x⁴ and their moment
// invertibility τ = |φ − 1 − κ²|. "" is Gaussian.
const (
	Gaussian    Distribution = "gaussian"    // κ = 0, φ = 3, τ = 2
	Uniform     Distribution = "uniform"     // κ = 0, φ = 9/5, τ = 4/5
	Laplace     Distribution = "laplace"     // κ = 0, φ = 6, τ = 5
	Exponential Distribution = "exponential" // less its mean: κ = 2, φ = 9, τ = 4
	ThreePoint  Distribution = "threepoint"  // −√(1+τ), 0, √(1+τ), not 0 with probability 1/(1+τ): κ = 0, φ = 1+τ
	TwoPoint    Distribution = "twopoint"    // √((1−p)/p) with probability p, else −√(p/(1−p)): κ = (1−2p)/√(p(1−p)), φ = 1+κ², τ = 0
	Slider      Distribution = "slider"      // ±a + √(1−a²)·Gaussian, a = (1−τ/2)^¼: κ = 0, φ = 1+τ, from ±1 (τ = 0) to Gaussian (τ = 2)
)

func (c Config) checkFeatures() error {
	switch c.Features {
	case "", Gaussian, Uniform, Laplace, Exponential:
	case ThreePoint:
		if !(c.Tau >= 0 && c.Tau <= mostTau) {
			return &ConfigError{"τ", c.Tau, message.Sprintf("a number from 0 to %g for three-point columns", mostTau)}
		}
	case TwoPoint:
		if !(c.Share >= leastShare && c.Share <= 1-leastShare) {
			return &ConfigError{"the share of the larger value", c.Share, message.Sprintf("a number from %g to %g", leastShare, 1-leastShare)}
		}
	case Slider:
		if !(c.Tau >= 0 && c.Tau <= 2) {
			return &ConfigError{"τ", c.Tau, "a number from 0 to 2 for slider columns, which go from ±1 to Gaussian"}
		}
	default:
		return &ConfigError{"the distribution of the columns", message.Sprintf("%q", string(c.Features)),
			`"gaussian", "uniform", "laplace", "exponential", "threepoint", "twopoint" or "slider"`}
	}
	switch {
	case !(math.Abs(c.Rho) < 1):
		return &ConfigError{"the correlation of neighbouring columns", c.Rho, "a number between -1 and 1"}
	case c.Rho != 0 && c.Features != "" && c.Features != Gaussian:
		// x_j would be a sum of j draws, with other moments in every column: none
		// the κ, φ and τ that the distribution promises.
		return &ConfigError{"the correlation of neighbouring columns", c.Rho, "0, or Gaussian columns: sums of others have other moments"}
	}
	return nil
}

// Moments returns the raw third and fourth moments of a column standardized to
// variance 1, over the population:
//
//	κ = E x³    φ = E x⁴
//
// Both are dimensionless. Settings that [Generate] refuses have no meaningful
// moments. O(1).
func (c Config) Moments() (kappa, phi float64) {
	switch c.Features {
	case Uniform:
		return 0, 9. / 5
	case Laplace:
		return 0, 6
	case Exponential:
		return 2, 9
	case ThreePoint, Slider:
		return 0, 1 + c.Tau
	case TwoPoint:
		p := c.Share
		v := p * (1 - p)
		kappa = (1 - 2*p) / math.Sqrt(v)
		return kappa, 1 + float64(kappa*kappa)
	}
	return 0, 3
}

// standard returns the draw of one number of mean 0 and variance 1. Of the
// functions of the mathematical library it takes the square root alone, which
// is rounded correctly everywhere.
func (c Config) standard() func(*rand.Rand) float64 {
	switch c.Features {
	case Uniform:
		return func(rng *rand.Rand) float64 { return math.Sqrt(3) * (2*rng.Float64() - 1) }
	case Laplace:
		return func(rng *rand.Rand) float64 { return sign(rng) * (rng.ExpFloat64() / math.Sqrt2) }
	case Exponential:
		return func(rng *rand.Rand) float64 { return float64(rng.ExpFloat64()) - 1 }
	case ThreePoint:
		p, a := 1/(1+c.Tau), math.Sqrt(1+c.Tau)
		return func(rng *rand.Rand) float64 {
			switch u := rng.Float64(); {
			case u < p/2:
				return -a
			case u < p:
				return a
			}
			return 0
		}
	case TwoPoint:
		p := c.Share
		high, low := math.Sqrt((1-p)/p), -math.Sqrt(p/(1-p))
		return func(rng *rand.Rand) float64 {
			if rng.Float64() < p {
				return high
			}
			return low
		}
	case Slider:
		square := math.Sqrt(1 - c.Tau/2) // a²
		a, b := math.Sqrt(square), math.Sqrt(1-square)
		return func(rng *rand.Rand) float64 {
			s := sign(rng)
			return float64(a*s) + float64(b*rng.NormFloat64())
		}
	}
	return (*rand.Rand).NormFloat64
}

// sign returns −1 or 1, each with probability ½.
func sign(rng *rand.Rand) float64 {
	if rng.Uint64()&1 == 0 {
		return -1
	}
	return 1
}
