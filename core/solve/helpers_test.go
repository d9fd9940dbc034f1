package solve

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ifmlab/core/fm"
)

// run starts a fit and takes so many steps.
func run(t testing.TB, s Solver, p Problem, m *fm.Model, seed uint64, steps int) Progress {
	t.Helper()
	progress, err := s.Start(p, m, random(seed))
	require.NoError(t, err)
	if steps == 0 {
		return progress
	}
	return advance(t, s, steps)
}

// advance takes so many steps more.
func advance(t testing.TB, s Solver, steps int) (progress Progress) {
	t.Helper()
	for range steps {
		var err error
		progress, err = s.Step()
		require.NoError(t, err)
	}
	return progress
}
