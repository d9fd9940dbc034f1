package packed

import (
	"bytes"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/read"
	"ifmlab/core/spec"
)

// Names that every object of JavaScript has are names as others are, in each kind of
// file.
func TestNamesOfPrototypesAreNamesOfColumns(t *testing.T) {
	names := []string{"__proto__", "constructor", "toString", "hasOwnProperty"}
	header, line := strings.Join(names, ","), "__proto__,constructor,toString,valueOf"
	cell := func(text string) string { return `<c t="inlineStr"><is><t>` + text + `</t></is></c>` }
	row := func(line string) string {
		return "<row>" + cell(strings.ReplaceAll(line, ",", "</t></is></c>"+`<c t="inlineStr"><is><t>`)) + "</row>"
	}
	type columns struct {
		A string `parquet:"__proto__"`
		B string `parquet:"constructor"`
		C string `parquet:"toString"`
		D string `parquet:"hasOwnProperty"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[columns](&b)
	_, err := w.Write([]columns{{"__proto__", "constructor", "toString", "valueOf"}})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	csv := header + "\n" + line + "\n"
	for name, file := range map[string][]byte{
		"t.csv":     []byte(csv),
		"t.json":    []byte(`[{"__proto__":"__proto__","constructor":"constructor","toString":"toString","hasOwnProperty":"valueOf"}]`),
		"t.xlsx":    sheeted(t, row(header)+row(line), ""),
		"t.parquet": b.Bytes(),
	} {
		opened, err := defaultLimits.open(name, bytes.NewReader(file), int64(len(file)), spec.Default(), 0)
		require.NoError(t, err, name)
		table, err := read.Read(opened, read.Options{})
		require.NoError(t, err, name)
		for i, c := range table.Columns {
			assert.Equal(t, names[i], c.Name, name)
		}
		assert.Len(t, table.Columns, len(names), name)
	}
}
