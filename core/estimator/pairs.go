package estimator

import (
	"context"
	"slices"

	"ifmlab/core"
	"ifmlab/core/pair"
	"ifmlab/core/spec"
	"ifmlab/core/table"
)

// TestPairs tests which pairs of the model's columns interact, on the training rows of a
// random split of a table that has the target. The model's factors have no part in it:
// package pair describes the test. It returns the errors of [core.Open], and the cause of
// ctx when it is done.
func (m *Model) TestPairs(ctx context.Context, t *table.Table) (*pair.Result, error) {
	s := spec.Default()
	s.Source, s.Target, s.Weight = "table", m.Target(), m.saved.Encoding.FileStyle.Weight
	columns := m.Columns()
	for _, name := range t.Names() {
		if name != s.Target && name != s.Weight && !slices.Contains(columns, name) {
			s.Ignore = append(s.Ignore, name)
		}
	}
	run, err := core.Open(s, 0, t)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	search, err := run.Pairs()
	for err == nil && !search.Done() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		err = search.Next()
	}
	if err != nil {
		return nil, err
	}
	return search.Result(), nil
}
