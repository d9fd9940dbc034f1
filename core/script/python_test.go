package script_test

import (
	"bytes"
	"encoding/csv"
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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/message"
	"ifmlab/core/saved"
	"ifmlab/core/script"
	"ifmlab/core/tabletest"
)

// scripted runs the script of a model over a file, and returns its rows by lines.
func scripted(t *testing.T, k *saved.Model, text string) (head []string, rows map[string][]string) {
	t.Helper()
	head, rows, _ = scriptedAndTold(t, k, text)
	return head, rows
}

// scriptedAndTold returns what the script tells, too.
func scriptedAndTold(t *testing.T, k *saved.Model, text string) (head []string, rows map[string][]string, notices string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here, which runs the script")
	}
	program := tabletest.Must(script.Python(k.Model, k.Encoding))
	dir := t.TempDir()
	path, file := filepath.Join(dir, "predict.py"), filepath.Join(dir, "rows.csv")
	require.NoError(t, os.WriteFile(path, []byte(program), 0o644))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	run, told := exec.Command(python, "-SE", path, file), bytes.Buffer{}
	run.Stderr = &told
	out := tabletest.Must(run.Output())
	all, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	require.NoError(t, err)
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

// bells is a table of as many rows, with colons in its cells, of which some are
// missing, and in a column's name.
func bells(rows int) string {
	text := "start,a:b,width,y\n"
	for i := range rows {
		start, late := []string{"00:00", "07:30", "09:15"}[i%3], []string{"x:y", "late", "soon"}[i*7%5%3]
		text += fmt.Sprintf("%s,%s,%d.5,%d\n", start, late, i*31%97, i%3*(i*31%97)+i%7)
	}
	return text
}

func TestTheScriptPredictsWhatTheEngineDoes(t *testing.T) {
	for _, c := range []struct{ query, text string }{
		{"target=Body%20Mass%20(g)&models=ifm&ranks=2&lambdaf=10&encode=hats", sample(t, "penguins.csv")},
		{"target=Sex&models=fm&ranks=2&lambdaf=10", sample(t, "penguins.csv")},
		{"target=Miles_per_Gallon&log=yes&models=gfm&ranks=2&lambdaf=10", sample(t, "cars.csv")},
		{"target=y&models=ifm&ranks=2&lambdaf=10&rare=3", unlike(200)},
		{"target=y&models=ifm&ranks=2&lambdaf=10", hostile(300)},
		{"target=y&models=ifm&ranks=2&lambdaf=10&encode=hats&missingas=start:00:00,a:b:x:y", bells(300)},
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
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here, which runs the script")
	}
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
		program, err := script.Python(k.Model, k.Encoding)
		require.NoError(t, err)
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "predict.py"), []byte(program), 0o644))
		run := exec.Command(python, "-SE", "-c", "import datetime, decimal, predict\nclass bool_:\n    def __init__(self, v): self.v = v\n    def __str__(self): return str(self.v == 1)\n    def __float__(self): return float(self.v)\n"+
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
