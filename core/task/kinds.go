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

// A column of whole numbers may hold amounts, or levels such as the ids of users.
// Validation rows decide:
//
//   - Ridge is fitted with all such columns as numbers. To read a column as levels, its
//     part of the fit is replaced by a mean for each value. The means are shrunk by the
//     variance between values.
//   - Users and items may act on each other and have no effect of their own. Ridge cannot
//     see that. So all columns that are still open are read as levels together, and iFM of
//     rank 2 is trained on both readings, without amounts and dates. If levels are better,
//     each column becomes a number again unless that raises the error.
//
// A reading wins if its mean squared error on validation rows is lower by leastShare and by
// leastErrors standard errors. Otherwise the guess by name and cells stays. The rows are
// the training and validation rows of the first trial. Its test rows have no influence;
// test rows of later trials may be among them.
const (
	leastErrors  = 3.3 // standard errors; chance exceeds it for one column in 2,000
	leastShare   = .05 // of the mean squared error
	mostTried    = 40  // columns
	rowsOfRidge  = 50_000
	rowsOfFactor = 36_000 // divided by the number of open columns, within the next two
	fewestRows   = 4_000
	mostRows     = 12_000
)

// kindChoices returns how the undecided columns of a table are read. The table caches the
// result by settings. If training cannot start, kindChoices returns nil, and training
// itself reports why.
func kindChoices(s spec.Spec, table *table.Table) []roles.Choice {
	if table.Training != nil {
		table = table.Training
	}
	own := spec.Default()
	own.Source, own.Target, own.Weight, own.Seed = s.Source, s.Target, s.Weight, s.Seed
	own.Ignore, own.Categorical, own.Numeric = s.Ignore, s.Categorical, s.Numeric
	own.Rows = s.Rows
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

// chooser compares two readings of columns.
type chooser struct {
	spec    spec.Spec
	table   *table.Table
	plan    *roles.Plan
	split   *roles.Split
	columns []string // undecided
	others  []string // columns that are numbers or dates in both readings
	guessed map[string]design.Kind
	rows    int // training rows of iFM
}

func newChooser(s spec.Spec, table *table.Table) (*chooser, error) {
	plan, err := roles.NewPlan(table, settings(s))
	if err != nil {
		return nil, err
	}
	s.Target = plan.Target // the same in all readings
	c := &chooser{spec: s, table: table, plan: plan, guessed: map[string]design.Kind{}, split: plan.Split(trial.Stream(s.Seed, 0, trial.StreamSplit))}
	c.columns, c.others = plan.Undecided()
	c.columns = c.columns[:min(len(c.columns), mostTried)]
	for i, u := range plan.Uses {
		c.guessed[u.Column] = plan.Kinds[i]
	}
	return c, nil
}

// reading has the errors on validation rows of a model under one reading.
type reading struct {
	squares  []float64          // errors of the scaled target
	weight   []float64          // of the rows, nil for 1 each
	group    []int32            // of each row; nil if rows have no groups
	scale    float64            // of the target
	strength map[string]float64 // of a column: the mean, over its features, of the squared norm of their factors
}

func (r *reading) error() float64 {
	return r.scale * math.Sqrt(measure.Mean(r.squares, r.weight))
}

// beats reports whether r has clearly smaller errors than other. The standard error treats
// the rows of a group as one draw.
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
	for group := range int32(len(r.squares)) { // a fixed order of summation
		d := sums[group]
		sum, squares = sum+d, squares+float64(d*d)
	}
	se := math.Sqrt(math.Max(0, squares-float64(sum*sum)/float64(len(sums))))
	return sum > leastErrors*se && sum > leastShare*total*measure.Mean(other.squares, other.weight)
}

// choose compares both readings of every undecided column.
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

// factors reads open columns as levels if iFM then predicts validation rows better. It
// tries all open columns, and the two or four with the largest factors: noise in many
// levels hides the effect of two columns. The best set counts.
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
			return nil // numbers stay
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
	var levelColumns []string
	best := numbers
	for i, set := range sets {
		levels := all
		if i > 0 {
			levels = as(set)
		}
		if levels != nil && levels.beats(numbers) && levels.error() < best.error() {
			levelColumns, best = set, levels
		}
	}
	c.chooseLevels(choices, kinds, slices.Clone(levelColumns), best, as)
}

// chooseLevels reads columns as levels, except those that predict as well as numbers.
func (c *chooser) chooseLevels(choices []roles.Choice, kinds map[string]design.Kind, columns []string, levels *reading, as func([]string) *reading) {
	for _, column := range slices.Clone(columns) {
		without := slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return name == column })
		number := as(without)
		if number == nil || !levels.beats(number) {
			if number != nil && kinds[column] == design.Numeric {
				columns, levels = without, number
			}
			continue
		}
		i := slices.IndexFunc(choices, func(choice roles.Choice) bool { return choice.Column == column })
		choices[i] = roles.Choice{Column: column, Kind: design.Categorical, Levels: levels.error(), Numbers: number.error(), Clear: true}
	}
}

// encode encodes at most that number of training rows, and a quarter of it of validation
// rows.
func (c *chooser) encode(kinds map[string]design.Kind, ignore []string, most int, hats bool) (*trial.Trial, *roles.Split, error) {
	wanted := settings(c.spec)
	wanted.PiecewiseLinear, wanted.Ignore = hats, slices.Concat(wanted.Ignore, ignore)
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

// thinned returns at most that number of rows, evenly spaced.
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

// ridge fits numbers as linear terms and as piecewise-linear bases, and returns the better
// fit.
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

// readingOf returns the reading with these errors of a part, whose rows are given.
func (c *chooser) readingOf(errors []float64, part *design.Part, e *design.Encoding, rows []int32) reading {
	r := reading{squares: make([]float64, len(errors)), weight: part.Weight, scale: e.Target.Scale}
	for i, v := range errors {
		r.squares[i] = float64(v * v)
	}
	if c.plan.SplitRule.Kind == roles.SplitGroup {
		r.group, _ = c.plan.Values(c.plan.SplitRule.By, rows)
	}
	return r
}

// asLevels replaces a column's part of the fit by a mean for each of its values. It is the
// mean, over training rows, of the residual of the other columns, shrunk to the overall
// mean by τ²/(τ² + σ²/n). Here n is the number of rows with the value, σ² the variance
// within values and τ² that between them, by the analysis of variance. Values of fewer than
// rare rows share a mean, as they share a feature. O(rows·features).
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

// trained trains iFM on one reading, as an ordinary run.
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
