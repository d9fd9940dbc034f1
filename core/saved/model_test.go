package saved_test

import (
	"bytes"
	encodingcsv "encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/csv"
	"ifmlab/core/fm"
	"ifmlab/core/note"
	"ifmlab/core/read"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

const brief = "source=table&ranks=2&lambdas=0.03&iterations=20"

// requireSamePredictions holds what a kept model says of a table, which has the rows that it
// was trained on in their order, to the run's own predictions of its test rows,
// bit for bit: where each row is encoded as it was, the same sums follow.
func requireSamePredictions(t *testing.T, run *core.Run, kept *saved.Model, table *table.Table) *saved.Predicted {
	t.Helper()
	want := runtest.Result(t, run.Predictions)
	require.NotEmpty(t, want.Line)
	got := predict(t, kept, table)
	require.Len(t, got.Predicted, table.Rows)
	row := map[int]int{}
	for i, line := range got.Line {
		row[int(line)] = i
	}
	for i, line := range want.Line {
		at, ok := row[line]
		require.True(t, ok, "line %d is predicted", line)
		require.Equal(t, want.Predicted[i], got.Predicted[at], "line %d", line)
		require.InDelta(t, want.Actual[i], got.Actual[at], 1e-15*math.Abs(got.Actual[at]), "line %d: divided by its scale and multiplied again", line)
	}
	return got
}

// rewrite reads a table of commas and writes it anew: the cells of each row as
// change leaves them, between separators.
func rewrite(t *testing.T, content, separator string, change func(header bool, cells []string) []string) string {
	t.Helper()
	rows := tabletest.Must(encodingcsv.NewReader(strings.NewReader(content)).ReadAll())
	var b strings.Builder
	for i, cells := range rows {
		b.WriteString(strings.Join(change(i == 0, cells), separator) + "\n")
	}
	return b.String()
}

// evaluate returns f(x) of a model written out.
func evaluate(c fm.Coefficients, x []float64) float64 {
	f := c.B
	for i, v := range x {
		f += v * c.W[i]
		for j, w := range x {
			f += v * c.M[i*len(x)+j] * w
		}
	}
	return f
}

func sampleTable(t *testing.T, name string) string {
	t.Helper()
	return string(tabletest.Must(os.ReadFile("../../web/samples/" + name)))
}

func predict(t *testing.T, kept *saved.Model, table *table.Table) *saved.Predicted {
	t.Helper()
	return tabletest.Must(kept.Predict(table))
}

// interactingAs is [runtest.Interacting] with another target.
func interactingAs(t *testing.T, n int, target func(y float64) string) string {
	return runtest.Interacting(n, func(_ int, cells []string) {
		y := tabletest.Must(strconv.ParseFloat(cells[5], 64))
		cells[5] = target(y)
	})
}

func TestAKeptModelPredictsWhatItsRunDoes(t *testing.T) {
	power := func(of func(y float64) float64) string {
		return interactingAs(t, 200, func(y float64) string { return strconv.FormatFloat(of(y), 'g', -1, 64) })
	}
	penguins, cars := sampleTable(t, "penguins.csv"), sampleTable(t, "cars.csv")
	for name, c := range map[string]struct{ query, content string }{
		"penguins, which has levels and missing cells": {"&target=Body+Mass+%28g%29", penguins},
		"cars":                             {"&target=Miles_per_Gallon&ignore=Name", cars},
		"a column of numbers, as levels":   {"&target=Miles_per_Gallon&ignore=Name&categorical=Cylinders", cars},
		"rare levels":                      {"&target=Miles_per_Gallon&categorical=Name&rare=3", cars},
		"rows with missing cells left out": {"&target=Body+Mass+%28g%29&missing=drop", penguins},
		"diabetes":                         {"&target=target", sampleTable(t, "diabetes.csv")},
		"the logarithm of prices":          {"&target=y&log=yes", power(func(y float64) float64 { return 100 * math.Exp(y/5) })},
		"the logarithm of counts":          {"&target=y&log=yes", power(func(y float64) float64 { return math.Floor(5 * math.Exp(y/5)) })},
	} {
		for _, model := range []string{"fm", "gfm", "ifm"} {
			t.Run(name+", "+model, func(t *testing.T) {
				query := brief + c.query + "&models=" + model
				table, run, kept := trained(t, query, c.content)
				got := requireSamePredictions(t, run, kept, table)
				assert.Equal(t, run.Quantity(), kept.Quantity())
				if !strings.Contains(query, "missing=drop") {
					assert.Zero(t, got.SkippedCount, "the file holds nothing else")
				}
			})
		}
	}
}

func TestAKeptModelFindsItsColumnsWhereverTheyStand(t *testing.T) {
	const query = brief + "&target=Body+Mass+%28g%29&models=ifm"
	content := sampleTable(t, "penguins.csv")
	run, kept := runtest.Save(t, query, runtest.ReadTable(t, query, content))
	turned := rewrite(t, content, ",", func(header bool, cells []string) []string {
		out := []string{"more"}
		for i := range cells {
			out = append(out, cells[len(cells)-1-i])
		}
		return append(out, "and more")
	})
	requireSamePredictions(t, run, kept, runtest.ReadTable(t, query, turned))

	without := rewrite(t, content, ",", func(_ bool, cells []string) []string { return cells[:len(cells)-1] })
	table := runtest.ReadTable(t, query, without)
	require.NotContains(t, table.Names(), "Body Mass (g)")
	got := predict(t, kept, table)
	for _, v := range got.Actual {
		assert.True(t, math.IsNaN(v))
	}
	assert.True(t, math.IsNaN(got.Error))
	whole := predict(t, kept, runtest.ReadTable(t, query, content))
	assert.Equal(t, whole.Predicted, got.Predicted, "the target is not needed")
}

func TestAKeptModelReadsAnotherLandsNumbers(t *testing.T) {
	const query = brief + "&target=Body+Mass+%28g%29&models=ifm"
	content := sampleTable(t, "penguins.csv")
	commas := rewrite(t, content, ";", func(header bool, cells []string) []string {
		for i, cell := range cells {
			if _, err := strconv.ParseFloat(cell, 64); err == nil {
				cells[i] = strings.ReplaceAll(cell, ".", ",")
			}
		}
		return cells
	})
	for trained, other := range map[string]string{content: commas, commas: content} {
		run, kept := runtest.Save(t, query, runtest.ReadTable(t, query, trained))
		requireSamePredictions(t, run, kept, runtest.ReadTable(t, query, trained))
		requireSamePredictions(t, run, kept, runtest.ReadTable(t, query, other))
	}
}

func TestCellsThatTrainingHasNotSeenCountAsThePageSays(t *testing.T) {
	const query = brief + "&target=y&models=ifm&rare=3"
	content := runtest.Interacting(80, func(row int, cells []string) {
		if row%9 == 0 {
			cells[1] = ""
		}
		if row == 20 || row == 40 || row == 60 {
			cells[4] = "only here " + strconv.Itoa(row)
		}
	})
	_, _, kept := trained(t, query, content)
	names := kept.Features()
	require.Contains(t, names, "x2 is missing")
	require.Contains(t, names, "colour=other")
	enc := kept.Encoding
	by := func(name string) int {
		for j, feature := range names {
			if feature == name {
				return j
			}
		}
		t.Fatalf("no feature %s", name)
		return -1
	}
	raw := kept.Model.Raw(enc)
	hand := func(x1, x2 float64, missing bool, colour string) float64 {
		x := make([]float64, len(names))
		for j, f := range enc.Features {
			x[j] = f.Mean
		}
		x[by("x1")] = x1
		if x[by("x2")] = x2; missing {
			x[by("x2")], x[by("x2 is missing")] = enc.Features[by("x2")].Mean, 1
		}
		if colour != "" {
			x[by(colour)] = 1
		}
		return evaluate(raw, x)
	}
	mean := func(name string) string { return strconv.FormatFloat(enc.Features[by(name)].Mean, 'g', -1, 64) }
	line := func(x1, x2, colour, y string) string {
		return strings.Join([]string{x1, x2, mean("x3"), mean("x4"), colour, y}, ",") + "\n"
	}
	table := runtest.ReadTable(t, "header=yes", "x1,x2,x3,x4,colour,y\n"+
		line("1", "2", "red", "1.5")+
		line("1", "NA", "blue", "")+ // missing, as in training
		line("", "2", "blue", "2")+ // missing, as never in training
		line("1", "two", "mauve", "three")+ // no number, no level, no target
		line("1", "1e200", "", "4")+ // too large, no colour
		line("1", "2", "red", "5")+"1,2,3\n"+ // a row that cannot be read
		strings.Repeat(line("1", "2", "red", "1.5"), 4))
	got := predict(t, kept, table)
	want := []float64{
		hand(1, 2, false, "colour=red"), hand(1, 0, true, "colour=blue"), hand(enc.Features[by("x1")].Mean, 2, false, "colour=blue"),
		hand(1, 0, true, "colour=other"), hand(1, 0, true, ""), hand(1, 2, false, "colour=red"),
	}
	require.Len(t, got.Predicted, 10)
	assert.Equal(t, []int32{2, 3, 4, 5, 6, 7, 9, 10, 11, 12}, got.Line)
	for i := 6; i < 10; i++ {
		want = append(want, want[0])
	}
	assert.InDeltaSlice(t, want, got.Predicted, 1e-12, "sums of some twenty numbers about 1, in another order")
	for i, y := range []float64{1.5, math.NaN(), 2, math.NaN(), 4, 5} {
		if math.IsNaN(y) {
			assert.True(t, math.IsNaN(got.Actual[i]), "row %d", i)
			continue
		}
		assert.Equal(t, y, got.Actual[i])
	}
	sum := 0.0
	for _, i := range []int{0, 2, 4, 5, 6, 7, 8, 9} {
		sum += math.Pow(got.Predicted[i]-got.Actual[i], 2)
	}
	assert.InEpsilon(t, math.Sqrt(sum/8), got.Error, 1e-14)
	var says []string
	for _, e := range got.Skipped {
		says = append(says, e.Error())
	}
	column := 3 + len("1")
	assert.Equal(t, []string{
		fmt.Sprintf(`table.csv:5:%d: x2 is "two", expected a finite number; it counts as missing`, column-1),
		fmt.Sprintf(`table.csv:5:%d: y is "three", expected a finite number; the row is predicted, and left out of the error`, len(line("1", "two", "mauve", ""))),
		`table.csv:6: x2 is "1e200", expected a number whose square is finite; it counts as missing`,
	}, says)
	assert.Equal(t, 3, got.SkippedCount)
	assert.Equal(t, []string{
		"x1 is missing in 1 of 10 rows, but never in training; the mean is used",
		"colour is missing in 1 of 10 rows, but never in training; the mean of its levels is used",
		`colour has levels unknown to the model in 1 of 10 rows, such as "mauve" on line 5; they count as "other"`,
	}, got.Notes.Texts())
	assert.Equal(t, 1, table.BadCount, "the table tells of the row that cannot be read")
}

func TestATargetOfTwoValuesIsComparedAsZeroAndOne(t *testing.T) {
	for name, values := range map[string][3]string{"texts": {"no", "yes", "maybe"}, "numbers": {"1.50", "2", "3"}, "squares": {"1.50", "2", "3"}} {
		t.Run(name, func(t *testing.T) {
			query := "source=table&target=y&models=ifm&ranks=2&lambdaf=30&iterations=8"
			if name == "squares" {
				query += "&loss=squared"
			}
			content := runtest.Interacting(60, func(row int, cells []string) { cells[5] = values[row*row%3%2] })
			table, run, kept := trained(t, query, content)
			holds := runtest.Result(t, run.Predictions)
			got := predict(t, kept, table)
			for i, line := range holds.Line {
				assert.InDelta(t, holds.Actual[i], got.Actual[line-2], 1e-15, "divided by its scale and multiplied again")
				assert.Equal(t, holds.Predicted[i], got.Predicted[line-2])
			}
			other := predict(t, kept, runtest.ReadTable(t, query, content+"1,1,1,1,red,"+values[2]+"\n"))
			assert.True(t, math.IsNaN(other.Actual[60]))
			assert.Equal(t, 1, other.SkippedCount)
			assert.Contains(t, other.Skipped[0].Error(), "expected one of "+strings.TrimSuffix(values[0], "0")+", "+values[1]+"; the row is predicted")
			assert.Equal(t, got.Error, other.Error)
		})
	}
}

func TestAPredictionThatIsNotFiniteIsListed(t *testing.T) {
	const query = brief + "&target=y&models=ifm"
	content := runtest.Interacting(60, nil)
	_, _, kept := trained(t, query, content)
	for i, sign := range []float64{1, -1, 1, 1} { // numbers are held to three times what training rows span
		kept.Model.W[i] = sign * 1e307
	}
	kept.Model.Interval = &fm.Interval{}
	got := predict(t, kept, runtest.ReadTable(t, query, content+"1e140,-1e140,1e140,1e140,red,1\n"))
	assert.True(t, math.IsNaN(got.Predicted[60]) && math.IsNaN(got.Low[60]) && math.IsNaN(got.High[60]))
	assert.False(t, math.IsNaN(got.Error))
	assert.Equal(t, 1, got.SkippedCount)
	assert.EqualError(t, &got.Skipped[0], "table.csv:62: the prediction is not a finite number; look for a cell far beyond the training rows")
}

func TestAKeptModelsInteractionsArePerStandardDeviation(t *testing.T) {
	const query = brief + "&target=Miles_per_Gallon&ignore=Name&models=gfm"
	run, kept := runtest.Save(t, query, runtest.ReadTable(t, query, sampleTable(t, "cars.csv")))
	raw := runtest.Result(t, run.Interaction)
	got := runtest.Result(t, kept.Interaction)
	assert.Equal(t, raw.Names, got.Names)
	assert.Equal(t, raw.Rank, got.Rank)
	assert.Equal(t, raw.Eigenvalues, got.Eigenvalues, "of a table, per standard deviation too")
	d, features := len(raw.Names), kept.Encoding.Features
	for i, v := range raw.Values {
		if i/d != i%d && features[i/d].Column == features[i%d].Column {
			assert.Zero(t, v, "levels of a column never meet")
		}
		want := v * features[i/d].Scale * features[i%d].Scale
		assert.InDelta(t, want, got.Values[i], 1e-13*kept.Encoding.Target.Scale, "some roundings apart")
	}
}

func TestAModelWhoseFeaturesNoTableMakesIsRefused(t *testing.T) {
	const head = `{"format":"ifmlab model","version":1,"model":"fm","rank":1,"b":0,"w":[1,2,3],"u":[[1],[2],[3]],"target":{"name":"y","mean":0,"scale":1},"features":[`
	feature := func(column, kind string) string {
		return `{"name":"` + column + kind + `","column":"` + column + `","kind":"` + kind + `","level":"1","mean":0,"scale":1}`
	}
	knot := func(at string) string {
		return `{"name":"a@` + at + `","column":"a","kind":"knot","knot":` + at + `,"fill":0,"mean":0,"scale":1}`
	}
	const order = `, expected the features of a column next to each other, and first its value or at least two ascending knots`
	for want, features := range map[string][]string{
		`model file: features is out of order at a@1` + order:      {knot("2"), knot("1"), feature("b", "value")},
		`model file: features is out of order at cvalue` + order:   {feature("b", "value"), knot("1"), feature("c", "value")},
		`model file: features is out of order at amissing` + order: {knot("1"), feature("a", "missing"), feature("b", "value")},
		`model file: features is out of order at a@3` + order:      {feature("b", "value"), feature("a", "value"), knot("3")},
		`model file: features is out of order at a@4` + order:      {feature("b", "value"), feature("c", "value"), knot("4")},
		"": {feature("a", "value"), feature("a", "missing"), feature("b", "level")},
		`model file: features is out of order at alevel` + order: {feature("a", "level"), feature("b", "value"), feature("a", "level")},
		`model file: features is out of order at bvalue` + order: {feature("a", "level"), feature("b", "level"), feature("b", "value")},
	} {
		_, err := saved.Read([]byte(head + strings.Join(features, ",") + "]}"))
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorAs(t, err, new(*fm.FileError))
		assert.EqualError(t, err, want)
	}
	_, err := saved.Read([]byte("a,b\n1,2\n"))
	assert.EqualError(t, err, `model file:1:1: found "a", expected an object`)
}

func TestAKeptModelReadsARowAsItReadTheTable(t *testing.T) {
	text := tabletest.File("when,price,depth,width,y", 400, func(i int) string {
		depth := strconv.Itoa(i * 7 % 40)
		if i%11 == 0 {
			depth = "-999"
		}
		return fmt.Sprintf("%02d/%02d/20%d,\"€1,%03d.5\",%s,4.%03d,%d", 1+i%12, 1+i*5%12, 20+i/200, i, depth, 100+i%300, i%12*(i%7)+i*7%40)
	})
	for _, encode := range []string{"linear", "hats"} {
		t.Run(encode, func(t *testing.T) {
			query := brief + "&target=y&models=ifm&rare=2&missingas=depth:-999&dates=when:dmy&decimal=width:comma&solver=als&encode=" + encode
			table, run, kept := trained(t, query, text)
			all := requireSamePredictions(t, run, kept, table)
			said := read.AnswersOf(&kept.Encoding)
			assert.Equal(t, []string{"when:dmy?"}, said.Dates)
			assert.Equal(t, []string{"depth:-999"}, said.MissingAs)
			assert.Equal(t, []string{"price:point?€", "depth:point?", "width:comma?", "y:point?"}, said.Decimal)
			lines := strings.SplitAfter(text, "\n")
			for _, row := range []int{0, 11, 123, 399} {
				one := tabletest.ReadAs(t, lines[0]+lines[1+row], read.Options{Answers: said, Header: csv.HeaderYes})
				got := predict(t, kept, one)
				assert.Equal(t, all.Predicted[row:row+1], got.Predicted, lines[1+row])
			}
		})
	}
}

func TestAModelOfLibFMKnowsTheFeaturesOfALIBSVMFileByTheirIndices(t *testing.T) {
	m := tabletest.Must(saved.Read([]byte("#global bias W0\n1\n#unary interactions Wj\n2\n3\n#pairwise interactions Vj,f\n1\n1\n")))
	assert.Equal(t, []float64{3, 5, 1}, predict(t, m, runtest.ReadTable(t, "", "0 0:1\n0 0:2\n0\n")).Predicted, "a feature that no row has")
	table := runtest.ReadTable(t, "", "0 0:2 1:5\n0 1:1\n0 1:4\n0 0:1\n")
	assert.InDeltaSlice(t, []float64{30, 4, 13, 3}, predict(t, m, table).Predicted, 1e-12, "a scale is multiplied and divided")
}

func TestTheErrorOfASavedModelIsWeightedAsItsTrainingWas(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	text := tabletest.File("x,z,counts,y", 300, func(i int) string {
		x, z := rng.NormFloat64(), rng.NormFloat64()
		return fmt.Sprintf("%.4f,%.4f,%d,%.4f", x, z, i%4, x*z+float64(1+i%4)*rng.NormFloat64())
	})
	const query = "source=table&target=y&models=ifm&ranks=1&lambdaf=10&iterations=2&ignore=counts"
	for weighed, weight := range map[string]func(i int) float64{
		"&weight=counts": func(i int) float64 { return float64(i % 4) }, "": func(int) float64 { return 1 },
	} {
		table, _, model := trained(t, query+weighed, text)
		p := predict(t, model, table)
		sum, all, rows := 0., 0., 0
		for i, v := range p.Predicted {
			sum, all = sum+weight(i)*(v-p.Actual[i])*(v-p.Actual[i]), all+weight(i)
			rows += int(min(1, weight(i)))
		}
		assert.InEpsilon(t, math.Sqrt(sum/all), p.Error, 1e-12)
		assert.Equal(t, rows, p.Compared)

		without := predict(t, model, runtest.ReadTable(t, query, strings.Replace(text, "counts", "others", 1)))
		assert.Equal(t, 300, without.Compared, "rows count the same where nothing weighs them")
	}
}

func TestCellsThatHoldAValueAndCountAsMissingAreTold(t *testing.T) {
	text := "price,b,y\n"
	for i := range 60 {
		text += fmt.Sprintf("%d €,%d,%d\n", 100+i*37%61, i*31%17, i*37%61+i*31%17)
	}
	rows, _, m := trained(t, "source=table&trials=1&iterations=5&models=ifm&ranks=1&target=y", text)
	assert.Empty(t, predict(t, m, rows).Notes.Texts())
	counted := note.Answer{Key: note.KeyMissingAs, Value: "price:$", Now: true}
	rows.ByName()["price"].Note(note.Note{Topic: note.TopicUnit, Text: "“$” in 3 cells is another unit", Answers: []note.Answer{counted}})
	rows.ByName()["b"].Note(note.Note{Topic: note.TopicSentinel, Text: "-999 is a value", Answers: []note.Answer{{Key: note.KeyMissingAs, Now: true}}})
	assert.Equal(t, []string{"price: “$” in 3 cells is another unit"}, predict(t, m, rows).Notes.Texts())
}

func TestAPredictionFarBeyondEveryTargetThatWasSeenIsMarked(t *testing.T) {
	text := "width,length,price\n"
	for i := range 200 {
		width, length := float64(i*37%51)/5, float64(i*37/51*13%51)/5
		text += fmt.Sprintf("%g,%g,%g\n", width, length, width*length+10+float64(i%7)/10)
	}
	const beyond = "width,length,price\n5,5,\n10.4,10.4,\n17,17,\n0,0,\n19,18,\n"
	for _, log := range []string{"no", "yes"} {
		query := "source=table&target=price&models=ifm&ranks=2&lambdaf=1&encode=linear&iterations=20&log=" + log
		table, run, m := trained(t, query, text)
		var seen []float64
		tested := runtest.Result(t, run.Predictions).Line
		for row, v := range predict(t, m, table).Actual {
			if !slices.Contains(tested, table.Line(row)) {
				seen = append(seen, v)
			}
		}
		require.Equal(t, []float64{slices.Min(seen), slices.Max(seen)}, m.Encoding.Target.Span, "of the rows that the saved model is fitted to, validation rows among them")
		least, most := m.Encoding.Target.Beyond()
		p := predict(t, m, table)
		for i, v := range p.Predicted {
			assert.Equal(t, v < least || v > most, p.Far[i] == 1)
			if a := p.Actual[i]; m.Encoding.Target.Span[0] <= v && v <= m.Encoding.Target.Span[1] {
				assert.Zero(t, p.Far[i], "%g is predicted of %g", v, a)
			}
		}
		far := predict(t, m, runtest.ReadTable(t, query, beyond))
		assert.Equal(t, []int32{0, 0, 1, 0, 1}, far.Far, "%s: %v", log, far.Predicted)
		assert.Regexp(t, `price is predicted far beyond the values that the model has learned from, 1\d\S* to 1\d\d\S*, in 2 of 5 rows, first on line 4; do not rely on these`, strings.Join(far.Notes.Texts(), "\n"))

		var file bytes.Buffer
		require.NoError(t, m.Model.Write(&file, m.Encoding))
		old := regexp.MustCompile(`,"span":\[[^]]*\]|,\s*"digest":"\w*"`).ReplaceAll(file.Bytes(), nil)
		require.NotContains(t, string(old), "span")
		without := tabletest.Must(saved.Read(old))
		same := predict(t, without, runtest.ReadTable(t, query, beyond))
		assert.Equal(t, far.Predicted, same.Predicted)
		assert.Nil(t, same.Far)
		assert.NotContains(t, strings.Join(same.Notes.Texts(), "\n"), "learned from")
	}
}
