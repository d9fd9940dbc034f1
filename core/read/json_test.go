package read_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/csv"
	"ifmlab/core/fault"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

func TestReadOpensJSONAsATable(t *testing.T) {
	for _, c := range []struct {
		name, text string
		columns    []string
		rows       [][]string
		lines      []int
	}{
		{"one object a line", "{\"a\": 1, \"b\": \"x\"}\n{\"b\": \"y, z\", \"a\": -2.50}\n\n{\"a\": 3e2}", []string{"a", "b"}, [][]string{{"1", "x"}, {"-2.50", "y, z"}, {"3e2", ""}}, []int{1, 2, 4}},
		{"one object over lines", "{\n \"a\": 1\n}\n{\n \"a\": 2\n}\n", []string{"a"}, [][]string{{"1"}, {"2"}}, []int{1, 4}},
		{"a list of objects", "[\n {\"a\": 1, \"b\": null},\n {\"a\": true, \"c\": \"z\"}\n]\n", []string{"a", "b", "c"}, [][]string{{"1", "", ""}, {"true", "", "z"}}, []int{2, 3}},
		{"a list on one line", `[{"a":1},{"a":2},{"a":3}]`, []string{"a"}, [][]string{{"1"}, {"2"}, {"3"}}, []int{1, 2, 3}},
		{"a list of lists", `[["a","b"],[1,"x"],[2.5,null]]`, []string{"a", "b"}, [][]string{{"1", "x"}, {"2.5", ""}}, []int{2, 3}},
		{"a list of lists without names", `[[1,"x"],[2.5,"y"]]`, []string{"column 1", "column 2"}, [][]string{{"1", "x"}, {"2.5", "y"}}, []int{1, 2}},
		{"a list a line", "[\"a\",\"b\"]\n[1,2]\n[3,4]\n", []string{"a", "b"}, [][]string{{"1", "2"}, {"3", "4"}}, []int{2, 3}},
		{"rows within an object", "{\"meta\": {\"n\": [1, \"]\"]}, \"data\": [{\"a\": 1},\n{\"a\": 2}], \"next\": null}", []string{"a"}, [][]string{{"1"}, {"2"}}, []int{1, 2}},
		{"names beside the rows", `{"columns":["a","b"],"index":[0,1],"data":[[1,2],[3,4]]}`, []string{"a", "b"}, [][]string{{"1", "2"}, {"3", "4"}}, []int{1, 2}},
		{"columns", `{"a":[1,2],"b":["x",null]}`, []string{"a", "b"}, [][]string{{"1", "x"}, {"2", ""}}, []int{1, 2}},
		{"columns by rows", `{"a":{"0":1,"1":2},"b":{"1":null,"0":"x"}}`, []string{"a", "b"}, [][]string{{"1", "x"}, {"2", ""}}, []int{1, 2}},
		{"a name of two parts", `[{"p.q":1,"p":{"q":2}},{"p.q":5,"p":{"q":6}}]`, []string{"p.q", "p.q (2)"}, [][]string{{"1", "2"}, {"5", "6"}}, []int{1, 2}},
		{"objects in objects", `{"a":{"x":1,"y":{"z":"q"}},"b":2}` + "\n" + `{"b":3,"a":{"y":{}}}`, []string{"a.x", "a.y.z", "b"}, [][]string{{"1", "q", "2"}, {"", "", "3"}}, []int{1, 2}},
		{"lists of numbers", `[{"p":[1,2.5],"y":3},{"p":[4,null,6],"y":7}]`, []string{"p.1", "p.2", "y", "p.3"}, [][]string{{"1", "2.5", "3", ""}, {"4", "", "7", "6"}}, []int{1, 2}},
		{"other lists", `[{"t":["a", {"b": "c]" }],"y":3},{"t":[],"y":7}]`, []string{"t", "y"}, [][]string{{`["a",{"b":"c]"}]`, "3"}, {"", "7"}}, []int{1, 2}},
		{"escapes", `{"a":"\"\\\/\n\tA\u00e9\ud83d\udeb2\ud83d","b":1}` + "\n", []string{"a", "b"}, [][]string{{"\"\\/\n\tAé🚲\uFFFD", "1"}}, []int{1}},
		{"a name twice", `[{"a":1,"a":2},{"a":3}]`, []string{"a", "a (2)"}, [][]string{{"1", "2"}, {"3", ""}}, []int{1, 2}},
		{"Python's words", "[{\"a\":NaN},\n{\"a\":Infinity},\n{\"a\":1}]", []string{"a"}, [][]string{{""}, {"Infinity"}, {"1"}}, []int{1, 2, 3}},
		{"a mark and CR", "\uFEFF{\"a\":1}\r\n{\"a\":2}\r\n", []string{"a"}, [][]string{{"1"}, {"2"}}, []int{1, 2}},
		{"commas between lines", "{\"a\":1},\n{\"a\":2},\n", []string{"a"}, [][]string{{"1"}, {"2"}}, []int{1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := tabletest.Read(t, c.text)
			assert.Equal(t, table.FormatJSON, tab.Format)
			assert.Equal(t, c.columns, tab.Names())
			assert.Equal(t, c.rows, tab.Preview)
			for j, column := range tab.Columns {
				for i, cells := range c.rows {
					assert.Equal(t, cells[j], column.Text(i), "a column that comes late is missing before")
				}
			}
			for i, line := range c.lines {
				assert.Equal(t, line, tab.Line(i))
				row, ok := tab.RowAt(line)
				assert.True(t, ok && row == i)
			}
			one := tabletest.Must(read.Read(iotest.OneByteReader(strings.NewReader(c.text)), read.Options{Name: "tec.csv"}))
			assert.Equal(t, tabletest.Dump(tab), tabletest.Dump(one))
		})
	}
}

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

func TestJSONNamesThatDifferInSpacesAloneAreTwoColumns(t *testing.T) {
	table := tabletest.Read(t, `[{" a":1,"a":2,"":3,"column 3":4},{"a":5," a":6}]`)
	var columns []string
	for _, p := range roles.Profiles(table) {
		columns = append(columns, p.Name)
	}
	assert.Equal(t, []string{"a", "a (2)", "column 3", "column 3 (2)"}, columns)
	assert.Equal(t, 5.0, table.Number(1, 1))
	assert.Contains(t, table.Notes.Texts(), `two columns are called "a"; the one in column 2 is now called "a (2)"`)
}

func TestBrokenJSONIsListedByLineOrRefusedWithItsPlace(t *testing.T) {
	rows := ""
	for i := range 30 {
		rows += fmt.Sprintf("{\"a\":%d,\"b\":%d}\n", i, i*i%7)
	}
	for _, c := range []struct{ name, text, message string }{
		{"half a line", rows + "{\"a\":1,\n", `tec.csv:31:8: found "\n", expected a name in quotes. Correct the line`},
		{"a word", rows + "{\"a\":1,\"b\":hello}\n", `tec.csv:31:17: found "}", expected a value before it: a number, a text in quotes, true, false or null. Correct the line`},
		{"an open text", rows + "{\"a\":\"x}\n", `tec.csv:31:9: found "\n", expected the quote that ends a text. Correct the line`},
		{"another value", rows + "17\n", `tec.csv:31:1: found "1", expected an object or a list for each row. Correct the line`},
		{"a zero in a text", rows + `{"a":"\u0000"}` + "\n", `tec.csv:31:1: a text of this row has a zero byte or bytes that are not UTF-8; write it again`},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := tabletest.Read(t, c.text+rows)
			require.Equal(t, 1, table.BadCount, "%v", table.Bad)
			assert.Equal(t, c.message, table.Bad[0].Error())
			assert.Equal(t, 60, table.Rows)
		})
	}
	for _, c := range []struct {
		name, text, message string
		problem             fault.FileProblem
	}{
		{"cut short", `[{"a":1},{"a":2}`, "x.json:1:17: found the end of the file, expected ] after the last row. Correct the file there, or save it again", fault.Damaged},
		{"cut within a row", "[{\"a\":1},\n{\"a\":", `x.json:2:6: found the end of the file, expected a value of "a". Correct the file there, or save it again`, fault.Damaged},
		{"no comma", "[{\"a\":1}\n{\"a\":2}]", `x.json:2:1: found "{", expected a comma or ] after a row. Correct the file there, or save it again`, fault.Damaged},
		{"columns", `{"a":{"x":1,"y":2},"b":{"x":3,"z":4}}`, `x.json:1:1: this JSON is one object without rows, expected a list of objects, one object a line, or columns as lists of equal length. Write it with one object a row, as pandas does with orient="records"`, fault.OtherType},
		{"an empty list", "[]", "x.json:1:1: this JSON has no rows. Choose a file of objects or lists", fault.HeaderOnly},
		{"deep", `{"a":` + strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 101) + "\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read.Read(strings.NewReader(c.text), read.Options{Name: "x.json"})
			require.Error(t, err)
			if c.message != "" {
				file := tabletest.As[*fault.FileError](t, err)
				assert.Equal(t, c.problem, file.Problem)
				assert.EqualError(t, err, c.message)
			}
		})
	}
}

func TestASeparatorThatIsNamedMakesJSONText(t *testing.T) {
	tab := tabletest.ReadAs(t, "[1;2\n3;4\n", read.Options{Separator: ';', Header: csv.HeaderNo})
	assert.Equal(t, table.FormatText, tab.Format)
	assert.Equal(t, 2, tab.Rows)
}

func TestSettingsOfColumnsReachJSON(t *testing.T) {
	table := tabletest.ReadAs(t, "{\"a\":-9,\"b\":\"none\"}\n{\"a\":2,\"b\":\"x\"}\n", read.Options{Answers: read.Answers{MissingAs: []string{"a:-9"}, Present: []string{"b:none"}}})
	assert.True(t, table.IsMissing(0, 0))
	assert.Equal(t, "none", table.Text(1, 0))
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
