package read_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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

func TestTheReaderSaysWhichMarkIsDecimal(t *testing.T) {
	text := strings.Replace(columnFile([]string{"4.812", "12.049", "3.300"}, texts), "x,", "a:b,", 1)
	for answer, want := range map[string][]float64{"point": {4.812, 12.049, 3.3}, "comma": {4812, 12049, 3300}} {
		table := readSaid(t, text, read.Answers{Decimal: []string{"a:b:" + answer, "gone:comma"}})
		same(t, want, values(table, 0))
		d := decision(roles.Profiles(table)[0], note.TopicMarks)
		assert.False(t, d.Ask)
		assert.Contains(t, d.Text, "because the settings say so")
		for _, a := range d.Answers {
			assert.Equal(t, a.Value == "a:b:"+answer, a.Now)
		}
	}
	// So too where a column is too long to keep its texts.
	var cells []string
	var want []float64
	for i := range 9000 {
		cells = append(cells, fmt.Sprintf("%d.%03d", 1+i/1000, i%1000))
		want = append(want, float64(1000+i))
	}
	same(t, want, values(readSaid(t, columnFile(cells, texts), read.Answers{Decimal: []string{"x:comma"}}), 0))
}

func TestTheReaderSaysWhichCellsAreMissing(t *testing.T) {
	text := "depth,bottom\n4.5,mud\n-999,none\n-999.0,mud\n7,lost\n-999,none\n"
	table := readSaid(t, text, read.Answers{MissingAs: []string{"depth:-999", "bottom:lost"}, Present: []string{"bottom:none", "bottom:mud"}})
	same(t, []float64{4.5, nan, nan, 7, nan}, values(table, 0))
	depth, bottom := roles.Profiles(table)[0], roles.Profiles(table)[1]
	assert.Equal(t, []int{3, 1}, []int{depth.Missing, bottom.Missing})
	assert.Equal(t, []float64{4.5, 7}, []float64{depth.Min, depth.Max})
	assert.Equal(t, 2, depth.Distinct)
	assert.ElementsMatch(t, []string{"mud", "none"}, bottom.Levels)
	d := decision(depth, note.TopicMissing)
	assert.Equal(t, `"-999" counts as missing in 3 cells, as the settings say`, d.Text)
	assert.Equal(t, []note.Answer{{Label: "missing", Key: note.KeyMissingAs, Value: "depth:-999", Now: true}, {Label: "a value", Key: note.KeyMissingAs}}, d.Answers)
	assert.Equal(t, `"none" is a value, as the settings say`, bottom.Notes[1].Text)

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

func TestAnExtremeThatMarksNoValueCountsAsMissing(t *testing.T) {
	series := func(n int, f func(i int) string) (cells []string) {
		for i := range n {
			cells = append(cells, f(i))
		}
		return cells
	}
	small := func(i int) string { return fmt.Sprint(20 + i*i%13) }
	for _, c := range []struct {
		name   string
		cells  []string
		want   string
		cells_ int
	}{
		{"twice and far", append(series(60, small), "-999", "-999"), "x:-999", 2},
		{"once", append(series(60, small), "-999"), "", 0},
		{"within reach", append(series(60, func(i int) string { return fmt.Sprint(i * 40) }), "-99", "-99"), "", 0},
		{"above", append(series(60, small), "9999", "9999", "9999"), "x:9999", 3},
		{"a fraction", append(series(60, func(i int) string { return fmt.Sprintf("%d.5", i%9) }), "-99.9", "-99.9"), "x:-99.9", 2},
		{"one wide cell among the rest, and often", append(series(60, small), "1500", "-99", "-99", "-99"), "x:-99", 3},
		{"zeros never", append(series(60, func(i int) string { return fmt.Sprint(5000 + i%7) }), "0", "0", "0"), "", 0},
		{"another number of that sign twice", append(series(60, small), "1000", "1000"), "", 0},
		{"below zero twice", append(series(60, small), "-1000", "-1000"), "x:-1000", 2},
	} {
		p := roles.Profiles(tabletest.Read(t, columnFile(c.cells, texts)))[0]
		d := decision(p, note.TopicSentinel)
		assert.Equal(t, c.cells_, d.Cells, c.name)
		assert.False(t, d.Ask)
		if c.want == "" {
			assert.Empty(t, d.Text, c.name)
			continue
		}
		assert.Equal(t, []note.Answer{{Label: "missing", Key: note.KeyNotMissing, Now: true}, {Label: "a value", Key: note.KeyNotMissing, Value: c.want}}, d.Answers, c.name)
		assert.Equal(t, c.cells_, p.Missing, c.name)
		p = roles.Profiles(readSaid(t, columnFile(c.cells, texts), read.Answers{Present: []string{c.want}}))[0]
		assert.Zero(t, p.Missing, "the answer undoes it")
		assert.Empty(t, decision(p, note.TopicSentinel).Text)
	}
	both := roles.Profiles(tabletest.Read(t, columnFile(append(series(60, small), "-9999", "-9999", "-999", "-999", "9999", "9999"), texts)))[0]
	var found []string
	for _, d := range both.Notes {
		found = append(found, d.Answers[1].Value)
	}
	assert.ElementsMatch(t, []string{"x:-9999", "x:-999", "x:9999"}, found, "one after the other")
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

func TestACellWithColonsCanBeNamed(t *testing.T) {
	text := "start,a,a:b,y\n"
	for i := range 12 {
		text += fmt.Sprintf("%s,%s,b:late,%d\n", []string{"00:00", "07:30", "09:15"}[i%3], []string{"b:late", "late"}[i%2], i*i%7)
	}
	table := readSaid(t, text, read.Answers{MissingAs: []string{"start:00:00", "a:late"}})
	assert.Equal(t, []int{4, 6, 0}, []int{roles.Profiles(table)[0].Missing, roles.Profiles(table)[1].Missing, roles.Profiles(table)[2].Missing})
	d := decision(roles.Profiles(table)[0], note.TopicMissing)
	assert.Equal(t, `"00:00" counts as missing in 4 cells, as the settings say`, d.Text)
	assert.Equal(t, "start:00:00", d.Answers[0].Value, "what the page sends says the same")

	table = readSaid(t, text, read.Answers{MissingAs: []string{"a:b:late", "a:b:b:late"}})
	assert.Equal(t, []int{0, 0, 12}, []int{roles.Profiles(table)[0].Missing, roles.Profiles(table)[1].Missing, roles.Profiles(table)[2].Missing}, "the longest column that is there")

	isColumn := func(name string) bool { return name == "start" }
	column, answer, ok := note.CutPair("end:00:00", isColumn)
	assert.Equal(t, []any{"end:00", "00", false}, []any{column, answer, ok})
	column, answer, ok = note.CutPair("end", isColumn)
	assert.Equal(t, []any{"end", "", false}, []any{column, answer, ok})
}

func TestWhatSaysNothingOfATableIsPassedOverAndTold(t *testing.T) {
	text := enoughDates("landed", "2006-01-02", 60, 24*time.Hour)
	plain := tabletest.Read(t, text)
	told := tabletest.PlanOf(t, plain, roles.Settings{})
	for _, c := range []struct {
		said   read.Answers
		notice string
	}{
		{read.Answers{Decimal: []string{"nope:comma"}}, `the setting decimal="nope:comma" names no column of the file and was ignored`},
		{read.Answers{Decimal: []string{"catch:komma"}}, `the setting decimal="catch:komma" was ignored: after the column it needs point, comma or text`},
		{read.Answers{MissingAs: []string{"nope"}}, `the setting missingas="nope" names no column of the file and was ignored`},
		{read.Answers{MissingAs: []string{"catch:"}}, `the setting missingas="catch:" was ignored: after the column it needs a cell`},
		{read.Answers{Present: []string{"catch:mud"}}, `the setting notmissing="catch:mud" was ignored: after the column it needs a cell that else counts as missing`},
		{read.Answers{Dates: []string{"landed:dym"}}, `the setting dates="landed:dym" was ignored: after the column it needs ymd, dmy, mdy, epoch or text`},
		{read.Answers{Dates: []string{"landed:text?"}}, `the setting dates="landed:text?" was ignored: after the column it needs ymd, dmy, mdy, epoch or text`},
		{read.Answers{DataRows: []string{"foo"}}, `the setting keep="foo" was ignored: it takes units, footer, extremes, visible or hidden`},
	} {
		table := readSaid(t, text, c.said)
		assert.Equal(t, plain.Names(), table.Names(), c.notice)
		for i, p := range roles.Profiles(table) {
			assert.Equal(t, roles.Profiles(plain)[i].Notes, p.Notes, c.notice)
		}
		plan := tabletest.PlanOf(t, table, roles.Settings{})
		assert.Equal(t, append([]string{c.notice}, told.Notes.Texts()...), plan.Notes.Texts())
	}
	table := readSaid(t, text, read.Answers{Decimal: []string{"catch:point", "catch:comma?"}, MissingAs: []string{"catch:-999"}, Present: []string{"catch:NA"}, Dates: []string{"landed:ymd?"}, DataRows: []string{"units", "footer"}})
	plan := tabletest.PlanOf(t, table, roles.Settings{})
	assert.Equal(t, told.Notes.Texts(), plan.Notes.Texts())
}

func TestAValueOfThreeIsNoSentinel(t *testing.T) {
	for _, values := range [][]string{{"12.5", "999", "1234.5"}, {"999", "1000"}, {"-99", "0", "99"}, {"0.5", "7", "10000"}} {
		text := "x,y\n"
		for i := range 120 {
			text += fmt.Sprintf("%s,%d\n", values[i*i%7%len(values)], i*31%97)
		}
		profile := roles.Profiles(tabletest.Read(t, text))[0]
		assert.Zero(t, profile.Missing, values)
	}
}

func TestANumberThatAloneIsBelowZeroIsToldAndCanBeMissing(t *testing.T) {
	text := func(odd, least string) string {
		b := "x,y\n"
		for i := range 60 {
			x := strconv.Itoa(20 + i%13)
			if i%20 == 7 {
				x = odd
			} else if i == 3 {
				x = least
			}
			b += fmt.Sprintf("%s,%d\n", x, i*31%97)
		}
		return b
	}
	d := decision(roles.Profiles(tabletest.Read(t, text("-1", "1")))[0], note.TopicSentinel)
	assert.Equal(t, "-1 is the only number below 0 and is read as a value (3 cells)", d.Text)
	table := readSaid(t, text("-1", "1"), read.Answers{MissingAs: []string{d.Answers[1].Value}})
	assert.Equal(t, 3, roles.Profiles(table)[0].Missing)
	for _, cells := range [][2]string{{"-1", "0"}, {"-1", "-1"}, {"-1", "-2"}, {"-0.5", "1"}, {"0", "1"}} {
		told := slices.ContainsFunc(roles.Profiles(tabletest.Read(t, text(cells[0], cells[1])))[0].Notes, func(n note.Note) bool { return n.Topic == note.TopicSentinel })
		assert.Equal(t, cells[1] == "-1", told, cells)
	}
}
