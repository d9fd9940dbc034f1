package synth

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"ifmlab/core/message"
)

// Distribution names the distribution of the columns, which have mean 0 and variance 1/D.
// The moments below are those of columns standardized to variance 1.
type Distribution string

// The distributions, with their raw moments κ = E x³ and φ = E x⁴ and their moment
// invertibility τ = |φ − 1 − κ²|. "" is Gaussian. Columns are independent, except that any
// two Equicorrelated ones have correlation .9, and OneHot ones are the levels of table columns.
const (
	Gaussian    Distribution = "gaussian"    // κ = 0, φ = 3, τ = 2
	Uniform     Distribution = "uniform"     // κ = 0, φ = 9/5, τ = 4/5
	Laplace     Distribution = "laplace"     // κ = 0, φ = 6, τ = 5
	Exponential Distribution = "exponential" // less its mean: κ = 2, φ = 9, τ = 4
	ThreePoint  Distribution = "threepoint"  // −√(1+τ), 0, √(1+τ), not 0 with probability 1/(1+τ): κ = 0, φ = 1+τ
	TwoPoint    Distribution = "twopoint"    // √((1−p)/p) with probability p, else −√(p/(1−p)): κ = (1−2p)/√(p(1−p)), φ = 1+κ², τ = 0
	Slider      Distribution = "slider"      // ±a + √(1−a²)·Gaussian, a = (1−τ/2)^¼: κ = 0, φ = 1+τ, from ±1 (τ = 0) to Gaussian (τ = 2)
	T5          Distribution = "t5"          // Student's t of 5 degrees of freedom: κ = 0, φ = 9, τ = 8; E x⁶ is not finite
	T3          Distribution = "t3"          // of 3: variance 1, but φ and τ are infinite, and E|x|³ too
	Lognormal   Distribution = "lognormal"   // exp(Gaussian) less its mean: κ = (e+2)√(e−1) ≈ 6.18, φ = e⁴+2e³+3e²−3 ≈ 114, τ ≈ 74.7
	Counts      Distribution = "counts"      // heads before the first tail, less 1: κ = 3/√2, φ = 19/2, τ = 4

	Equicorrelated Distribution = "equicorrelated" // √.9 of a Gaussian number that the row shares and √.1 of its own: κ = 0, φ = 3, τ = 2
)

// shared is the correlation of Equicorrelated columns.
const shared = .9

func (c Config) checkFeatures() error {
	switch c.Features {
	case "", Gaussian, Uniform, Laplace, Exponential, T5, Lognormal, Counts, Equicorrelated:
	case OneHot:
		if err := c.checkOneHot(); err != nil {
			return err
		}
	case T3:
		if c.KeepDiagonal {
			return &ConfigError{"the diagonal of the truth", "kept", "it 0 for t3 columns: their squares have no variance, and targets would have none"}
		}
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
			`"gaussian", "uniform", "laplace", "exponential", "threepoint", "twopoint", "slider", "t5", "t3", "lognormal", "counts", "equicorrelated" or "onehot"`}
	}
	switch {
	case !(math.Abs(c.Rho) < 1):
		return &ConfigError{"the correlation of neighbouring columns", c.Rho, "a number between -1 and 1"}
	case c.Rho != 0 && c.Features != "" && c.Features != Gaussian:
		// x_j would be a sum of j draws, and no column would have the κ, φ and τ that the
		// distribution promises.
		return &ConfigError{"the correlation of neighbouring columns", c.Rho, "0, or Gaussian columns: sums of others have other moments"}
	}
	return nil
}

// Moments returns the raw third and fourth population moments of a column standardized to
// variance 1:
//
//	κ = E x³    φ = E x⁴
//
// Both are dimensionless. φ of T3 columns is +Inf. Their κ does not exist and is returned as
// 0, because they are symmetric. Settings that [Generate] rejects have no meaningful
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
	case TwoPoint, OneHot:
		p := c.Share
		if c.Features == OneHot {
			p = 1 / float64(c.Levels)
		}
		v := p * (1 - p)
		kappa = (1 - 2*p) / math.Sqrt(v)
		return kappa, 1 + float64(kappa*kappa)
	case T5:
		return 0, 9
	case T3:
		return 0, math.Inf(1)
	case Lognormal:
		const e = math.E
		return (e + 2) * math.Sqrt(e-1), e*e*e*e + 2*e*e*e + 3*e*e - 3
	case Counts:
		return 3 / math.Sqrt2, 9.5
	}
	return 0, 3
}

// standard returns a function that draws a number of mean 0 and variance 1. For
// Equicorrelated columns this is each column's own part. It only uses mathematical functions
// that are rounded correctly on every machine.
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
	case T5:
		return func(rng *rand.Rand) float64 { return student(2, rng) * math.Sqrt(3) }
	case T3:
		return func(rng *rand.Rand) float64 { return student(1, rng) }
	case Lognormal:
		middle, sd := math.Sqrt(math.E), math.Sqrt(math.E*(math.E-1))
		return func(rng *rand.Rand) float64 { return (exponential(rng.NormFloat64()) - middle) / sd }
	case Counts:
		return func(rng *rand.Rand) float64 {
			return float64(bits.TrailingZeros64(rng.Uint64())-1) / math.Sqrt2
		}
	}
	return (*rand.Rand).NormFloat64
}

// student returns z/√χ² for a Gaussian z and a χ² with 2·pairs + 1 degrees of freedom.
func student(pairs int, rng *rand.Rand) float64 {
	z, v := rng.NormFloat64(), rng.NormFloat64()
	square := float64(v * v)
	for range pairs {
		square += float64(2 * rng.ExpFloat64())
	}
	return z / math.Sqrt(square)
}

// exponential returns eˣ to a few units in the last place, with the same bits on every
// machine, which math.Exp does not promise. It is the series of e^(x − n·ln 2) times 2ⁿ, with
// n the integer nearest to x/ln 2. |x| is at most 700.
func exponential(x float64) float64 {
	const high, low = 6.93147180369123816490e-01, 1.90821492927058770002e-10 // of ln 2: n·high is exact
	n := math.Floor(float64(x*math.Log2E) + .5)
	x = x - float64(n*high) - float64(n*low)
	sum := 1.0
	for i := 14; i > 0; i-- { // the next term is below 1e-19
		sum = 1 + float64(x/float64(i)*sum)
	}
	return math.Ldexp(sum, int(n))
}

// sign returns −1 or 1, each with probability ½.
func sign(rng *rand.Rand) float64 {
	if rng.Uint64()&1 == 0 {
		return -1
	}
	return 1
}
