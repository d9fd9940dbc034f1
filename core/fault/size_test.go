package fault

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
)

func TestADesignTooLargeForABrowserIsRefused(t *testing.T) {
	e := &SizeError{File: "t.csv", Rows: 60_000, Features: 25_001, Bytes: design.MaxBytes, Widest: "k", Levels: 25_000}
	require.NoError(t, e.Check())
	e.Bytes = 60_000 * 25_001 * 8
	require.EqualError(t, e.Check(), "t.csv: 60000 rows of 25001 features are 12.0 GB, want at most 0.3; ignore k, which alone makes 25000 features, or open fewer rows")
	e.Levels = 1
	require.ErrorContains(t, e.Check(), "ignore columns or open fewer rows")
}
