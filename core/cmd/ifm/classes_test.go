//go:build !js

package main

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCurvesAndComparisonsOfClassesAreOfLogLoss(t *testing.T) {
	const query = "target=Sex&ranks=2&lambdaf=30&iterations=5"
	status, out, told := ifm("compare", query+"&trials=2", samples+"penguins.csv")
	require.Zero(t, status, told)
	assert.Regexp(t, `target +error +rows`, out)
	assert.Regexp(t, `Sex +log-loss +344 .* 0\.69\d+ ± `, out)
	status, out, told = ifm("curve", query, samples+"penguins.csv")
	require.Zero(t, status, told)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		v, err := strconv.ParseFloat(row[12], 64)
		require.NoError(t, err)
		assert.True(t, 0 < v && v < 1, "%s at %s of %s", row[12], row[9], row[4])
	}
}
