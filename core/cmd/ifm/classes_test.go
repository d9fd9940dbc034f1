//go:build !js

package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/tabletest"
)

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
		text := tabletest.File("a,b,y", 200, func(i int) string {
			y := "20"
			if i < c.rare {
				if y = c.value; y == "" {
					y = fmt.Sprintf("%.3f", 20+rng.Float64())
				}
			}
			return fmt.Sprintf("%.3f,%.3f,%s", rng.NormFloat64(), rng.NormFloat64(), y)
		})
		file := write(t, "noise.csv", text)
		out, told := ok(t, "train", file, "-target=y", "-ranges=false", "-splits=2", "-link", fewTrials)
		assert.Equal(t, c.says == "", verdict.MatchString(out), out)
		assert.Contains(t, out, c.says)
		assert.Equal(t, c.says == "", strings.Contains(out, "Means of 2 splits"), out)
		if c.rare != 1 && c.rare != 25 {
			continue
		}
		out, told = ok(t, "compare", "target=y&trials=1&"+fewTrials, file)
		assert.Contains(t, told, "noise: "+c.says)
		assert.NotContains(t, out, "of 1", "splits are not counted")
	}
}

func TestNoShareIsRoundedToAllOrNone(t *testing.T) {
	for share, want := range map[real]string{1: "100.0 %", .9999: "99.99 %", .9996: "99.96 %", .5: "50.0 %", .0004: "0.04 %", 0: "0.0 %"} {
		assert.Equal(t, want, percent(share))
	}
}

func TestTheClassOfARowIsItsLikeliest(t *testing.T) {
	model, file := filepath.Join(t.TempDir(), "model.json"), filepath.Join(t.TempDir(), "rows.csv")
	const query = "ranks=2&lambdaf=30&iterations=5"
	ok(t, "train", samples+"penguins.csv", "-target=Species", "-o", model, "-rows", file, "-link", query)
	tested := must(csv.NewReader(bytes.NewReader(must(os.ReadFile(file)))).ReadAll())
	assert.Equal(t, []string{"Species", "class", "P(Adelie)", "P(Chinstrap)", "P(Gentoo)"}, tested[0][7:])
	for _, row := range tested[1:] {
		p := [3]float64{must(strconv.ParseFloat(row[9], 64)), must(strconv.ParseFloat(row[10], 64)), must(strconv.ParseFloat(row[11], 64))}
		assert.InDelta(t, 1, p[0]+p[1]+p[2], 1e-12)
		assert.Equal(t, slices.Max(p[:]), p[slices.Index([]string{"Adelie", "Chinstrap", "Gentoo"}, row[8])], "the class is the likeliest")
	}
}
