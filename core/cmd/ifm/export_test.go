//go:build !js

package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rowsOf returns the predictions that ifm predict prints.
func rowsOf(t *testing.T, model, file string) (predictions []float64) {
	t.Helper()
	out, _ := ok(t, "predict", model, file)
	for _, row := range must(csv.NewReader(strings.NewReader(out)).ReadAll())[1:] {
		predictions = append(predictions, must(strconv.ParseFloat(row[1], 64)))
	}
	return predictions
}

func TestAModelTravelsToLibFMAndBack(t *testing.T) {
	dir := t.TempDir()
	rows := must(csv.NewReader(strings.NewReader(string(must(os.ReadFile(samples + "diabetes.csv"))))).ReadAll())
	plain := filepath.Join(dir, "plain.csv") // without the target: what is left goes by its place
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.Join(row[:len(row)-1], ",") + "\n")
	}
	require.NoError(t, os.WriteFile(plain, []byte(b.String()), 0o644))
	for _, kind := range []string{"fm", "ifm"} {
		model := trained(t, "diabetes.csv", "target", "-set", "models="+kind, "-set", "numeric=sex")
		out := filepath.Join(dir, kind+".libfm")
		_, told := ok(t, "export", model, "-as", "libfm", "-o", out)
		assert.Equal(t, kind == "ifm", strings.Contains(told, "iFM's interactions have both signs"), told)
		features := must(os.ReadFile(filepath.Join(dir, kind+".features.csv")))
		assert.Contains(t, string(features), "index,feature,column,is,of,missing,least,most\n0,age,age,value,,")

		want, back := rowsOf(t, model, samples+"diabetes.csv"), filepath.Join(dir, "back.json")
		assert.InDeltaSlice(t, want, rowsOf(t, out, plain), 1e-9, "columns with means a hundred times their spread cancel some digits")
		_, told = ok(t, "import", out, "-target", "progression", "-o", back)
		assert.InDeltaSlice(t, want, rowsOf(t, back, plain), 1e-9)
		status, said, _ := ifm("explain", back)
		require.Zero(t, status)
		assert.Contains(t, said, "progression")

		status, _, told = ifm("predict", out, samples+"diabetes.csv")
		assert.Equal(t, 1, status)
		assert.Contains(t, told, "diabetes.csv has 11 columns, but the model takes 10 without names")
	}
}

func TestAModelOfLibFMPredictsTheFilesThatLibFMReads(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	model := write("m.libfm", "#global bias W0\n0.5\n#unary interactions Wj\n1\n2\n4\n#pairwise interactions Vj,f\n1 0\n2 1\n3 5\n")
	const rounding = 1e-12 // of small whole numbers by an eigendecomposition
	assert.InDeltaSlice(t, []float64{.5 + 1 + 4 + 2*2, .5 + 6, .5}, rowsOf(t, model, write("short.txt", "1 0:1 1:2\n2 1:3\n3\n")), rounding, "no row lists the last feature")
	assert.InDeltaSlice(t, []float64{.5 + 2 + 8 + 11*2, .5 + 4}, rowsOf(t, model, write("one.txt", "1 1:1 2:2\n-1 2:1\n")), rounding, "indices are the places, from 0")
	back := filepath.Join(dir, "back.json")
	_, told := ok(t, "import", model, "-target", "y", "-o", back)
	_, told = ok(t, "predict", back, filepath.Join(dir, "one.txt"))
	assert.Contains(t, told, "RMSE ", "the label is y")
	status, _, told := ifm("predict", model, write("wide.txt", "1 1:1 3:2\n2 1:3\n"))
	assert.Equal(t, 1, status)
	assert.Contains(t, told, "wide.txt has the feature index 3, but the model knows 0 to 2; use a file with the same numbering as the training file")
}

func TestExportWritesAScriptAndSQLForATableOfThatName(t *testing.T) {
	model := trained(t, "penguins.csv", "Body Mass (g)")
	out, _ := ok(t, "export", model, "-as", "sql", "-table", `the "birds"`)
	assert.True(t, strings.HasPrefix(out, "-- Predicts Body Mass (g) for every row of a table.\n"))
	assert.True(t, strings.HasSuffix(out, "AS \"prediction\"\nFROM \"the \"\"birds\"\"\" AS source;\n"))
	program, _ := ok(t, "export", model, "-as", "python")
	assert.True(t, strings.HasPrefix(program, "#!/usr/bin/env python3\n\"\"\"Predicts Body Mass (g): iFM of rank "), program[:200])
	assert.Contains(t, program, "prints the line and the prediction of every row, with\n                                    the range that holds 90 % of rows like the training table's\n")
	again, _ := ok(t, "export", model, "-as", "json")
	assert.Equal(t, string(must(os.ReadFile(model))), again)
}

func TestExportAndImportSayWhatTheyCannotDo(t *testing.T) {
	dir := t.TempDir()
	model := trained(t, "penguins.csv", "Body Mass (g)", "-set", "models=gfm")
	cut := filepath.Join(dir, "cut.libfm")
	require.NoError(t, os.WriteFile(cut, []byte("#global bias W0\n1\n#unary interactions Wj\n2\nx\n"), 0o644))
	bare := filepath.Join(dir, "bare.libfm")
	require.NoError(t, os.WriteFile(bare, []byte("0.5\n1\n-2\n0.1 0.2\n0.3 0.4\n"), 0o644))
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"export", model}, 2, "ifm export: -as is \"\", expected one of json, python, sql, libfm"},
		{[]string{"export", model, "-as", "libfm"}, 1, "gFM keeps the squares of features, and libFM has none; save this model as SQL, Python or JSON, or train FM or iFM"},
		{[]string{"import", model}, 1, "is a model file already"},
		{[]string{"import", cut}, 1, `cut.libfm: model file:5:1: found "x", expected a finite number`},
		{[]string{"import"}, 2, "usage: ifm import MODEL"},
		{[]string{"import", bare}, 1, "bare.libfm: model file:1:1: found only numbers, like a libFM model without its headings, expected a model file, or a model of libFM as -save_model writes it: #global bias W0 above the bias"},
		{[]string{"export", model, "-as", "sql", "-o", filepath.Join(dir, "none", "x.sql")}, 1, "none is not there; make it, or name another"},
		{[]string{"import", filepath.Join(dir, "none")}, 1, "none: there is no such file; give the path of one"},
	} {
		status, _, told := ifm(c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, told, c.want)
	}
}
