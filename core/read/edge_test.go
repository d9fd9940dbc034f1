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

	"ifmlab/core/fault"
	"ifmlab/core/tabletest"
)

func TestCSVSpectrumGivesItsAnswers(t *testing.T) {
	root := tabletest.Shared(t, "csv-edge/csv-spectrum")
	files := tabletest.Must(filepath.Glob(filepath.Join(root, "csvs", "*.csv")))
	require.Len(t, files, 12)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".csv")
		t.Run(name, func(t *testing.T) {
			answer := tabletest.Must(os.ReadFile(filepath.Join(root, "json", name+".json")))
			answer = []byte(strings.ReplaceAll(string(answer), `\r\n`, `\n`)) // encoding/csv reads CRLF in quotes as LF
			if answer[0] == '{' {
				answer = []byte("[" + string(answer) + "]")
			}
			var want []map[string]string
			require.NoError(t, json.Unmarshal(answer, &want))
			table := tabletest.Must(tabletest.ReadFile(t, file))
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
