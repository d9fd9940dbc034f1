// Package synth draws the rows of the paper's Figure 1: a second-order truth
// whose interactions are positive semi-definite, the exact negative of that, or
// of both signs.
package synth

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/data"
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

// Config says what to draw. w, U, V and x are Gaussian with mean 0 and variance
// 1/D.
type Config struct {
	Scenario Scenario
	D, K     int     // features, rank
	N, Test  int     // training and test rows
	Noise    float64 // standard deviation of the Gaussian noise on y, in units of [Sample.SD]
}

// Streams are the random numbers of a draw: one for the truth and one for each
// set of rows, so that the truth depends on D and K alone and the test rows are
// the same whatever the number of training rows.
type Streams struct{ Truth, Train, Test *rand.Rand }

// Rows are n instances: X is n×D, row-major and as drawn (not scaled), Y has n
// targets with their noise.
type Rows struct {
	X, Y []float64
}

// Sample is one draw.
type Sample struct {
	Train, Test Rows
	// Truth is the model that made the targets, over the columns as drawn, with
	// bias 0. It is an iFM in every scenario.
	Truth *fm.Model
	// SD is the standard deviation of the targets without their noise, and
	// SecondOrderSD that of the part of them that is not linear, over the
	// population and not the rows:
	//
	//	Var f = ‖w‖²/D + 2‖sym M*‖²_F/D²
	//
	// What a linear model can reach is SecondOrderSD.
	SD, SecondOrderSD float64
}

// ConfigError says that a setting makes no sense.
type ConfigError struct {
	Setting string
	Found   any
	Want    string
}

func (e *ConfigError) Error() string {
	return message.Sprintf("synth: %s is %v, want %s", e.Setting, e.Found, e.Want)
}

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
	}
	return nil
}

// Generate draws a sample. It returns a [*ConfigError] when c makes no sense.
// O((N + Test)·D·K).
func Generate(c Config, s Streams) (*Sample, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	sample := &Sample{Truth: truth(c, s.Truth)}
	m := sample.Truth.Interaction()
	linear, second := kernel.Dot(sample.Truth.W, sample.Truth.W), kernel.Dot(m, m)
	d := float64(c.D)
	sample.SecondOrderSD = math.Sqrt(2*second) / d
	sample.SD = math.Sqrt(linear/d + float64(2*second/d/d))

	noise := c.Noise * sample.SD
	if c.Scenario == Flipped {
		noise = -noise
	}
	sample.Train = rows(sample.Truth, c.N, noise, s.Train)
	sample.Test = rows(sample.Truth, c.Test, noise, s.Test)
	return sample, nil
}

// truth draws w, U and, for Mixed, V, in this order, so that the scenarios share
// what they can: w and U.
func truth(c Config, rng *rand.Rand) *fm.Model {
	m, sd := fm.New(fm.IFM, c.D, c.K), 1/math.Sqrt(float64(c.D))
	gaussian(m.W, sd, rng)
	gaussian(m.U, sd, rng)
	switch c.Scenario {
	case Mixed:
		gaussian(m.V, sd, rng)
	case PSD:
		copy(m.V, m.U)
	case Flipped:
		for j, w := range m.W {
			m.W[j] = -w
		}
		for j, u := range m.U {
			m.V[j] = -u
		}
	}
	return m
}

// rows draws n rows one after the other, each x and then its noise, so that
// fewer rows are the first of more.
func rows(m *fm.Model, n int, noise float64, rng *rand.Rand) Rows {
	r, sd := Rows{X: make([]float64, n*m.D), Y: make([]float64, n)}, 1/math.Sqrt(float64(m.D))
	disturbance := make([]float64, n)
	for i := range n {
		gaussian(r.X[i*m.D:][:m.D], sd, rng)
		disturbance[i] = rng.NormFloat64()
	}
	m.Predict(r.Y, data.NewDense(n, m.D, r.X), nil)
	kernel.Axpy(noise, disturbance, r.Y)
	return r
}

// gaussian fills x with draws of mean 0.
func gaussian(x []float64, sd float64, rng *rand.Rand) {
	for i := range x {
		x[i] = sd * rng.NormFloat64()
	}
}
