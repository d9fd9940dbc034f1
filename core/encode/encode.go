package encode

import (
	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fault"
	"ifmlab/core/message"
	"ifmlab/core/moment"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/title"
)

// encoder builds an Encoding.
type encoder struct {
	plan    *roles.Plan
	rows    []int32 // training rows
	others  [][]int32
	trains  []uint8 // one per row of the table: 1 for training rows
	scratch []float64
	out     design.Encoding
	names   title.UniqueNames // names of features
	notes   note.Notes
}

// Encoding learns the features from the training rows of a split:
//
//   - a numeric column becomes one feature, centred and divided by its standard deviation.
//     A missing cell is 0, the mean.
//   - with Settings.PiecewiseLinear, it becomes the piecewise-linear basis through its knots, constant
//     beyond them. A missing cell counts as the mean.
//   - if training rows have missing cells, a numeric column also becomes a feature that marks
//     them.
//   - a categorical column becomes one feature per level, in order. Levels in fewer than
//     Settings.Rare training rows share the feature "other". Missing cells have a feature of
//     their own.
//
// Features that are constant in training rows are left out. Notes list these, levels that
// are rare in most rows, and bounds on numbers far beyond the training rows. They also warn
// of more features than training rows.
//
// Encoding returns a [*fault.PlanError] if the target is constant in training rows, if a
// column is too large to square, if nothing varies, or if the design would take more than
// [design.MaxBytes]. It costs O(rows·columns).
func Encoding(p *roles.Plan, s *roles.Split) (*design.Encoding, note.Notes, error) {
	e := &encoder{plan: p, rows: s.Train, others: [][]int32{s.Valid, s.Test}, trains: make([]uint8, p.Table.Rows), scratch: make([]float64, table.BlockLen), names: title.UniqueNames{}}
	for _, row := range s.Train {
		e.trains[row] = 1
	}
	widest, width := "", 0
	if err := e.target(); err != nil {
		return nil, nil, err
	}
	e.out.FileStyle = design.FileStyle{Separator: p.Table.Separator, Point: p.Table.Point, Header: p.Table.Header}
	if p.Weight != nil {
		e.out.FileStyle.Weight = p.Settings.Weight
	}
	for i, c := range p.Table.Columns {
		if c.Parts != nil && usesParts(p, c) {
			e.out.FileStyle.Dates = append(e.out.FileStyle.Dates, note.Pair(c.Name, c.DateOrder))
		}
		if p.Roles[i] != roles.RoleIgnore {
			e.noteStyle(c)
		}
		if p.Roles[i] != roles.RoleFeature {
			continue
		}
		before := len(e.out.Features)
		if c.Block != nil {
			if err := e.sparseBlock(c); err != nil {
				return nil, nil, err
			}
		} else if p.Kinds[i] == design.Categorical {
			e.categorical(c)
			if c.PlainNumbers {
				e.out.FileStyle.Numbers = append(e.out.FileStyle.Numbers, c.Name)
			}
		} else if err := e.numeric(c); err != nil {
			return nil, nil, err
		}
		made := len(e.out.Features) - before
		if made > width {
			widest, width = c.Name, made
		}
		if made == 0 {
			e.notes.Add(note.TopicFeatures, []string{c.Name}, "%s", e.noFeatures(c, p.Kinds[i]))
		}
	}
	d := len(e.out.Features)
	switch {
	case d == 0:
		return nil, nil, fault.NothingLeft(p.Table.Name, p.Target, p.WhyUnused())
	case d > len(s.Train):
		e.notes.Add(note.TopicFeatures, nil, "there are %d features and %d training rows; without a penalty every model fits the training rows exactly", d, len(s.Train))
	}
	e.out.AllSparse = e.out.Bytes(s.Rows()) > design.MaxBytes
	return &e.out, e.notes, checkSize(p.Table.Name, s.Rows(), d, e.out.Bytes(s.Rows()), widest, width)
}

// checkSize returns an error for a design of more than [design.MaxBytes]. widest is the
// column with most features, and width their number.
func checkSize(file string, rows, features int, bytes int64, widest string, width int) error {
	if bytes <= design.MaxBytes {
		return nil
	}
	advice := "ignore columns or open fewer rows"
	if width > 1 {
		advice = message.Sprintf("ignore %s, which alone makes %d features, or open fewer rows", widest, width)
	}
	return &fault.PlanError{Problem: fault.TooWide, File: file, Message: message.Sprintf("%d rows of %d features need %.1f GB, the limit is %.1f; %s", rows, features, 1e-9*float64(bytes), 1e-9*float64(design.MaxBytes), advice)}
}

// noFeatures says why a column became no feature.
func (e *encoder) noFeatures(c *table.Column, kind design.Kind) string {
	if c.Block != nil {
		return message.Sprintf("%s has no entry in the training rows and was left out", c.Name)
	}
	seen := map[string]bool{}
	for _, row := range e.rows {
		if !c.IsMissing(int(row)) {
			seen[c.Text(int(row))] = true
		}
	}
	switch {
	case len(seen) == 0:
		return message.Sprintf("%s has no value in the training rows and was left out", c.Name)
	case len(seen) > 1 && kind == design.Categorical:
		return message.Sprintf("%s was left out: each of its %d levels is seen fewer than %d times in the training rows", c.Name, len(seen), e.plan.Settings.Rare)
	}
	return message.Sprintf("%s is constant in the training rows and was left out", c.Name)
}

// moments returns the moments of a column's numbers in training rows. It reads rows in the
// order of the file, which is fastest.
func (e *encoder) moments(c *table.Column) (m moment.Accumulator) {
	if weight := e.plan.Weights(e.rows); weight != nil {
		x := make([]float64, len(e.rows))
		c.Gather(x, e.rows)
		return moment.Weighted(x, weight)
	}
	if !c.PlainNumbers {
		tally := c.Tally(e.trains)
		for _, code := range e.plan.EntryOrder(c) {
			if v := c.Entries[code].Number; v == v {
				m.AddCount(v, tally[code])
			}
		}
		return m
	}
	trains := e.trains
	for _, block := range c.Values {
		n := 0
		for i, v := range block {
			e.scratch[n] = v
			n += int(trains[i]) // no branch, which would often be mispredicted
		}
		x := e.scratch[:n]
		if c.MissingCount+c.TextCount > 0 {
			x = table.DropNaN(x, x)
		}
		m.AddAll(x)
		trains = trains[len(block):]
	}
	return m
}

// missing returns how many training rows lack a number. m is the column's moments.
func (e *encoder) missing(c *table.Column, m moment.Accumulator) (n int) {
	if e.plan.Weight == nil {
		return len(e.rows) - m.Count()
	}
	for _, row := range e.rows {
		if c.IsMissing(int(row)) {
			n++
		}
	}
	return n
}

// targetMoments returns the moments of the target in training rows.
func (e *encoder) targetMoments() (m moment.Accumulator) {
	if e.plan.Levels == nil {
		return e.moments(e.plan.Table.Columns[e.plan.TargetColumn])
	}
	return moment.Weighted(e.plan.Targets(e.rows), e.plan.Weights(e.rows))
}

func (e *encoder) target() error {
	m := e.targetMoments()
	if !table.Centreable(m.Min(), m.Max(), m.SD()) {
		return e.tooLarge(e.plan.Target, m)
	}
	if m.Min() == m.Max() {
		found := cell.FormatNumber(m.Min())
		if e.plan.Levels != nil {
			return e.oneClass(int(m.Min()))
		}
		return &fault.PlanError{Problem: fault.Target, File: e.plan.Table.Name, Field: e.plan.Target, Found: found,
			Message: message.Sprintf("%s is %s in every training row; %sadd rows whose %s is not %s, or choose another target", e.plan.Target, found, e.atRandom(), e.plan.Target, found)}
	}
	if e.plan.Log != design.LogNone {
		err := e.logTarget()
		e.out.Target.Span = []float64{m.Min(), m.Max()}
		return err
	}
	e.out.Target = design.Target{Name: e.plan.Target, Mean: m.Mean(), Scale: m.SD(), Levels: e.plan.Levels}
	if k := len(e.plan.Levels); k > 2 {
		e.out.Target.Mean, e.out.Target.Shares = 0, make([]float64, k)
		weight, total := e.plan.Weights(e.rows), 0.0
		for i, y := range e.plan.Targets(e.rows) {
			counts := 1.0
			if weight != nil {
				counts = weight[i]
			}
			e.out.Target.Shares[int(y)] += counts
			total += counts
		}
		for c := range e.out.Target.Shares {
			e.out.Target.Shares[c] /= total
		}
	}
	if e.plan.Levels == nil {
		e.out.Target.Span = []float64{m.Min(), m.Max()}
	}
	if e.plan.Loss == roles.LossLogistic {
		e.out.Target.Logistic, e.out.Target.Scale = true, 1
		if told := e.plan.LacksClass(&roles.Split{Train: e.rows, Valid: e.others[0], Test: e.others[1]}); told != "" {
			e.notes = append(e.notes, note.Note{Topic: note.TopicTarget, Columns: []string{e.out.Target.Name}, Text: told})
		}
	}
	return nil
}

// oneClass returns the error for training rows of one class.
func (e *encoder) oneClass(class int) error {
	name, levels := e.plan.Target, e.plan.Levels
	if len(levels) > 2 {
		return &fault.PlanError{Problem: fault.Target, File: e.plan.Table.Name, Field: name, Found: levels[class],
			Message: message.Sprintf("%s is %s in all %d training rows, expected at least two classes; %schoose another target", name, levels[class], len(e.rows), e.atRandom())}
	}
	return &fault.PlanError{Problem: fault.Target, File: e.plan.Table.Name, Field: name, Found: levels[class],
		Message: message.Sprintf("%s is %s in all %d training rows, and %s only in validation or test rows; %sadd rows of %s, or choose another target", name, levels[class], len(e.rows), levels[1-class], e.atRandom(), levels[1-class])}
}

// atRandom advises a split at random, which gives each part its share of both classes, where
// rows are split otherwise.
func (e *encoder) atRandom() string {
	return message.Either(e.plan.SplitRule.Kind == roles.SplitRandom, "", "split rows at random, ")
}

func (e *encoder) tooLarge(name string, m moment.Accumulator) error {
	found := message.Sprintf("%s to %s", cell.FormatNumber(m.Min()), cell.FormatNumber(m.Max()))
	return &fault.PlanError{Problem: fault.Column, File: e.plan.Table.Name, Field: name, Found: found,
		Message: message.Sprintf("%s runs from %s, too large to square; change its unit or ignore it", name, found)}
}

func (e *encoder) numeric(c *table.Column) error {
	m := e.moments(c)
	missing := e.missing(c, m)
	if missing < len(e.rows) {
		if !table.Centreable(m.Min(), m.Max(), m.SD()) {
			return e.tooLarge(c.Name, m)
		}
		if knots := e.knots(c, m); knots != nil {
			for _, q := range knots {
				e.feature(design.Feature{Name: c.Name + "@" + short(c, q), Column: c.Name, Kind: design.FeatureKnot, Scale: 1, Knot: q, Fill: m.Mean(), IsDays: c.IsDays})
			}
		} else if m.Min() < m.Max() {
			f := design.Bound(design.Feature{Name: c.Name, Column: c.Name, Kind: design.FeatureValue, Mean: m.Mean(), Scale: m.SD(), IsDays: c.IsDays}, m.Min(), m.Max())
			f.Shares = e.shares(c, m)
			e.feature(f)
			if told := outliersNote(e.plan.Table, c, f, e.others); told != "" {
				e.notes.Add(note.TopicFeatures, []string{c.Name}, "%s", told)
			}
		}
		e.flag(c, missing)
	}
	return nil
}

// outliersNote returns a note on the numbers of a column outside the bounds of f, or "". If
// rows is nil, it looks at all rows.
func outliersNote(t *table.Table, c *table.Column, f design.Feature, rows [][]int32) string {
	if !f.IsBounded() || c.Min >= f.Least && c.Max <= f.Most {
		return ""
	}
	first, count, all := 0, 0, 0
	look := func(row int) {
		all++
		if v := c.Number(row); v < f.Least || v > f.Most {
			if count++; count == 1 || row < first {
				first = row
			}
		}
	}
	for _, part := range rows {
		for _, row := range part {
			look(int(row))
		}
	}
	for row := 0; rows == nil && row < t.Rows; row++ {
		look(row)
	}
	if count == 0 {
		return ""
	}
	span := (f.Most - f.Least) / 3
	return message.Sprintf("%s is %s on line %d, far beyond the training rows, which span %s to %s; it is limited to %s to %s in %d of %d rows; empty the cell if it means a missing value",
		c.Name, c.Write(c.Number(first)), t.Line(first), short(c, f.Least+span), short(c, f.Most-span), short(c, f.Least), short(c, f.Most), count, all)
}

// short writes a number of a column with four digits, and a day as its date.
func short(c *table.Column, number float64) string {
	if c.IsDays {
		return c.Write(number)
	}
	return message.Sprintf("%.4g", number)
}

// flag adds the feature that marks missing cells, if it varies.
func (e *encoder) flag(c *table.Column, missing int) {
	if missing > 0 && missing < len(e.rows) {
		e.feature(design.Feature{Name: c.Name + " is missing", Column: c.Name, Kind: design.FeatureMissing, Scale: 1})
	}
}

func (e *encoder) feature(f design.Feature) {
	f.Name = e.names.Unique(f.Name)
	e.out.Features = append(e.out.Features, f)
}

// logTarget sets a target that is learned as a logarithm.
func (e *encoder) logTarget() error {
	raw := e.plan.Targets(e.rows)
	e.out.Target = design.LogTarget(e.plan.Target, raw, e.plan.Weights(e.rows), e.plan.Log)
	if e.out.Target.Scale > 0 {
		return nil
	}
	found := cell.FormatNumber(raw[0])
	return &fault.PlanError{Problem: fault.Target, File: e.plan.Table.Name, Field: e.plan.Target, Found: found,
		Message: message.Sprintf("the logarithm of %s is that of %s in every training row; learn %s itself (log=no)", e.plan.Target, found, e.plan.Target)}
}
