package estimator

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core/assess"
	"ifmlab/core/encode"
	"ifmlab/core/fm"
	"ifmlab/core/interaction"
	"ifmlab/core/saved"
	"ifmlab/core/table"
)

// Model is a trained model. It never changes and is safe for concurrent use.
type Model struct {
	saved *saved.Model
	file  []byte
	names []string // of the columns of the training matrix; nil after a table
}

// Load reads a model file of [Model.Save] or the page. names are the columns of later
// matrices, in order. Without names they are x1, x2 and so on if the model's columns have
// these names, else [Model.Columns]. It returns a [*fm.FileError] for a broken file, and
// the errors of r.
func Load(r io.Reader, names ...string) (*Model, error) {
	file, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	m, err := readModel(file)
	if err != nil {
		return nil, err
	}
	m.names = names
	return m, nil
}

func readModel(file []byte) (*Model, error) {
	model, err := saved.Read(file)
	return &Model{saved: model, file: file}, err
}

// Save writes the model file, which the page opens too. Package fm describes it.
func (m *Model) Save(w io.Writer) error {
	_, err := w.Write(m.file)
	return err
}

// Kind returns "fm", "gfm" or "ifm".
func (m *Model) Kind() string { return m.saved.Model.Kind.String() }

// Rank returns k, or 0 without interactions.
func (m *Model) Rank() int { return m.saved.Model.Rank }

// Target returns the name of the target.
func (m *Model) Target() string { return m.saved.Encoding.Target.Name }

// Quantity names the quantity that the coefficients predict: the target, or "log(price)" for
// a model of its logarithm.
func (m *Model) Quantity() string { return m.saved.Quantity() }

// Measure returns the measure of errors: [measure.RMSE], in units of the target, or
// [measure.LogLoss] for a target with classes, in nats.
func (m *Model) Measure() string { return m.saved.Measure() }

// Classes returns the classes of the target, nil for other targets. Of two classes models
// predict the probability of the second, of more a score of each.
func (m *Model) Classes() []string { return m.saved.Classes() }

// Score returns the score of one of more than two classes as a model of a number. Its weights,
// interactions and explanations are those of the score; the probabilities of the classes are
// e to the power of their scores over the sum of these.
func (m *Model) Score(class int) *Model { return &Model{saved: m.saved.Score(class), names: m.names} }

// Columns returns the names of the columns that the model reads.
func (m *Model) Columns() []string { return m.saved.Encoding.Columns() }

// Needs returns the names of the columns that a file must have: a column of dates in place of
// its parts.
func (m *Model) Needs() []string { return m.saved.Encoding.Needs() }

// Features returns the names of the d features: columns, levels as "origin=USA", and
// corners of piecewise-linear bases as "mass@2500".
func (m *Model) Features() []string { return m.saved.Features() }

// Fitted says which rows the model was fitted to.
func (m *Model) Fitted() fm.Fitted { return m.saved.Model.Fitted }

// Bias returns b of f(x) = b + xᵀw + xᵀMx in units of [Model.Quantity], for the features of
// [Model.Design]. Like Weights and Slopes it is 0 for a model of more than two classes:
// [Model.Score] has them.
func (m *Model) Bias() float64 {
	if m.saved.OneScore() != nil {
		return 0
	}
	return m.saved.Model.Raw(m.saved.Encoding).B
}

// Weights returns w, d numbers, in units of [Model.Quantity] per unit of each feature.
// O(d²·k).
func (m *Model) Weights() []float64 {
	if m.saved.OneScore() != nil {
		return make([]float64, m.saved.Model.D)
	}
	return m.saved.Model.Raw(m.saved.Encoding).W
}

// Interactions returns M, d×d and symmetric, in units of [Model.Quantity] per units of both
// features. The coefficient of a product of two features is 2·Mᵢⱼ. It is 0 for features
// that never meet in a row: two levels of one column, or a number and the flag that it is
// missing. It returns an [*interaction.TooWideError] beyond [interaction.MaxFeatures]
// features, and a [*saved.ScoresError]. O(d²·k).
func (m *Model) Interactions() (*mat.SymDense, error) {
	if err := m.saved.OneScore(); err != nil {
		return nil, err
	}
	matrix, err := interaction.Of(m.saved.Model, m.saved.Encoding, nil)
	if err != nil {
		return nil, err
	}
	return mat.NewSymDense(len(matrix.Names), matrix.Values), nil
}

// table returns the rows as a table with the model's columns.
func (m *Model) table(x mat.Matrix) (*table.Table, error) {
	n, d := x.Dims()
	if n == 0 {
		return nil, &ShapeError{"rows of x", 0, "at least 1"}
	}
	if err := finite(x, nil); err != nil {
		return nil, err
	}
	names := m.names
	if names == nil {
		names = numbered(m.Columns())
	}
	want := fmt.Sprintf("%d: %s", len(names), strings.Join(names[:min(len(names), 20)], ", "))
	if d != len(names) {
		return nil, &ShapeError{"columns of x", d, want}
	}
	return table.FromNumbers(table.Numbers{Name: "matrix", Columns: names, Rows: n, At: x.At})
}

// numbered returns the names x1, x2 and so on if the columns have these names.
func numbered(columns []string) []string {
	last := 0
	for _, name := range columns {
		digits, is := strings.CutPrefix(name, "x")
		i, err := strconv.Atoi(digits)
		if !is || err != nil || i < 1 || name != "x"+strconv.Itoa(i) || i > 20000 {
			return columns
		}
		last = max(last, i)
	}
	all := make([]string, last)
	for j := range all {
		all[j] = "x" + strconv.Itoa(j+1)
	}
	return all
}

// Predict returns the predictions for the rows of x, in units of the target, or the
// probability of the second class, or of more than two classes that of the likeliest. Numbers far beyond the training rows are clipped, as
// package encode says. x has the columns of [Fit] or [Load], or the error is a
// [*ShapeError]. Other errors are a [*NotFiniteError].
// O(n·d·k).
func (m *Model) Predict(x mat.Matrix) ([]float64, error) {
	table, err := m.table(x)
	if err != nil {
		return nil, err
	}
	p, err := m.saved.Predict(table)
	if err != nil {
		return nil, err
	}
	return p.Predicted, nil
}

// Probabilities returns the probability of each class for the rows of x, n×K in the order of
// [Model.Classes]. It returns an [*assess.NoClassesError] for other targets, and the errors of
// [Model.Predict].
func (m *Model) Probabilities(x mat.Matrix) (*mat.Dense, error) {
	k := len(m.Classes())
	if k == 0 {
		return nil, &assess.NoClassesError{Target: m.Target()}
	}
	table, err := m.table(x)
	if err != nil {
		return nil, err
	}
	p, err := m.saved.Predict(table)
	if err != nil {
		return nil, err
	}
	all := mat.NewDense(table.Rows, k, p.Probabilities)
	for i, v := range p.Predicted {
		if k == 2 {
			all.SetRow(i, []float64{1 - v, v})
		}
	}
	return all, nil
}

// Explain returns the largest terms of the prediction for a row, and the rest. Their sum
// is the prediction in units of [Model.Quantity]. It returns the errors of
// [Model.Predict]. O(d²·k).
func (m *Model) Explain(row []float64, most int) (*saved.Explanation, error) {
	if len(row) == 0 {
		return nil, &ShapeError{"numbers of the row", 0, "at least 1"}
	}
	table, err := m.table(mat.NewDense(1, len(row), row))
	if err != nil {
		return nil, err
	}
	return m.ExplainTable(table, 1, most)
}

// Design returns the features of the rows of x, n×d, in units of the table: numbers,
// 0 and 1 for levels, and the hats of piecewise-linear bases. For every row of it
//
//	Bias + xᵀ·Weights + xᵀ·Interactions·x
//
// is the prediction in units of [Model.Quantity], up to rounding. Errors are those of
// [Model.Predict]. O(n·d).
func (m *Model) Design(x mat.Matrix) (*mat.Dense, error) {
	table, err := m.table(x)
	if err != nil {
		return nil, err
	}
	a, err := encode.Apply(table, &m.saved.Encoding)
	if err != nil {
		return nil, err
	}
	features := m.saved.Encoding.Features
	z := a.Rows(0, table.Rows).(interface{ Row(i int) []float64 }) // both forms have it
	design := mat.NewDense(table.Rows, len(features), nil)
	for i := range table.Rows {
		for j, v := range z.Row(i) {
			design.Set(i, j, v*features[j].Scale+features[j].Mean)
		}
	}
	return design, nil
}

// PredictTable predicts every row of a table, as returned by [Model.ReadTable]. The result
// counts missing cells, levels that are not in the training rows, and rows that cannot be
// predicted. It returns a [*fault.MissingColumnsError].
func (m *Model) PredictTable(table *table.Table) (*saved.Predicted, error) {
	return m.saved.Predict(table)
}

// ExplainTable explains the prediction for the row on a line of a table, as
// [Model.Explain] does. It returns a [*saved.NoRowError] for a line without a row.
func (m *Model) ExplainTable(table *table.Table, line, most int) (*saved.Explanation, error) {
	return m.saved.Explain(table, line, most)
}

// WhatIf explains the prediction for the row on a line of a table, and for the row with other
// cells: texts by the names of columns, which are read as those of a file. Without a table it
// takes the average row. It returns a [*saved.UnknownInputError] and the errors of
// [Model.ExplainTable].
func (m *Model) WhatIf(table *table.Table, line int, changes map[string]string, most int) (*saved.WhatIf, error) {
	return m.saved.WhatIf(table, line, changes, most)
}

// Pair is the interaction of two features.
type Pair struct {
	First, Second string  // features
	Value         float64 // 2·Mᵢⱼ per standard deviation of both, or per change from 0 to 1 of an indicator
}

// Strongest returns the strongest interactions, the strongest first. It leaves out pairs of
// levels of one column. It returns a [*interaction.TooWideError]. O(d²·k).
func (m *Model) Strongest(most int) ([]Pair, error) {
	s, err := m.saved.Interaction()
	if err != nil {
		return nil, err
	}
	var all []Pair
	d := len(s.Names)
	for i := range d {
		for j := range i {
			if v := s.Values[i*d+j]; v != 0 {
				all = append(all, Pair{s.Names[j], s.Names[i], 2 * v})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Pair) int { return compareSize(b.Value, a.Value) })
	return all[:min(most, len(all))], nil
}

// Slopes returns the change of the prediction per standard deviation of each feature at the
// mean row, in units of [Model.Quantity]. For a level or a corner of a basis it is the change
// per 1:
//
//	∂f/∂zⱼ = wⱼ + 2(Mz°)ⱼ
//
// over scaled features z, z° being the mean row. O(d·k).
func (m *Model) Slopes() []float64 {
	f, e := m.saved.Model, &m.saved.Encoding
	if f.Classes != nil {
		return make([]float64, f.D)
	}
	slopes := slices.Clone(f.W)
	if f.D*f.Rank > 0 {
		mean, u, v := mat.NewVecDense(f.D, e.MeanRow()), mat.NewDense(f.D, f.Rank, f.U), mat.NewDense(f.D, f.Rank, f.Right())
		var uz, vz, uvz, vuz mat.VecDense
		uz.MulVec(u.T(), mean)
		vz.MulVec(v.T(), mean)
		uvz.MulVec(u, &vz)
		vuz.MulVec(v, &uz)
		for j := range slopes {
			slopes[j] += uvz.AtVec(j) + vuz.AtVec(j)
			if f.Kind != fm.GFM {
				slopes[j] -= 2 * mean.AtVec(j) * mat.Dot(u.RowView(j), v.RowView(j))
			}
		}
	}
	floats.Scale(e.Target.Scale, slopes)
	return slopes
}

// Shapes returns what each column adds to the prediction, by its cell, in units of
// [Model.Quantity]: [Model.Explain] gives these effects one row at a time. average reports
// whether each averages 0 over the training rows. It returns a [*saved.ScoresError] for more
// than two classes: [Model.Score] has the shapes of each. O(d·k).
func (m *Model) Shapes() (shapes []saved.Shape, average bool, err error) { return m.saved.Shapes() }
