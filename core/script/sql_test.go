package script_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/design"
	"ifmlab/core/read"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/script"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
	"ifmlab/core/task"
)

// kept trains a model on a table, with one penalty, and takes it through its file.
func kept(t *testing.T, query, text string) (*saved.Model, spec.Spec) {
	t.Helper()
	s, notices := spec.Parse("source=table&trials=1&iterations=5&lambdaf=30&lambdaw=10&" + query)
	require.Empty(t, notices)
	run := tabletest.Must(core.Open(s, 0, readTable(t, s, text)))
	runtest.Finish(t, run)
	k := tabletest.Must(saved.Read(runtest.Result(t, run.Model)))
	return k, s
}

func readTable(t *testing.T, s spec.Spec, text string) *table.Table {
	t.Helper()
	return tabletest.Must(task.Read(s, "rows.csv", strings.NewReader(text)))
}

// sqlite runs a SELECT over a table in Python's SQLite and returns its last column of
// numbers, and the one of texts behind it, of classes.
func sqlite(t *testing.T, query string, names []string, rows [][]any) (predictions []float64, classes []string) {
	t.Helper()
	const program = `import json, sqlite3, sys
ask = json.load(sys.stdin)
db = sqlite3.connect(":memory:")
q = lambda name: '"' + name.replace('"', '""') + '"'
db.execute("CREATE TABLE my_table (" + ", ".join(map(q, ask["names"])) + ")")
db.executemany("INSERT INTO my_table VALUES (" + ", ".join("?" * len(ask["names"])) + ")", ask["rows"])
rows = db.execute(ask["query"]).fetchall()
classes = isinstance(rows[0][-1], str)
json.dump({"predictions": [row[-2 if classes else -1] for row in rows], "classes": [row[-1] for row in rows] if classes else []}, sys.stdout)
`
	ask := tabletest.Must(json.Marshal(map[string]any{"query": query, "names": names, "rows": rows}))
	command := python(t, "-c", program)
	command.Stdin = bytes.NewReader(ask)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out := tabletest.Must(command.Output())
	var answer struct {
		Predictions []*float64
		Classes     []string
	}
	require.NoError(t, json.Unmarshal(out, &answer))
	return numbers(answer.Predictions), answer.Classes
}

// numbers returns numbers, with NaN for NULL.
func numbers(list []*float64) []float64 {
	all := make([]float64, len(list))
	for i, v := range list {
		if all[i] = math.NaN(); v != nil {
			all[i] = *v
		}
	}
	return all
}

// typed returns the cells of a table as a database with types holds them: numbers,
// dates, texts and NULL.
func typed(k *saved.Model, table *table.Table, names []string, rows [][]string) [][]any {
	columns := table.Names()
	numbers := map[string]bool{}
	for _, f := range k.Encoding.Features {
		if f.Kind == design.FeatureValue || f.Kind == design.FeatureKnot || slices.Contains(k.Encoding.FileStyle.Numbers, f.Column) {
			numbers[f.Column] = true
		}
	}
	all := make([][]any, len(rows))
	for _, name := range names {
		at := slices.Index(columns, name)
		days, hour := slices.Index(columns, name+" (days)"), slices.Index(columns, name+" (hour)")
		isLevel := slices.ContainsFunc(k.Encoding.Features, func(f design.Feature) bool { return f.Column == name && f.Kind == design.FeatureLevel })
		isDate := !isLevel && slices.ContainsFunc(k.Encoding.FileStyle.Dates, func(d string) bool { return strings.HasPrefix(d, name+":") })
		epoch := slices.Contains(k.Encoding.FileStyle.Dates, name+":epoch")
		for i, row := range rows {
			text := strings.TrimSpace(row[slices.Index(names, name)])
			var cell any
			switch number, err := strconv.ParseFloat(text, 64); {
			case isDate && epoch && err == nil, numbers[name] && err == nil && !math.IsInf(number, 0) && !math.IsNaN(number):
				cell = number
			case isDate && days >= 0 && !math.IsNaN(table.Number(days, i)):
				date := time.Unix(86400*int64(table.Number(days, i)), 0).UTC()
				cell = date.Format("2006-01-02")
				if hour >= 0 {
					cell = date.Add(time.Duration(table.Number(hour, i)) * time.Hour).Format("2006-01-02 15:04:05")
				}
			case isDate, text == "":
			case numbers[name]:
				if v := table.Number(at, i); !math.IsNaN(v) {
					cell = v
				}
			case err == nil && strconv.Itoa(int(number)) == text:
				cell = int(number)
			default:
				cell = text
			}
			all[i] = append(all[i], cell)
		}
	}
	return all
}

// predicted reads a table as a model does, and predicts it.
func predicted(t *testing.T, k *saved.Model, s spec.Spec, text string) (*table.Table, *saved.Predicted) {
	t.Helper()
	said := read.AnswersOf(&k.Encoding)
	s.Decimal, s.MissingAs, s.NotMissing, s.Dates = said.Decimal, said.MissingAs, said.Present, said.Dates
	table := readTable(t, s, text)
	p := tabletest.Must(k.Predict(table))
	return table, p
}

// scriptSaysTheSame holds a model's script in Python to what the engine predicts for a table.
func scriptSaysTheSame(t *testing.T, k *saved.Model, s spec.Spec, text string) {
	t.Helper()
	_, want := predicted(t, k, s, text)
	head, rows := scripted(t, k, text)
	require.Len(t, rows, len(want.Line))
	logistic := k.Encoding.Target.Logistic
	assert.Equal(t, map[bool][]string{true: {"line", "class", "probability"}, false: {"line", "prediction", "far"}}[logistic], head)
	for i, line := range want.Line {
		row := rows[strconv.Itoa(int(line))]
		got := tabletest.Must(strconv.ParseFloat(row[map[bool]int{true: 1}[logistic]], 64))
		require.InDelta(t, want.Predicted[i], got, 1e-9*max(1, math.Abs(got)), "line %d: %s", line, strings.Split(text, "\n")[line-1])
		if logistic {
			require.Equal(t, k.Encoding.Target.Levels[map[bool]int{true: 1}[got >= .5]], row[0])
		}
	}
}

// saysTheSame holds a model's SELECT over a table to what the engine predicts for it.
func saysTheSame(t *testing.T, k *saved.Model, s spec.Spec, text string) (query string) {
	t.Helper()
	query = tabletest.Must(script.SQL(k.Model, k.Encoding, "my_table"))
	table, want := predicted(t, k, s, text)
	reader := csv.NewReader(strings.NewReader(text))
	if s.Separator == "semicolon" {
		reader.Comma = ';'
	}
	rows := tabletest.Must(reader.ReadAll())
	require.Equal(t, len(rows)-1, table.Rows)
	cells := typed(k, table, rows[0], rows[1:])
	got, classes := sqlite(t, query, rows[0], cells)
	require.Len(t, got, len(want.Predicted))
	if levels := k.Encoding.Target.Levels; k.Encoding.Target.Logistic {
		for i, v := range want.Predicted {
			require.Equal(t, levels[map[bool]int{true: 1}[v >= .5]], classes[i], "row %d: no probability is within 1e-9 of a half", i)
		}
	}
	for i, v := range want.Predicted {
		if !assert.InDelta(t, v, got[i], 1e-9*max(1, math.Abs(v)), "row %d: %q, %v", i, rows[i+1], cells[i]) {
			break
		}
	}
	return query
}

func sample(t *testing.T, name string) string {
	t.Helper()
	return string(tabletest.Must(os.ReadFile("../../web/samples/" + name)))
}

func TestSQLitePredictsWhatTheEngineDoes(t *testing.T) {
	cars, penguins := sample(t, "cars.csv"), sample(t, "penguins.csv")
	for _, c := range []struct{ name, query, text string }{
		{"FM", "models=fm&ranks=3&target=Miles_per_Gallon&ignore=Name", cars},
		{"gFM", "models=gfm&ranks=2&target=Miles_per_Gallon&ignore=Name", cars},
		{"iFM", "models=ifm&ranks=2&target=Body%20Mass%20(g)", penguins},
		{"a logarithm", "models=ifm&ranks=2&log=yes&target=Body%20Mass%20(g)", penguins},
		{"bases", "models=fm&ranks=2&encode=hats&solver=als&target=Miles_per_Gallon&ignore=Name", cars},
		{"classes", "models=ifm&ranks=2&target=Sex&loss=auto", strings.ReplaceAll(penguins, "FEMALE", "it's she")},
		{"names and levels that would end a text", "models=ifm&ranks=2&target=y", hostile(300)},
		{"a rare level", "models=ifm&ranks=2&rare=20&target=Horsepower", cars},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, s := kept(t, c.query, c.text)
			saysTheSame(t, k, s, c.text)
		})
	}
}

// unlike is a table of columns with names and levels that are hard to quote, with
// dates, units, codes and cells that are missing.
func unlike(rows int) string {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	out.Write([]string{`it's "odd"; --`, "when", "weight", "price", "code", "share", "level", "timestamp", "made", "y"})
	for i := range rows {
		x := float64(i*31%97) / 4
		pick := func(from ...string) string { return from[i%len(from)] }
		y := x*float64(i%3) + float64(i%7) + float64(i%5)*float64(i*13%11)
		out.Write([]string{
			[]string{fmt.Sprint(x), fmt.Sprint(x), "NA"}[i%7%3],
			fmt.Sprintf("%04d-%02d-%02d %02d:15", 2019+i%4, 1+i%12, 1+i%28, i%24),
			fmt.Sprintf("%.1f kg", 50+x),
			fmt.Sprintf("$%d,%03d.50", 1+i%9, i*37%1000),
			pick("01", "02", "10", "11"),
			[]string{"1e-3", "2.5E+1", "+7", "-.5", "12.", "-999"}[i*7%6],
			[]string{"it's", `"so"`, "a\nline", "漢 é", `back\slash`, "", "--"}[i*i%13%7],
			strconv.Itoa(1600000000 + i*1000000),
			fmt.Sprintf("%d/%d/%d", 13+i%15, 1+i%12, 1960+i%60),
			fmt.Sprintf("%.3f", y),
		})
	}
	out.Flush()
	return b.String()
}

// hostile is a table of as many rows whose names and levels would end a text of Python,
// SQL or JavaScript, or are names of a JavaScript prototype.
func hostile(rows int) string {
	words := []string{"__proto__", "constructor", `"""`, "'''", `\`, `\"`, `\u0041`, "{model}", "%s", "'; DROP TABLE rows; --", "</script>", "${x}", "=1+1", "two\nlines"}
	var b strings.Builder
	out := csv.NewWriter(&b)
	out.Write([]string{"__proto__", "\"\"\"; '''; {head} \\ \n --", `constructor\`, "y"})
	for i := range rows {
		level, other, x := i*i%29%len(words), i*7%len(words), float64(i*31%97)/4
		out.Write([]string{words[level], words[other], fmt.Sprint(x), fmt.Sprint(float64(level%5)*x + float64(other%3))})
	}
	out.Flush()
	return b.String()
}

func TestSQLReadsDatesUnitsCodesAndNamesAsTheEngineDoes(t *testing.T) {
	text := unlike(300)
	for _, query := range []string{"models=ifm&ranks=2&target=y", "models=gfm&ranks=1&target=y&encode=hats&solver=als", "models=fm&ranks=2&target=y&categorical=share,when%20(hour)"} {
		k, s := kept(t, query, text)
		var columns []string
		for _, f := range k.Encoding.Features {
			columns = append(columns, f.Column)
		}
		for _, part := range []string{"year", "month", "weekday", "days"} {
			assert.Contains(t, columns, "when ("+part+")")
			assert.Contains(t, columns, "made ("+part+")")
		}
		assert.Contains(t, columns, "when (hour)")
		assert.Contains(t, columns, "timestamp (hour)")
		saysTheSame(t, k, s, text)
	}
}

// A model reads dates in other forms than those it was trained on, and so does its query, but for
// names and for an order that training had not.
func TestSQLReadsDatesOfOtherFormsAsTheEngineDoes(t *testing.T) {
	write := func(form string, shift time.Duration) string {
		text := "when,y\n"
		for i := range 120 {
			at := time.Date(2019, 1, 28, 0, 59, 59, 5e8, time.FixedZone("", 7200)).Add(time.Duration(i*i%977)*37*time.Hour + shift)
			text += fmt.Sprintf("%q,%d\n", at.Format(form), i%5+3*at.Hour()+int(at.Month())*(i%3))
		}
		return text
	}
	for trained, forms := range map[string][]string{
		"1/2/2006 3:04 PM": {"1/2/2006 3:04 PM", "01/02/06, 03:04:05pm", "2006-01-02T15:04:05.000-07:00", "2006-01-02 15:04:05 UTC", "2006-01-02 15:04:05,000", "2006/1/2 15:04:05 -0700", "2006.01.02 15:04Z"},
		"2006010215":       {"2006010215", "200601021504", "20060102150405", "2006-01-02 15:04:05", "20060102"},
	} {
		k, s := kept(t, "models=ifm&ranks=2&target=y", write(trained, 0))
		for _, form := range forms {
			saysTheSame(t, k, s, write(form, time.Hour))
		}
	}
}

func TestScriptsTakeWhatTrainingHasNotSeenAsTheEngineDoes(t *testing.T) {
	k, s := kept(t, "models=ifm&ranks=2&target=y&missingas=level:--,share:-999", unlike(300))
	names := `"it's ""odd""; --",when,weight,price,code,share,level,timestamp,made` + "\n"
	var b strings.Builder
	b.WriteString(names)
	good := []string{"3.25", "2020-02-29 23:15", "61.0 kg", "\"$1,200.50\"", "10", "+7", "it's", "1600100000", "31/1/1999"}
	none := []string{"", "NA", "null", "?", "--"}
	number := []string{"2", "-2", "1e6", "-1e6", "1e151", "1 000", "\"1,000\"", "\"12,34\"", "1-2", "2e", "e5", "5e-", "1e2-3", ".", "-.", "+.5e1", "7.e0", "(12)", "(-1)", "many", "it's", "-999",
		"0x10", "inf", "01", "1.0", "\"1,234,567\"", "\"-1,234.5e1\"", "\"0,123\"", "\"1234,567\"", "\"1,2345\"", "1 23", "2020-01-01",
		"12*", "(12*)", "(12)†", "-12 [a]", "1[2]3", "12[abcd]", "12[]", "12]", "12[[a]", "12[a]* [12]", "12]*", "5*-", "5 -", "*", "[1]"}
	dates := []string{"2020-02-30 10:00", "2021-02-29 10:00", "2020-13-01 10:00", "2019-12-31 24:00", "1700-01-01 10:00", "2020-1-2 3:45", "0000-01-01 10:00", "2020-01-01 10:00x", "soon"}
	odds := [][]string{number, dates, {"12 kg", "-5kg", "1.5e3 kg", "5", "kg", "\"1,234.5 kg\"", "12 lb"}, {"$5", "-$5", "$-5", "($5)", "5", "\"$1,234,567.25\"", "$"},
		{"1", "01", "2", "010", "x"}, number, {"IT'S", "so", "--", "\"a", "back\\slash", "漢", "0"}, {"1600000000", "0", "1234567890"}, {"29/2/2000", "29/2/1900", "1/13/2000", "7/8/1950", "07/08/1950"}}
	for at := range good {
		for _, odd := range append(none, odds[at]...) {
			row := append([]string{}, good...)
			row[at] = strings.Replace(odd, "\"a", "\"a\nline\"", 1)
			b.WriteString(strings.Join(row, ",") + "\n")
		}
	}
	for range 60 {
		b.WriteString(strings.Join(good, ",") + "\n") // so that most cells are what their column holds
	}
	saysTheSame(t, k, s, b.String())
	// Python takes each cell by itself for a date, the engine all of the column for day and month.
	scriptSaysTheSame(t, k, s, regexp.MustCompile(`.*1/13/2000\n`).ReplaceAllString(b.String(), ""))
}

// A database writes the levels yes, 9:05 and 2024-05-31T10:00 in its own way once it has
// taken them for a BOOLEAN, a TIME and a TIMESTAMP.
func TestSQLKnowsLevelsByHowDatabasesWriteThem(t *testing.T) {
	pick := func(i int, from ...string) string { return from[i%len(from)] }
	var same [][]any
	text := tabletest.File("flag,start,stamp,code,y", 120, func(i int) string {
		flag, start, day, code := i%7%2, i%3, i*i%5, i*5%11%3
		y := float64(7*flag+3*start) + float64(day*code)
		same = append(same, []any{pick(flag, "false", "true"), pick(start, "09:05:00", "10:30:00", "11:00:30"), fmt.Sprintf("2024-05-%02d 10:00:00", 1+day), pick(code, "1.0", "2", "x"), y})
		return fmt.Sprintf("%s,%s,%s,%s,%v", pick(flag, "no", "yes"), pick(start, "9:05", "10:30", "11:00:30"), fmt.Sprintf("2024-05-%02dT10:00", 1+day), pick(code, "1", "2", "x"), y)
	})
	k, s := kept(t, "models=fm&ranks=2&target=y&categorical=stamp", text)
	query := saysTheSame(t, k, s, text)
	want := tabletest.Must(k.Predict(readTable(t, s, text)))
	names := []string{"flag", "start", "stamp", "code", "y"}
	got, _ := sqlite(t, query, names, same)
	assert.InDeltaSlice(t, want.Predicted, got, 1e-9)
	for _, row := range same { // as SQLite and MySQL hold them
		row[0] = map[any]int{"false": 0, "true": 1}[row[0]]
	}
	got, _ = sqlite(t, query, names, same)
	assert.InDeltaSlice(t, want.Predicted, got, 1e-9)
}

func TestSQLPredictsNothingWhereATextStandsForANumberOrADate(t *testing.T) {
	text := unlike(300)
	k, _ := kept(t, "models=ifm&ranks=2&target=y", text)
	query := tabletest.Must(script.SQL(k.Model, k.Encoding, "my_table"))
	for _, line := range []string{
		`-- Numeric type: it's "odd"; --, weight, price, share, timestamp.`,
		"-- DATE or TIMESTAMP, in SQLite texts as 2024-05-31 13:45:00: when, made.",
		"-- Any type, with the values of the training table: code, level.",
	} {
		assert.Contains(t, query, line+"\n")
	}
	names := []string{`it's "odd"; --`, "when", "weight", "price", "code", "share", "level", "timestamp", "made", "y"}
	row := []any{3.25, "2020-02-29 23:15:00", 61, 1200.5, "10", 7, "it's", 1600100000, "1999-01-31", 0}
	for at, cells := range map[int]struct{ missing, texts []any }{
		0: {[]any{"", "NA", 1e151}, []any{"12", "many"}}, 1: {[]any{"", "n/a"}, []any{"soon", "2020-13-01", 5}}, 2: {nil, []any{"12 kg"}},
		7: {[]any{-1, "?"}, []any{"1600000000"}}, 8: {[]any{" "}, []any{"31.1.1999"}},
	} {
		var rows [][]any
		for _, cell := range slices.Concat([]any{nil}, cells.missing, cells.texts) {
			other := slices.Clone(row)
			other[at] = cell
			rows = append(rows, other)
		}
		got, _ := sqlite(t, query, names, rows)
		for i, v := range got {
			if i > len(cells.missing) {
				assert.True(t, math.IsNaN(v), "%s: %v", names[at], rows[i][at])
				continue
			}
			assert.Equal(t, got[0], v, "%s: %v", names[at], rows[i][at])
		}
		seen, _ := sqlite(t, query, names, [][]any{row})
		assert.NotEqual(t, got[0], seen[0], names[at])
	}
}

func TestSQLOfManyLevelsAndColumnsRuns(t *testing.T) {
	var b strings.Builder
	b.WriteString("user,item")
	for j := range 20 {
		fmt.Fprintf(&b, ",x%d", j)
	}
	b.WriteString(",rating\n")
	for i := range 2000 { // so that a user and an item stand in several
		fmt.Fprintf(&b, "u%d,\"i%d\"", i*7919%500, i*104729%800)
		for j := range 20 {
			fmt.Fprintf(&b, ",%d.5", (i*(j+3)*31)%101)
		}
		fmt.Fprintf(&b, ",%d\n", 1+(i*7919%500+i*104729%800)%5)
	}
	k, s := kept(t, "models=fm&ranks=4&target=rating&rare=1", b.String())
	assert.Greater(t, k.Model.D, 1000)
	query := saysTheSame(t, k, s, b.String())
	assert.Less(t, len(query), 1<<20, "O(d·k)")
}

func TestSQLKeepsNumbersWithACommaApart(t *testing.T) {
	text := tabletest.File("a;b;y", 120, func(i int) string {
		return fmt.Sprintf("%s;%s;%s", strings.Replace(fmt.Sprintf("%.2f", float64(i*17%41)/3), ".", ",", 1), []string{"1.234,5", "12,5", "999", "2 000,25"}[i*i%7%4], strings.Replace(fmt.Sprintf("%.2f", float64(i*17%41)*float64(i%3)), ".", ",", 1))
	})
	k, s := kept(t, "models=ifm&ranks=1&target=y&separator=semicolon", text)
	require.Equal(t, byte(','), k.Encoding.FileStyle.Point)
	saysTheSame(t, k, s, text)
}

func TestSQLSaysWhatNoDatabaseTakes(t *testing.T) {
	k, _ := kept(t, "models=fm&ranks=1&target=Miles_per_Gallon&ignore=Name", sample(t, "cars.csv"))
	for j := range k.Encoding.Features {
		if f := &k.Encoding.Features[j]; f.Column == "Weight_in_lbs" {
			f.Column = "weight\x00"
		}
	}
	_, err := script.SQL(k.Model, k.Encoding, "t")
	require.ErrorAs(t, err, new(*script.NameError))
	assert.Contains(t, err.Error(), `"weight\x00"`)
	k.Encoding.Features = k.Encoding.Features[1:]
	_, err = script.SQL(k.Model, k.Encoding, "t")
	require.Error(t, err)
}

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
