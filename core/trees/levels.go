package trees

import (
	"math"

	"ifmlab/core/design"
)

const (
	// minLevelRows is the number of training rows below which a level counts as missing in
	// training. The mean of a few targets predicts these very targets, so that trees would
	// trust it too much. Other rows of such a level have its mean.
	minLevelRows = 5
	// prior is the number of rows at the overall mean that shrink the mean of a level.
	prior = 5
)

// order gives each level of a column a number, its mean target in training rows, shrunk
// towards the overall mean,
//
//	Σ c·y/(Σ c + prior)        with centred targets y and weights c, nil for 1 each
//
// and returns the cells of the training rows as such numbers. It returns NaN for missing
// cells and for levels of fewer than [minLevelRows] rows. O(rows + levels).
func (c *column) order(raw *design.Raw, y, weight []float64) []float64 {
	rows, places := make([]float64, len(raw.Levels)), make([]float64, len(raw.Levels))
	for i, code := range raw.Codes {
		if code >= 0 {
			rows[code] += weightOf(weight, i)
			places[code] += float64(weightOf(weight, i) * y[i])
		}
	}
	c.levels = make(map[string]float64, len(raw.Levels))
	for code, n := range rows {
		if n > 0 {
			places[code] /= n + prior
			c.levels[raw.Levels[code]] = places[code]
		}
		if n < minLevelRows {
			places[code] = math.NaN()
		}
	}
	return pick(places, raw.Codes)
}

// values returns the cells of a column as numbers, NaN for missing cells and for levels
// without training rows. O(rows + levels).
func (c *column) values(raw *design.Raw) []float64 {
	if c.kind == design.Numeric {
		return raw.Numbers
	}
	places := make([]float64, len(raw.Levels))
	for code, text := range raw.Levels {
		place, known := c.levels[text]
		if !known {
			place = math.NaN()
		}
		places[code] = place
	}
	return pick(places, raw.Codes)
}

// pick returns places[code] for each code, NaN for negative codes.
func pick(places []float64, codes []int32) []float64 {
	values := make([]float64, len(codes))
	for i, code := range codes {
		if values[i] = math.NaN(); code >= 0 {
			values[i] = places[code]
		}
	}
	return values
}
