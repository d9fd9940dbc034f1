package saved

import (
	"math"

	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/kernel"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/table"
)

// Explanation takes the prediction for one row apart, in units of Quantity:
//
//	Predicted = Base + Σ of Terms + Rest
type Explanation struct {
	Columns []string // that the model was trained on
	Cells   []string // of the row, one a column, as written; "" for a missing one
	// Base is the average prediction for the training rows, over which each term averages 0. If
	// the model file has no averages, Base is the prediction for the mean row: every number at
	// its mean over the training rows, no cell missing, every level at the mean of the levels.
	Base       float64
	Average    bool    // whether Base is the average prediction
	Terms      []Term  // those farthest from 0, farthest first
	Rest       float64 // the sum of the others
	RestBefore float64 // the same of their values before
	Others     int     // their number
	Predicted  float64
	Raw        float64 // the prediction in units of the table: not Predicted where a logarithm was learnt; for classes the probability of Class
	Quantity   string  // as [Model.Quantity]; of more than two classes the score of Class
	Class      int     // 1 of two classes, of more the likeliest
	// Probabilities are those of more than two classes; else nil.
	Probabilities []float64
	// Low and High are the ends of the prediction interval in units of the table, NaN if the
	// model has none, and Level its nominal coverage, then 0.
	Low, High, Level float64
}

// Term is what a column adds by itself, or a pair of columns beyond what each adds.
type Term struct {
	First, Second int // of Columns; Second is −1 for one by itself
	Value         float64
	Before        float64 // the value before cells were changed; Value if none were
}

// NoRowError says that a table has no row where one is asked for.
type NoRowError struct {
	File string
	Line int
}

func (e *NoRowError) Error() string {
	return message.Sprintf("saved: line %d of %s has no row; choose a line with a readable row", e.Line, e.File)
}

func (*NoRowError) Kind() string { return "NoRowError" }

// Explain takes the prediction for the row on a line of a table apart, into at most
// so many terms and the rest: a constant, what each column adds, and what each pair of columns
// adds beyond both. [fm.Centre] has the formula. It does not depend on how a column is encoded:
// moving a number from all levels or hats of a column to the bias changes no term.
//
// In units of a logarithm or of log-odds, the average is of those, not of the target. Cells
// count as in [Model.Predict]. A model without factors has no pairs, and none are
// counted. Of more than two classes, it takes the score of the likeliest apart. It returns the
// errors of [encode.Apply] and a [*NoRowError]. O(rows·columns + features·rank + columns²·rank).
func (m *Model) Explain(table *table.Table, line, most int) (*Explanation, error) {
	e, _, err := m.explain(table, line, most, -1, nil)
	return e, err
}

// explain explains the score of a class of more than two, −1 standing for the likeliest. It
// returns the effects of the columns too; before has those before cells were changed, or is nil.
func (m *Model) explain(table *table.Table, line, most, class int, before []*sums) (*Explanation, []*sums, error) {
	a, err := m.Apply(table)
	if err != nil {
		return nil, nil, err
	}
	row, ok := table.RowAt(line)
	if !ok {
		return nil, nil, &NoRowError{File: table.Name, Line: line}
	}
	model, z := m.Model, a.Rows(row, row+1)
	if len(model.Classes) > 0 {
		f := make([]float64, m.Encoding.Target.Scores())
		model.Predict(f, z, nil)
		probabilities := measure.Probabilities(f, &m.Encoding.Target)
		if class < 0 {
			class = measure.Likeliest(probabilities)
		}
		e, columns, err := m.Score(class).explain(table, line, most, class, before)
		if err == nil {
			e.Class, e.Raw, e.Probabilities = class, probabilities[class], probabilities
		}
		return e, columns, err
	}
	scale, one := m.Encoding.Target.Scale, [1]float64{}
	model.Predict(one[:], z, nil)
	e := &Explanation{Columns: m.Encoding.Columns(), Predicted: one[0] * scale, Raw: m.Encoding.Target.Raw(one[0]), Quantity: m.Quantity(), Class: min(1, len(m.Classes())), Low: math.NaN(), High: math.NaN()}
	if interval := model.Interval; interval != nil {
		low, high := interval.Bounds(one[:], z, &m.Encoding.Target)
		e.Low, e.High, e.Level = low[0], high[0], interval.Level
	}
	for _, name := range e.Columns {
		c := a.Column(name)
		text := c.Text(row)
		if days := c.Number(row); c.IsDays && days == days {
			text = c.Write(days)
		}
		e.Cells = append(e.Cells, text)
	}
	values := make([]float64, model.D)
	z.Each(1, func(_, _ int, b design.Block) { b.Adjoint(values, []float64{1}, 1) }) // zᵀ·1
	c := m.centred()
	e.Average, e.Base = c.average, scale*(model.B+c.at.value()+kernel.Sum(c.columns)+kernel.Sum(c.pairs))
	var columns []*sums
	for _, g := range m.Encoding.Groups() {
		columns = append(columns, c.effect(g, values[g.Lo:g.Hi]))
	}
	if before == nil {
		before = columns
	}
	for p, own := range columns {
		average := take(&c.columns)
		e.add(Term{p, -1, scale * (own.value() - average), scale * (before[p].value() - average)}, most)
		for q := p + 1; q < len(columns) && model.Rank > 0; q++ {
			average := take(&c.pairs)
			e.add(Term{p, q, scale * (own.with(columns[q]) - average), scale * (before[p].with(before[q]) - average)}, most)
		}
	}
	return e, columns, nil
}

// centred has the numbers of an [fm.Centre] that explanations of one score need.
type centred struct {
	average        bool // the file has averages; else mean is the mean row
	mean           []float64
	at             *sums     // of mean
	columns, pairs []float64 // averages; nil without factors or averages
}

func (m *Model) centred() *centred {
	c, centre := &centred{at: newSums(m.Model)}, m.Model.Centre
	if c.average = centre != nil; centre == nil {
		centre = &fm.Centre{Means: m.Encoding.MeanRow()}
	}
	if c.mean = centre.Means; centre.Columns != nil {
		c.columns, c.pairs = centre.Columns[0], centre.Pairs[0]
	}
	for j, v := range c.mean {
		c.at.add(j, v)
	}
	return c
}

// effect returns the sums over the features of a column with these values; its value is the
// effect before the average is taken off.
func (c *centred) effect(g design.Group, values []float64) *sums {
	own := newSums(c.at.m)
	for i, z := range values {
		j := g.Lo + i
		if v := z - c.mean[j]; v != 0 {
			own.add(j, v)
			own.linear += float64(v * c.at.slope(j, c.mean[j]))
		}
	}
	return own
}

// take takes the first of some numbers, 0 if there is none.
func take(numbers *[]float64) (first float64) {
	if len(*numbers) > 0 {
		first, *numbers = (*numbers)[0], (*numbers)[1:]
	}
	return first
}

// add puts a term among the most that are farthest from 0, or the one that leaves
// them among the others.
func (e *Explanation) add(t Term, most int) {
	i := len(e.Terms)
	for i > 0 && e.Terms[i-1].size() < t.size() {
		i--
	}
	e.Terms = append(e.Terms, Term{})
	copy(e.Terms[i+1:], e.Terms[i:])
	e.Terms[i] = t
	if last := len(e.Terms) - 1; last == most {
		e.Rest += e.Terms[last].Value
		e.RestBefore += e.Terms[last].Before
		e.Others++
		e.Terms = e.Terms[:last]
	}
}

// size ranks the terms that are listed: by their distance from 0, or if cells were changed, by
// four times the change, so that a small term that changes is seen.
func (t *Term) size() float64 {
	return max(math.Abs(t.Value), math.Abs(t.Before), 4*math.Abs(t.Value-t.Before))
}

// sums adds up features of a row: what they are by themselves and with each other.
type sums struct {
	m       *fm.Model
	u, v    []float64 // Σ zⱼuⱼ and Σ zⱼvⱼ
	linear  float64   // Σ zⱼwⱼ
	squares float64   // Σ zⱼ²·uⱼᵀvⱼ, which M leaves out; 0 of gFM
}

func newSums(m *fm.Model) *sums {
	return &sums{m: m, u: make([]float64, m.Rank), v: make([]float64, m.Rank)}
}

// add adds feature j with the value z. O(rank).
func (s *sums) add(j int, z float64) {
	if z == 0 {
		return
	}
	u, v := s.factors(j)
	kernel.Axpy(z, u, s.u)
	kernel.Axpy(z, v, s.v)
	s.linear += float64(z * s.m.W[j])
	if s.m.Kind != fm.GFM {
		s.squares += float64(float64(z*z) * kernel.Dot(u, v))
	}
}

func (s *sums) factors(j int) (u, v []float64) {
	k := s.m.Rank
	return s.m.U[j*k:][:k], s.m.Right()[j*k:][:k]
}

// value returns zᵀw + zᵀMz of what was added. O(rank).
func (s *sums) value() float64 { return s.linear + kernel.Dot(s.u, s.v) - s.squares }

// with returns what both make together: uᵀv' + vᵀu'. O(rank).
func (s *sums) with(other *sums) float64 { return kernel.Dot(s.u, other.v) + kernel.Dot(s.v, other.u) }

// slope returns (2Mz)ⱼ, where zⱼ is own. O(rank).
func (s *sums) slope(j int, own float64) float64 {
	u, v := s.factors(j)
	slope := kernel.Dot(u, s.v) + kernel.Dot(v, s.u)
	if s.m.Kind != fm.GFM {
		slope -= float64(2 * own * kernel.Dot(u, v))
	}
	return slope
}
