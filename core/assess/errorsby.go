package assess

import (
	"cmp"
	"math"
	"slices"

	"ifmlab/core/cell"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/order"
	"ifmlab/core/table"
	"ifmlab/core/trial"
)

// Bounds of what [ErrorsBy] lists.
const (
	fewestOfLevel = 10 // test rows; levels with fewer are pooled
	mostOfNumber  = 10 // different numbers that are levels; more are cut into bands
	mostLevels    = 30
)

// LevelErrors are the errors of the test rows that have a level of a column.
type LevelErrors struct {
	Level  string  // the level, or a band of numbers or dates such as "46 to 75"; "" for missing cells, and for several that are pooled
	Pooled int     // how many levels with few rows are pooled here; −1 for all test rows
	Rows   int     // test rows
	Error  float64 // RMSE, or log-loss for classes
	Low    float64 // lower end of the 95 % interval of the error
	High   float64 // upper end; infinite for fewer rows than [measure.FewestCompared]
	// Share is the weighted share of rows within their prediction intervals, for classes of
	// rows whose likeliest class is theirs, with its 95 % interval. It is NaN without intervals.
	Share, From, To float64
	// Differs is 1 if the error is larger than that of all other test rows, −1 if it is smaller,
	// at the 5 % level for all levels together (Bonferroni); else 0.
	Differs int
}

// Scored are predicted test rows.
type Scored struct {
	Line      []int     // of the file
	Actual    []float64 // as those of [train.Predictions]
	Predicted []float64
	Weight    []float64 // nil for 1 each
	Hit       []float64 // 1 for a row that Share counts, else 0; nil if that is not known
	Classes   int       // 0 for a number
}

// NoColumnError says that errors are to be split by a column that a table does not have.
type NoColumnError struct{ Column string }

func (e *NoColumnError) Error() string {
	return message.Sprintf("assess: the table has no column %s by which errors can be split; choose another", cell.Quote(e.Column))
}

func (*NoColumnError) Kind() string { return "NoColumnError" }

// ErrorsBy splits the errors of the test rows of the model that leads by the levels of a column
// of the table, as [ErrorsBy] does. It returns [train.ErrNoModel] before the first record, a
// [trial.NoTableError] once the table is gone, and a [*NoColumnError].
func (a *Assessment) ErrorsBy(column string) ([]LevelErrors, error) {
	p, err := a.run.Predictions()
	if err != nil {
		return nil, err
	}
	if a.task == nil {
		return nil, trial.NoTableError{}
	}
	s := Scored{Line: p.Line, Actual: p.Actual, Predicted: p.Predicted, Weight: p.Weight, Classes: len(a.run.ClassNames())}
	hits := s.Classes > 0
	var low, high []float64
	if a.intervals != nil && a.intervals.Done() {
		low, high, hits = a.intervals.result.Low, a.intervals.result.High, true
	}
	for i, y := range p.Actual {
		hit := false
		switch {
		case !hits:
			continue
		case s.Classes == 2:
			hit = (p.Predicted[i] >= .5) == (y >= .5)
		case s.Classes > 2:
			hit = measure.Likeliest(p.Probabilities[i*s.Classes:][:s.Classes]) == int(y)
		default:
			hit = low[i] <= y && y <= high[i]
		}
		s.Hit = append(s.Hit, map[bool]float64{true: 1}[hit])
	}
	return ErrorsBy(a.task.Table, column, s)
}

// ErrorsBy splits the errors of predicted rows by the levels of a column of their table: all rows
// first, then the levels with the largest errors first, or bands of numbers and dates in their
// order, cut at quartiles; then rows without the cell and the levels that are pooled. The interval
// of an error is that of [measure.RatioOf]. O(rows·log rows + levels·rows).
func ErrorsBy(t *table.Table, column string, s Scored) ([]LevelErrors, error) {
	c := t.ByName()[column]
	if c == nil || c.Block != nil {
		return nil, &NoColumnError{column}
	}
	names, of, ordered := levelsOf(t, c, s.Line)
	counts := make([]int, len(names))
	for _, level := range of {
		counts[level]++
	}
	kept, listed := make([]bool, len(names)), 0
	for place, level := range order.Of(len(names), func(i, j int) int { return counts[j] - counts[i] }) {
		if kept[level] = place < mostLevels && counts[level] >= fewestOfLevel; kept[level] {
			listed++
		}
	}
	losses := measure.Losses(s.Predicted, s.Actual, s.Classes)
	errors := func(name string, pooled int, has func(level int) bool) LevelErrors {
		e := LevelErrors{Level: name, Pooled: pooled, Share: math.NaN(), From: math.NaN(), To: math.NaN()}
		var own, ones, weight, hits []float64
		inside, outside := make([]float64, len(losses)), make([]float64, len(losses))
		total := [2]float64{}
		for i, loss := range losses {
			w := measure.Weight(s.Weight, i)
			if !has(of[i]) {
				outside[i] = loss
				total[0] += w
				continue
			}
			inside[i] = loss
			total[1] += w
			own, ones, weight = append(own, loss), append(ones, 1), append(weight, w)
			if s.Hit != nil {
				hits = append(hits, s.Hit[i])
			}
		}
		e.Rows = len(own)
		mean := measure.RatioOf(ones, own, weight)
		e.Error, e.Low, e.High = mean.Of, mean.Low, mean.High
		if s.Classes == 0 {
			e.Error, e.Low, e.High = math.Sqrt(e.Error), math.Sqrt(e.Low), math.Sqrt(e.High)
		}
		if hits != nil {
			e.Share = measure.Mean(hits, weight)
			e.From, e.To = measure.Wilson(e.Share, measure.Effective(len(hits), weight))
		}
		for i := range inside {
			inside[i], outside[i] = inside[i]/total[1], outside[i]/total[0]
		}
		if rest := measure.RatioOf(outside, inside, s.Weight); total[0] > 0 && pooled == 0 && e.Rows >= fewestOfLevel && rest.P*float64(listed) <= .05 {
			e.Differs = cmp.Compare(rest.Of, 1)
		}
		return e
	}
	all := []LevelErrors{errors("", -1, func(int) bool { return true })}
	for level, name := range names {
		if kept[level] {
			all = append(all, errors(name, 0, func(other int) bool { return other == level }))
		}
	}
	if !ordered {
		levels := slices.Clone(all[1:])
		for place, from := range order.Of(len(levels), func(i, j int) int { return cmp.Compare(levels[j].Error, levels[i].Error) }) {
			all[1+place] = levels[from]
		}
	}
	if pooled := len(names) - listed; pooled > 0 {
		name := "" // of several
		if pooled == 1 {
			name = names[slices.Index(kept, false)]
		}
		all = append(all, errors(name, pooled, func(level int) bool { return !kept[level] }))
	}
	return all, nil
}

// levelsOf returns the levels of a column that rows have, and that of each row. ordered reports
// whether they are bands in their order; missing cells, named "", come last.
func levelsOf(t *table.Table, c *table.Column, lines []int) (names []string, of []int, ordered bool) {
	of = make([]int, len(lines))
	moments, texts := make([]float64, len(lines)), make([]string, len(lines))
	var sorted []float64
	for i, line := range lines {
		row, _ := t.RowAt(line)
		texts[i] = c.Text(row)
		if moments[i], _ = c.Moment(row); moments[i] == moments[i] {
			if c.IsDays {
				texts[i] = c.Write(moments[i])
			}
			sorted = append(sorted, moments[i])
		}
	}
	slices.Sort(sorted)
	distinct := 0
	for i, v := range sorted {
		if i == 0 || v != sorted[i-1] {
			distinct++
		}
	}
	if ordered = c.IsTime() && distinct > mostOfNumber; !ordered {
		places := map[string]int{}
		for i, text := range texts {
			level, is := places[text]
			if !is {
				level = len(names)
				places[text], names = level, append(names, text)
			}
			of[i] = level
		}
		return names, of, ordered
	}
	bands, start := max(1, min(4, len(sorted)/fewestOfLevel)), 0
	for band := range bands {
		end := (band + 1) * len(sorted) / bands
		for end < len(sorted) && sorted[end] == sorted[end-1] { // equal numbers stay together
			end++
		}
		if start >= end {
			continue
		}
		least, most := sorted[start], sorted[end-1]
		for i, v := range moments {
			if least <= v && v <= most {
				of[i] = len(names)
			}
		}
		names, start = append(names, c.Write(least)+" to "+c.Write(most)), end
	}
	if len(sorted) < len(lines) {
		for i, v := range moments {
			if v != v {
				of[i] = len(names)
			}
		}
		names = append(names, "")
	}
	return names, of, ordered
}
