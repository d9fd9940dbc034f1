//go:build !js

package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
