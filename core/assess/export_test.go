package assess

import "ifmlab/core/saved"

// Permutations is how often the cells of a column are permuted.
const Permutations = permutations

// Unseen returns the validation rows of trees that are growing: their predictions once the
// trees are grown, their classes and their weights.
func Unseen(t *Trees) func() (f, y, weight []float64) {
	booster, valid, counts := t.boosters[0], t.valid, t.counts
	return func() (f, y, weight []float64) {
		f, err := booster.Predict(valid.Columns)
		if err != nil {
			panic(err)
		}
		return f, valid.Y, counts
	}
}

// Fits returns the models of the folds.
func Fits(s *Intervals) []*saved.Model { return s.rows.fits }
