package core

import (
	"maps"
	"math"
	"slices"

	"ifmlab/core/data"
	"ifmlab/core/linear"
	"ifmlab/core/spec"
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
// A reading wins if the mean of its squared errors on validation rows is lower by a
// worthwhile share and by clearly standard errors. Otherwise the guess by name and cells
// stands. Of 400 tables of noise, ages and years (TestNoiseAmountsAndYearsStayNumbers),
// 2 had a column of noise turned into levels. Only training and validation rows of the
// first trial are used.
const (
	clearly      = 3.3 // chance exceeds it for one column in 2,000
	worthwhile   = .01 // share of the mean squared error
	mostTried    = 40  // columns
	rowsOfRidge  = 50_000
	rowsOfFactor = 20_000
)

// chosen returns how the undecided columns of a table are read. A table remembers it for
// the same settings. Where training cannot start it returns nil: who trains is told why.
func chosen(s spec.Spec, table *data.Table) []data.Choice {
	first := s
	first.Trials, first.Folds, first.Models, first.Ranks, first.Encoding = 1, 0, []string{"ifm"}, []int{2}, "auto"
	first.Solver, first.Loss, first.Iterations, first.Patience = "als", "squared", 20, 0
	first.LambdaW, first.LambdaF, first.Lambdas = spec.Default().LambdaW, []float64{10, 3}, spec.Default().Lambdas
	return table.Choices(s.Target, first.Encode(), func() []data.Choice {
		c, err := newChooser(first, table)
		if err != nil {
			return nil
		}
		return c.choose()
	})
}

// chooser tries two readings of columns.
type chooser struct {
	spec    spec.Spec
	table   *data.Table
	plan    *data.Plan
	columns []string // undecided
	others  []string // that are no levels in either reading
	guessed map[string]data.Kind
}

func newChooser(s spec.Spec, table *data.Table) (*chooser, error) {
	plan, err := table.Plan(settings(s))
	if err != nil {
		return nil, err
	}
	c := &chooser{spec: s, table: table, plan: plan, guessed: map[string]data.Kind{}}
	c.columns, c.others = plan.Undecided()
	c.columns = c.columns[:min(len(c.columns), mostTried)]
	for i, u := range plan.Uses {
		c.guessed[u.Column] = plan.Kinds[i]
	}
	return c, nil
}

// reading is what a model makes of the validation rows under one reading.
type reading struct {
	squares []float64 // errors of the scaled target
	weight  []float64 // of the rows, nil for 1 each
	scale   float64   // of the target
}

func (r *reading) error() float64 {
	return r.scale * math.Sqrt(meanOf(r.squares, r.weight))
}

// beats reports whether r has clearly smaller errors than other.
func (r *reading) beats(other *reading) bool {
	sum, squares, total := 0.0, 0.0, 0.0
	for i := range r.squares {
		w := 1.0
		if r.weight != nil {
			w = r.weight[i]
		}
		d := w * (other.squares[i] - r.squares[i])
		sum, squares, total = sum+d, squares+float64(d*d), total+w
	}
	n := float64(len(r.squares))
	error := math.Sqrt(math.Max(0, squares-float64(sum*sum)/n))
	return sum > clearly*error && sum > worthwhile*total*meanOf(other.squares, other.weight)
}

// choose tries both readings of every column.
func (c *chooser) choose() []data.Choice {
	if len(c.columns) == 0 {
		return nil
	}
	choices, kinds := []data.Choice{}, map[string]data.Kind{}
	ridge, err := c.ridge()
	if err != nil {
		return nil
	}
	var open []string
	for _, column := range c.columns {
		levels := ridge.asLevels(column)
		choice := data.Choice{Column: column, Kind: c.guessed[column], Levels: levels.error(), Numbers: ridge.valid.error()}
		switch {
		case levels.beats(&ridge.valid):
			choice.Kind, choice.Clear = data.Categorical, true
		case ridge.valid.beats(levels):
			choice.Kind, choice.Clear = data.Numeric, true
		default:
			open = append(open, column)
		}
		kinds[column] = choice.Kind
		choices = append(choices, choice)
	}
	c.factors(choices, kinds, open)
	return choices
}

// factors reads what is open as levels if iFM predicts validation rows better so.
func (c *chooser) factors(choices []data.Choice, kinds map[string]data.Kind, open []string) {
	as := func(columns []string) *reading {
		own := maps.Clone(kinds)
		for _, column := range open {
			own[column] = data.Numeric
		}
		for _, column := range columns {
			own[column] = data.Categorical
		}
		r, err := c.trained(own)
		if err != nil {
			return nil // which keeps numbers
		}
		return r
	}
	if len(open) == 0 {
		return
	}
	numbers, levels := as(nil), as(open)
	if numbers == nil || levels == nil || !levels.beats(numbers) {
		return
	}
	kept := slices.Clone(open)
	for _, column := range open {
		without := slices.DeleteFunc(slices.Clone(kept), func(name string) bool { return name == column })
		number := as(without)
		if number == nil || !levels.beats(number) {
			if number != nil && kinds[column] == data.Numeric {
				kept, levels = without, number
			}
			continue
		}
		i := slices.IndexFunc(choices, func(choice data.Choice) bool { return choice.Column == column })
		choices[i] = data.Choice{Column: column, Kind: data.Categorical, Levels: levels.error(), Numbers: number.error(), Clear: true}
	}
}

// rows encodes at most so many training rows, and a quarter as many validation rows.
func (c *chooser) rows(kinds map[string]data.Kind, ignore []string, most int, hats bool) (*rows, *data.Split, error) {
	wanted := settings(c.spec)
	wanted.Hats, wanted.Ignore = hats, append(wanted.Ignore, ignore...)
	for column, kind := range kinds {
		wanted.Choices = append(wanted.Choices, data.Choice{Column: column, Kind: kind})
	}
	plan, err := c.table.Plan(wanted)
	if err != nil {
		return nil, nil, err
	}
	split := plan.Split(Stream(c.spec.Seed, 0, StreamSplit))
	split = &data.Split{Train: thinned(split.Train, most), Valid: thinned(split.Valid, most/4)}
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

// ridged is ridge with all undecided columns as numbers.
type ridged struct {
	plan  *data.Plan
	split *data.Split
	on    *rows
	fit   linear.Fit
	left  [2][]float64 // what it leaves of the target in training and in validation rows
	valid reading
}

// ridge fits numbers as they are and as bases, and returns the better fit.
func (c *chooser) ridge() (best *ridged, err error) {
	kinds := map[string]data.Kind{}
	for _, column := range c.columns {
		kinds[column] = data.Numeric
	}
	for _, hats := range []bool{false, true} {
		if hats && !best.on.bends(len(best.split.Train)) {
			break
		}
		r := &ridged{plan: c.plan}
		if r.on, r.split, err = c.rows(kinds, nil, rowsOfRidge, hats); err != nil {
			break
		}
		base, failed := r.on.baselines()
		if err = failed; err != nil {
			break
		}
		r.fit = base.fit
		for i, part := range r.parts() {
			r.left[i] = make([]float64, len(part.Y))
			r.fit.Predict(r.left[i], part.Z)
			for row, y := range part.Y {
				r.left[i][row] = y - r.left[i][row]
			}
		}
		r.valid = readingOf(r.left[1], &r.on.Valid, &r.on.Encoding)
		if best == nil || r.valid.error() < best.valid.error() {
			best = r
		}
	}
	if best != nil {
		return best, nil
	}
	return nil, err
}

func (r *ridged) parts() [2]*data.Part { return [2]*data.Part{&r.on.Train, &r.on.Valid} }

// readingOf returns the squares of the errors of a part's rows.
func readingOf(left []float64, part *data.Part, e *data.Encoding) reading {
	squares := make([]float64, len(left))
	for i, v := range left {
		squares[i] = float64(v * v)
	}
	return reading{squares, part.Weight, e.Target.Scale}
}

// asLevels replaces a column's part of the fit by a mean for each of its values: that of
// what the other columns leave of the target in the training rows, shrunk to the mean of
// all by τ²/(τ² + σ²/n), where n rows have the value, σ² is the variance within values
// and τ² that between them, by the analysis of variance. O(rows·features).
func (r *ridged) asLevels(column string) *reading {
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
		for row, v := range r.left[i] {
			left[i][row] += v
		}
	}
	values, n := r.plan.Values(column, slices.Concat(r.split.Train, r.split.Valid))
	counts, sums, all, sum, squares := make([]float64, n), make([]float64, n), 0.0, 0.0, 0.0
	for i, v := range left[0] {
		w := 1.0
		if r.on.Train.Weight != nil {
			w = r.on.Train.Weight[i]
		}
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
	read := readingOf(left[1], &r.on.Valid, &r.on.Encoding)
	return &read
}

// trained trains iFM on one reading, as any run is trained.
func (c *chooser) trained(kinds map[string]data.Kind) (*reading, error) {
	run, err := openOn(c.spec, 0, whole, &reader{c, kinds}, c.table, nil, nil)
	if err != nil {
		return nil, err
	}
	run.rows.runs++ // whose rows are looked at after the end
	for !run.Done() {
		if _, err := run.Next(); err != nil {
			return nil, err
		}
	}
	valid := &run.bestOn.Valid
	left := make([]float64, len(valid.Y))
	run.best.Predict(left, valid.Z, &run.eval.scratch)
	for i, y := range valid.Y {
		left[i] -= y
	}
	read := readingOf(left, valid, &run.bestOn.Encoding)
	return &read, nil
}

// reader is where a run has its rows from that tries one reading.
type reader struct {
	*chooser
	kinds map[string]data.Kind
}

func (r *reader) open(s spec.Spec, trial, fold int, table *data.Table) (*rows, error) {
	on, err := r.encoded(s, trial, fold, table, false)
	if err == nil {
		on.straight = !on.bends(len(on.Train.Y))
	}
	return on, err
}

func (r *reader) encoded(_ spec.Spec, _, _ int, _ *data.Table, hats bool) (*rows, error) {
	on, _, err := r.rows(r.kinds, r.others, rowsOfFactor, hats)
	return on, err
}
