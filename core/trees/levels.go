package trees

import (
	"math"

	"ifmlab/core/data"
)

const (
	// rare is the number of training rows below which the rows of a level count as
	// missing in training: the mean of few targets foretells these targets and so
	// would be trusted too much. Other rows of the level have its mean.
	rare = 5
	// prior is the number of rows with the overall mean that every level has beside
	// its own.
	prior = 5
)

// order puts the levels of a column in order by their mean target in training
// rows, shrunk towards the mean of all rows,
//
//	Σ c·y/(Σ c + prior)        y less its mean, c the weights of the rows, nil for 1 each
//
// and returns the training rows' cells as such numbers, NaN for those that are
// missing and those of levels of fewer than [rare] rows. O(rows + levels).
func (c *column) order(raw *data.Raw, y, weight []float64) []float64 {
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
		if n < rare {
			places[code] = math.NaN()
		}
	}
	return pick(places, raw.Codes)
}

// values returns the cells of a column as numbers, NaN for those that are missing
// and for levels that training rows do not have. O(rows + levels).
func (c *column) values(raw *data.Raw) []float64 {
	if c.kind == data.Numeric {
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

// pick returns places[code] for each code, NaN for those below 0.
func pick(places []float64, codes []int32) []float64 {
	values := make([]float64, len(codes))
	for i, code := range codes {
		if values[i] = math.NaN(); code >= 0 {
			values[i] = places[code]
		}
	}
	return values
}
