package synth

import (
	"math"

	"ifmlab/core/fm"
	"ifmlab/core/message"
)

// OneHot columns are the levels of D/Levels independent table columns, every level equally
// likely: in each group of Levels features one is high and the others are low. Features of
// a group never meet in a product that is not linear, so the truth has no interactions
// within a group. Levels of a group sum to 0, so only the doubly centred part of every other
// block of M reaches a target:
//
//	M*_gh = S_gh·J·sym(UVᵀ)_gh·J        J = I − 11ᵀ/Levels, S the Pairs, 1 without them
const OneHot Distribution = "onehot"

func (c Config) checkOneHot() error {
	switch {
	case c.Levels < 2:
		return &ConfigError{"the number of levels", c.Levels, "at least 2: a column of one level is constant"}
	case c.D%c.Levels != 0 || c.D < 2*c.Levels:
		return &ConfigError{"the number of features", c.D, message.Sprintf("a multiple of the %d levels of a column, for at least 2 columns", c.Levels)}
	case c.KeepDiagonal:
		return &ConfigError{"the diagonal of the truth", "kept", "it 0 for one-hot columns: their squares are linear"}
	}
	return nil
}

// checkOneHotRows returns a [*ConfigError] unless there is a training row for every number
// of a linear model.
func (c Config) checkOneHotRows() error {
	columns := c.D / c.Levels
	if want := 1 + columns*(c.Levels-1); c.N > 0 && c.N < want {
		return &ConfigError{"the number of training rows", c.N, message.Sprintf("at least %d, as many as a linear model on %d columns of %d levels has parameters", want, columns, c.Levels)}
	}
	return nil
}

// oneHot makes the interactions of a drawn truth those of [OneHot] columns: U = I, V = M*.
func (c Config) oneHot(drawn *fm.Model) *fm.Model {
	m := fm.New(drawn.Kind, c.D, c.D)
	copy(m.W, drawn.W)
	m.V = drawn.Interaction()
	Identify(fm.Coefficients{W: m.W, M: m.V}, c.Levels)
	if c.Pairs != "" {
		signs, _ := c.pairs() // they are valid after check
		columns := c.D / c.Levels
		for g := range columns {
			for h := g + 1; h < columns; h++ {
				for i := range c.Levels {
					for j := range c.Levels {
						a, b := g*c.Levels+i, h*c.Levels+j
						m.V[a*c.D+b] *= signs[0]
						m.V[b*c.D+a] *= signs[0]
					}
				}
				signs = signs[1:]
			}
		}
	}
	for i := range c.D {
		m.U[i*c.D+i] = 1
	}
	return m
}

// Identify changes a model of [OneHot] columns to the one model with the same predictions
// whose w is centred in each column and whose M is 0 within columns and doubly centred in
// the other blocks. The bias is not changed. c.M is symmetric and over the columns as drawn. O(D²).
func Identify(c fm.Coefficients, levels int) {
	d := len(c.W)
	high, low := oneHotValues(levels)
	high, low = high/math.Sqrt(float64(d)), low/math.Sqrt(float64(d))
	for from := 0; from < d; from += levels {
		for i := from; i < from+levels; i++ { // of level i the column adds (w_i + M-part)·(high − low)
			row := c.M[i*d+from:][:levels]
			sum := 0.0
			for _, v := range row {
				sum += v
			}
			// xᵀMx for x = low·1 + (high − low)·eᵢ, without what all levels share
			c.W[i] += float64(2*low*sum) + float64((high-low)*row[i-from])
		}
		centre(c.W[from:], 1, levels)
	}
	for i := range d {
		for from := 0; from < d; from += levels {
			row := c.M[i*d+from:][:levels]
			if i/levels == from/levels {
				clear(row)
			}
			centre(row, 1, levels)
		}
	}
	for j := range d {
		for from := 0; from < d; from += levels {
			centre(c.M[from*d+j:], d, levels)
		}
	}
}

// centre takes their mean from n numbers that stand step apart.
func centre(x []float64, step, n int) {
	mean := 0.0
	for i := range n {
		mean += x[i*step] / float64(n)
	}
	for i := range n {
		x[i*step] -= mean
	}
}

// oneHotValues returns the two values of the feature of a level, with mean 0 and variance 1.
func oneHotValues(levels int) (high, low float64) {
	high = math.Sqrt(float64(levels - 1))
	return high, -1 / high
}

// drawLevels draws a level of every table column.
func (d *Drawer) drawLevels(x []float64) {
	high, low := oneHotValues(d.levels)
	for j := range x {
		x[j] = low
	}
	for from := 0; from < len(x); from += d.levels {
		x[from+d.rng.IntN(d.levels)] = high
	}
}
