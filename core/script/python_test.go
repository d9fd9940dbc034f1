package script_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
	"ifmlab/core/measure"
	"ifmlab/core/message"
	"ifmlab/core/read"
	"ifmlab/core/saved"
	"ifmlab/core/script"
	"ifmlab/core/tabletest"
)

// interpreter is Python itself, which what is on the PATH may only start.
var interpreter = sync.OnceValue(func() string {
	out, _ := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(out))
})

// python returns a call of Python.
func python(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if interpreter() == "" {
		t.Skip("there is no python3 here, which runs scripts and whose SQLite runs queries")
	}
	return exec.Command(interpreter(), append([]string{"-SE"}, args...)...)
}

// scripted runs the script of a model over a file, and returns its rows by lines.
func scripted(t *testing.T, k *saved.Model, text string) (head []string, rows map[string][]string) {
	t.Helper()
	head, rows, _ = scriptedAndTold(t, k, text)
	return head, rows
}

// scriptedAndTold returns what the script tells, too.
func scriptedAndTold(t *testing.T, k *saved.Model, text string) (head []string, rows map[string][]string, notices string) {
	t.Helper()
	program := tabletest.Must(script.Python(k.Model, k.Encoding))
	dir := t.TempDir()
	path, file := filepath.Join(dir, "predict.py"), filepath.Join(dir, "rows.csv")
	require.NoError(t, os.WriteFile(path, []byte(program), 0o644))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	run, told := python(t, path, file), bytes.Buffer{}
	run.Stderr = &told
	out := tabletest.Must(run.Output())
	all := tabletest.Must(csv.NewReader(bytes.NewReader(out)).ReadAll())
	rows = map[string][]string{}
	for _, row := range all[1:] {
		rows[row[0]] = row[1:]
	}
	return all[0], rows, told.String()
}

func TestTheScriptTellsWhatItCannotRead(t *testing.T) {
	text := unlike(200)
	k, _ := kept(t, "target=y&models=ifm&ranks=1&lambdaf=10", text)
	_, _, told := scriptedAndTold(t, k, text)
	assert.Empty(t, told)
	lines := strings.SplitN(text, "\n", 4)
	cells := strings.Split(lines[1], ",")
	cells[1], cells[2], cells[len(cells)-4] = "soon", "12 °C", "Mars"
	_, _, told = scriptedAndTold(t, k, lines[0]+"\n"+strings.Join(cells, ",")+"\n")
	for _, column := range []string{"when", "weight", "level"} {
		assert.Contains(t, told, "rows.csv: "+column+": 1 cell holds nothing that the model knows\n")
	}
}

// bells is a table of as many rows, with colons in a column's name and in its cells, of which
// some are missing, some levels, some times of day and some durations.
func bells(rows int) string {
	text := "start,a:b,at,took,width,y\n"
	for i := range rows {
		start, late := []string{"00:00", "07:30", "09:15"}[i%3], []string{"x:y", "late", "soon"}[i*7%5%3]
		at := fmt.Sprintf("%d:%02d %s", 1+i%12, i*7%60, []string{"AM", "p.m."}[i*5%11%2])
		took := fmt.Sprintf("%s%d:%02d:%02d.5", []string{"", "", "2 days "}[i%3], i*11%30, i*13%60, i*17%60)
		text += fmt.Sprintf("%s,%s,%s,%s,%d.5,%d\n", start, late, at, took, i*31%97, i%3*(i*31%97)+i%7)
	}
	return text
}

func TestTheScriptPredictsWhatTheEngineDoes(t *testing.T) {
	for _, c := range []struct{ query, text string }{
		{"target=Body%20Mass%20(g)&models=ifm&ranks=2&lambdaf=10&encode=hats", sample(t, "penguins.csv")},
		{"target=Sex&models=fm&ranks=2&lambdaf=10", sample(t, "penguins.csv")},
		{"target=Miles_per_Gallon&log=yes&models=gfm&ranks=2&lambdaf=10", sample(t, "cars.csv")},
		{"target=y&models=ifm&ranks=2&lambdaf=10&rare=3", unlike(200)},
		{"target=y&models=ifm&ranks=2&lambdaf=10", strings.ReplaceAll(hostile(300), "\n", "\r\n")},
		{"target=y&models=ifm&ranks=2&lambdaf=10&encode=hats&missingas=start:00:00,a:b:x:y", "#" + bells(300)},
	} {
		k, s := kept(t, c.query, c.text)
		scriptSaysTheSame(t, k, s, c.text)
	}
}

func TestTheScriptMarksThePredictionsThatTheEngineDoes(t *testing.T) {
	k, s := kept(t, "target=y&models=ifm&ranks=2&lambdaf=10", bells(300))
	k.Encoding.Target.Span = []float64{20, 80} // the table goes far beyond on both sides
	want := tabletest.Must(k.Predict(readTable(t, s, bells(300))))
	_, rows, told := scriptedAndTold(t, k, bells(300))
	marked := 0
	for i, line := range want.Line {
		row := rows[strconv.Itoa(int(line))]
		require.Equal(t, strconv.Itoa(int(want.Far[i])), row[len(row)-1], "line %d: %s", line, row[0])
		marked += int(want.Far[i])
	}
	require.True(t, 10 < marked && marked < 290, marked)
	assert.Contains(t, told, fmt.Sprintf("rows.csv: %d predictions lie far beyond the values that the model has learned from, 20 to 80, first on line ", marked))
	query := tabletest.Must(script.SQL(k.Model, k.Encoding, "rows"))
	assert.Contains(t, query, "\n-- The model has learned from values of 20 to 80. Do not rely on a prediction below -10 or above 110, which is far beyond them.\n")
}

func TestNamesStayWithinTheTextsOfAScript(t *testing.T) {
	k, _ := kept(t, "target=Sex&models=ifm&ranks=1&lambdaf=10", sample(t, "penguins.csv"))
	k.Encoding.Target.Name = "it's\u202e \"\"\" \\ \U000e0041 é"
	program := tabletest.Must(script.Python(k.Model, k.Encoding))
	assert.Contains(t, program, "\"\"\"Predicts the probability that it's  ''' '   é is ", "in the head what is not seen is a space")
	assert.Contains(t, program, `it\u0027s\u202e \"\"\" \\ \udb40\udc41 é`, "in the model it is an escape")
	assert.NotContains(t, strings.SplitN(program, "MODEL = ", 2)[1], "it's")

	k.Encoding.Features[0].Kind = "entry"
	_, err := script.Python(k.Model, k.Encoding)
	assert.EqualError(t, err, "Python: "+k.Encoding.Features[0].Column+" has many features of a LIBSVM file, and a table has no column for each; predict here or with ifm predict")
	assert.Equal(t, "SparseError", message.Kind(err))
}

// Rows of a program hold values of other types than texts: those of a database or of pandas.
func TestTheScriptTakesValuesOfOtherTypesForLevels(t *testing.T) {
	for _, c := range []struct{ level, value string }{
		{"yes,no", "True,False"}, {"TRUE,FALSE", "True,False"}, {"true,false", "bool_(1),bool_(0)"}, {"f,t", "0,1"},
		{"9:05,10:30", "datetime.time(9, 5),datetime.time(10, 30)"}, {"10:30:15.500,11:00:00", "datetime.time(10, 30, 15, 500000),datetime.time(11)"},
		{"31/05/2024,01/06/2024", "datetime.date(2024, 5, 31),datetime.datetime(2024, 6, 1)"},
		{"2024-05-31T10:00:00Z,2024-06-01T10:00:00Z", "datetime.datetime(2024, 5, 31, 10, tzinfo=datetime.timezone.utc),datetime.datetime(2024, 6, 1, 10, tzinfo=datetime.timezone.utc)"},
		{"1.50,2", "1.5,decimal.Decimal('2.0')"}, {"1e3,7", "1000,7.0"},
	} {
		levels, values := strings.Split(c.level, ","), regexp.MustCompile(`,\b`).Split(c.value, -1)
		text := "level,x,y\n"
		for i := range 200 {
			at := i * i % 11 % 2
			text += fmt.Sprintf("%s,%d,%v\n", levels[at], i*31%97, float64(5*at)+float64(i*31%97)*float64(at)/50)
		}
		k, s := kept(t, "models=ifm&ranks=1&target=y&categorical=level", text)
		want := tabletest.Must(k.Predict(readTable(t, s, text)))
		program := tabletest.Must(script.Python(k.Model, k.Encoding))
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "predict.py"), []byte(program), 0o644))
		run := python(t, "-c", "import datetime, decimal, predict\nclass bool_:\n    def __init__(self, v): self.v = v\n    def __str__(self): return str(self.v == 1)\n    def __float__(self): return float(self.v)\n"+
			"for v in ["+strings.Join(values, ", ")+"]: print(predict.predict({'level': v, 'x': decimal.Decimal(31)}))")
		run.Dir = dir
		out := tabletest.Must(run.CombinedOutput())
		got := strings.Fields(string(out))
		for at, level := range levels {
			row := slices.IndexFunc(strings.Split(text, "\n")[1:], func(line string) bool { return strings.HasPrefix(line, level+",31,") })
			if row < 0 {
				continue
			}
			v := tabletest.Must(strconv.ParseFloat(got[at], 64))
			assert.InDelta(t, want.Predicted[row], v, 1e-9*max(1, math.Abs(v)), "%s as %s", level, values[at])
		}
	}
}

// noDates are texts that are dates in no layout of package cell.
var noDates = []string{"", "2024", "12", "Jan", "2024-02-30", "31.4.2024", "2024-1-1 24:00", "2024-01-01 10:60", "2024-01-01T", "Jano 2 2006", "2 Jan 20066",
	"1.2.3", "1.2.31.4", "10.0.0.1", "192.168.10.24", "1/2", "3/4", "10:30", "10:30:15", "2024-0001", "2024-001", "555-12-3456", "123-45-6789", "+49 30 1234567", "01-02-03", "1 2 2024",
	"2024-01-01 10", "2024-01-01 10:", "2024-01-01 10:00:00.", "2024-01-01 10:00:00.1234567890", "2024-01-01 13:00 PM", "2024-01-01 10:00 am x", "2024-01-01 10:00 CET", "2024-01-01 10:00+2", "2024-01-01 10:00+15:00", "2024-01-01+02:00",
	"Monday", "Mon 10:30", "May", "MAY5", "5 May", "1.2-2024", "1/2-2024", "model 2024-01-01", "12-Dez-2024", "2024-W05", "2024-13-01", "2024-00-10",
	"2024.05", "2024/05", "20240131 10:00", "18991231", "Sundry 2024-05-01", "2024-05-01   10:00", "2024-05-01 10:00:75", "2024 JanT10:00", "Jan122024", "2024-05-0110:00", "2024-05-01 10:0000"}

// Dates of digits in the orders that a model may have, dates with names, and parts of
// times, some of them wrong.
var (
	digitDates = map[string][]string{
		"ymd": {"2024-05-31", "2024/5/1", "2024.05.01", "2024-02", "2024-5"},
		"dmy": {"31.5.2024", "31-05-2024", "5/6/2024", "5-6-2024", "1.2.24", "3/4/68", "3/4/69"},
		"mdy": {"5/31/24", "5/6/2024", "5-6-2024", "05-31-2024", "3/4/68", "3/4/69"},
	}
	namedDates = []string{"2 Jan 2024", "02Jan24", "Jan 2, 2024", "2024 Sept", "2024Jan02", "Sept-2024", "Fri, 2 February 2024", "Mond 2024-05-01", "Octo 29 23"}
	timeParts  = [][]string{
		{" ", "T", ", ", "  ", ":", ",", "   ", "", "-"},
		{"10:00", "9:5", "0:00", "23:59:60", "12:30:61", "1:2:3", "00:59:07.123456789", "11:06:39,5", "10:00:00.1234567890", "10:00:62", "10:66", "24:00", "10:00.5", "13", "7"},
		{"", "", " AM", "pm", " p.m.", "\u202fPM", "xm"},
		{"", "", "Z", " UTC", "GMT", " CET"},
		{"", "", "+02", " -0330", "+14:00", "-1400", "+01:59", "+13:06", "+15:00", "+01:60", "-0160", "+2", "+20"},
	}
)

func TestScriptsTakeForADateWhatTheEngineDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	dates := slices.Concat(digitDates["ymd"], digitDates["dmy"], digitDates["mdy"], namedDates)
	texts := slices.Concat(noDates, dates)
	for i := range 1200 {
		text := dates[i%len(dates)]
		for _, parts := range timeParts {
			text += parts[min(random.IntN(len(parts)), random.IntN(len(parts)))]
		}
		texts = append(texts, strings.TrimSpace(text))
	}
	for form, order := range map[string]string{"2006-01-02 15:04": "ymd", "2.1.2006 15:04": "dmy", "1/2/2006 15:04": "mdy", "20060102": "ymd", "2006010215": "ymd", "200601": "ymd"} {
		texts, train := slices.Clone(texts), "date,y\n"
		if form != "2006-01-02 15:04" { // what is midnight in one cell, and no hour in a column of numbers
			texts = append(texts, "20240131", "20240131.0", "19000101", "21001231", "18991231", "21010101", "20240230", "202401", "202401.0", "202413", "202400", "190001", "210012", "189912", "210101",
				"2024013109", "2024013109.0", "2024013124", "2024023001", "202401310959", "202401310960", "20240131095961", "20240131095962", "202401310", "2024013109595")
		}
		for i := range 150 {
			at := time.Date(2019, 1, 28, 0, 0, 0, 0, time.UTC).Add(time.Duration(i*i%977) * 37 * time.Hour)
			train += fmt.Sprintf("%s,%d\n", at.Format(form), i%5+3*at.Hour()+int(at.Month())*(i%3)+at.Day())
		}
		k, s := kept(t, "models=ifm&ranks=2&target=y", train)
		require.Equal(t, []string{"date:" + order}, k.Encoding.FileStyle.Dates)
		s.Dates, s.Header = read.AnswersOf(&k.Encoding).Dates, "yes"
		predicted := func(text string) []float64 {
			p, err := k.Predict(readTable(t, s, text))
			var lacks *fault.MissingColumnsError // no part of a date, since there is none
			if errors.As(err, &lacks) {
				return nil
			}
			require.NoError(t, err)
			return p.Predicted
		}
		missing := predicted("date,y\n" + time.Time{}.AddDate(2000, 0, 0).Format(form) + ",1\n\"\",1\n")[1]
		var file bytes.Buffer
		out, want := csv.NewWriter(&file), []float64{}
		out.Write([]string{"date", "y"})
		for i, text := range texts {
			out.Write([]string{text, "1"})
			want = append(want, missing)
			if p := predicted(fmt.Sprintf("date,y\n\"%s\",1\n\"%[1]s\",2\n\"%[1]s 0:00\",3\n", text)); p != nil {
				want[i] = p[0]
				require.True(t, p[0] == missing || i >= len(noDates), text)
			}
		}
		out.Flush()
		_, said := scripted(t, k, file.String())
		found := 0
		for i, text := range texts {
			got := tabletest.Must(strconv.ParseFloat(said[strconv.Itoa(i+2)][0], 64))
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*max(1, math.Abs(b)) }
			if !near(want[i], missing) {
				found++
			}
			assert.True(t, near(want[i], got), "Python, %s: %q", order, text)
		}
		assert.Greater(t, found, len(texts)/4, "texts that are dates")
	}
}

// Of more than two classes the terms are those of the likeliest.
func TestTheScriptExplainsAsTheEngineDoes(t *testing.T) {
	cars, penguins := sample(t, "cars.csv"), sample(t, "penguins.csv")
	for _, c := range []struct{ query, text string }{
		{"target=Miles_per_Gallon&log=yes&models=gfm&ranks=2&lambdaf=10&encode=hats", cars},
		{"target=Sex&models=fm&ranks=2&lambdaf=10", penguins},
		{"target=Species&models=ifm&ranks=2&lambdaf=10", penguins},
		{"target=y&models=ifm&ranks=2&lambdaf=10&rare=3", unlike(200)}, // with dates
	} {
		k, s := kept(t, c.query, c.text)
		table := readTable(t, s, c.text)
		said := tabletest.Must(k.Predict(table))
		dir := t.TempDir()
		call := func() string {
			program := tabletest.Must(script.Python(k.Model, k.Encoding))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "predict.py"), []byte(program), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "rows.csv"), []byte(c.text), 0o644))
			run := python(t, "-c", "import json, predict\nprint(json.dumps([[[list(part), x] for part, x in predict.explain(row).items()] for _, row in list(predict.rows('rows.csv'))[:150]]))")
			run.Dir = dir
			out, err := run.CombinedOutput()
			if err != nil {
				return err.Error() + string(out)
			}
			return string(out)
		}
		var rows [][][2]any
		text := call()
		require.NoError(t, json.Unmarshal([]byte(text), &rows), text)
		require.Len(t, rows, 150)
		for i, parts := range rows {
			on, classes := k, len(k.Model.Classes)
			if classes > 0 {
				on = k.Score(measure.Likeliest(said.Probabilities[i*classes:][:classes]))
			}
			e := tabletest.Must(on.Explain(table, int(said.Line[i]), math.MaxInt))
			want, got := map[string]float64{"": e.Base}, map[string]float64{}
			for _, term := range e.Terms {
				name := e.Columns[term.First]
				if term.Second >= 0 {
					name += " × " + e.Columns[term.Second]
				}
				want[name] = term.Value
			}
			sum := 0.0
			for _, part := range parts {
				name := ""
				for at, column := range part[0].([]any) {
					if at > 0 {
						name += " × "
					}
					name += column.(string)
				}
				got[name] = part[1].(float64)
				sum += got[name]
			}
			assert.InDelta(t, e.Predicted, sum, 1e-9)
			require.InDeltaMapValues(t, want, got, 1e-9)
		}
		k.Model.Centre = nil // as in an older file
		assert.Contains(t, call(), "ValueError: the model file has no averages of its training rows; train the model again")
	}
}

// The script and the query give each class its probability, and the likeliest one.
func TestScriptsPredictManyClassesAsTheEngineDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	text := "a,b,colour,kind\n"
	for i := range 240 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		kind := []string{"it's", "two, words", "z"}[min(2, int(max(0, 1.5+a*b+.5*rng.NormFloat64())))]
		cell := fmt.Sprintf("%.4f", a)
		if i%40 == 7 {
			cell = ""
		}
		text += fmt.Sprintf("%s,%.4f,%s,%q\n", cell, b, []string{"red", "blue"}[i%2], kind)
	}
	for _, kind := range []string{"fm", "gfm", "ifm"} {
		k, s := kept(t, "source=table&target=kind&ranks=2&lambdaf=3&trials=1&iterations=10&encode=linear&models="+kind, text)
		table := readTable(t, s, text)
		said := tabletest.Must(k.Predict(table))
		head, rows := scripted(t, k, text)
		assert.Equal(t, []string{"line", "class", "P(it's)", "P(two, words)", "P(z)"}, head)
		query := tabletest.Must(script.SQL(k.Model, k.Encoding, "my_table"))
		names := table.Names()[:3]
		var cells [][]string
		for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
			cells = append(cells, strings.Split(line, ",")[:3])
		}
		last, classes := sqlite(t, query, names, typed(k, table, names, cells))
		for i, line := range said.Line {
			p := said.Probabilities[3*i:][:3]
			likeliest := k.Classes()[measure.Likeliest(p)]
			row := rows[strconv.Itoa(int(line))]
			assert.Equal(t, likeliest, row[0])
			assert.Equal(t, likeliest, classes[i])
			for c, v := range p {
				got := tabletest.Must(strconv.ParseFloat(row[1+c], 64))
				assert.InDelta(t, v, got, 1e-9)
			}
			assert.InDelta(t, p[2], last[i], 1e-9)
		}
		_, err := k.Model.WriteLibFM(k.Encoding)
		assert.ErrorContains(t, err, "of 3 classes")
	}
}
