package estimator

import (
	"context"
	"slices"

	"ifmlab/core"
	"ifmlab/core/spec"
	"ifmlab/core/table"
)

// PairTests says which pairs of columns interact.
type PairTests struct {
	Rows   int     `json:"rows"`  // that test
	Alpha  float64 `json:"alpha"` // share of tables without interactions of which a pair is named
	Pairs  int     `json:"pairs"`
	Tested int     `json:"tested"`
	// Dependent is the number of tested pairs that could not be judged, because too few rows
	// are independent of each other.
	Dependent int        `json:"dependent"`
	Named     []PairTest `json:"named"` // the smallest p value first
}

// PairTest is a pair of columns that interact.
type PairTest struct {
	First  string  `json:"first"`
	Second string  `json:"second"`
	Share  float64 `json:"share"` // of the target's variance
	Low    float64 `json:"low"`   // interval of Share
	High   float64 `json:"high"`
	P      float64 `json:"p"`
}

// TestPairs tests which pairs of the model's columns interact, on the training rows of a
// random split of a table that has the target. The model's factors have no part in it:
// package pair describes the test. It returns the errors of [core.Open], and the cause of
// ctx when it is done.
func (m *Model) TestPairs(ctx context.Context, t *table.Table) (*PairTests, error) {
	s := spec.Default()
	s.Source, s.Target, s.Weight = "table", m.Target(), m.saved.Encoding.FileStyle.Weight
	for _, name := range t.Names() {
		if name != s.Target && name != s.Weight && !slices.Contains(m.Columns(), name) {
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
		if err = search.Next(); ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	r := search.Result()
	all := &PairTests{Rows: r.Rows, Alpha: r.Alpha, Pairs: r.Pairs, Tested: r.Tested, Dependent: r.Dependent, Named: []PairTest{}}
	for _, n := range r.Named {
		all.Named = append(all.Named, PairTest{r.Columns[n.P], r.Columns[n.Q], n.Share, n.Low, n.High, n.PValue})
	}
	return all, nil
}
