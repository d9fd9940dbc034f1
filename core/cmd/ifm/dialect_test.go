//go:build !js

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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
	out, told := ok(t, "train", file, "-target", "Preis", "-rows", rows, "-o", model, "-set", "ranks=1", "-set", "iterations=30")
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

	_, told = ok(t, "train", file, "-target", "Preis", "-test", german(t), "-rows", rows, "-set", "ranks=1", "-set", "iterations=30")
	raw = must(os.ReadFile(rows))
	second := readAlone(t, rows, raw)
	require.Equal(t, 120, second.Rows)
	for row := range second.Rows {
		was, ok := in.RowAt(int(second.Number(0, row)))
		require.True(t, ok)
		assert.Equal(t, in.Text(0, was), second.Text(1, row), "lines are those of the second file")
	}

	out, told = ok(t, "predict", model, file)
	predicted := readAlone(t, "predictions.csv", []byte(out))
	assert.Equal(t, []any{';', byte(','), 120}, []any{predicted.Separator, predicted.Point, predicted.Rows})

	status, _, told := ifm("train", file, "-rows", file)
	assert.Equal(t, 2, status)
	assert.Contains(t, told, "is the file that it reads")
	status, _, told = ifm("train", file, "-rows", model, "-o", model)
	assert.Equal(t, 2, status)
	assert.Contains(t, told, "-rows needs a file of its own")
}

func TestTestRowsOfClassesHaveTheProbabilityOfEach(t *testing.T) {
	rows := filepath.Join(t.TempDir(), "rows.csv")
	ok(t, "train", "../../../web/samples/penguins.csv", "-target", "Species", "-rows", rows, "-set", "ranks=1", "-set", "iterations=30")
	raw := must(os.ReadFile(rows))
	head, _, _ := strings.Cut(string(raw), "\n")
	assert.True(t, strings.HasSuffix(head, ",Species,class,P(Adelie),P(Chinstrap),P(Gentoo)"), head)
	read := readAlone(t, rows, raw)
	n := len(read.Columns)
	right := 0
	for row := range read.Rows {
		assert.InDelta(t, 1, read.Number(n-3, row)+read.Number(n-2, row)+read.Number(n-1, row), 1e-12)
		if read.Text(n-5, row) == read.Text(n-4, row) {
			right++
		}
	}
	assert.Greater(t, right, read.Rows*9/10)
}
