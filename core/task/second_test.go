package task_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
	"ifmlab/core/cell"
	"ifmlab/core/fault"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/runtest"
	"ifmlab/core/spec"
	"ifmlab/core/table"
	"ifmlab/core/task"
	"ifmlab/core/trees"
	"ifmlab/core/trial"
)

// inTwo returns a sample with its rows in random order, the header first, and the row at which
// the tests cut it.
func inTwo(t *testing.T, sample string) (lines []string, cut int) {
	t.Helper()
	lines = strings.Split(strings.TrimSpace(string(must(os.ReadFile("../../web/samples/"+sample)))), "\n")
	rows := lines[1:]
	rand.New(rand.NewPCG(5, 5)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return lines, 1 + 3*len(rows)/4
}

func text(header string, rows ...string) string {
	return header + "\n" + strings.Join(rows, "\n") + "\n"
}

func tableSpec(query string) spec.Spec {
	s, _ := spec.Parse("source=table&models=ifm&ranks=2&lambdaf=30&lambdaw=30&encode=linear&" + query)
	return s
}

func joined(t *testing.T, s spec.Spec, first, second string, test bool) *table.Table {
	t.Helper()
	return must(join(t, s, first, second, test))
}

func join(t *testing.T, s spec.Spec, first, second string, test bool) (*table.Table, error) {
	t.Helper()
	a := must(task.Read(s, "first.csv", strings.NewReader(first)))
	return task.ReadSecond(s, a, test, "second.csv", strings.NewReader(second))
}

// trainedOn trains a model and returns its file and its test predictions.
func trainedOn(t *testing.T, s spec.Spec, table *table.Table) (model []byte, predicted []float64) {
	t.Helper()
	run := must(core.Open(s, 0, table))
	defer run.Close()
	runtest.Finish(t, run)
	p := must(run.Predictions())
	model = must(run.Model())
	return model, p.Predicted
}

func TestTheRowsOfATestFileAndNoOthersTest(t *testing.T) {
	lines, cut := inTwo(t, "cars.csv")
	first, second := text(lines[0], lines[1:cut]...), text(lines[0], lines[cut:]...)
	for _, query := range []string{"", "by=Year", "split=group&by=Cylinders", "folds=3", "missing=drop", "rows=Origin:!=:Japan", "weight=Weight_in_lbs"} {
		s := tableSpec("target=Miles_per_Gallon&ignore=Name&" + query)
		both := joined(t, s, first, second, true)
		plan := must((&task.Task{Spec: s, Table: both}).Plan())
		alone := must((&task.Task{Spec: s, Table: both.Training}).Plan())
		split := plan.Split(trial.Stream(1, 0, trial.StreamSplit))
		for _, row := range split.Test {
			require.GreaterOrEqual(t, int(row), both.Training.Rows, query)
		}
		others := append(slices.Clone(split.Train), split.Valid...)
		slices.Sort(others)
		assert.Equal(t, alone.Rows, others, query)
		assert.NotEmpty(t, split.Test, query)
		assert.InDelta(t, len(others)/5, len(split.Valid), .12*float64(len(others)), query)
		assert.Equal(t, []any{alone.Roles, alone.Kinds, alone.Levels}, []any{plan.Roles, plan.Kinds, plan.Levels}, query)
		if query == "by=Year" {
			year := slices.Index(both.Names(), "Year")
			for _, row := range split.Train {
				require.Less(t, both.Number(year, int(row)), both.Number(year, int(split.Valid[0])))
			}
		}
		for _, row := range append(split.Test, others...) {
			require.True(t, query != "weight=Weight_in_lbs" || plan.Weight[row] == both.Number(slices.Index(both.Names(), "Weight_in_lbs"), int(row)))
		}
	}
}

func TestTestRowsAreThoseOfTheFileWhateverItsDialectAndOrderOfColumns(t *testing.T) {
	lines, cut := inTwo(t, "cars.csv")
	s := tableSpec("target=Miles_per_Gallon&ignore=Name")
	first := text(lines[0], lines[1:cut]...)
	both := joined(t, s, first, text(lines[0], lines[cut:]...), true)
	model, predicted := trainedOn(t, s, both)
	var german []string
	for i, line := range append(lines[:1:1], lines[cut:]...) {
		cells := strings.Split(line, ",")
		for j := range cells[1:] {
			cells[1+j] = strings.ReplaceAll(cells[1+j], ".", ",")
		}
		slices.Reverse(cells)
		german = append(german, strings.Join(append(cells, fmt.Sprint("extra ", i)), ";"))
	}
	other := joined(t, s, first, text(german[0], german[1:]...), true)
	again, same := trainedOn(t, s, other)
	assert.Equal(t, predicted, same)
	assert.Equal(t, string(model), string(again))
	assert.Contains(t, strings.Join(other.Notes.Texts(), "\n"), "second.csv has a column extra 0 that first.csv does not have; it is not used")
	for row := range other.Training.Rows {
		assert.Equal(t, both.Training.Line(row), other.Line(row))
	}
	assert.Equal(t, both.Training.Rows+1+2, other.Line(other.Training.Rows), "lines are counted on")
}

func TestAFileBelowAnotherIsReadAsOneFile(t *testing.T) {
	lines, cut := inTwo(t, "cars.csv")
	s := tableSpec("target=Miles_per_Gallon&ignore=Name")
	whole := must(task.Read(s, "first.csv", strings.NewReader(text(lines[0], lines[1:]...))))
	below := joined(t, s, text(lines[0], lines[1:cut]...), text(lines[0], lines[cut:]...), false)
	assert.Nil(t, below.Test)
	assert.Equal(t, fmt.Sprint(roles.Profiles(whole)), fmt.Sprint(roles.Profiles(below)), "NaN is NaN")
	model, predicted := trainedOn(t, s, whole)
	again, same := trainedOn(t, s, below)
	assert.Equal(t, predicted, same)
	assert.Equal(t, string(model), string(again))
}

// Of more than [table.MaxDistinct] numbers, the first file has a column of numbers or a dictionary.
func TestColumnsOfManyNumbersAreJoinedAsOneFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	rows := make([]string, 9000)
	for i := range rows {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		rows[i] = fmt.Sprintf("%.6f,%.6f,%.6f", a, b, a*b)
		if i%100 == 7 {
			rows[i] = fmt.Sprintf("n/k,,%.6f", a*b)
		}
	}
	s := tableSpec("target=y&iterations=3&missingas=a:n/k")
	whole := must(task.Read(s, "first.csv", strings.NewReader(text("a,b,y", rows...))))
	model, predicted := trainedOn(t, s, whole)
	for _, cut := range []int{100, 3000, 6000, 8500} {
		again, same := trainedOn(t, s, joined(t, s, text("a,b,y", rows[:cut]...), text("a,b,y", rows[cut:]...), false))
		assert.Equal(t, predicted, same, cut)
		assert.Equal(t, string(model), string(again), cut)
		both := joined(t, s, text("a,b,y", rows[:cut]...), text("a,b,y", rows[cut:]...), true)
		for i := range whole.Columns {
			for row := range whole.Rows {
				require.Equal(t, whole.IsMissing(i, row), both.IsMissing(i, row))
				if !whole.IsMissing(i, row) {
					require.Equal(t, whole.Number(i, row), both.Number(i, row))
				}
			}
		}
	}
}

func TestSparseFeaturesOfATestFileGoByTheirNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	lines := make([]string, 600)
	for i := range lines {
		a, b := rng.IntN(400), 400+rng.IntN(400)
		lines[i] = fmt.Sprintf("%.3f %d:1 %d:%.2f", float64(a%7)+rng.NormFloat64(), a, b, rng.Float64())
	}
	s := tableSpec("target=y")
	both := joined(t, s, strings.Join(lines[:400], "\n"), strings.Join(append(lines[400:], "1.5 5000:1"), "\n"), true)
	block := both.Columns[1].Block
	require.NotNil(t, block)
	for i, line := range lines {
		places, values := block.Entries(i)
		for _, entry := range strings.Fields(line)[1:] {
			number, value, _ := strings.Cut(entry, ":")
			at := slices.IndexFunc(places, func(place int32) bool { return block.Feature(place) == "x"+number })
			require.True(t, at >= 0 || i >= 400, line)
			if at >= 0 {
				assert.Contains(t, []string{fmt.Sprintf("%.2f", table.ValueAt(values, at)), fmt.Sprint(table.ValueAt(values, at))}, value)
			}
		}
	}
	none, _ := block.Entries(600)
	assert.Empty(t, none, "the first file has no feature 5000")
	_, predicted := trainedOn(t, s, both)
	assert.Len(t, predicted, 201)
	assert.True(t, math.IsInf(must(task.NewPlan(s, both)).Trees, 1), "none grow on sparse features")
}

func TestWhatOnlyTestRowsHaveIsTold(t *testing.T) {
	lines, cut := inTwo(t, "penguins.csv")
	first, rows := text(lines[0], lines[1:cut]...), slices.Clone(lines[cut:])
	for i := range 3 {
		rows[i] = strings.NewReplacer("Adelie", "Emperor", "Chinstrap", "Emperor", "Gentoo", "Emperor", "Biscoe", "Ross", "Dream", "Ross", "Torgersen", "Ross").Replace(rows[i])
	}
	notes := func(query string) (*task.Plan, string) {
		p := must(task.NewPlan(tableSpec(query), joined(t, tableSpec(query), first, text(lines[0], rows...), true)))
		return p, strings.Join(p.Notes.Texts(), "\n")
	}
	p, told := notes("target=Species")
	assert.Equal(t, trees.Work(p.Train, 6), p.Trees, "the columns but the target")
	assert.Len(t, p.Levels, 3)
	assert.Equal(t, len(rows)-3, p.Test)
	assert.Contains(t, told, `second.csv: 3 rows are left out because no usable row of first.csv has their Species, such as "Emperor"`)
	p, _ = notes("target=Island")
	assert.Equal(t, []string{"Biscoe", "Dream", "Torgersen"}, p.Levels)
	p, told = notes("target=Flipper+Length+(mm)")
	assert.Contains(t, told, "Species has levels that no training row has in 3 of")
	assert.Greater(t, p.Test, len(rows)-4, "an unknown level predicts as an unknown level does")
	_, predicted := trainedOn(t, tableSpec("target=Flipper+Length+(mm)"), joined(t, tableSpec(""), first, text(lines[0], rows...), true))
	assert.Len(t, predicted, p.Test)
}

func TestTestRowsOfALaterTimeOrOtherPopulationAreTold(t *testing.T) {
	file := func(from int, shift float64, region string) string {
		rows := []string{}
		for i := range 80 {
			rows = append(rows, fmt.Sprintf("%s,%.3f,%s,%d", cell.DayText(float64(18628+from+i*37%80)), float64(i*29%80)/8+shift, []string{region, "S", "W"}[i%3], i*31%80))
		}
		return text("day,size,region,y", rows...)
	}
	told := func(second, query string) string {
		s := tableSpec("target=y" + query)
		p := must(task.NewPlan(s, joined(t, s, file(0, 0, "N"), second, true)))
		for _, n := range p.Notes {
			if n.Topic == note.TopicBeyond {
				return n.Text
			}
		}
		return ""
	}
	assert.Empty(t, told(file(0, .05, "N"), ""), "rows like the others")
	assert.Equal(t, "second.csv is unlike first.csv: day (days) is outside 2021-01-01 to 2021-03-21 in 80 of 80 rows", told(file(80, 5, "E"), ""))
	assert.Equal(t, "second.csv is unlike first.csv: size is outside 0 to 9.875 in 40 of 80 rows", told(file(0, 5, "N"), ""))
	assert.Equal(t, "second.csv is unlike first.csv: day (days) is outside 2021-01-01 to 2021-03-21 in 20 of 80 rows", told(file(-20, 0, "N"), ""))
	assert.Empty(t, told(file(0, 1, "N"), "&rows=size:<:5"), "rows that a rule leaves out do not count")
	assert.Equal(t, "second.csv is unlike first.csv: day (days) is outside 2021-01-01 to 2021-01-20 in 20 of 40 rows", told(file(-20, 0, "N"), "&rows=day:<:2021-01-21"))
}

func TestTestRowsThatAreTrainingRowsTooAreCounted(t *testing.T) {
	lines, cut := inTwo(t, "cars.csv")
	s := tableSpec("target=Miles_per_Gallon&ignore=Name")
	told := func(from int) string {
		p := must(task.NewPlan(s, joined(t, s, text(lines[0], lines[1:cut]...), text(lines[0], lines[from:]...), true)))
		return strings.Join(p.Notes.Texts(), "\n")
	}
	assert.NotContains(t, told(cut), "are also in")
	assert.Regexp(t, `(19|20) of \d+ test rows are also in first.csv`, told(cut-20))
}

func TestColumnsOfATableWithATestFileAreDescribedByItsOwnRows(t *testing.T) {
	first := "day,y,z\n2024-01-01,1,\n2024-01-02,2,7\n2024-01-04,3,8\n2024-01-09,4,9\n"
	table := joined(t, tableSpec("target=y"), first, "day,y,z\n2024-02-01,1,5\n2024-02-02,2,5\n", true)
	z := roles.Profiles(table)[slices.Index(table.Names(), "z")]
	assert.Equal(t, []int{4, 1, 9}, []int{z.Cells, z.Missing, int(z.Max)})
	_, err := join(t, tableSpec("target=y"), first, "day,z\n2024-02-01,5\n", true)
	assert.ErrorContains(t, err, "it has day, z;", "and no parts of the date")
}

func TestATestFileThatCannotTestIsAnError(t *testing.T) {
	lines, cut := inTwo(t, "cars.csv")
	s := tableSpec("target=Miles_per_Gallon&ignore=Name")
	first := text(lines[0], lines[1:cut]...)
	_, err := join(t, s, first, strings.ReplaceAll(strings.ReplaceAll(text(lines[0], lines[cut:]...), "Year", "Jahr"), "Origin", "Herkunft"), true)
	var lacks *fault.MissingColumnsError
	require.ErrorAs(t, err, &lacks)
	assert.Equal(t, []string{"Year", "Origin"}, lacks.Missing)
	assert.EqualError(t, err, "second.csv: this file lacks Year, Origin of first.csv; it has Name, Cylinders, Displacement, Horsepower, …; rename its columns, or choose another file")
	for _, empty := range []string{"", lines[0] + "\n"} {
		var none *fault.FileError
		_, err = join(t, s, first, empty, true)
		require.ErrorAs(t, err, &none, "%q", empty)
	}
	both := joined(t, s, first, text(lines[0], "a,8,350,165,3693,11.5,1970,USA,"), true)
	_, err = task.NewPlan(s, both)
	assert.True(t, fault.IsPlan(err, fault.TooFewRows), "%v", err)
	assert.ErrorContains(t, err, "none of the 1 rows can test")
	texts := slices.Clone(lines[cut:])
	for i := range texts {
		texts[i] = texts[i][:strings.LastIndexByte(texts[i], ',')] + ",fast"
	}
	_, err = task.NewPlan(s, joined(t, s, first, text(lines[0], texts...), true))
	var bad *fault.TooManyBadRowsError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "second.csv", bad.File)
	broken := errors.New("the disk is gone")
	a := must(task.Read(s, "first.csv", strings.NewReader(first)))
	_, err = task.ReadSecond(s, a, true, "second.csv", failing{bytes.NewReader([]byte(first)), broken})
	assert.ErrorIs(t, err, broken)
	_, err = task.NewPlan(s, a)
	assert.NoError(t, err, "the first table is as it was")
}

// failing ends with an error.
type failing struct {
	*bytes.Reader
	err error
}

func (f failing) Read(p []byte) (int, error) {
	if n, _ := f.Reader.Read(p); n > 0 {
		return n, nil
	}
	return 0, f.err
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
