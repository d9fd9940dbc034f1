package encode

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/table"
)

func open(t *testing.T, text string) *table.Table {
	t.Helper()
	table, err := read.Read(strings.NewReader(text), read.Options{Name: "table.csv"})
	require.NoError(t, err)
	return table
}

func planOf(t *testing.T, table *table.Table, s roles.Settings) *roles.Plan {
	t.Helper()
	plan, err := roles.NewPlan(table, s)
	require.NoError(t, err)
	return plan
}

// encodingOf returns the encoding of a plan that is split at random.
func encodingOf(t *testing.T, plan *roles.Plan) *design.Encoding {
	t.Helper()
	e, _, err := Encoding(plan, plan.Split(rand.New(rand.NewPCG(1, 2))))
	require.NoError(t, err)
	return e
}

func applied(t *testing.T, table *table.Table, e *design.Encoding) *Applied {
	t.Helper()
	a, err := Apply(table, e)
	require.NoError(t, err)
	return a
}
