package saved_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/cell"
	"ifmlab/core/design"
	"ifmlab/core/fm"
	"ifmlab/core/runtest"
	"ifmlab/core/saved"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

// rowAt is a table whose line 10 has the cell of a point of a shape in column at.
func rowAt(t *testing.T, query, content string, at int, point saved.Point) *table.Table {
	t.Helper()
	cells := []string{"0.1", "0.2", "red", "2012-03-04", "1", "", "", "", ""}
	switch point.Kind {
	case design.FeatureValue:
		cells[at] = cell.FormatNumber(point.Number)
	case design.FeatureMissing:
		cells[at] = ""
	default:
		cells[at] = point.Level
	}
	return runtest.ReadTable(t, query, strings.Join(strings.Split(content, "\n")[:9], "\n")+"\n"+strings.Join(cells, ",")+"\n")
}

func TestAShapeHasTheEffectsThatExplanationsGiveAndAveragesNothing(t *testing.T) {
	content := related(150)
	for _, query := range []string{
		"target=y&models=ifm&encode=hats&ignore=w,positive,two,three",
		"target=y&models=gfm&encode=linear&weight=w&ignore=positive,two,three",
		"target=positive&log=yes&models=fm&encode=hats&weight=w&ignore=y,two,three",
		"target=two&models=ifm&encode=linear&ignore=w,y,positive,three",
		"target=three&models=ifm&encode=hats&ignore=w,y,positive,two",
	} {
		query = related150 + query
		file, run, k := trained(t, query, content)
		z, weight, _ := training(t, run, k, file)
		scores := []*saved.Model{k}
		if len(k.Model.Classes) > 0 {
			_, _, err := k.Shapes()
			require.ErrorAs(t, err, new(*saved.ScoresError))
			scores = []*saved.Model{k.Score(0), k.Score(1), k.Score(2)}
		}
		for _, k := range scores {
			shapes, average, err := k.Shapes()
			require.NoError(t, err)
			assert.True(t, average)
			columns := k.Encoding.Columns()
			require.Len(t, shapes, len(columns))
			for p, shape := range shapes {
				require.Equal(t, columns[p], shape.Column)
				require.NotEmpty(t, shape.Points)
				assert.Contains(t, k.Encoding.Needs(), shape.Source)
				assert.True(t, strings.HasPrefix(shape.Column, shape.Source))
				knots, total := slices.ContainsFunc(k.Encoding.Features, func(f design.Feature) bool {
					return f.Column == shape.Column && f.Kind == design.FeatureKnot
				}), 0.0
				at := slices.Index(strings.Split("a,b,colour", ","), shape.Column)
				for _, point := range shape.Points {
					if knots && point.Share == point.Share {
						total += point.Share
					}
					if at < 0 { // a part of the date
						continue
					}
					e, terms := termsOf(t, k, rowAt(t, query, content, at, point), 10)
					assert.InDelta(t, point.Effect, terms[[2]int{p, -1}], 1e-9, "%s: %s = %s", query, shape.Column, e.Cells[p])
				}
				if knots {
					assert.InDelta(t, 1, total, 1e-9, "each training row counts once: %s", shape.Column)
				}
			}

			// Levels: the mean of the effects, each with its share, is 0, and shares are those of rows.
			p := slices.Index(columns, "colour")
			mean, own := 0.0, k.Encoding.Groups()[p]
			for i, point := range shapes[p].Points {
				mean += point.Share * point.Effect
				share, all := 0.0, 0.0
				for row, w := range weight {
					share += w * z.Row(row)[own.Lo+i]
					all += w
				}
				assert.InDelta(t, share/all, point.Share, 1e-9)
			}
			assert.InDelta(t, 0, mean, 1e-9)
		}
	}
}

// A row counts for the numbers on both sides of its own as their straight line does: together
// they have the mean of the training rows.
func TestAShapeWithoutKnotsHasTheSharesOfItsNumbers(t *testing.T) {
	_, _, k := trained(t, related150+"target=y&models=ifm&encode=linear&weight=w&ignore=positive,two,three", related(150))
	shapes, _, err := k.Shapes()
	require.NoError(t, err)
	lines := 0
	for p, g := range k.Encoding.Groups() {
		f := k.Encoding.Features[g.Lo]
		if f.Kind != design.FeatureValue {
			continue
		}
		lines++
		known, mean, near, all := 0, 0.0, 0.0, 0.0
		for _, point := range shapes[p].Points {
			if math.IsNaN(point.Share) {
				continue
			}
			known++
			if all += point.Share; point.Kind == design.FeatureValue {
				near += point.Share
				mean += point.Share * point.Number
			}
		}
		assert.GreaterOrEqual(t, known, design.DefaultKnots)
		assert.InDelta(t, 1, all, 1e-9, "with missing cells, if there are any")
		assert.InDelta(t, f.Mean*near, mean, 1e-9*(1+math.Abs(mean)), f.Name)
	}
	assert.Greater(t, lines, 1)
}

func TestAModelWithoutAveragesHasShapesWithoutShares(t *testing.T) {
	const query = "source=table&split=random&ranks=2&lambdaf=3&lambdaw=1&iterations=5&target=y&models=ifm&encode=hats&ignore=w,positive,two,three"
	file, _, k := trained(t, query, related(150))
	k.Model.Centre = nil
	shapes, average, err := k.Shapes()
	require.NoError(t, err)
	assert.False(t, average)
	e := tabletest.Must(k.Explain(file, 2, math.MaxInt))
	for p, shape := range shapes {
		for _, point := range shape.Points {
			assert.True(t, math.IsNaN(point.Share))
			if point.Level != "" && point.Level == e.Cells[p] {
				at := slices.IndexFunc(e.Terms, func(term saved.Term) bool { return term.First == p && term.Second < 0 })
				assert.InDelta(t, e.Terms[at].Value, point.Effect, 1e-9)
			}
		}
	}
}

func TestABandIsReadAtThePointsOfAnotherEncoding(t *testing.T) {
	query := related150 + "target=y&models=ifm&encode=hats&rare=3&ignore=w,positive,two,three"
	content := strings.Replace(related(150), ",red,", ",only here,", 4)
	_, _, k := trained(t, query+"&seed=1", content)
	_, _, other := trained(t, query+"&seed=9", related(150))
	require.NotEqual(t, k.Encoding.Features, other.Encoding.Features)
	lowest, highest := saved.Band(&k.Encoding, []*saved.Model{k, other})
	shapes, _, err := k.Shapes()
	require.NoError(t, err)
	for p, shape := range shapes {
		at := slices.Index(strings.Split("a,b,colour", ","), shape.Column)
		for i, point := range shape.Points {
			assert.True(t, lowest[p][i] <= point.Effect && point.Effect <= highest[p][i])
			if at < 0 {
				continue
			}
			_, terms := termsOf(t, other, rowAt(t, query, content, at, point), 10)
			effect := terms[[2]int{slices.Index(other.Encoding.Columns(), shape.Column), -1}]
			assert.InDelta(t, min(point.Effect, effect), lowest[p][i], 1e-9, "%s: %s %v", shape.Column, point.Level, point.Number)
			assert.InDelta(t, max(point.Effect, effect), highest[p][i], 1e-9, "%s: %s %v", shape.Column, point.Level, point.Number)
		}
	}
}

func TestABandThatDoesNotFitTheFeaturesIsRefused(t *testing.T) {
	_, run, k := trained(t, related150+"target=y&models=fm&encode=linear&ignore=w,positive,two,three", related(150))
	runtest.Calibrate(t, run)
	m := tabletest.Must(saved.Read(runtest.Result(t, run.Model)))
	for _, change := range []func(i *fm.Interval){
		func(i *fm.Interval) { i.Highest = nil },
		func(i *fm.Interval) { i.Highest = i.Highest[1:] },
		func(i *fm.Interval) { i.Lowest[0] = i.Lowest[0][1:] },
	} {
		broken, interval := *m.Model, *m.Model.Interval
		interval.Lowest = slices.Clone(interval.Lowest)
		broken.Interval = &interval
		change(&interval)
		var file bytes.Buffer
		require.NoError(t, broken.Write(&file, k.Encoding))
		_, err := saved.Read(file.Bytes())
		bad := tabletest.As[*fm.FileError](t, err)
		assert.Contains(t, bad.Error(), "for each column a number a point of its shape")
	}
}

func TestOnlyThePartOfDatesCountsDaysWhateverTheFileNamesItsColumns(t *testing.T) {
	text := tabletest.File("when,when (days),y", 120, func(i int) string {
		return fmt.Sprintf("%s,%d.5,%d", cell.DayText(float64(18628+i*37%500)), i*13%31, i*13%31+i*37%500/20)
	})
	_, _, k := trained(t, "source=table&target=y&models=ifm&ranks=1&lambdaf=3&lambdaw=1&iterations=5", text)
	shapes, _, err := k.Shapes()
	require.NoError(t, err)
	dates := map[string]string{}
	for _, s := range shapes {
		dates[s.Column] = s.Date(18628)
	}
	assert.Equal(t, []string{"", "2021-01-01", ""}, []string{dates["when (days)"], dates["when (days) (2)"], dates["when (month)"]}, "%v", dates)
}
