//go:build !figure && !ionosphere

package solve

import (
	"math/rand/v2"

	"ifmlab/core/fm"
	"ifmlab/core/kernel"
)

// beginClasses is begin for the scores of more than two classes.
func (s *ALS) beginClasses(p Problem, m *fm.Model, rng *rand.Rand) (Progress, error) {
	batch, err := fixedRows("ALS", p, m)
	if err != nil {
		return Progress{}, err
	}
	n, k := len(batch.Y), len(m.Classes)
	if len(s.classes) != k {
		s.classes = make([]*ALS, k)
		for c := range s.classes {
			s.classes[c] = NewALS()
		}
	}
	s.n, s.iteration, s.scores = n, 0, resized(s.scores, n*k)
	m.Predict(s.scores, batch.Z, nil)
	for c, of := range s.classes {
		if c > 0 { // the columns serve all
			first := s.classes[0]
			of.z, of.columns, of.nonzeros = first.z, first.columns, first.nonzeros
		}
		y := make([]float64, n)
		for i, v := range batch.Y {
			if int(v) == c {
				y[i] = 1
			}
		}
		of.Weights, of.Warm, of.loss.offset = s.Weights, s.Warm, resized(of.loss.offset, n)
		s.setOffset(c)
		if _, err := of.begin(Problem{Source: Weighted(batch.Z, y, batch.Weight), Loss: Logistic, Penalty: p.Penalty}, m.Classes[c], rng); err != nil {
			return Progress{}, err
		}
		s.setScores(c)
	}
	s.loss.y, s.loss.weight, s.loss.total = batch.Y, batch.Weight, s.classes[0].loss.total
	progress := s.progressOfClasses()
	return progress, s.check(progress)
}

// setOffset sets the log-odds of class c beside its own score from the scores of the others.
func (s *ALS) setOffset(c int) {
	k, offset := len(s.classes), s.classes[c].loss.offset
	for i := range offset {
		offset[i] = -kernel.LogSumExp(s.scores[i*k:][:k], c)
	}
}

// setScores takes over the scores of class c.
func (s *ALS) setScores(c int) {
	k, of := len(s.classes), s.classes[c]
	for i, r := range of.residual {
		s.scores[i*k+c] = of.loss.y[i] - r
	}
}

// stepClasses does one sweep over each class.
func (s *ALS) stepClasses() (Progress, error) {
	for c, of := range s.classes {
		s.setOffset(c)
		of.loss.update(of.residual)
		if progress, err := of.Step(); err != nil {
			s.err = err
			return progress, err
		}
		s.setScores(c)
	}
	progress := s.progressOfClasses()
	s.err = s.check(progress)
	return progress, s.err
}

// progressOfClasses returns the progress of all classes.
func (s *ALS) progressOfClasses() Progress {
	progress, penalty, loss, k := Progress{Iteration: s.iteration}, 0.0, 0.0, len(s.classes)
	for _, of := range s.classes {
		progress.Passes += of.progress().Passes
		penalty += of.penalty()
	}
	for i, y := range s.loss.y {
		row, c := s.scores[i*k:][:k], 1.0
		if s.loss.weight != nil {
			c = s.loss.weight[i]
		}
		loss += float64(c * (kernel.LogSumExp(row, -1) - row[int(y)]))
	}
	progress.Loss, progress.LogLoss = loss+penalty/2, loss/s.loss.total
	return progress
}
