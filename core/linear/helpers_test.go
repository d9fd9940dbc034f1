package linear

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
)

// load returns a reference with its rows.
func load(t *testing.T, name string) (ref reference, x [][]float64, y []float64) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &ref))
	x, y = readRows(t, "testdata/"+ref.Dataset)
	return ref, x, y
}

// readRows reads a table: the targets are its last column.
func readRows(t *testing.T, path string) (x [][]float64, y []float64) {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	for _, record := range records[1:] {
		row := make([]float64, len(record))
		for j, cell := range record {
			row[j], err = strconv.ParseFloat(cell, 64)
			require.NoError(t, err)
		}
		last := len(row) - 1
		x, y = append(x, row[:last]), append(y, row[last])
	}
	return x, y
}

func ridge(t *testing.T, z design.Design, y, weight []float64, lambda float64) Fit {
	t.Helper()
	fits, err := NewWeightedRidge(z, y, weight)
	require.NoError(t, err)
	return fitOf(t, fits, lambda)
}

// fitted is the logistic fit to some rows.
func fitted(t *testing.T, z design.Design, y, weight []float64, lambda float64) Fit {
	t.Helper()
	fits, err := NewLogistic(z, y, weight)
	require.NoError(t, err)
	return fitOf(t, fits, lambda)
}

func softmax(t *testing.T, z design.Design, y []float64, classes int, lambda float64) Fit {
	t.Helper()
	fits, err := NewSoftmax(z, y, nil, classes)
	require.NoError(t, err)
	return fitOf(t, fits, lambda)
}

func quadratic(t *testing.T, z design.Design, y, weight []float64, lambda float64) Surface {
	t.Helper()
	fits, err := NewQuadratic(z, y, weight)
	require.NoError(t, err)
	return fitOf(t, fits, lambda)
}

func fitOf[F any](t *testing.T, fits interface {
	Fit(lambda float64) (F, error)
}, lambda float64) F {
	t.Helper()
	fit, err := fits.Fit(lambda)
	require.NoError(t, err)
	return fit
}
