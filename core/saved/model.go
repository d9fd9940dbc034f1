// Package saved has models that were saved in files: it predicts the rows of a table,
// explains a prediction, and writes models for other programs.
package saved

import (
	"bytes"
	"math"
	"slices"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/fault"
	"ifmlab/core/fm"
	"ifmlab/core/interaction"
	"ifmlab/core/kernel"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/note"
	"ifmlab/core/order"
	"ifmlab/core/table"
)

// Model is a model of a file, with the encoding of the rows that it predicts.
type Model struct {
	Model    *fm.Model
	Encoding design.Encoding
}

// Read reads a model file (package fm describes it), or a model of libFM's,
// which has no names: its columns go by their place ([Model.ByPlace]). It returns a
// [*fm.FileError] for one that is broken, or whose features are not those that a
// table's columns make, and a [*fm.DigestError] for one that was changed since it was
// saved. O(bytes).
func Read(file []byte) (*Model, error) { return readBy(fm.Parse, file) }

// Edited returns a model file that was changed since it was saved, with the digest of what
// it holds now, so that Read takes it.
func Edited(file []byte) ([]byte, error) {
	m, err := readBy(fm.ParseEdited, file)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = m.Model.Write(&b, m.Encoding)
	return b.Bytes(), err
}

func readBy(parse func([]byte) (*fm.Model, design.Encoding, error), file []byte) (*Model, error) {
	if fm.IsLibFM(file) {
		parse = fm.ParseLibFM
	}
	if fm.IsBareLibFM(file) {
		return nil, &fm.FileError{Line: 1, Column: 1, Found: "only numbers, like a libFM model without its headings", Want: "a model file, or a model of libFM as -save_model writes it: #global bias W0 above the bias, #unary interactions Wj above the weights and #pairwise interactions Vj,f above the factors. Add these lines"}
	}
	model, enc, err := parse(file)
	if err != nil {
		return nil, err
	}
	m := &Model{Model: model, Encoding: enc}
	return m, m.check()
}

// check returns a *fm.FileError unless the features of each column stand next to
// each other, a column's number first, if it has one, or its knots, two or more and
// ascending.
func (m *Model) check() error {
	wrong := func(name string) error {
		return &fm.FileError{Field: "features", Found: "out of order at " + name, Want: "the features of a column next to each other, and first its value or at least two ascending knots"}
	}
	seen, last := map[string]bool{}, design.Feature{}
	knots := 0 // of the column so far
	for j, f := range m.Encoding.Features {
		first := j == 0 || f.Column != last.Column
		follows := !first && last.Kind == design.FeatureKnot
		switch {
		case first && seen[f.Column], !first && f.Kind == design.FeatureValue,
			!first && f.Kind == design.FeatureKnot && !(follows && f.Knot > last.Knot),
			knots == 1 && !(follows && f.Kind == design.FeatureKnot):
			return wrong(f.Name)
		case first:
			knots = 0
		}
		if f.Kind == design.FeatureKnot {
			knots++
		}
		last = f
		seen[f.Column] = true
	}
	if knots == 1 {
		return wrong(last.Name)
	}
	if i := m.Model.Interval; i != nil && (i.Lowest != nil || i.Highest != nil) {
		for _, part := range [][][]float64{i.Lowest, i.Highest} {
			if !slices.EqualFunc(part, m.Encoding.Groups(), func(numbers []float64, g design.Group) bool {
				cells, _ := cells(m.Encoding.Features[g.Lo:g.Hi])
				return len(numbers) == len(cells)
			}) {
				return &fm.FileError{Field: "interval", Found: "lowest and highest effects that do not fit the features", Want: "for each column a number a point of its shape"}
			}
		}
	}
	return nil
}

// Features returns the names of the columns of the design.
func (m *Model) Features() []string { return interaction.Names(m.Encoding) }

// ByPlace reports whether the model knows its columns by their place alone, as one of
// libFM does: a table that it predicts may have names, of which it takes none. Of a file
// in LIBSVM's format, which libFM reads, the indices are the places, from 0.
func (m *Model) ByPlace() bool { return m.Encoding.ByPlace() }

// WidthError says that a table has not the columns of a model that goes by their place.
type WidthError struct {
	File        string
	Found, Want int
	Indexed     bool // the file is in LIBSVM's format, and its indices end at Found − 1
}

func (e *WidthError) Error() string {
	if e.Indexed {
		return message.Sprintf("%s has the feature index %d, but the model knows 0 to %d; use a file with the same numbering as the training file", e.File, e.Found-1, e.Want-1)
	}
	return message.Sprintf("%s has %d columns, but the model takes %d without names; use a file with only these %d columns, in the order of the model's features", e.File, e.Found, e.Want, e.Want)
}

func (*WidthError) Kind() string { return "WidthError" }

// Apply encodes a table as [encode.Apply] does. It returns a [*WidthError] for one
// that has not as many columns as a model that goes by their place.
func (m *Model) Apply(table *table.Table) (*encode.Applied, error) {
	if m.ByPlace() {
		most, indexed := table.MaxIndex()
		switch have := table.Width(); {
		case indexed && most >= m.Model.D:
			return nil, &WidthError{table.Name, most + 1, m.Model.D, true}
		case !indexed && have != m.Model.D:
			return nil, &WidthError{table.Name, have, m.Model.D, false}
		}
	}
	return encode.Apply(table, &m.Encoding)
}

// Quantity names the modelled quantity, as [design.Target.Quantity] does: "price" or
// "log(price)".
func (m *Model) Quantity() string { return m.Encoding.Target.Quantity() }

// Measure returns the measure of the model's errors, as [measure.Of] does.
func (m *Model) Measure() string { return measure.Of(&m.Encoding.Target) }

// Classes returns the classes of the model's target, as [measure.Classes] does.
func (m *Model) Classes() []string { return measure.Classes(&m.Encoding.Target) }

// Score returns the score of one of more than two classes as a model of a number: what
// [Model.Explain] and [Model.Interaction] are about.
func (m *Model) Score(class int) *Model {
	score := *m.Model.Classes[class]
	score.Centre = m.Model.Centre.Of(class)
	own := &Model{&score, m.Encoding}
	t := m.Encoding.Target
	own.Encoding.Target = design.Target{Name: "score of " + t.Name + " = " + t.Levels[class], Scale: t.Scale}
	return own
}

// ScoresError says that a model of more than two classes has a score of each, and one is
// needed.
type ScoresError struct {
	Target  string
	Classes int
}

func (e *ScoresError) Error() string {
	return message.Sprintf("saved: the model has a score of each of the %d classes of %s, not one set of coefficients; ask for the score of one class", e.Classes, e.Target)
}

func (*ScoresError) Kind() string { return "ScoresError" }

// OneScore returns a [*ScoresError] if the model has more than one score.
func (m *Model) OneScore() error {
	if n := len(m.Model.Classes); n > 0 {
		return &ScoresError{m.Encoding.Target.Name, n}
	}
	return nil
}

// Interaction returns M in units of what the model has learnt, per standard deviation of
// both features; for a feature of 0 and 1, per change from one to the other. In the
// features' own units a pair of large numbers would look weak. It returns an
// [*interaction.TooWideError] beyond [interaction.MaxFeatures] features, and a [*ScoresError].
// O(d²k).
func (m *Model) Interaction() (interaction.Matrix, error) {
	if err := m.OneScore(); err != nil {
		return interaction.Matrix{}, err
	}
	if d := m.Model.D; d > interaction.MaxFeatures {
		return interaction.Matrix{}, &interaction.TooWideError{Features: d}
	}
	scale := m.Encoding.Target.Scale
	matrix := interaction.Matrix{Names: m.Features(), Values: m.Model.Observable(m.Encoding.Features), Eigenvalues: interaction.Eigenvalues(m.Model, nil, scale), Rank: m.Model.Rank}
	for i := range matrix.Values {
		matrix.Values[i] *= scale
	}
	return matrix, nil
}

// Predicted holds the predictions of a table in target units, an entry a row.
type Predicted struct {
	Line      []int32   // of the file
	Predicted []float64 // of two classes the probability of class 1, of more that of the likeliest
	Actual    []float64 // NaN where the table does not say; of classes 0, 1, …
	// Probabilities are those of more than two classes, a row's next to each other; else nil.
	Probabilities []float64
	Error         float64 // of the rows with both, weighted if the table has the column that weighed the training rows, in the measure that [Model.Measure] names; NaN without one
	// Low and High are the ends of its interval, NaN where Predicted is; nil where the
	// model has no intervals. Of the rows with both, Covered lie within.
	Low, High []float64
	Far       []int32 // 1 for a prediction far beyond the targets that the model has seen, as [design.Target.Beyond] says, else 0; nil if it does not know them
	Covered   int
	Compared  int        // rows with both, and a weight above 0 if they have weights
	Notes     note.Notes // as of [encode.Applied]
	// Skipped are cells that could not be used as they stand, and rows whose
	// prediction is no finite number; the first 1000, in the order of lines.
	Skipped      []fault.RowError
	SkippedCount int
}

// predictBytes bounds the design of the rows that are predicted together.
const predictBytes = 16 << 20

// Predict predicts every row of a table as a run does its test rows:
// bit for bit, unless the design that was trained on was beyond [design.MaxBytes]
// before all that can be sparse was made so, which sums in another order.
// [Model.Apply] says what becomes of missing cells and unknown levels, and
// returns the error. A prediction that is not finite, since cells lie far beyond
// those of the training rows, is NaN and its row is listed; one whose logarithm was
// learnt is held, as [design.Target.Raw] says, and counted in the notes. It costs
// O(rows·(columns + features·rank)), and of memory 16 MB and the result.
func (m *Model) Predict(table *table.Table) (*Predicted, error) {
	a, err := m.Apply(table)
	if err != nil {
		return nil, err
	}
	n, target := table.Rows, &m.Encoding.Target
	p := &Predicted{
		Line: make([]int32, n), Predicted: make([]float64, n), Actual: a.Actual,
		Notes: a.Notes, Skipped: a.Odd, SkippedCount: a.OddCount,
	}
	if p.Actual == nil {
		p.Actual = make([]float64, n)
		for i := range p.Actual {
			p.Actual[i] = math.NaN()
		}
	}
	step := max(1, int(predictBytes/m.Encoding.Bytes(design.BlockRows))) * design.BlockRows
	var scratch fm.Scratch
	interval := m.Model.Interval
	if interval != nil {
		p.Low, p.High = make([]float64, n), make([]float64, n)
	}
	least, most := target.Beyond()
	if target.Span != nil {
		p.Far = make([]int32, n)
	}
	far := []int{} // lines
	sum, counted, rows, held := 0.0, 0.0, 0, 0
	classes := target.Scores()
	if classes > 1 {
		p.Probabilities = make([]float64, n*classes)
	}
	for lo := 0; lo < n; lo += step {
		hi := min(lo+step, n)
		part := p.Predicted[lo:hi]
		z := a.Rows(lo, hi)
		if classes > 1 {
			all := p.Probabilities[lo*classes : hi*classes]
			m.Model.Predict(all, z, &scratch)
			copy(all, measure.Probabilities(all, target))
			for i := range part {
				part[i] = slices.Max(all[i*classes:][:classes])
			}
		} else {
			m.Model.Predict(part, z, &scratch)
		}
		if interval != nil {
			low, high := interval.Bounds(part, z, target)
			copy(p.Low[lo:], low)
			copy(p.High[lo:], high)
		}
		for i, v := range part {
			row := lo + i
			scaled := v
			if classes == 1 {
				v = target.Raw(v)
			}
			if target.Log != design.LogNone && v == target.Most {
				held++
			}
			p.Line[row] = int32(table.Line(row))
			if !measure.Finite(v) {
				v = math.NaN()
				p.skip(table, row)
			}
			if v < least || v > most {
				p.Far[row] = 1
				far = append(far, table.Line(row))
			}
			part[i] = v
			if interval != nil && !measure.Finite(p.High[row]-p.Low[row]) {
				p.Low[row], p.High[row] = math.NaN(), math.NaN()
			}
			weight := measure.Weight(a.Weight, row)
			e := v - p.Actual[row]
			if e != e || weight == 0 {
				continue
			}
			rows++
			counted += weight
			if classes > 1 {
				sum -= float64(weight * math.Log(max(p.Probabilities[row*classes+int(p.Actual[row])], math.SmallestNonzeroFloat64)))
				continue
			}
			if target.Logistic {
				sum += float64(weight * kernel.LogLoss(scaled*target.Scale, p.Actual[row]))
				continue
			}
			sum += float64(weight * float64(e*e))
			if interval != nil && p.Low[row] <= p.Actual[row] && p.Actual[row] <= p.High[row] {
				p.Covered++
			}
		}
	}
	m.addDropped(p, table)
	if len(far) > 0 {
		p.Notes.Add(note.TopicBeyond, []string{target.Name}, "%s is predicted far beyond the values that the model has learned from, %v to %v, in %d of %d rows, first on line %d; do not rely on %s",
			target.Name, target.Span[0], target.Span[1], len(far), n, far[0], message.Either(len(far) == 1, "it", "these"))
	}
	if held > 0 {
		p.Notes.Add(note.TopicBeyond, []string{target.Name}, "%s would be predicted beyond %.4g, far above the training rows, in %d of %d rows; these are limited to that", target.Name, target.Most, held, n)
	}
	if p.Error, p.Compared = sum/counted, rows; !target.Logistic { // 0/0 is NaN
		p.Error = math.Sqrt(p.Error)
	}
	order.Sort(p.Skipped, func(a, b fault.RowError) int { return a.Line - b.Line })
	return p, nil
}

// addDropped adds the notes about cells that hold a value and count as missing, such as
// prices in another unit.
func (m *Model) addDropped(p *Predicted, table *table.Table) {
	columns := table.ByName()
	for _, name := range m.Encoding.Needs() {
		c := columns[name]
		if c == nil {
			continue
		}
		for _, n := range c.Notes {
			if (n.Topic == note.TopicUnit || n.Topic == note.TopicSentinel) && slices.ContainsFunc(n.Answers, func(a note.Answer) bool {
				return a.Now && a.Key == note.KeyMissingAs && a.Value != ""
			}) {
				p.Notes.Add(n.Topic, []string{name}, "%s: %s", name, n.Text)
			}
		}
	}
}

// skip lists a row with a prediction that is not finite.
func (p *Predicted) skip(table *table.Table, row int) {
	p.SkippedCount++
	if line := table.Line(row); len(p.Skipped) < 1000 {
		p.Skipped = append(p.Skipped, fault.RowError{Problem: fault.NotNumber, File: table.Name, Line: line,
			Message: "the prediction is not a finite number; look for a cell far beyond the training rows"})
	}
}
