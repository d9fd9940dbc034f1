package task

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/kernel"
	"ifmlab/core/linear"
	"ifmlab/core/measure"
	"ifmlab/core/order"
	"ifmlab/core/roles"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/train"
	"ifmlab/core/trial"
)

// Validation rows decide whether a column of whole numbers holds amounts or names things,
// as the ids of users do:
//
//   - Ridge is fitted with all such columns as numbers. For each column, its part of the
//     fit is replaced by a mean for each of its values, shrunk as far as the variance
//     between values says. That is the column as levels.
//   - Users and items may have no effect of their own and act on each other alone, which
//     ridge cannot see. So all columns that are still open are read as levels at once,
//     and iFM of rank 2 is trained on both readings, without amounts and dates. If levels
//     are better, each column becomes a number again unless that makes it worse.
//
// A reading wins if the mean of its squared errors on validation rows is lower by
// leastShare of it and by leastErrors standard errors. Otherwise the guess by name and
// cells stands. Training and validation rows of the first trial are used, so that its
// test rows have no say; those of further trials are among them.
const (
	leastErrors  = 3.3 // standard errors; chance exceeds it for one column in 2,000
	leastShare   = .05 // of the mean squared error
	mostTried    = 40  // columns
	rowsOfRidge  = 50_000
	rowsOfFactor = 36_000 // for one open column; of n columns an nth, and between the next two
	fewestRows   = 4_000
	mostRows     = 12_000
)

// kindChoices returns how the undecided columns of a table are read. A table remembers
// it for the same settings. Where training cannot start it returns nil: who trains is
// told why.
func kindChoices(s spec.Spec, table *table.Table) []roles.Choice {
	own := spec.Default()
	own.Source, own.Target, own.Weight, own.Seed = s.Source, s.Target, s.Weight, s.Seed
	own.Ignore, own.Categorical, own.Numeric = s.Ignore, s.Categorical, s.Numeric
	own.Missing, own.Rare, own.Log, own.Positive, own.Split, own.By = s.Missing, s.Rare, s.Log, s.Positive, s.Split, s.By
	own.Loss, own.Solver, own.Models, own.Trials = "squared", "als", []string{"ifm"}, 1
	own.Ranks, own.LambdaF, own.Encoding, own.Iterations = []int{2}, []float64{3, 1}, "auto", 20
	return roles.Choices(table, own.Encode(), func() []roles.Choice {
		c, err := newChooser(own, table)
		if err != nil {
			return nil
		}
		return c.choose()
	})
}

// chooser tries two readings of columns.
type chooser struct {
	spec    spec.Spec
	table   *table.Table
	plan    *roles.Plan
	split   *roles.Split
	columns []string // undecided
	others  []string // that are no levels in either reading
	guessed map[string]design.Kind
	rows    int // that factors are trained on
}

func newChooser(s spec.Spec, table *table.Table) (*chooser, error) {
	plan, err := roles.NewPlan(table, settings(s))
	if err != nil {
		return nil, err
	}
	s.Target = plan.Target // which no reading of the others changes
	c := &chooser{spec: s, table: table, plan: plan, guessed: map[string]design.Kind{}, split: plan.Split(trial.Stream(s.Seed, 0, trial.StreamSplit))}
	c.columns, c.others = plan.Undecided()
	c.columns = c.columns[:min(len(c.columns), mostTried)]
	for i, u := range plan.Uses {
		c.guessed[u.Column] = plan.Kinds[i]
	}
	return c, nil
}

// reading is what a model makes of the validation rows under one reading.
type reading struct {
	squares  []float64          // errors of the scaled target
	weight   []float64          // of the rows, nil for 1 each
	group    []int32            // that a row belongs to; nil where each is on its own
	scale    float64            // of the target
	strength map[string]float64 // of columns of levels: the mean square of their factors
}

func (r *reading) error() float64 {
	return r.scale * math.Sqrt(measure.Mean(r.squares, r.weight))
}

// beats reports whether r has clearly smaller errors than other. The standard error is
// that of a sum over groups, whose rows go together.
func (r *reading) beats(other *reading) bool {
	sums, total := map[int32]float64{}, 0.0
	for i := range r.squares {
		w, group := measure.Weight(r.weight, i), int32(i)
		if r.group != nil {
			group = r.group[i]
		}
		sums[group] += float64(w * (other.squares[i] - r.squares[i]))
		total += w
	}
	sum, squares := 0.0, 0.0
	for group := range int32(len(r.squares)) { // in an order that does not vary
		d := sums[group]
		sum, squares = sum+d, squares+float64(d*d)
	}
	se := math.Sqrt(math.Max(0, squares-float64(sum*sum)/float64(len(sums))))
	return sum > leastErrors*se && sum > leastShare*total*measure.Mean(other.squares, other.weight)
}

// choose tries both readings of every column.
func (c *chooser) choose() []roles.Choice {
	if len(c.columns) == 0 {
		return nil
	}
	ridge, err := c.ridge()
	if err != nil {
		return nil
	}
	choices, kinds := []roles.Choice{}, map[string]design.Kind{}
	var open []string
	for _, column := range c.columns {
		levels := ridge.asLevels(column, c.spec.Rare)
		choice := roles.Choice{Column: column, Kind: c.guessed[column], Levels: levels.error(), Numbers: ridge.valid.error()}
		switch {
		case levels.beats(&ridge.valid):
			choice.Kind, choice.Clear = design.Categorical, true
		case ridge.valid.beats(levels):
			choice.Kind, choice.Clear = design.Numeric, true
		default:
			open = append(open, column)
		}
		kinds[column] = choice.Kind
		choices = append(choices, choice)
	}
	c.factors(choices, kinds, open)
	return choices
}

// factors reads what is open as levels if iFM predicts validation rows better so: all
// open columns, or the two or four whose factors are the largest then, since noise in
// many levels hides what two columns do. The best of these counts.
func (c *chooser) factors(choices []roles.Choice, kinds map[string]design.Kind, open []string) {
	if len(open) == 0 {
		return
	}
	c.rows = max(fewestRows, min(rowsOfFactor/len(open), mostRows))
	as := func(columns []string) *reading {
		own := maps.Clone(kinds)
		for _, column := range open {
			own[column] = design.Numeric
		}
		for _, column := range columns {
			own[column] = design.Categorical
		}
		r, err := c.trained(own)
		if err != nil {
			return nil // which keeps numbers
		}
		return r
	}
	numbers, all := as(nil), as(open)
	if numbers == nil || all == nil {
		return
	}
	largest := slices.Clone(open)
	order.Sort(largest, func(a, b string) int { return cmp.Compare(all.strength[b], all.strength[a]) })
	sets := [][]string{open}
	for _, n := range []int{2, 4} {
		if n < len(open) {
			sets = append(sets, largest[:n])
		}
	}
	var kept []string
	best := numbers
	for i, set := range sets {
		levels := all
		if i > 0 {
			levels = as(set)
		}
		if levels != nil && levels.beats(numbers) && levels.error() < best.error() {
			kept, best = set, levels
		}
	}
	c.keep(choices, kinds, slices.Clone(kept), best, as)
}

// keep reads columns as levels, but for each that does as well as a number.
func (c *chooser) keep(choices []roles.Choice, kinds map[string]design.Kind, kept []string, levels *reading, as func([]string) *reading) {
	for _, column := range slices.Clone(kept) {
		without := slices.DeleteFunc(slices.Clone(kept), func(name string) bool { return name == column })
		number := as(without)
		if number == nil || !levels.beats(number) {
			if number != nil && kinds[column] == design.Numeric {
				kept, levels = without, number
			}
			continue
		}
		i := slices.IndexFunc(choices, func(choice roles.Choice) bool { return choice.Column == column })
		choices[i] = roles.Choice{Column: column, Kind: design.Categorical, Levels: levels.error(), Numbers: number.error(), Clear: true}
	}
}

// encode encodes at most so many training rows, and a quarter as many validation rows.
func (c *chooser) encode(kinds map[string]design.Kind, ignore []string, most int, hats bool) (*trial.Trial, *roles.Split, error) {
	wanted := settings(c.spec)
	wanted.Hats, wanted.Ignore = hats, slices.Concat(wanted.Ignore, ignore)
	for column, kind := range kinds {
		wanted.Choices = append(wanted.Choices, roles.Choice{Column: column, Kind: kind})
	}
	plan, err := roles.NewPlan(c.table, wanted)
	if err != nil {
		return nil, nil, err
	}
	split := &roles.Split{Train: thinned(c.split.Train, most), Valid: thinned(c.split.Valid, most/4)}
	r, err := rowsOf(c.spec, plan, split)
	return r, split, err
}

// thinned returns at most so many of some rows, evenly taken.
func thinned(rows []int32, most int) []int32 {
	if len(rows) <= most {
		return rows
	}
	few := make([]int32, most)
	for i := range few {
		few[i] = rows[i*len(rows)/most]
	}
	return few
}

// ridgeFit is ridge with all undecided columns as numbers.
type ridgeFit struct {
	*chooser
	split     *roles.Split
	on        *trial.Trial
	fit       linear.Fit
	residuals [2][]float64 // of training and of validation rows
	valid     reading
}

// ridge fits numbers as they are and as bases, and returns the better fit.
func (c *chooser) ridge() (best *ridgeFit, err error) {
	kinds := map[string]design.Kind{}
	for _, column := range c.columns {
		kinds[column] = design.Numeric
	}
	for _, hats := range []bool{false, true} {
		if hats && !bends(best.on, len(best.split.Train)) {
			break
		}
		r := &ridgeFit{chooser: c}
		if r.on, r.split, err = c.encode(kinds, nil, rowsOfRidge, hats); err != nil {
			break
		}
		base, failed := r.on.Ridge()
		if err = failed; err != nil {
			break
		}
		r.fit = base.Fit
		for i, part := range r.parts() {
			r.residuals[i] = make([]float64, len(part.Y))
			r.fit.Predict(r.residuals[i], part.Z)
			for row, y := range part.Y {
				r.residuals[i][row] = y - r.residuals[i][row]
			}
		}
		r.valid = c.readingOf(r.residuals[1], &r.on.Valid, &r.on.Encoding, r.split.Valid)
		if best == nil || r.valid.error() < best.valid.error() {
			best = r
		}
	}
	if best != nil {
		return best, nil
	}
	return nil, err
}

func (r *ridgeFit) parts() [2]*design.Part { return [2]*design.Part{&r.on.Train, &r.on.Valid} }

// readingOf returns the squares of the errors of a part, which holds these rows.
func (c *chooser) readingOf(errors []float64, part *design.Part, e *design.Encoding, rows []int32) reading {
	r := reading{squares: make([]float64, len(errors)), weight: part.Weight, scale: e.Target.Scale}
	for i, v := range errors {
		r.squares[i] = float64(v * v)
	}
	if c.plan.Cut.Kind == roles.SplitGroup {
		r.group, _ = c.plan.Values(c.plan.Cut.By, rows)
	}
	return r
}

// asLevels replaces a column's part of the fit by a mean for each of its values: that of
// what the other columns leave of the target in the training rows, shrunk to the mean of
// all by τ²/(τ² + σ²/n), where n rows have the value, σ² is the variance within values
// and τ² that between them, by the analysis of variance. Values of fewer than rare rows
// share a mean, as they share a feature. O(rows·features).
func (r *ridgeFit) asLevels(column string, rare int) *reading {
	own := linear.Fit{W: make([]float64, len(r.fit.W))}
	for j, f := range r.on.Encoding.Features {
		if f.Column == column {
			own.W[j] = r.fit.W[j]
		}
	}
	var left [2][]float64
	for i, part := range r.parts() {
		left[i] = make([]float64, len(part.Y))
		own.Predict(left[i], part.Z)
		for row, v := range r.residuals[i] {
			left[i][row] += v
		}
	}
	values, n := r.plan.Values(column, slices.Concat(r.split.Train, r.split.Valid))
	seenIn := make([]int, n)
	for _, k := range values[:len(left[0])] {
		seenIn[k]++
	}
	for i, k := range values {
		if seenIn[k] < rare {
			values[i] = int32(n)
		}
	}
	n++
	counts, sums, all, sum, squares := make([]float64, n), make([]float64, n), 0.0, 0.0, 0.0
	for i, v := range left[0] {
		w := measure.Weight(r.on.Train.Weight, i)
		counts[values[i]] += w
		sums[values[i]] += float64(w * v)
		all, sum, squares = all+w, sum+float64(w*v), squares+float64(w*v*v)
	}
	mean, seen, between, evenness := sum/all, 0.0, -float64(sum*sum)/all, 0.0
	for k, count := range counts {
		if count > 0 {
			seen++
			between += float64(sums[k]*sums[k]) / count
			evenness += float64(count*count) / all
		}
	}
	within := (squares - float64(sum*sum)/all - between) / math.Max(1, all-seen)
	variance := math.Max(0, (between-float64((seen-1)*within))/math.Max(1, all-evenness))
	for i, k := range values[len(left[0]):] {
		expected := mean
		if counts[k] > 0 && variance > 0 {
			expected += float64((sums[k]/counts[k]-mean)*variance) / (variance + within/counts[k])
		}
		left[1][i] -= expected
	}
	read := r.readingOf(left[1], &r.on.Valid, &r.on.Encoding, r.split.Valid)
	return &read
}

// trained trains iFM on one reading, as any run is trained.
func (c *chooser) trained(kinds map[string]design.Kind) (*reading, error) {
	run, err := train.Search(c.spec, 0, trial.Source{Open: func(hats bool) (*trial.Trial, error) {
		on, _, err := c.encode(kinds, c.others, c.rows, hats)
		if err == nil {
			on.LinearOnly = !bends(on, len(on.Train.Y))
		}
		return on, err
	}})
	if err != nil {
		return nil, err
	}
	run.Rows().Enter() // keeps the rows after the run ends
	for !run.Done() {
		if _, err := run.Next(); err != nil {
			return nil, err
		}
	}
	on, model := run.Leading(), run.Lead()
	errors := make([]float64, len(on.Valid.Y))
	model.Predict(errors, on.Valid.Z, nil)
	for i, y := range on.Valid.Y {
		errors[i] -= y
	}
	r := c.readingOf(errors, &on.Valid, &on.Encoding, thinned(c.split.Valid, c.rows/4))
	r.strength = map[string]float64{}
	levels := map[string]float64{}
	for j, f := range on.Encoding.Features {
		levels[f.Column]++
		u, v := model.U[j*model.Rank:][:model.Rank], model.V[j*model.Rank:][:model.Rank]
		r.strength[f.Column] += kernel.Dot(u, u) + kernel.Dot(v, v)
	}
	for column, n := range levels {
		r.strength[column] /= n
	}
	return &r, nil
}
