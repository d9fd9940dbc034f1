package estimator_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"ifmlab/core"
	"ifmlab/core/assess"
	"ifmlab/core/design"
	"ifmlab/core/estimator"
	"ifmlab/core/fault"
	"ifmlab/core/note"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/tabletest"
	"ifmlab/core/task"
)

// product draws rows of columns whose products act on y.
func product(n, d int) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			x.Set(i, j, 3+2*rng.NormFloat64())
		}
		y[i] = 10 + 2*x.At(i, 0) - x.At(i, 1)*x.At(i, 2) + .5*x.At(i, 0)*x.At(i, 3) + .1*rng.NormFloat64()
	}
	return x, y
}

// file writes rows as the CSV of which [estimator.Fit] is to find the bits.
func file(x mat.Matrix, y []float64) *strings.Reader {
	n, d := x.Dims()
	header := ""
	for j := range d {
		header += "x" + strconv.Itoa(j+1) + ","
	}
	return strings.NewReader(tabletest.File(header+"y", n, func(i int) (row string) {
		for j := range d {
			row += strconv.FormatFloat(x.At(i, j), 'g', -1, 64) + ","
		}
		return row + strconv.FormatFloat(y[i], 'g', -1, 64)
	}))
}

func options(t *testing.T, query string) *estimator.Options {
	t.Helper()
	o := must(estimator.Parse(query))
	return &o
}

func TestAMatrixTrainsToTheBitsOfItsFile(t *testing.T) {
	for _, query := range []string{
		"ranks=2,3&lambdaf=10,1,0.1&lambdaw=1,10",
		"ranks=2&lambdaf=10&lambdaw=1&encode=hats&models=fm,gfm,ifm&seed=4",
		"ranks=2&solver=gauss-newton&lambdas=0.01,0.1&iterations=20",
		"ranks=2&lambdaf=10&lambdaw=1&categorical=x4&target=y",
	} {
		x, y := product(300, 4)
		for i := range y {
			x.Set(i, 3, math.Round(x.At(i, 3))+0) // of few values, and with 0 among them
		}
		f := must(estimator.Fit(context.Background(), x, y, options(t, query)))
		o := options(t, query+"&target=y")
		table := must(estimator.ReadTable("rows.csv", file(x, y), o))
		g := must(estimator.FitTable(context.Background(), table, o))
		var a, b bytes.Buffer
		require.NoError(t, f.Save(&a))
		require.NoError(t, g.Save(&b))
		assert.Equal(t, b.String(), a.String(), query)
		assert.Equal(t, g.Best.Valid, f.Best.Valid)
		assert.Equal(t, g.Best.Candidate, f.Best.Candidate)
		assert.Equal(t, f.Best.Rank, f.Rank())
		assert.Equal(t, f.Best.Test, f.Test().Error)
		assert.Equal(t, g.Test().Predicted, f.Test().Predicted)

		p := must(f.Predict(x))
		for i, line := range f.Test().Line {
			assert.Equal(t, f.Test().Predicted[i], p[line-1], "what was tested is predicted again")
		}
		assert.Equal(t, must(g.PredictTable(table)).Predicted, p, query)
	}
}

func TestTheFormulaInTheReadersUnitsIsThePrediction(t *testing.T) {
	x, y := product(240, 4)
	for _, query := range []string{"encode=linear", "encode=hats", "models=gfm", "models=fm", "categorical=x4", "models=gfm&categorical=x4"} {
		for i := range y {
			x.Set(i, 3, math.Round(x.At(i, 3)/2))
		}
		f := must(estimator.Fit(context.Background(), x, y, options(t, "ranks=2&lambdaf=10&lambdaw=1&iterations=10&"+query)))
		p := must(f.Predict(x))
		design := must(f.Design(x))
		m := must(f.Interactions())
		w := f.Weights()
		n, d := design.Dims()
		assert.Equal(t, d, len(f.Features()))
		for i := range n {
			row := design.RowView(i)
			v := f.Bias() + mat.Dot(row, mat.NewVecDense(d, w)) + mat.Inner(row, m, row)
			require.InDelta(t, p[i], v, 1e-9*100, "%s, row %d: sums of some hundred products that nearly cancel", query, i)
		}
	}
}

func TestAModelFileComesBackWithEveryBit(t *testing.T) {
	x, y := product(120, 6)
	for i := range y {
		x.Set(i, 1, 5) // constant: no feature
	}
	for _, names := range [][]string{nil, {"a", "b", "c", "d", "e", "f"}} {
		o := options(t, "ranks=2&lambdaf=10&lambdaw=1")
		o.Columns = names
		f := must(estimator.Fit(context.Background(), x, y, o))
		var b bytes.Buffer
		require.NoError(t, f.Save(&b))
		m := must(estimator.Load(&b, names...))
		assert.Equal(t, must(f.Predict(x)), must(m.Predict(x)))
		assert.Equal(t, "ifm", m.Kind())
		assert.Equal(t, f.Best.Rank, m.Rank())
		assert.Equal(t, "y", m.Target())
	}
}

func TestSharesSayHowManyRowsTrain(t *testing.T) {
	x, y := product(100, 4)
	o := options(t, "ranks=2&lambdaf=10,1&lambdaw=1,10")
	o.ValidShare, o.TestShare = .25, 0
	f := must(estimator.Fit(context.Background(), x, y, o))
	assert.Empty(t, f.Test().Predicted)
	assert.False(t, math.IsNaN(f.Best.Valid))
	assert.True(t, math.IsNaN(f.Best.Test))
	o = options(t, "ranks=2&lambdaf=1&lambdaw=1&encode=linear")
	o.ValidShare, o.TestShare = 0, .3
	f = must(estimator.Fit(context.Background(), x, y, o))
	assert.Len(t, f.Test().Predicted, 30)
	assert.True(t, math.IsNaN(f.Best.Valid))
	assert.Equal(t, 2, f.Best.Rank, "the last candidate")
	_, err := f.Trees(context.Background(), nil)
	assert.ErrorAs(t, err, new(*estimator.NoValidationError))
	o.Encoding = "auto"
	_, err = estimator.Fit(context.Background(), x, y, o)
	assert.Equal(t, &estimator.NoValidationError{Choices: 2}, err)
	o.ValidShare, o.TestShare, o.Split, o.By = .2, .1, "group", "x1"
	_, err = estimator.Fit(context.Background(), x, y, o)
	assert.ErrorAs(t, err, new(*estimator.SettingError))
}

func TestBadInputIsATypedErrorWithItsPlace(t *testing.T) {
	x, y := product(50, 3+1)
	with := func(i, j int, v float64) mat.Matrix {
		c := mat.DenseCopyOf(x)
		c.Set(i, j, v)
		return c
	}
	constant := make([]float64, 50)
	nan := append([]float64(nil), y...)
	nan[7] = math.Inf(1)
	for _, c := range []struct {
		name, query string
		x           mat.Matrix
		y           []float64
		as          any
		says        string
	}{
		{"a target too few", "", x, y[:49], new(*estimator.ShapeError), "y: found 49, expected 50 numbers"},
		{"a hole", "", with(3, 2, math.NaN()), y, new(*estimator.NotFiniteError), "x at row 3, column 2 is NaN"},
		{"an infinite target", "", x, nan, new(*estimator.NotFiniteError), "y at row 7 is +Inf"},
		{"a constant target", "", x, constant, new(*fault.PlanError), "y is 0 in every row; choose a target that varies"},
		{"an unknown setting", "colour=red", x, y, new(*estimator.SettingError), `there is no setting "colour"`},
		{"a solver that is none", "solver=magic", x, y, new(*estimator.SettingError), `solver is "magic", expected one of default, agd`},
		{"rank 0", "ranks=0", x, y, new(*estimator.SettingError), "ranks"},
		{"a target of the columns' names", "target=x1", x, y, new(*design.ShapeError), "two columns are called"},
	} {
		o, err := estimator.Parse(c.query)
		if err == nil {
			_, err = estimator.Fit(context.Background(), c.x, c.y, &o)
		}
		if assert.Error(t, err, c.name) {
			assert.ErrorAs(t, err, c.as, c.name)
			assert.Contains(t, err.Error(), c.says, c.name)
		}
	}
	o := estimator.Options{}
	_, err := estimator.Fit(context.Background(), x, y, &o)
	assert.ErrorAs(t, err, new(*estimator.SettingError), "the zero value says that it is not useful")
	o = estimator.Default()
	o.Columns = []string{"a"}
	_, err = estimator.Fit(context.Background(), x, y, &o)
	assert.ErrorAs(t, err, new(*estimator.ShapeError))

	f := must(estimator.Fit(context.Background(), x, y, options(t, "ranks=2&lambdaf=10&lambdaw=1&iterations=3")))
	_, err = f.Predict(x.Slice(0, 5, 0, 3))
	assert.EqualError(t, err, "estimator: columns of x: found 3, expected 4: x1, x2, x3, x4")
	_, err = f.Predict(with(0, 0, math.NaN()))
	assert.ErrorAs(t, err, new(*estimator.NotFiniteError))
	_, err = f.Explain(nil, 3)
	assert.ErrorAs(t, err, new(*estimator.ShapeError))
	_, err = estimator.Load(strings.NewReader("{"))
	assert.Error(t, err)
}

func TestTrainingEndsWhenItIsToldTo(t *testing.T) {
	x, y := product(200, 4)
	ctx, cancel := context.WithCancel(context.Background())
	o := estimator.Default()
	var seen []estimator.Progress
	o.Progress = func(p estimator.Progress) {
		if seen = append(seen, p); len(seen) == 3 {
			cancel()
		}
	}
	_, err := estimator.Fit(ctx, x, y, &o)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Len(t, seen, 3)
	assert.Equal(t, "ifm", seen[0].Model)
	assert.Equal(t, 30, seen[0].Candidates, "ridge and 14 more of both encodings")
}

func TestFoldsChooseAndCanBeEnded(t *testing.T) {
	x, y := product(200, 4)
	o := options(t, "folds=4&ranks=2&lambdaf=10,1&lambdaw=1,10&encode=linear")
	o.ValidShare = 0 // folds are all the validation there is
	folds := map[int]bool{}
	o.Progress = func(p estimator.Progress) { folds[p.Fold] = true }
	f := must(estimator.Fit(context.Background(), x, y, o))
	assert.Equal(t, map[int]bool{0: true, 1: true, 2: true, 3: true, 4: true}, folds)
	assert.Equal(t, f.Best.Test, f.Test().Error)
	assert.False(t, math.IsNaN(f.Best.Valid), "the mean over the folds")
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(p estimator.Progress) { cancel() }
	_, err := estimator.Fit(ctx, x, y, o)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestATableOfTwoRowsIsTooSmallBeforeItIsAskedAbout(t *testing.T) {
	table := must(estimator.ReadTable("two.csv", strings.NewReader("a,y\n1.234,2\n3.456,5\n"), nil))
	_, err := estimator.FitTable(context.Background(), table, nil)
	assert.True(t, fault.IsPlan(err, fault.TooFewRows), "%v", err)
}

func TestATableAsksWhatItsCellsLeaveOpen(t *testing.T) {
	text := tabletest.File("a,size,y1", 40, func(i int) string {
		return "\"1." + strconv.Itoa(100+i*7) + "\"," + strconv.Itoa(i%9) + "," + strconv.Itoa(i*3%17)
	})
	table := must(estimator.ReadTable("open.csv", strings.NewReader(text), nil))
	_, err := estimator.FitTable(context.Background(), table, nil)
	open := tabletest.As[*estimator.QuestionsError](t, err)
	keys := map[note.Key]bool{}
	o := estimator.Default()
	for _, q := range open.Questions {
		require.NotEmpty(t, q.Answers)
		keys[q.Answers[0].Key] = true
		switch q.Answers[0].Key {
		case "decimal":
			o.Decimal = append(o.Decimal, q.Answers[0].Value)
		case "target":
			o.Target = "y1"
		}
	}
	assert.True(t, keys["target"], "%v", open)
	assert.ErrorContains(t, open, "open.csv: 2 questions are open; ")
	open.Questions = open.Questions[:1]
	assert.ErrorContains(t, open, "open.csv: a question is open; ")
	table = must(estimator.ReadTable("open.csv", strings.NewReader(text), &o))
	assert.Equal(t, "y1", must(estimator.FitTable(context.Background(), table, &o)).Target())
	o.Target = "z"
	_, err = estimator.FitTable(context.Background(), table, &o)
	assert.ErrorAs(t, err, new(*task.UnknownColumnError))
}

func TestAnotherFileIsReadAsTheFirstWas(t *testing.T) {
	content := must(os.ReadFile("../../web/samples/cars.csv"))
	o := options(t, "target=Miles_per_Gallon&ignore=Name&ranks=2&lambdaf=30&lambdaw=30")
	table := must(estimator.ReadTable("cars.csv", bytes.NewReader(content), o))
	f := must(estimator.FitTable(context.Background(), table, o))
	again := must(f.ReadTable("again.csv", bytes.NewReader(content)))
	a := must(f.PredictTable(table))
	b := must(f.PredictTable(again))
	assert.Equal(t, a.Predicted, b.Predicted)
	_, err := f.ReadTable("other.csv", strings.NewReader("a,b\n1,2\n3,4\n"))
	assert.ErrorAs(t, err, new(*fault.MissingColumnsError))
	assert.Equal(t, "Miles_per_Gallon", f.Quantity())
	assert.Len(t, must(f.Strongest(3)), 3)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestPairsAreTestedOnTheColumnsOfTheModel(t *testing.T) {
	x, y := product(400, 4)
	o := options(t, "ranks=2&lambdaf=10&lambdaw=1&encode=linear&iterations=3&target=y&ignore=x4")
	table := must(estimator.ReadTable("rows.csv", file(x, y), o))
	f := must(estimator.FitTable(context.Background(), table, o))
	found := must(f.TestPairs(context.Background(), table))
	assert.Equal(t, 3, found.Tested, "x1, x2 and x3")
	require.NotEmpty(t, found.Named)
	assert.Equal(t, []string{"x2", "x3"}, []string{found.Named[0].First, found.Named[0].Second})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := f.TestPairs(ended, table)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestCategoricalNumbersAreLearntAsClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	x, y := mat.NewDense(300, 2, nil), make([]float64, 300)
	for i := range y {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x.SetRow(i, []float64{a, b})
		switch f := a*b + .2*rng.NormFloat64(); {
		case f > .5:
			y[i] = 11
		case f > -.3:
			y[i] = 3
		default:
			y[i] = 5
		}
	}
	o := estimator.Default()
	o.Target, o.Categorical, o.Ranks, o.LambdaF, o.Encoding = "y", []string{"y"}, []int{2}, []float64{3}, "linear"
	f := must(estimator.Fit(context.Background(), x, y, &o))
	assert.Equal(t, []string{"3", "5", "11"}, f.Classes(), "in the order of numbers")
	ridge := must(f.Ridge())
	lead := must(f.Lead(ridge))
	assert.Positive(t, lead.Low, "a product tells the classes")
	assert.InDelta(t, ridge.Error-f.Test().Error, lead.By, 1e-12)
	mean := must(f.Mean())
	lead = must(f.Lead(mean))
	assert.InDelta(t, mean.Error-f.Test().Error, lead.By, 1e-9, "the shares of the classes, for each row its own")

	columns := must(f.Importance())
	require.Len(t, columns, 3)
	assert.Equal(t, "x2", columns[0].With, "the pair")
	assert.GreaterOrEqual(t, columns[1].By, columns[2].By)
	assert.Greater(t, columns[2].Low, .1, "a product needs both")

	var file bytes.Buffer
	require.NoError(t, f.Save(&file))
	m := must(estimator.Load(&file))
	p := must(m.Probabilities(x))
	best := must(m.Predict(x))
	right := 0
	for i := range y {
		row := p.RawRowView(i)
		assert.InDelta(t, 1, row[0]+row[1]+row[2], 1e-14)
		assert.Equal(t, max(row[0], row[1], row[2]), best[i])
		if []float64{3, 5, 11}[argmax(row)] == y[i] {
			right++
		}
	}
	assert.Greater(t, right, 240)
	_, err := m.Interactions()
	assert.EqualError(t, err, "saved: the model has a score of each of the 3 classes of y, not one set of coefficients; ask for the score of one class")
	likeliest := must(m.Explain(x.RawRowView(0), 10))
	assert.Equal(t, argmax(p.RawRowView(0)), likeliest.Class)
	assert.Equal(t, p.RawRowView(0), likeliest.Probabilities)
	assert.Equal(t, likeliest.Probabilities[likeliest.Class], likeliest.Raw)
	assert.Equal(t, "score of y = "+m.Classes()[likeliest.Class], likeliest.Quantity)
	assert.Equal(t, []float64{0, 0}, m.Slopes())
	score := m.Score(2)
	assert.NotEqual(t, []float64{0, 0}, score.Weights())
	assert.Equal(t, "score of y = 11", score.Quantity())
	shapes, average, err := score.Shapes()
	require.NoError(t, err)
	assert.True(t, average)
	require.Len(t, shapes, 2)
	for p, shape := range shapes {
		point := shape.Points[5]
		row := []float64{.5, .5}
		row[p] = point.Number
		e := must(score.Explain(row, 10))
		at := slices.IndexFunc(e.Terms, func(term saved.Term) bool { return term.First == p && term.Second < 0 })
		assert.InDelta(t, e.Terms[at].Value, point.Effect, 1e-9)
	}

	o.Categorical = nil
	_, err = must(estimator.Fit(context.Background(), x, y, &o)).Probabilities(x)
	assert.ErrorAs(t, err, new(*assess.NoClassesError))
}

func argmax(row []float64) (at int) {
	for c, v := range row {
		if v > row[at] {
			at = c
		}
	}
	return at
}

func TestOtherSplitsAreTrialsOfTheSameSettings(t *testing.T) {
	content := must(os.ReadFile("../../web/samples/cars.csv"))
	o := estimator.Default()
	o.Target, o.Ignore, o.Ranks, o.LambdaF, o.LambdaW, o.Encoding = "Miles_per_Gallon", []string{"Name"}, []int{2}, []float64{10}, []float64{10}, "linear"
	table := must(estimator.ReadTable("cars.csv", bytes.NewReader(content), &o))
	f := must(estimator.FitTable(context.Background(), table, &o))
	all := must(f.Splits(context.Background(), 3, nil))
	require.Len(t, all["boosted trees"], 3)
	assert.Equal(t, f.Test().Error, all["ifm"][0])
	s := o.Spec
	s.Trials = 3
	for trial := range 3 {
		run := must(core.Open(s, trial, table))
		runtest.Finish(t, run)
		assert.Equal(t, must(run.Predictions()).Error, all["ifm"][trial])
		base := must(run.Baselines())
		assert.Equal(t, base.Ridge, all["linear"][trial])
		assert.Equal(t, base.Ridge, all["curves"][trial], "no curves were tried")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := f.Splits(ended, 3, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestTestRowsOfAFileArePredictedAsTheModelPredictsThatFile(t *testing.T) {
	lines := bytes.SplitAfter(must(os.ReadFile("../../web/samples/penguins.csv")), []byte("\n"))
	var files [2]bytes.Buffer
	for i, line := range lines {
		if files[min(1, i%4/3)].Write(line); i == 0 {
			files[1].Write(line)
		}
	}
	second := bytes.Clone(files[1].Bytes())
	ctx := context.Background()
	for _, target := range []string{"Body Mass (g)", "Species"} {
		o := estimator.Default()
		o.Target, o.Ranks, o.LambdaF, o.LambdaW, o.Encoding = target, []int{2}, []float64{10}, []float64{10}, "linear"
		first := must(estimator.ReadTable("first.csv", bytes.NewReader(files[0].Bytes()), &o))
		table := must(estimator.ReadTest(first, "second.csv", bytes.NewReader(second), &o))
		f := must(estimator.FitTable(ctx, table, &o))
		p := must(f.PredictTable(must(f.ReadTable("second.csv", bytes.NewReader(second)))))
		var predicted []float64
		for i, actual := range p.Actual {
			if actual == actual && target != "Species" {
				predicted = append(predicted, p.Predicted[i])
			}
		}
		assert.InDelta(t, f.Test().Error, p.Error, 1e-12)
		assert.Greater(t, len(f.Test().Actual), 80)
		if target != "Species" {
			assert.InDeltaSlice(t, predicted, f.Test().Predicted, 1e-9)
		}
		_, err := f.Splits(ctx, 2, nil)
		require.ErrorAs(t, err, new(*estimator.SettingError))
		assert.ErrorContains(t, err, `splits is "2", expected 1, because the test rows are those of second.csv`)
		assert.Equal(t, f.Test().Error, must(f.Splits(ctx, 1, nil))["ifm"][0])
	}
}

// web/src/training/ratio.test.ts has the same ten splits.
func TestALeadOverSplitsIsOneThatMostSplitsHave(t *testing.T) {
	linear := []float64{4, 4.2, 3.9, 4.1, 4, 4.3, 3.8, 4, 4.1, 4.05}
	all := estimator.Splits{"linear": linear}
	for i, error := range linear {
		all["ifm"] = append(all["ifm"], error*(.9+.01*float64(i*3%5)))
		all["even"] = append(all["even"], error*[]float64{.9, 1.1}[i%2])
		one := error
		if i == 3 {
			one /= 9
		}
		all["one"] = append(all["one"], one)
	}
	lead := all.Lead("ifm", "linear")
	assert.True(t, 0 < lead.Low && lead.Low < lead.By && lead.By < lead.High && lead.P < .05, "%+v", lead)
	var mean, square float64
	for i, error := range linear {
		l := math.Log(error / all["ifm"][i])
		mean, square = mean+l/10, square+l*l/10
	}
	deviation := math.Sqrt((square - mean*mean) * 10 / 9)
	reach := 2.2622 * 1.01 * deviation * math.Sqrt(.1+.25) // Student's 97.5 % quantile for nine, a little more
	assert.InDelta(t, mean+reach, math.Log(1+lead.High/all.Mean("ifm")), .02*reach)
	for _, name := range []string{"even", "one"} {
		lead := all.Lead(name, "linear")
		assert.True(t, lead.Low < 0 && lead.High > 0, "%s: %+v", name, lead)
	}
	few := estimator.Splits{"ifm": all["ifm"][:5], "linear": linear[:5]}
	assert.True(t, math.IsInf(few.Lead("ifm", "linear").High, 1), "five are too few")
}
