package read_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/cell"
	"ifmlab/core/note"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

func readSaid(t *testing.T, text string, said read.Answers) *table.Table {
	t.Helper()
	return tabletest.ReadAs(t, text, read.Options{Name: "tec.csv", Answers: said})
}

func TestAColumnTooLongToKeepItsTextsIsReadAsItIsTold(t *testing.T) {
	var cells []string
	var want []float64
	for i := range 9000 {
		cells = append(cells, fmt.Sprintf("%d.%03d", 1+i/1000, i%1000))
		want = append(want, float64(1000+i))
	}
	same(t, want, values(readSaid(t, columnFile(cells, texts), read.Answers{Decimal: []string{"x:comma"}}), 0))

	long := tabletest.File("depth,y", 9000, func(i int) string {
		v := fmt.Sprint(float64(i) + .25)
		if i%3 == 0 {
			v = []string{"-999", "lost"}[i%2]
		}
		return fmt.Sprintf("%s,%d", v, i%7)
	})
	p := roles.Profiles(readSaid(t, long, read.Answers{MissingAs: []string{"depth:-999", "depth:lost"}}))[0]
	assert.Equal(t, []int{3000, 0}, []int{p.Missing, p.Unreadable})
	assert.Equal(t, []float64{1.25, 8999.25}, []float64{p.Min, p.Max})
}

// A sentinel lies outside whatever the column holds; the twin is the column without it.
func TestAnyRepeatedNumberFarFromTheRestCountsAsMissingInTheTargetToo(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 52))
		n, share, scale := 60+rng.IntN(9000), .01+.2*rng.Float64(), math.Pow(10, 3*rng.Float64())
		draw := []func() float64{
			func() float64 { return scale * rng.NormFloat64() },
			func() float64 { return scale * rng.Float64() },
			func() float64 { return math.Floor(scale * rng.ExpFloat64()) },
			func() float64 { return float64(20 + rng.IntN(40)) },
		}[seed%4]
		mark := []float64{-200, -99.99, -88, 1e20, -999, 1e6, -1e30}[rng.IntN(7)]
		if math.Abs(mark) < 40*scale {
			mark *= math.Ceil(40 * scale / math.Abs(mark)) // far from all
		}
		clean, marked, cells := []string{"x,y"}, []string{"x,y"}, [2]int{}
		for row := range n {
			values := [2]string{cell.FormatNumber(math.Round(100*draw()) / 100), cell.FormatNumber(math.Round(100*draw()) / 100)}
			clean = append(clean, values[0]+","+values[1])
			for i := range values {
				if row < 3 || rng.Float64() < share {
					values[i] = cell.FormatNumber(mark)
					cells[i]++
				}
			}
			marked = append(marked, values[0]+","+values[1])
		}
		twin := roles.Profiles(tabletest.Read(t, tabletest.Join(clean)))
		for i, p := range roles.Profiles(tabletest.Read(t, tabletest.Join(marked))) {
			assert.Equal(t, cells[i], decision(p, note.TopicSentinel).Cells, "%d: %v in %d rows", seed, mark, n)
			assert.Equal(t, []int{cells[i], 0}, []int{p.Missing, twin[i].Missing})
			assert.Empty(t, twin[i].Notes, "%d: the twin", seed)
		}
	}
}

func TestAModelSettlesWhatAFileLeavesOpen(t *testing.T) {
	said := read.Answers{Decimal: []string{"x:comma?"}, Dates: []string{"other:dmy?"}}
	days := []string{"03/04/2021", "05/04/2021", "07/09/2021"}
	table := readSaid(t, columnFile([]string{"4.812", "12.049", "3.100"}, days), said)
	same(t, []float64{4812, 12049, 3100}, values(table, 0))
	assert.Equal(t, "4", table.Text(2, 0))
	for _, p := range roles.Profiles(table) {
		for _, d := range p.Notes {
			assert.False(t, d.Ask, d.Text)
		}
	}
	table = readSaid(t, columnFile([]string{"4.812", "12.04"}, []string{"03/14/2021", "04/05/2021", "05.06.2020"}), said)
	same(t, []float64{4.812, 12.04}, values(table, 0))
	assert.Contains(t, decision(roles.Profiles(table)[1], note.TopicDates).Text, `1 cell has no date, as "03/14/2021"`)
}
