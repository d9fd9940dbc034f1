//go:build !js

package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/estimator"
	"ifmlab/core/table"
)

// readAlone reads a file as a reader's, with all guesses.
func readAlone(t *testing.T, name string, file []byte) *table.Table {
	return must(estimator.ReadTable(name, bytes.NewReader(file), nil))
}

func TestWhatIsWrittenInAnyDialectIsReadBackTheSame(t *testing.T) {
	texts := []string{"plain", "Käse; Brot", `a "quoted" word`, "a\nb", " edge ", "a,b|c", "-12,5", "3 − 2 €"}
	guarded := map[string]string{"=1+1": "'=1+1", "@sum": "'@sum", "-x": "'-x", "a;=b": "a;'=b"}
	for _, separator := range []rune{',', ';', '\t', '|'} {
		for _, point := range []byte{'.', ','} {
			for _, like := range []*table.Table{{Charset: "utf-8"}, {Charset: "utf-16le"}, {Charset: "utf-16be"}, {Charset: "windows-1252"}} {
				like.Separator, like.Point = separator, point
				name := fmt.Sprintf("%q %c %s", separator, point, like.Charset)
				s := sheetLike(like)
				s.add("text", "number", "more")
				var want []string
				for i := range 60 {
					text := texts[i%len(texts)]
					if like.Charset == "windows-1252" {
						text = strings.ReplaceAll(text, "−", "–") // it has no minus sign
					}
					want = append(want, strings.TrimSpace(text))
					s.add(text, real(float64(i)/8-3), real(i*i))
				}
				for from, to := range guarded {
					want = append(want, to)
					s.add(from, real(.5), real(1))
				}
				var file bytes.Buffer
				require.NoError(t, s.write(&file), name)
				read := readAlone(t, "a.csv", file.Bytes())
				require.Equal(t, len(want), read.Rows, name)
				assert.Equal(t, separator, read.Separator, name)
				assert.Equal(t, like.Charset, read.Charset, name)
				for row, text := range want {
					require.Equal(t, text, read.Text(0, row), name)
					if row < 60 {
						require.Equal(t, float64(row)/8-3, read.Number(1, row), "%s: row %d", name, row)
						require.Equal(t, float64(row*row), read.Number(2, row), name)
					}
				}
			}
		}
	}
}

func TestACharacterThatACharsetLacksIsWrittenInUTF8(t *testing.T) {
	s := sheetLike(&table.Table{Separator: ';', Point: ',', Charset: "windows-1252"})
	s.add("Ω", "é")
	var file bytes.Buffer
	require.NoError(t, s.write(&file))
	assert.Equal(t, "Ω;é\n", file.String())
}

func TestNumbersAreWrittenWithTheMarkOfTheFileAndACommaAfterSemicolonsThatShowNone(t *testing.T) {
	for text, want := range map[string]byte{
		"a;b\n1;2\n30;4\n":               ',',
		"a;b\n1;x,y\n30;2\n":             ',', // no number
		"a;b\n1;2\nx;40000\n":            ',',
		"a;b\n1;2\n30;4.5\n":             '.',
		"a;b\n1;2\n30;about 4.5\nx;.5\n": '.',
		"a;b\n1;2\n30;4,5\n":             ',',
		"a;b\n1;2\n30;1.234\n":           '.', // a thousand or a fraction
		"a,b\n1,2\n30,4\n":               '.',
		"a\tb\n1\t2\n30\t4\n":            '.',
	} {
		assert.Equal(t, string(want), sheetLike(readAlone(t, "x.csv", []byte(text))).point, text)
	}
}

// german returns a table as a spreadsheet in Germany writes it.
func german(t *testing.T) string {
	var b strings.Builder
	b.WriteString("Stück;Straße;Länge;Preis\r\n")
	for i := range 120 {
		street := []string{"Süd", "=Nord", "Ost \"A\""}[i%3]
		length := float64((i*37)%100) / 4
		s := fmt.Sprintf("N%03d;\"%s\";%.2f;%.3f\r\n", i, strings.ReplaceAll(street, `"`, `""`), length, 3*length+float64(i%3)*10+float64(i*7%5)/10)
		b.WriteString(strings.ReplaceAll(s, ".", ","))
	}
	raw := table.EncodeLike(&table.Table{Charset: "windows-1252"}, b.String())
	file := filepath.Join(t.TempDir(), "preise.csv")
	require.NoError(t, os.WriteFile(file, raw, 0o600))
	return file
}

func TestTrainWritesTheTestRowsInTheDialectOfTheTable(t *testing.T) {
	file := german(t)
	rows := filepath.Join(t.TempDir(), "rows.csv")
	model := filepath.Join(t.TempDir(), "model.json")
	out, _ := ok(t, "train", file, "-target", "Preis", "-rows", rows, "-o", model, "-set", "ranks=1", "-set", "iterations=30")
	require.Contains(t, out, "24 test")
	raw := must(os.ReadFile(rows))
	in, read := readAlone(t, file, must(os.ReadFile(file))), readAlone(t, rows, raw)
	assert.Equal(t, []any{';', byte(','), in.Charset, 24}, []any{read.Separator, read.Point, read.Charset, read.Rows})
	var names []string
	for _, c := range read.Columns {
		names = append(names, c.Name)
	}
	assert.Equal(t, []string{"line", "Stück", "Straße", "Länge", "Preis", "prediction", "lower", "upper", "error"}, names)
	for row := range read.Rows {
		line := int(read.Number(0, row))
		was, ok := in.RowAt(line)
		require.True(t, ok)
		assert.Equal(t, in.Text(0, was), read.Text(1, row))
		assert.Equal(t, strings.Replace(in.Text(1, was), "=", "'=", 1), read.Text(2, row), "no formula runs")
		assert.Equal(t, in.Number(2, was), read.Number(3, row))
		assert.Equal(t, in.Number(3, was), read.Number(4, row))
		predicted := read.Number(5, row)
		assert.InDelta(t, predicted-read.Number(4, row), read.Number(8, row), 1e-9, "targets are scaled and back")
		assert.True(t, read.Number(6, row) < predicted && predicted < read.Number(7, row))
	}

	ok(t, "train", file, "-target", "Preis", "-test", german(t), "-rows", rows, "-set", "ranks=1", "-set", "iterations=30")
	raw = must(os.ReadFile(rows))
	second := readAlone(t, rows, raw)
	require.Equal(t, 120, second.Rows)
	for row := range second.Rows {
		was, ok := in.RowAt(int(second.Number(0, row)))
		require.True(t, ok)
		assert.Equal(t, in.Text(0, was), second.Text(1, row), "lines are those of the second file")
	}

	out, _ = ok(t, "predict", model, file)
	predicted := readAlone(t, "predictions.csv", []byte(out))
	assert.Equal(t, []any{';', byte(','), 120}, []any{predicted.Separator, predicted.Point, predicted.Rows})

	refused(t, 2, "is the file that it reads", "train", file, "-rows", file)
	refused(t, 2, "-rows needs a file of its own", "train", file, "-rows", model, "-o", model)
}

// rowsOf returns the predictions that ifm predict prints.
func rowsOf(t *testing.T, model, file string) (predictions []float64) {
	t.Helper()
	out, _ := ok(t, "predict", model, file)
	rows := must(csv.NewReader(strings.NewReader(out)).ReadAll())
	at := slices.Index(rows[0], "prediction")
	for _, row := range rows[1:] {
		predictions = append(predictions, must(strconv.ParseFloat(row[at], 64)))
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

		refused(t, 1, "diabetes.csv has 11 columns, but the model takes 10 without names", "predict", out, samples+"diabetes.csv")
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
	refused(t, 1, "wide.txt has the feature index 3, but the model knows 0 to 2; use a file with the same numbering as the training file", "predict", model, write("wide.txt", "1 1:1 3:2\n2 1:3\n"))
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

func TestWhatIsAddedToTheCellsOfAFileIsNumberedWhereTheFileHasTheName(t *testing.T) {
	dir := t.TempDir()
	file, model, rows := filepath.Join(dir, "ward.csv"), filepath.Join(dir, "model.json"), filepath.Join(dir, "rows.csv")
	text := "line,prediction,stay\n"
	for i := range 120 {
		text += fmt.Sprintf("%d.5,%d.25,%d\n", i*7%23, i*13%31, i*7%23+2*(i*13%31)+i%3)
	}
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	ok(t, "train", file, "-target", "stay", "-set", "ranks=1", "-set", "iterations=10", "-splits=1", "-o", model, "-rows", rows)
	out, _ := ok(t, "predict", model, file)
	for _, text := range []string{out, string(must(os.ReadFile(rows)))} {
		assert.True(t, strings.HasPrefix(text, "line (2),line,prediction,stay,prediction (2),lower,upper,"), "%.80s", text)
	}
}
