//go:build !js

package main

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
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

func TestNothingIsConcludedFromAFewRowsOfTheRarerClass(t *testing.T) {
	verdict := regexp.MustCompile(`ahead of|behind|no clear difference|interactions bring`)
	for _, c := range []struct {
		rare  int // of 200 rows
		value string
		says  string
	}{
		{1, "21", "None of 40 test rows has y = 21: too few to compare models. It takes about 30 such rows in the table, or 10 and ten splits (ifm compare)."},
		{2, "21", "None of 40 test rows has y = 21: too few"},
		{3, "21", "Only 1 of 40 test rows has y = 21: too few"},
		{25, "21", "Only 5 of 40 test rows have y = 21: too few"},
		{30, "21", ""},
		{15, "", " of 40 test rows have another y than 20: too few"},
		{100, "", ""},
	} {
		rng := rand.New(rand.NewPCG(uint64(c.rare), 1))
		var b strings.Builder
		b.WriteString("a,b,y\n")
		for i := range 200 {
			y := "20"
			if i < c.rare {
				if y = c.value; y == "" {
					y = fmt.Sprintf("%.3f", 20+rng.Float64())
				}
			}
			fmt.Fprintf(&b, "%.3f,%.3f,%s\n", rng.NormFloat64(), rng.NormFloat64(), y)
		}
		file := filepath.Join(t.TempDir(), "noise.csv")
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
		status, out, told := ifm("train", file, "-target=y", "-ranges=false", "-link", fewTrials)
		require.Zero(t, status, told)
		assert.Equal(t, c.says == "", verdict.MatchString(out), out)
		assert.Contains(t, out, c.says)
		if c.rare != 1 && c.rare != 25 {
			continue
		}
		status, out, told = ifm("compare", "target=y&trials=1&"+fewTrials, file)
		require.Zero(t, status, told)
		assert.Contains(t, told, "noise: "+c.says)
		assert.NotContains(t, out, "of 1", "splits are not counted")
	}
}

func TestNoShareIsRoundedToAllOrNone(t *testing.T) {
	for share, want := range map[real]string{1: "100.0 %", .9999: "99.99 %", .9996: "99.96 %", .5: "50.0 %", .0004: "0.04 %", 0: "0.0 %"} {
		assert.Equal(t, want, percent(share))
	}
}
