package script_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/saved"
	"ifmlab/core/script"
	"ifmlab/core/tabletest"
)

// duckdb lets DuckDB read a file by itself, and returns the predictions of a SELECT over it.
func duckdb(t *testing.T, k *saved.Model, text string) []float64 {
	t.Helper()
	program, err := exec.LookPath("duckdb")
	if err != nil {
		t.Skip("there is no duckdb here, which reads the file and runs the query")
	}
	query := tabletest.Must(script.SQL(k.Model, k.Encoding, "my_table"))
	path := filepath.Join(t.TempDir(), "rows.csv")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	run := exec.Command(program, "-json")
	run.Stdin = strings.NewReader("CREATE TABLE my_table AS FROM read_csv('" + path + "');\nSELECT prediction FROM (" + strings.TrimSuffix(query, ";\n") + ");\n")
	var complaint bytes.Buffer
	run.Stderr = &complaint
	out := tabletest.Must(run.Output())
	var rows []map[string]*float64
	require.NoError(t, json.Unmarshal(out, &rows))
	all := []*float64{}
	for _, row := range rows {
		for _, v := range row {
			all = append(all, v)
		}
	}
	return numbers(all)
}

// A database reads levels as values of types of its own. Each list is one column.
var typedLevels = [][]string{
	{"true", "false"}, {"True", "False"}, {"TRUE", "FALSE"}, {"T", "F"}, {"t", "f"}, {"yes", "no"}, {"Yes", "No"}, {"YES", "NO"}, {"1", "0"}, {"y", "n"},
	{"9:05", "10:30", "23:00"}, {"09:05:00", "10:30:15", "11:00:30"}, {"10:30:15.5", "11:00:00", "12:00:01"},
	{"2024-05-31", "2024-06-01", "2024-06-02"}, {"2024/05/31", "2024/06/01", "2024/06/02"}, {"2024-5-31", "2024-6-1", "2024-6-2"},
	{"31/05/2024", "01/06/2024", "02/06/2024"}, {"05/31/2024", "06/01/2024", "06/02/2024"}, {"31.05.2024", "01.06.2024", "02.06.2024"},
	{"2024-05-31T10:00", "2024-06-01T11:15", "2024-06-02T09:00"}, {"2024-05-31 10:00:00", "2024-06-01 11:15:30", "2024-06-02 09:00:00"}, {"2024-05-31T10:00:00.250", "2024-05-31T10:00:00.5", "2024-05-31T10:00:01.000"},
	{"2024-05-31T10:00:00Z", "2024-06-01T10:00:00Z", "2024-06-02T11:30:00Z"},
	{"20240531", "20240601", "20240602"}, {"1.50", "2.25", "3"}, {"01", "02", "10"}, {"1e3", "2", "5"}, {"it's", `"so"`, "漢 é"},
}

func TestDuckDBReadsLevelsAsTheEngineDoes(t *testing.T) {
	for _, levels := range typedLevels {
		for _, gaps := range []bool{false, true} {
			text := "level,x,y\n"
			for i := range 300 {
				at := i * i % 11 % len(levels)
				level := `"` + strings.ReplaceAll(levels[at], `"`, `""`) + `"`
				if !strings.Contains(level, `""`) {
					level = levels[at]
				}
				if gaps && i%13 == 0 {
					level = ""
				}
				text += fmt.Sprintf("%s,%d,%v\n", level, i*31%97, float64(5*at*at)+float64(i*31%97)*float64(at)/50)
			}
			k, s := kept(t, "models=ifm&ranks=1&target=y&categorical=level", text)
			want := tabletest.Must(k.Predict(readTable(t, s, text)))
			got := duckdb(t, k, text)
			for i, v := range want.Predicted {
				if !assert.InDelta(t, v, got[i], 1e-9*max(1, math.Abs(v)), "%s, row %d", levels, i) {
					break
				}
			}
		}
	}
}

// DuckDB leaves a date with a month's name a text, which no row of the answer passes over.
func TestAColumnThatTheQueryCannotReadLeavesNoPrediction(t *testing.T) {
	text := "when,x,y\n"
	for i := range 300 {
		text += fmt.Sprintf("%02d-%s-2024,%d,%d\n", 1+i%28, []string{"May", "Jun", "Jul"}[i%3], i*31%97, i%28+i*31%97)
	}
	k, _ := kept(t, "models=ifm&ranks=1&target=y", text)
	for _, v := range duckdb(t, k, text) {
		assert.True(t, math.IsNaN(v))
	}
}
