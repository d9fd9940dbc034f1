package read_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

func TestTheFormOfJSONIsKnownWhereTheSampleCutsIt(t *testing.T) {
	numbers := strings.Repeat("1.25,", 30_000) + "2"
	for text, rows := range map[string]int{
		`{"a":[` + numbers + `],"b":[` + numbers + `]}`:                           30_001,
		`{"meta":[1],"data":[` + strings.Repeat(`{"a":1},`, 30_000) + `{"a":2}]}`: 30_001,
		strings.Repeat(`{"id":1,"v":"`+strings.Repeat("x", 100_000)+"\"}\n", 2):   2,
	} {
		assert.Equal(t, rows, tabletest.Read(t, text).Rows, text[:20])
	}
}

func TestNumbersOfJSONAreExactAndNeverThousands(t *testing.T) {
	var b strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&b, "{\"a\": %d.%03d, \"y\": %d}\n", i%900, 100+i%899, i)
	}
	table := tabletest.Read(t, b.String())
	assert.Zero(t, table.Questions())
	for _, p := range roles.Profiles(table) {
		assert.Empty(t, p.Notes, p.Name)
	}
	for i := range 6000 {
		var want struct{ A, Y float64 }
		line := strings.Split(b.String(), "\n")[i]
		require.NoError(t, json.Unmarshal([]byte(line), &want))
		assert.Equal(t, want.A, table.Number(0, i))
	}
}

// FuzzJSON holds valid JSON to encoding/json and all other input to a table or a
// typed error.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":1}` + "\n" + `{"b":[1,2]}`, `[{"a":"x"},{"a":null}]`, `[[1,2],[3,4]]`, `{"d":[{"a":1}]}`, `[{"a":{"b":[{"c":1}]}}]`, `{"a":"\ud83d\udeb2"}`, "[", "{", `[[]]`, `[{}]`, `{"a":1}{"a":2}`, `{"":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		tab := tabletest.ReadsAlike(t, file)
		var want []map[string]any
		if tab != nil && tab.Format == table.FormatJSON && json.Unmarshal(file, &want) == nil && len(want) > 0 {
			require.Equal(t, len(want), tab.Rows+tab.BadCount)
		}
	})
}
