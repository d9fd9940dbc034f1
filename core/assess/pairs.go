package assess

import (
	"cmp"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/pair"
	"ifmlab/core/roles"
	"ifmlab/core/trial"
)

// pairLevel is the family-wise level of [Assessment.Pairs]: of a hundred tables without
// interactions, one names a pair.
const pairLevel = .01

// Pairs returns the search for the pairs of the table's columns, or of the drawn
// features, that interact, on the training rows of the run: package pair describes
// it. No model has a part in it. The first call begins the search, which then goes
// as far as its Next is called; later calls, and other runs of the trial that share
// its rows, get the same. Of two classes it takes 0 and 1 for numbers, a linear model of
// the probability: tables without interactions of log-odds may have some of
// probabilities, where main effects take these near 0 or 1.
//
// It returns a [trial.NoTableError] if the run is closed and its table gone with it, and a
// [*ManyClassesError]. O(rows·columns), and, on a run that is done, the rows once more.
func (a *Assessment) Pairs() (*pair.Search, error) {
	if a.shared.pairs != nil {
		return a.shared.pairs, nil
	}
	if t := &a.run.Rows().Encoding.Target; t.Scores() > 1 {
		return nil, &ManyClassesError{What: "the test of pairs", Target: t.Name, Classes: len(t.Levels)}
	}
	rows, err := a.run.Rows().Again(a.run.Source(), false)
	if err != nil {
		return nil, err
	}
	var columns []design.Raw
	var known pair.Rows
	targets, weight := rows.Train.Y, rows.Train.Weight
	if a.run.Spec().Source == "table" {
		plan, err := a.task.Plan()
		if err != nil {
			return nil, err
		}
		split, err := a.task.Split(plan, a.run.Source().Key.Fold)
		if err != nil {
			return nil, err
		}
		train := split.Train
		if plan.SplitRule.Kind != roles.SplitRandom { // in the order of the file, or of time
			train, targets, weight = slices.Clone(train), slices.Clone(targets), slices.Clone(weight)
			trial.Stream(a.run.Spec().Seed, a.run.Cell().Trial, trial.StreamPairs).Shuffle(len(train), func(i, j int) {
				train[i], train[j], targets[i], targets[j] = train[j], train[i], targets[j], targets[i]
				if weight != nil {
					weight[i], weight[j] = weight[j], weight[i]
				}
			})
		}
		columns, known = plan.Raw(train), related(plan, train, targets)
	} else {
		columns = written(rows)
	}
	y := make([]float64, len(targets))
	kernel.Axpy(rows.Encoding.Target.Scale, targets, y)
	known.Weight = weight
	a.shared.pairs = pair.New(columns, y, known, pairLevel)
	return a.shared.pairs, nil
}

// related returns the groups and the order of rows, which tell whether they depend on each
// other: of the column that splits them or of the first that suggests itself. Rows that no
// time orders are in the order of the file, unless that is the order of their targets.
func related(plan *roles.Plan, rows []int32, y []float64) (known pair.Rows) {
	var names [2]string // of groups, of times
	for _, s := range plan.Suggested {
		if at := slices.Index([]note.Topic{note.TopicGroup, note.TopicTime}, s.Topic); at >= 0 && names[at] == "" {
			names[at] = s.Columns[0]
		}
	}
	if at := slices.Index([]roles.SplitKind{roles.SplitGroup, roles.SplitTime}, plan.SplitRule.Kind); at >= 0 {
		names[at] = plan.SplitRule.By
	}
	moment := func(i int) (float64, int) { return 0, 0 }
	for _, c := range plan.Table.Columns {
		switch c.Name {
		case names[0]:
			if of, first := c.Classes(rows); plan.SplitRule.Kind == roles.SplitGroup || 2*len(first) <= len(rows) {
				known.Group = of
			}
		case names[1]:
			moment = func(i int) (float64, int) { return c.Moment(int(rows[i])) }
		}
	}
	turn := order.Of(len(rows), func(i, j int) int {
		a, nanos := moment(i)
		b, others := moment(j)
		return cmp.Or(cmp.Compare(a, b), cmp.Compare(nanos, others), cmp.Compare(rows[i], rows[j]))
	})
	along := func(sign float64) bool {
		return slices.IsSortedFunc(turn, func(i, j int) int { return cmp.Compare(sign*y[i], sign*y[j]) })
	}
	if names[1] == "" && (along(1) || along(-1)) {
		return known
	}
	known.Place = make([]int32, len(rows))
	for place, i := range turn {
		known.Place[i] = int32(place)
	}
	return known
}

// written returns the features of the training rows as columns of numbers, in the
// units that they were given in. O(n·d²).
func written(t *trial.Trial) []design.Raw {
	n, d := t.Train.Z.Dims()
	identity, block := make([]float64, d*d), make([]float64, min(n, design.BlockRows)*d)
	columns := make([]design.Raw, d)
	for j, f := range t.Encoding.Features {
		identity[j*d+j] = f.Scale
		columns[j] = design.Raw{Name: f.Name, Kind: design.Numeric, Numbers: make([]float64, n)}
	}
	t.Train.Z.Each(design.BlockRows, func(lo, hi int, b design.Block) {
		b.Forward(block[:(hi-lo)*d], identity, d)
		for i := lo; i < hi; i++ {
			for j, f := range t.Encoding.Features {
				columns[j].Numbers[i] = block[(i-lo)*d+j] + f.Mean
			}
		}
	})
	return columns
}
