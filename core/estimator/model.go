package estimator

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/design"
	"ifmlab/core/fm"
)

// Model predicts rows by what was learnt. It does not change, so any number of
// goroutines may use it at once.
type Model struct {
	kept  *core.Kept
	file  []byte
	names []string // of the columns of the matrix that it was trained on; nil: of a table
}

// Load reads the model file that [Model.Save] or the page wrote. names are those of
// the columns of the matrices to come, in their order; without them they are x1, x2
// and so on where the model's columns are called so, else those of [Model.Columns].
// It returns a [*fm.FileError] for a file that is broken, and what r returns.
func Load(r io.Reader, names ...string) (*Model, error) {
	file, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	m, err := read(file)
	if err != nil {
		return nil, err
	}
	m.names = names
	return m, nil
}

func read(file []byte) (*Model, error) {
	kept, err := core.ReadModel(file)
	return &Model{kept: kept, file: file}, err
}

// Save writes the model as a file, which the page opens, too: package fm describes it.
func (m *Model) Save(w io.Writer) error {
	_, err := w.Write(m.file)
	return err
}

// Kind returns "fm", "gfm" or "ifm".
func (m *Model) Kind() string { return m.kept.Model.Kind.String() }

// Rank returns k, 0 of a model without interactions.
func (m *Model) Rank() int { return m.kept.Model.Rank }

// Target returns the name of what is predicted.
func (m *Model) Target() string { return m.kept.Encoding.Target.Name }

// Learnt returns what of the target the coefficients are of, in words: its name, or
// "log(price)" where its logarithm was learnt.
func (m *Model) Learnt() string { return m.kept.Learnt() }

// Measure returns what errors are measured in: [core.MeasureRMSE], in units of the
// target, or [core.MeasureLogLoss] of a target of two classes, in nats.
func (m *Model) Measure() string { return m.kept.Measure() }

// Classes returns the two classes of the target, of which the second one's probability is
// predicted; nil where numbers are.
func (m *Model) Classes() []string { return m.kept.ClassNames() }

// Columns returns the names of the columns that the model reads.
func (m *Model) Columns() []string { return m.kept.Encoding.Columns() }

// Features returns the names of what the coefficients belong to, d of them: columns as
// they are, levels as "origin=USA", corners of piecewise-linear bases as "mass@2500".
func (m *Model) Features() []string { return m.kept.Features() }

// Bias returns b of f(x) = b + xᵀw + xᵀMx in units of what was learnt, for features in
// units of the table: [Model.Design] has these.
func (m *Model) Bias() float64 { return m.kept.Model.Raw(m.kept.Encoding).B }

// Weights returns w, d numbers, in units of what was learnt per unit of each feature.
// O(d²·k).
func (m *Model) Weights() []float64 { return m.kept.Model.Raw(m.kept.Encoding).W }

// Interactions returns M, d×d and symmetric, in units of what was learnt per units of
// both features: a product of two features enters the prediction with 2·Mᵢⱼ. Pairs of
// levels of one column, which never meet, are 0. It returns a [*core.TooWideError]
// beyond [core.MaxMatrix] features. O(d²·k).
func (m *Model) Interactions() (*mat.SymDense, error) {
	features := m.kept.Encoding.Features
	d := len(features)
	if d > core.MaxMatrix {
		return nil, &core.TooWideError{Features: d}
	}
	values := m.kept.Model.Raw(m.kept.Encoding).M
	for i, f := range features {
		for j := range i {
			if g := features[j]; f.Column == g.Column && levelled(f) && levelled(g) {
				values[i*d+j], values[j*d+i] = 0, 0
			}
		}
	}
	return mat.NewSymDense(d, values), nil
}

// levelled reports whether a feature is 1 in the rows of one level and 0 in all others.
func levelled(f design.Feature) bool {
	return f.Kind == design.FeatureLevel || f.Kind == design.FeatureOther
}

// table returns rows as a table with the columns of the model.
func (m *Model) table(x mat.Matrix) (*data.Table, error) {
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
	return data.FromNumbers(data.Numbers{Name: "matrix", Columns: names, Rows: n, At: x.At})
}

// numbered returns x1 to the last of the columns, if all are called so.
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

// Predict returns what the model predicts for the rows of x, in units of the target,
// of classes the probability of the second. A number beyond what training
// rows span is held, as package data says. x has the columns that [Fit] was given, or
// [Load]: it returns a [*ShapeError] otherwise, and a [*NotFiniteError].
// O(n·d·k).
func (m *Model) Predict(x mat.Matrix) ([]float64, error) {
	table, err := m.table(x)
	if err != nil {
		return nil, err
	}
	p, err := m.kept.Predict(table)
	if err != nil {
		return nil, err
	}
	return p.Predicted, nil
}

// Explain takes the prediction for a row apart, into at most so many terms and the
// rest; their sum is the prediction of what was learnt. It returns the errors of
// [Model.Predict]. O(d²·k).
func (m *Model) Explain(row []float64, most int) (*core.Explanation, error) {
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
// is the prediction of what was learnt, to its rounding. Errors are those of
// [Model.Predict]. O(n·d).
func (m *Model) Design(x mat.Matrix) (*mat.Dense, error) {
	table, err := m.table(x)
	if err != nil {
		return nil, err
	}
	a, err := table.Apply(&m.kept.Encoding)
	if err != nil {
		return nil, err
	}
	features := m.kept.Encoding.Features
	z := a.Rows(0, table.Rows()).(interface{ Row(i int) []float64 }) // both forms have it
	design := mat.NewDense(table.Rows(), len(features), nil)
	for i := range table.Rows() {
		for j, v := range z.Row(i) {
			design.Set(i, j, v*features[j].Scale+features[j].Mean)
		}
	}
	return design, nil
}

// PredictTable predicts every row of a table, such as [Model.ReadTable] returns.
// Cells that are missing, levels that training has not seen and rows that cannot be
// predicted are counted in the result. It returns a [*data.MissingColumnsError].
func (m *Model) PredictTable(table *data.Table) (*core.Predicted, error) {
	return m.kept.Predict(table)
}

// ExplainTable takes the prediction for the row on a line of a table apart, as
// [Model.Explain] does. It returns a [*core.NoRowError] where the line holds none.
func (m *Model) ExplainTable(table *data.Table, line, most int) (*core.Explanation, error) {
	return m.kept.Explain(table, line, most)
}

// Pair is what a pair of features adds to a prediction beyond what each adds.
type Pair struct {
	First, Second string  // features
	Value         float64 // 2·Mᵢⱼ per standard deviation of both; of a feature of 0 and 1 per change from one to the other
}

// Strongest returns the pairs of features with the strongest interactions, at most so
// many, the strongest first; of two features of one column none, unless they are
// corners of its basis. It returns a [*core.TooWideError]. O(d²·k).
func (m *Model) Strongest(most int) ([]Pair, error) {
	s, err := m.kept.Interaction()
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

// Slopes returns what a standard deviation more of each feature adds to the prediction
// where all others are as in the mean row, in units of what was learnt; of a level or
// a corner of a basis, what a change by 1 adds:
//
//	∂f/∂zⱼ = wⱼ + 2(Mz°)ⱼ
//
// over scaled features z, z° being the mean row. O(d·k).
func (m *Model) Slopes() []float64 {
	f, e := m.kept.Model, &m.kept.Encoding
	mean := e.MeanRow()
	su, sv := make([]float64, f.Rank), make([]float64, f.Rank) // Uᵀz° and Vᵀz°
	u, v := f.U, f.Right()
	for j, z := range mean {
		for l := range f.Rank {
			su[l] += z * u[j*f.Rank+l]
			sv[l] += z * v[j*f.Rank+l]
		}
	}
	slopes := make([]float64, f.D)
	for j, z := range mean {
		slope, own := f.W[j], 0.0
		for l := range f.Rank {
			slope += u[j*f.Rank+l]*sv[l] + v[j*f.Rank+l]*su[l]
			own += u[j*f.Rank+l] * v[j*f.Rank+l]
		}
		if f.Kind != fm.GFM {
			slope -= 2 * z * own
		}
		slopes[j] = slope * e.Target.Scale
	}
	return slopes
}
