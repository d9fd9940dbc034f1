package core

import (
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/pair"
	"ifmlab/core/roles"
)

// pairLevel is the family-wise level of [Run.Pairs]: one of a hundred tables without
// interactions names a pair.
const pairLevel = .01

// Pairs returns a search for the pairs of the table's columns, or of the drawn features,
// that interact on the training rows. Package pair describes it. It does not depend on a
// model. Runs of one trial share the search, and closing one of them ends it if it is not
// done. Effects are in units of [Run.Effects]. Two classes count as the numbers 0 and 1, in
// a linear model of the probability. A table without interactions of log-odds may have
// interactions of probabilities, near 0 and 1.
//
// It returns a [NoTableError] if the run is closed and its table is gone. It costs
// O(rows·columns), and encodes the rows again on a run that is done.
func (r *Run) Pairs() (*pair.Search, error) {
	if r.rows.pairs != nil {
		return r.rows.pairs, nil
	}
	rows, err := r.trainingRows(r.rows)
	if err != nil {
		return nil, err
	}
	var columns []design.Raw
	targets, weight := rows.Train.Y, rows.Train.Weight
	if r.spec.Source == "table" {
		plan, err := roles.NewPlan(r.table, settingsOf(r.spec, r.table))
		if err != nil {
			return nil, err
		}
		split, err := taken(r.spec, r.cell.Trial, r.fold, plan)
		if err != nil {
			return nil, err
		}
		train := split.Train
		if plan.Cut.Kind != roles.SplitRandom { // in the order of the file, or of time
			train, targets, weight = slices.Clone(train), slices.Clone(targets), slices.Clone(weight)
			Stream(r.spec.Seed, r.cell.Trial, StreamPairs).Shuffle(len(train), func(i, j int) {
				train[i], train[j], targets[i], targets[j] = train[j], train[i], targets[j], targets[i]
				if weight != nil {
					weight[i], weight[j] = weight[j], weight[i]
				}
			})
		}
		columns = plan.Raw(train)
	} else {
		columns = rows.written()
	}
	y := make([]float64, len(targets))
	kernel.Axpy(rows.Encoding.Target.Scale, targets, y)
	r.rows.pairs = pair.New(columns, y, weight, pairLevel)
	return r.rows.pairs, nil
}

// Effects names the unit of the effects of [Run.Pairs]: [Run.Learnt] or, for classes, the
// probability of class 1.
func (r *Run) Effects() string {
	if t := r.rows.Encoding.Target; t.Logistic {
		return "probability of " + t.Name + " = " + t.Levels[1]
	}
	return r.Learnt()
}

// trainingRows returns rows of the run, encoded again if they have been freed.
func (r *Run) trainingRows(of *rows) (*rows, error) {
	switch {
	case of.Train.Z != nil:
		return of, nil
	case r.spec.Source == "table":
		return r.encoded(of == r.rows.hats)
	}
	return drawn(r.spec, r.cell.Trial)
}

// written returns the features of the training rows as columns of numbers in their own
// units. O(n·d²).
func (r *rows) written() []design.Raw {
	n, d := r.Train.Z.Dims()
	identity, block := make([]float64, d*d), make([]float64, min(n, design.BlockRows)*d)
	columns := make([]design.Raw, d)
	for j, f := range r.Encoding.Features {
		identity[j*d+j] = f.Scale
		columns[j] = design.Raw{Name: f.Name, Kind: design.Numeric, Numbers: make([]float64, n)}
	}
	r.Train.Z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		b.Forward(block[:(hi-lo)*d], identity, d)
		for i := lo; i < hi; i++ {
			for j, f := range r.Encoding.Features {
				columns[j].Numbers[i] = block[(i-lo)*d+j] + f.Mean
			}
		}
	})
	return columns
}
