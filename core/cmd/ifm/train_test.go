//go:build !js

package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"ifmlab/core"
	"ifmlab/core/measure"
	"ifmlab/core/spec"
	"ifmlab/core/tabletest"
)

const (
	samples   = "../../../web/samples/"
	fewTrials = "ranks=2&lambdaf=30&lambdaw=30" // settings that train in no time
)

// trained trains on a sample and returns the model file.
func trained(t *testing.T, sample, target string, more ...string) string {
	t.Helper()
	model := filepath.Join(t.TempDir(), "model.json")
	args := append([]string{"train", samples + sample, "-target", target, "-o", model, "-link", fewTrials, "-json"}, more...)
	ok(t, args...)
	return model
}

func TestTrainAnswersInJSON(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "model.json")
	r := answer[report](t, "train", "-json", "-o", model, "-set", "ignore=Name", "-target=Miles_per_Gallon", "-link", "https://lab.example/?source=table&models=ifm&"+fewTrials, samples+"cars.csv")
	assert.Equal(t, core.Version, r.Version)
	assert.Equal(t, []int{406, 240, 79, 79}, []int{r.Rows, r.Train, r.Valid, r.Test})
	assert.Equal(t, "ifm", r.Kept)
	require.Len(t, r.Scores, 4)
	assert.Equal(t, []string{"mean", "linear", "iFM", "boosted trees"}, []string{r.Scores[0].Name, r.Scores[1].Name, r.Scores[2].Name, r.Scores[3].Name})
	assert.Equal(t, r.Models[0].Test, r.Scores[2].Test)
	assert.Nil(t, r.Scores[2].Lead)
	assert.Greater(t, float64(r.Scores[0].Lead.Low), 0.)
	assert.Equal(t, "ignore", r.Columns[0].Role)
	require.NotNil(t, r.Intervals)
	assert.True(t, r.Intervals.From < r.Intervals.To && r.Intervals.Covered > 60, "%+v", r.Intervals)
	assert.Equal(t, real(.9), r.Intervals.Level)
	s, notices := spec.Parse(r.Settings)
	assert.Empty(t, notices)
	assert.Equal(t, "Miles_per_Gallon", s.Target, "the settings are a link's")
	assert.Len(t, must(os.ReadDir(dir)), 1, "nothing is left beside it")
}

func TestTestRowsComeFromAFileOfTheirOwn(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(must(os.ReadFile(samples+"cars.csv")))), "\n")
	first, second := filepath.Join(t.TempDir(), "first.csv"), filepath.Join(t.TempDir(), "second.csv.gz")
	require.NoError(t, os.WriteFile(first, []byte(strings.Join(lines[:300], "\n")), 0o600))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprintln(z, strings.ReplaceAll(strings.Join(append(lines[:1:1], lines[280:]...), "\n"), ",", ";"))
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile(second, packed.Bytes(), 0o600))
	train := []string{"train", first, "-target=Miles_per_Gallon", "-set=ignore=Name", "-link", fewTrials, "-test"}
	r := answer[report](t, append(train, second, "-json")...)
	assert.Equal(t, []any{"first.csv", "second.csv", 426, 234, 58, 126, 0}, []any{r.File, r.TestFile, r.Rows, r.Train, r.Valid, r.Test, r.Splits})
	assert.Subset(t, r.Notices, []string{"20 of 126 test rows are also in first.csv, so the model has seen them; remove them from one of the two files"})
	out, _ := ok(t, append(train, second, "-ranges=false")...)
	assert.Contains(t, out, "first.csv: 426 rows; 234 train, 58 validate, 126 test (second.csv);")

	for _, wrong := range []struct {
		test, want string
		status     int
		more       []string
	}{
		{second, "ifm train: -splits draws other test rows, but those of -test are fixed", 2, []string{"-splits=10"}},
		{samples + "diabetes.csv", "diabetes.csv: this file lacks Name, Cylinders, Displacement, Horsepower, … of first.csv", 1, nil},
		{"none.csv", "none.csv", 1, nil},
		{second, "is the file that it reads", 2, []string{"-o", second}},
	} {
		refused(t, wrong.status, wrong.want, append(append(train, wrong.test), wrong.more...)...)
	}
}

func TestTrainFindsTheNumbersOfCurve(t *testing.T) {
	const query = "target=Miles_per_Gallon&ignore=Name&models=fm,ifm&" + fewTrials
	r := answer[report](t, "train", samples+"cars.csv", "-link", query, "-json")
	require.Len(t, r.Models, 2)
	columns := 0
	for i, column := range r.Important {
		if column.With == "" {
			columns++
		}
		assert.True(t, column.Low <= column.By && column.By <= column.High, "%+v", column)
		assert.True(t, i == 0 || column.By <= r.Important[i-1].By, "%+v", r.Important)
	}
	assert.Equal(t, 7, columns)
	assert.Len(t, r.Important, 10, "and the three strongest pairs, in one order")
	out, _ := ok(t, "curve", query, samples+"cars.csv")
	rows := must(csv.NewReader(strings.NewReader(out)).ReadAll())
	for _, m := range r.Models {
		least, test := 1e9, 0.
		for _, row := range rows[1:] {
			if v, err := strconv.ParseFloat(row[11], 64); err == nil && row[4] == m.Kind && v <= least {
				least = v
				test, _ = strconv.ParseFloat(row[10+2], 64)
			}
		}
		assert.Equal(t, least, float64(m.Valid), m.Kind)
		assert.Equal(t, test, float64(m.Test), m.Kind)
	}
	kept := map[string]real{}
	for _, m := range r.Models {
		kept[m.Kind] = m.Valid
	}
	assert.LessOrEqual(t, float64(kept[r.Kept]), float64(min(kept["fm"], kept["ifm"])))
}

func TestAModelOfAllRowsSaysSoBesideTheErrorsOfTheOneWithoutTestRows(t *testing.T) {
	one, all := filepath.Join(t.TempDir(), "one.json"), filepath.Join(t.TempDir(), "all.json")
	args := []string{"train", samples + "penguins.csv", "-target", "Body Mass (g)", "-link", fewTrials + "&models=ifm"}
	said, _ := ok(t, append(args, "-o", one)...)
	assert.Contains(t, said, "It is fitted to training and validation rows.")
	out, _ := ok(t, append(args, "-o", all, "-all")...)
	assert.Contains(t, out, "It is fitted to all rows, test rows included: the errors above are of the same choice without them.")
	before, _, _ := strings.Cut(said, "\nThe model is in")
	after, _, _ := strings.Cut(out, "\nThe model is in")
	assert.Equal(t, before, after, "what test rows measure is the same")
	files := map[string]string{}
	for _, file := range []string{one, all} {
		content := must(os.ReadFile(file))
		var m struct {
			Fitted   string
			B        float64
			W        []float64
			Interval struct{ Rows int }
			Centre   struct{ Means []float64 }
		}
		require.NoError(t, json.Unmarshal(content, &m))
		files[m.Fitted] = fmt.Sprint(m.B)
		assert.Equal(t, 274, m.Interval.Rows)
		assert.InDelta(t, 0, m.W[0]*m.Centre.Means[0]+m.W[1]*m.Centre.Means[1]+m.W[2]*m.Centre.Means[2], 1e-9, "species are 0 on the average")
	}
	assert.Len(t, files, 2)
	assert.NotEqual(t, files["training and validation rows"], files["all rows"])
}

func TestAModelPredictsTheFileThatItWasTrainedOn(t *testing.T) {
	model := trained(t, "penguins.csv", "Body Mass (g)")
	out, told := ok(t, "predict", model, samples+"penguins.csv")
	rows := must(csv.NewReader(strings.NewReader(out)).ReadAll())
	assert.Equal(t, strings.Split("line,Species,Island,Beak Length (mm),Beak Depth (mm),Flipper Length (mm),Sex,Body Mass (g),prediction,lower,upper,far", ","), rows[0], "as the page saves them")
	assert.Equal(t, strings.Split("2,Adelie,Torgersen,39.1,18.7,181,MALE,3750", ","), rows[1][:8])
	for _, row := range rows[1:] {
		var v [3]float64
		for i := range v {
			v[i] = must(strconv.ParseFloat(row[8+i], 64))
		}
		require.True(t, v[1] < v[0] && v[0] < v[2], "%v", row)
		require.Equal(t, "0", row[11], "penguins are like penguins")
	}
	assert.Equal(t, "2", rows[1][0])
	assert.Contains(t, told, "rows predicted; RMSE ")

	saved := filepath.Join(t.TempDir(), "predictions.csv")
	none, told := ok(t, "predict", model, samples+"penguins.csv", "-o", saved)
	assert.Empty(t, none)
	content := must(os.ReadFile(saved))
	assert.Equal(t, out, string(content))

	r := answer[predictionReport](t, "predict", "-json", model, samples+"penguins.csv")
	assert.Equal(t, len(rows)-1, r.Rows)
	assert.Len(t, r.Predictions, r.Rows)
	assert.Equal(t, "Body Mass (g)", r.Target)
	assert.Less(t, r.Compared, r.Rows, "two penguins were not weighed")

	// What comes in is what a file holds, and other columns in another order do not matter.
	content = must(os.ReadFile(samples + "penguins.csv"))
	var stdout, stderr bytes.Buffer
	assert.Zero(t, run([]string{"predict", model, "-"}, bytes.NewReader(content), &stdout, &stderr), stderr.String())
	assert.Equal(t, out, stdout.String())
}

func TestClassesHaveNamesAndProbabilities(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("x,z,churned\n")
	for i := range 200 {
		class := "=no, never"
		if i%7+i%3 > 4 {
			class = "yes"
		}
		b.WriteString(strconv.Itoa(i%7) + "," + strconv.Itoa(i%3+i%11) + ",\"" + class + "\"\n")
	}
	file, model := filepath.Join(dir, "churn.csv"), filepath.Join(dir, "model.json")
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	out, told := ok(t, "train", file, "-target", "churned", "-o", model, "-link", fewTrials)
	assert.Contains(t, out, "Test log-loss, in nats:")
	assert.Regexp(t, `23 of 40 test rows have churned = =no, never; always saying so is right for 57\.5 %\. With half as the threshold of churned = yes, and 95 % intervals:\n  linear +\d+ right, \d+\.\d % \(\d+ to \d+ %\) +AUC 0?1?\.\d+ \(0\.\d+ to 0\.\d+\) +Brier score 0\.\d+ +(calibrated)? *\n`, out)
	assert.NotContains(t, out, "prediction intervals", "probabilities say how sure they are")
	r := answer[report](t, "train", file, "-target", "churned", "-json", "-set", "positive==no, never", "-link", fewTrials)
	require.NotNil(t, r.Classes)
	assert.Equal(t, []string{"yes", "=no, never"}, r.Classes.Names)
	assert.Equal(t, measure.LogLoss, r.Measure)
	require.Len(t, r.Classes.Models, 3)
	for i, metrics := range r.Classes.Models {
		if metrics.Name == "iFM" {
			assert.Equal(t, metrics.Name, r.Scores[i+1].Name)
			assert.InEpsilon(t, float64(r.Scores[i+1].Test), float64(metrics.LogLoss), 1e-12, "the mean is no model")
			assert.True(t, metrics.Calibrated)
			assert.Equal(t, r.Scores[i+1].Test, r.Models[0].Test, "of calibrated probabilities in every table")
		}
	}

	out, told = ok(t, "predict", model, file)
	assert.Contains(t, told, "; log-loss ")
	rows := must(csv.NewReader(strings.NewReader(out)).ReadAll())
	assert.Equal(t, []string{"class", "probability"}, rows[0][len(rows[0])-2:], "as the page saves them")
	for _, row := range rows[1:] {
		row = row[len(row)-3:]
		p := must(strconv.ParseFloat(row[2], 64))
		assert.True(t, 0 <= p && p <= 1)
		assert.Equal(t, map[bool]string{true: "yes", false: "'=no, never"}[p >= .5], row[1], "no spreadsheet takes it for a formula")
	}
	out, told = ok(t, "explain", model, file, "-line", "3")
	assert.Contains(t, out, "churn.csv, line 3: log-odds of churned = yes, as a sum")
	assert.Contains(t, out, "the probability of churned = yes is predicted to be 0.")
}

func TestFoldsChooseWhereTheyAreAskedTo(t *testing.T) {
	out, told := ok(t, "train", samples+"diabetes.csv", "-target", "target", "-set", "folds=3", "-set", "encode=linear", "-link", fewTrials, "-progress")
	assert.Contains(t, out, "diabetes.csv: 442 rows; 354 train, 3 folds of them validate, 88 test;")
	assert.Contains(t, out, "  boosted trees ")
	assert.Regexp(t, `\riFM: fold \d of 3, candidate 1, `, told)
	const query = "target=target&folds=3&encode=linear&models=ifm&" + fewTrials
	curve, told := ok(t, "curve", query, samples+"diabetes.csv")
	r := answer[report](t, "train", samples+"diabetes.csv", "-link", query, "-json")
	assert.Equal(t, 3, r.Folds)
	rows := must(csv.NewReader(strings.NewReader(curve)).ReadAll())
	last := rows[len(rows)-1]
	assert.Equal(t, last[12], strconv.FormatFloat(float64(r.Models[0].Test), 'g', -1, 64), "where the curve of the chosen one ends")
}

func TestTrainSplitsErrorsByAColumn(t *testing.T) {
	r := answer[report](t, "train", samples+"cars.csv", "-target", "Miles_per_Gallon", "-splits", "1", "-link", "models=ifm&ranks=2&lambdaf=30&iterations=5&encode=linear", "-errors-by", "Origin", "-json")
	require.NotNil(t, r.ErrorsBy)
	all := r.ErrorsBy.Levels
	assert.Equal(t, []any{"all test rows", r.Test}, []any{all[0].Level, all[0].Rows})
	assert.InDelta(t, float64(all[0].Share), float64(r.Intervals.Share), 1e-12)
	sum, rows := 0.0, 0
	for _, level := range all[1:] {
		sum, rows = sum+float64(level.Rows)*float64(level.Error*level.Error), rows+level.Rows
	}
	assert.Equal(t, r.Test, rows)
	assert.InDelta(t, float64(all[0].Error*all[0].Error), sum/float64(rows), 1e-9)
}

func TestExplainShowsARowBesideTheSameRowWithOtherCells(t *testing.T) {
	model, cars := trained(t, "cars.csv", "Miles_per_Gallon"), samples+"cars.csv"
	r := answer[whatIfReport](t, "explain", model, cars, "-line", "17", "-with", "Horsepower=300", "-with", "Origin=Japan", "-json")
	own := answer[explanationReport](t, "explain", model, cars, "-line", "17", "-json")
	assert.Equal(t, own.Predicted, r.Before.Predicted)
	assert.Equal(t, own.Low, r.Before.Low)

	// The changed row as a file of its own.
	lines := strings.Split(string(must(os.ReadFile(cars))), "\n")
	cells := strings.Split(lines[16], ",")
	names := strings.Split(lines[0], ",")
	cells[slices.Index(names, "Horsepower")], cells[slices.Index(names, "Origin")] = "300", "Japan"
	var stdout, stderr bytes.Buffer
	require.Zero(t, run([]string{"explain", model, "-", "-json"}, strings.NewReader(lines[0]+"\n"+strings.Join(cells, ",")+"\n"), &stdout, &stderr), stderr.String())
	var its explanationReport
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &its))
	assert.Equal(t, its.Predicted, r.After.Predicted)
	assert.Equal(t, its.Low, r.After.Low)
	assert.Equal(t, its.High, r.After.High)
}

func TestExplanationsSumToWhatIsPredicted(t *testing.T) {
	model := trained(t, "diabetes.csv", "target")
	p := answer[predictionReport](t, "predict", "-json", model, samples+"diabetes.csv")
	for _, line := range []int{2, 17, 443} {
		e := answer[explanationReport](t, "explain", model, samples+"diabetes.csv", "-line", strconv.Itoa(line), "-json", "-most", "4")
		sum := float64(e.Base + e.Rest)
		for _, term := range e.Terms {
			sum += float64(term.Value)
		}
		assert.Len(t, e.Terms, 4)
		assert.InDelta(t, float64(p.Predictions[line-2].Prediction), sum, 1e-9, "some ten terms of size 100")
	}

	// An older file has no averages, and no digest.
	file := must(os.ReadFile(model))
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(file, &members))
	delete(members, "centre")
	delete(members, "digest")
	file = must(json.Marshal(members))
	older := filepath.Join(t.TempDir(), "older.json")
	require.NoError(t, os.WriteFile(older, file, 0o644))
	text, _ := ok(t, "explain", older, samples+"diabetes.csv", "-line", "17")
	_, without, _ := ifm("explain", older)
	assert.Contains(t, without, "by its cell (from the mean row, as the model file has no averages)")
	assert.Regexp(t, `(?s)as a sum.*  the mean row, as the model file has no averages\n.* = .*  predicted\n`, text)

	// A file of one row needs no line.
	lines := strings.SplitN(string(must(os.ReadFile(samples+"diabetes.csv"))), "\n", 3)
	var stdout, stderr bytes.Buffer
	assert.Zero(t, run([]string{"explain", model, "-"}, strings.NewReader(lines[0]+"\n"+lines[1]+"\n"), &stdout, &stderr), stderr.String())
	assert.Contains(t, stdout.String(), "stdin, line 2: target, as a sum")

	d := answer[modelSummary](t, "explain", model, "-json", "-most", "3")
	assert.Len(t, d.Weights, d.Features)
	assert.Len(t, d.Pairs, 3)
	assert.True(t, d.Average)
	require.Len(t, d.Shapes, 10)
	assert.True(t, slices.IsSortedFunc(d.Shapes, func(a, b shapeReport) int { return cmp.Compare(b.reach(), a.reach()) }))
	// The effect of a cell at a point of a shape is a term of the row's explanation.
	header, cells := strings.Split(lines[0], ","), strings.Split(lines[1], ",")
	shape := d.Shapes[0]
	point := shape.Points[len(shape.Points)/3]
	cells[slices.Index(header, shape.Column)] = strconv.FormatFloat(float64(point.Number), 'g', -1, 64)
	stdout.Reset()
	assert.Zero(t, run([]string{"explain", model, "-", "-json", "-most", "100"}, strings.NewReader(lines[0]+"\n"+strings.Join(cells, ",")+"\n"), &stdout, &stderr), stderr.String())
	var e explanationReport
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &e))
	at := slices.IndexFunc(e.Terms, func(term termReport) bool { return slices.Equal(term.Columns, []string{shape.Column}) })
	assert.InDelta(t, float64(e.Terms[at].Value), float64(point.Effect), 1e-9)
	assert.True(t, point.Low <= point.Effect && point.Effect <= point.High && point.Low < point.High)
}

func TestProgressIsALineThatIsWrittenAnewAndGoes(t *testing.T) {
	out, told := ok(t, "train", samples+"diabetes.csv", "-target", "target", "-progress", "-link", fewTrials)
	assert.Contains(t, out, "Test RMSE")
	assert.Contains(t, told, "\riFM: candidate 1 of ")
	assert.NotContains(t, told, "\n")
	assert.True(t, strings.HasSuffix(told, " \r"), "%q", told[max(0, len(told)-20):])
}

// The built command, as a user has it: an interrupt ends it, with 1, and leaves nothing.
func TestAnInterruptLeavesNoHalfOfAFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no interrupt to send")
	}
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// Nothing stops it early: without an interrupt it takes hours.
	command := exec.CommandContext(ctx, os.Args[0])
	command.Env = append(os.Environ(), asSweep+"=train|"+samples+"diabetes.csv|-target|target|-progress|-o|"+filepath.Join(folder, "model.json")+"|-set|solver=agd|-set|iterations=100000|-set|tolerance=0|-set|patience=10000|-set|ranks=50,40,30,20,10")
	said := must(command.StderrPipe())
	require.NoError(t, command.Start())
	begun := make([]byte, 1)
	_, err := said.Read(begun) // it trains
	require.NoError(t, err)
	require.NoError(t, command.Process.Signal(os.Interrupt))
	var rest bytes.Buffer
	_, err = rest.ReadFrom(said)
	require.NoError(t, err)
	require.Error(t, command.Wait())
	assert.Equal(t, 1, command.ProcessState.ExitCode(), rest.String())
	assert.Contains(t, rest.String(), "ifm train: interrupted\n")
	assert.Empty(t, must(os.ReadDir(folder)))
}

func TestAModelThatWasEditedIsTakenWhenAsked(t *testing.T) {
	model := trained(t, "cars.csv", "Horsepower", "-set", "ignore=Name")
	file := string(must(os.ReadFile(model)))
	require.NoError(t, os.WriteFile(model, []byte(regexp.MustCompile(`"b":-?\d`).ReplaceAllString(file, `"b":7`)), 0o644))
	for _, args := range [][]string{{"predict", model, samples + "cars.csv"}, {"explain", model}, {"export", model, "-as", "sql"}} {
		refused(t, 1, "it was damaged, or edited by hand; take a copy that is whole, or open it as edited, with ifm "+args[0]+" -edited\n", args...)
		_, told := ok(t, append(args, "-edited")...)
		assert.Contains(t, told, "model.json was changed since it was saved; it is taken as it is now\n")
	}
}

// settable has values of the settings whose bounds leave too much: those that name what a
// table has, and those that would take long.
var settable = map[string][]string{
	"target": {"y", "class"}, "log": {"no", "yes"}, "loss": {"auto", "squared"}, "positive": {"yes", "no"}, "ignore": {"a", "a,город"}, "categorical": {"code", "code,b"}, "numeric": {"code", "code,a"},
	"decimal": {"a:point"}, "missingas": {"b:3"}, "notmissing": {"город:none"}, "dates": {"day:dmy", "day:text"}, "keep": {"extremes", "units,footer"}, "weight": {"w"}, "rows": {"a:>:-1", "город:!=:Москва;day:<:2024-04-10"},
	"rare": {"1", "3", "40"}, "by": {"город", "day"}, "folds": {"1", "2", "3"}, "separator": {"semicolon"}, "header": {"yes"}, "charset": {"windows-1251"},
	"ranks": {"1", "2,3"}, "lambdas": {"0.1", "1,0.1"}, "lambdaw": {"10", "1,30"}, "lambdaf": {"30,10", "3"}, "seed": {"2", "9007199254740991"}, "trials": {"1"}, "iterations": {"3", "20"}, "tolerance": {"0.01", "0"}, "patience": {"2", "5"}, "solver": {"als", "agd", "auto", "scaled", "gauss-newton"},
	"source": {"table"}, "n": {"20"}, "d": {"1000"}, "member": {"x"}, "sheet": {"Tabelle 1"}, "pairs": {"1,2"},
}

// valuesOf returns values of a setting other than its default, where it has some.
func valuesOf(f spec.Field) []string {
	switch {
	case settable[f.Key] != nil:
		return settable[f.Key]
	case f.Kind == spec.Choice:
		return f.Options
	case f.Kind == spec.Set:
		return append([]string{strings.Join(f.Options, ",")}, f.Default, f.Options[0], strings.Join(f.Options[1:], ","))
	}
	return []string{fmt.Sprint(f.Max), fmt.Sprint(f.Min)}
}

func TestWhatTrainPrintsRepeatsTheRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 0))
	content := tabletest.File("a;b;code;day;город;w;class;y", 120, func(i int) string {
		a, city := rng.NormFloat64(), rng.IntN(12)
		return fmt.Sprintf("%.3f;%d;%d;%02d.%02d.2024;%s;%d;%s;%.3f", a, rng.IntN(9), i%7, 1+i%28, 1+i/28, []string{"Москва", "Тверь", "none"}[city%3]+strings.Repeat("а", city), 1+rng.IntN(2), []string{"no", "yes"}[rng.IntN(2)], 9+a*float64(city%3)+rng.NormFloat64())
	})
	text := must(charmap.Windows1251.NewEncoder().String(content))
	file := write(t, "города.csv", text)
	train := func(args ...string) (r report, ok bool) {
		status, out, _ := ifm(append([]string{"train", file, "-json", "-ranges=false"}, args...)...)
		return r, status == 0 && assert.NoError(t, json.Unmarshal([]byte(out), &r))
	}
	trained := 0
	for range 24 {
		args := []string{"-set=target=y", "-set=charset=windows-1251", "-set=iterations=4", "-set=lambdaf=30", "-set=lambdaw=30"}
		for _, f := range spec.Fields {
			if values := valuesOf(f.Field); f.Key == "models" || rng.IntN(6) == 0 {
				args = append(args, "-set="+f.Key+"="+values[rng.IntN(len(values))])
			}
		}
		first, ok := train(args...)
		if !ok { // settings that do not go together
			continue
		}
		trained++
		again, ok := train("-link", first.Settings)
		require.True(t, ok, first.Settings)
		assert.Equal(t, first.Settings, again.Settings)
		assert.Equal(t, fmt.Sprint(first.Models, first.Kept, first.Train, first.Valid, first.Test), fmt.Sprint(again.Models, again.Kept, again.Train, again.Valid, again.Test), first.Settings)
		require.Equal(t, len(first.Scores), len(again.Scores), first.Settings)
		for i, s := range first.Scores {
			assert.Equal(t, fmt.Sprint(s.Name, s.Test), fmt.Sprint(again.Scores[i].Name, again.Scores[i].Test), first.Settings)
		}
	}
	assert.Greater(t, trained, 12, "settings that go together")
}
