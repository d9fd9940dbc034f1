package read_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/encode"
	"ifmlab/core/fault"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

func TestCSVSpectrumGivesItsAnswers(t *testing.T) {
	root := tabletest.Shared(t, "csv-edge/csv-spectrum")
	files, err := filepath.Glob(filepath.Join(root, "csvs", "*.csv"))
	require.NoError(t, err)
	require.Len(t, files, 12)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".csv")
		t.Run(name, func(t *testing.T) {
			answer, err := os.ReadFile(filepath.Join(root, "json", name+".json"))
			require.NoError(t, err)
			answer = []byte(strings.ReplaceAll(string(answer), `\r\n`, `\n`)) // encoding/csv reads CRLF in quotes as LF
			if answer[0] == '{' {
				answer = []byte("[" + string(answer) + "]")
			}
			var want []map[string]string
			require.NoError(t, json.Unmarshal(answer, &want))
			table, err := tabletest.ReadFile(t, file)
			require.NoError(t, err)
			require.Equal(t, len(want), table.Rows)
			assert.Zero(t, table.BadCount)
			for i, row := range want {
				for j, column := range table.Names() {
					if name == "location_coordinates" && column == "Contact Phone Number" {
						assert.Equal(t, "2095257564", table.Preview[i][j], "the answer there has another number than its file")
						continue
					}
					assert.Equal(t, row[column], table.Preview[i][j], column)
				}
			}
		})
	}
}

func TestFilesThatBrokeOtherParsersGiveATableOrATypedError(t *testing.T) {
	read, refused := 0, 0
	err := filepath.WalkDir(tabletest.Shared(t, "csv-edge"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		table, err := tabletest.ReadFile(t, path)
		if err != nil {
			var file *fault.FileError
			var many *fault.TooManyBadRowsError
			assert.True(t, errors.As(err, &file) || errors.As(err, &many), "%s: %v", path, err)
			assert.Contains(t, err.Error(), filepath.Base(path))
			refused++
			return nil
		}
		tabletest.CheckTable(t, table)
		read++
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, read, 150, "most of the rest hold zero bytes or no UTF-8")
	t.Logf("%d read, %d refused", read, refused)
}

func TestTablesPeopleBringAreReadAsTheyAre(t *testing.T) {
	root := tabletest.Shared(t, "csv")
	for _, c := range []struct {
		file            string
		rows            int
		header          bool
		target          string
		features, dirty int
	}{
		{"uci_bike_day.csv", 731, true, "cnt", 35 + 21, 0}, // 12 months, 7 weekdays, the year and the days of its date
		{"uci_winequality-red-white_daphne.csv", 6497, false, "column 13", 12, 0},
		{"plotly_winequality-red.csv", 1599, true, "quality", 11, 0},
		{"plotly_iris.csv", 150, true, "PetalWidth", 6, 0},
		{"plotly_auto-mpg.csv", 398, true, "mpg", 10, 0},
		{"plotly_titanic.csv", 156, true, "Survived", 13, 0},
	} {
		t.Run(c.file, func(t *testing.T) {
			table, err := tabletest.ReadFile(t, filepath.Join(root, c.file))
			require.NoError(t, err)
			tabletest.CheckTable(t, table)
			assert.Equal(t, c.rows, table.Rows)
			assert.Equal(t, c.header, table.Header)
			assert.Zero(t, table.BadCount)
			plan, err := roles.NewPlan(table, roles.Settings{Rare: 5})
			require.NoError(t, err)
			assert.Equal(t, c.target, plan.Target)
			set, err := encode.Dataset(plan, tabletest.Stream(1))
			require.NoError(t, err)
			assert.Len(t, set.Encoding.Features, c.features, "%v", tabletest.Names(set))
		})
	}
}

func TestJSONIsReadAsItsOwnParserReadsIt(t *testing.T) {
	root := tabletest.Shared(t, "csv")
	for file, rows := range map[string]int{"vega_penguins.json": 344, "vega_movies.json": 3201} {
		table, err := tabletest.ReadFile(t, filepath.Join(root, file))
		require.NoError(t, err)
		tabletest.CheckTable(t, table)
		require.Equal(t, rows, table.Rows)
		text, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		var want []map[string]any
		require.NoError(t, json.Unmarshal(text, &want))
		for j, column := range table.Names() {
			if _, ok := want[0][column]; !ok {
				continue // a part of a date
			}
			for i, row := range want {
				switch v := row[column].(type) {
				case nil:
					assert.True(t, table.IsMissing(j, i))
				case float64:
					assert.Equal(t, v, table.Number(j, i))
				case string:
					if !table.IsMissing(j, i) { // ".." and the like
						assert.Equal(t, strings.TrimSpace(v), table.Text(j, i))
					}
				}
			}
		}
		_, err = roles.NewPlan(table, roles.Settings{})
		assert.NoError(t, err)
	}
}

func TestTheSamplesAreReadWithoutANotice(t *testing.T) {
	for name, want := range map[string]struct {
		rows   int
		target string
	}{"penguins": {344, "Body Mass (g)"}, "cars": {406, "Miles_per_Gallon"}, "diabetes": {442, "target"}} {
		table, err := tabletest.ReadFile(t, filepath.Join("..", "..", "web", "samples", name+".csv"))
		require.NoError(t, err)
		tabletest.CheckTable(t, table)
		assert.Equal(t, want.rows, table.Rows)
		assert.Empty(t, table.Notes)
		plan, err := roles.NewPlan(table, roles.Settings{Rare: 5})
		require.NoError(t, err)
		assert.Equal(t, want.target, plan.Target)
	}
}
