package synth

import (
	"math"
	"math/rand/v2"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// Rows are n instances. X is n×D and row-major, as drawn and not scaled. Y has n targets
// with noise.
type Rows struct {
	X, Y []float64
}

// Drawer draws batches of rows.
type Drawer struct {
	truth       *fm.Model
	design      *design.Dense // over rows.X
	rows        Rows
	noise       float64 // standard deviation; negative for Flipped
	disturbance []float64
	rho, fresh  float64 // AR(1): weights of the column before and of the new draw
	common      bool    // Equicorrelated columns share a number
	levels      int     // of a table column of OneHot features, else 0
	standard    func(*rand.Rand) float64
	rng         *rand.Rand
	scratch     fm.Scratch
}

// Fresh returns a source of batches of c.N new rows each. If truth and sd are those of a
// [Sample], the first batch has the training rows that [Generate] draws from the same
// stream. It returns a [*ConfigError] for an invalid setting.
func Fresh(c Config, truth *fm.Model, sd float64, rng *rand.Rand) (*Drawer, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return c.drawer(truth, sd, c.N, rng), nil
}

// drawer returns a Drawer of n rows at a time. The noise of Flipped rows is negated like the
// rest of their targets.
func (c Config) drawer(truth *fm.Model, sd float64, n int, rng *rand.Rand) *Drawer {
	noise := c.Noise * sd
	if c.Scenario == Flipped {
		noise = -noise
	}
	rows := Rows{X: make([]float64, n*c.D), Y: make([]float64, n)}
	levels := 0
	if c.Features == OneHot {
		levels = c.Levels
	}
	return &Drawer{
		levels: levels, truth: truth, design: design.NewDense(n, c.D, rows.X), rows: rows,
		noise: noise, disturbance: make([]float64, n),
		rho: c.Rho, fresh: math.Sqrt(1 - float64(c.Rho*c.Rho)),
		common: c.Features == Equicorrelated, standard: c.standard(), rng: rng,
	}
}

// Next draws a batch, row by row, each x and then its noise. So a smaller batch is the
// beginning of a larger one. The next call overwrites the batch. O(n·D·K).
func (d *Drawer) Next() Rows {
	width := d.truth.D
	sd := 1 / math.Sqrt(float64(width))
	for i := range d.rows.Y {
		x := d.rows.X[i*width:][:width]
		if d.levels > 0 {
			d.drawLevels(x)
		} else {
			for j := range x {
				x[j] = d.standard(d.rng)
			}
		}
		if d.common {
			all := float64(math.Sqrt(shared) * d.rng.NormFloat64())
			for j, own := range x {
				x[j] = all + float64(math.Sqrt(1-shared)*own)
			}
		}
		if d.rho != 0 { // AR(1): x_j = ρx_{j−1} + √(1−ρ²)·e_j
			for j := 1; j < width; j++ {
				x[j] = float64(d.rho*x[j-1]) + float64(d.fresh*x[j])
			}
		}
		scale(x, sd)
		d.disturbance[i] = d.rng.NormFloat64()
	}
	d.truth.Predict(d.rows.Y, d.design, &d.scratch)
	kernel.Axpy(d.noise, d.disturbance, d.rows.Y)
	return d.rows
}
