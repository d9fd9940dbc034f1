package read_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/fault"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

func TestALongColumnLosesItsUnitToo(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b,y\nkg,m/s,\n")
	lines := tabletest.Numbers(9000)
	b.WriteString(tabletest.Join(lines[1:]))
	b.WriteString("Total,,3\n")
	table := tabletest.Read(t, b.String())
	want := tabletest.Read(t, tabletest.Join(lines))
	assert.Equal(t, 9000, table.Rows)
	assert.Len(t, table.Notes, 2)
	for i, p := range roles.Profiles(table) {
		w := roles.Profiles(want)[i]
		assert.Equal(t, []float64{w.Mean, w.SD, w.Min, w.Max}, []float64{p.Mean, p.SD, p.Min, p.Max})
		assert.Zero(t, p.Missing+p.Unreadable)
	}
	same(t, values(want, 1), values(table, 1))
}

func TestAQuoteThatSwallowsEmptyLinesCostsItsOwnLine(t *testing.T) {
	for _, blank := range []string{"\n", "\r\n", "   \n"} {
		const many = 300_000 // more than a record may be long, and than the buffer
		rows := strings.Repeat("1,2,3\n", 20)
		file := "a,b,y\n" + rows + "1,\"" + strings.Repeat(blank, many) + "\",3\n" + rows
		table, err := read.Read(strings.NewReader(file), read.Options{Name: "t.csv"})
		if err != nil {
			t.Fatal(err)
		}
		if table.Rows != 40 || table.BadCount != 2 {
			t.Errorf("%q: %d rows and %d that cannot be read, want 40 and 2", blank, table.Rows, table.BadCount)
		}
		if line := table.Line(20); line != 22+many+1 {
			t.Errorf("%q: the row after it is on line %d, want %d", blank, line, 22+many+1)
		}
		if first := table.Bad[0]; first.Problem != fault.OpenQuote || first.Line != 22 || first.Column != 3 {
			t.Errorf("%q: %v at %d:%d, want the open quote at 22:3", blank, first.Problem, first.Line, first.Column)
		}
	}
}

func TestALineTooLongToBeARowIsNotCutUp(t *testing.T) {
	rows := strings.Repeat("1,2,3\n", 20)
	file := "a,b,y\n" + rows + strings.Repeat(",", (4<<20)+(64<<10)) + "\n" + rows
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err := read.Read(strings.NewReader(file), read.Options{})
	runtime.ReadMemStats(&after)
	if err != nil || table.Rows != 40 || table.BadCount != 1 || table.Bad[0].Problem != fault.LongLine {
		t.Fatalf("%v, %+v", err, table)
	}
	// Its bytes stand in two slices that grow; four million cells would take 140 each.
	if grew, most := after.TotalAlloc-before.TotalAlloc, uint64(32*(4<<20)); grew > most {
		t.Errorf("it took %d bytes, want at most %d", grew, most)
	}
}

// drawnRows are rows of a region, amounts and counts, and the sums of both.
type drawnRows struct {
	lines []string
	sums  [2]float64
}

func (d *drawnRows) draw(rng *rand.Rand, n, decimals int, region string) {
	for range n {
		a, _ := strconv.ParseFloat(strconv.FormatFloat(50+20*rng.NormFloat64(), 'f', decimals, 64), 64)
		b := float64(rng.IntN(90))
		d.lines = append(d.lines, fmt.Sprintf("%s,%.*f,%.0f", region, decimals, a, b))
		d.sums[0] += a
		d.sums[1] += b
	}
}

func TestARowOfSumsOrMeansIsLeftOutAndTold(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 52))
		decimals := rng.IntN(4)
		var d drawnRows
		for range 5 {
			d.draw(rng, 4+rng.IntN(60), decimals, string(rune('a'+rng.IntN(4))))
		}
		clean, n := "region,sales,units\n"+tabletest.Join(d.lines), len(d.lines)
		mean := [2]float64{d.sums[0] / float64(n), d.sums[1] / float64(n)}
		for _, total := range []string{
			fmt.Sprintf("Total,%.*f,%.0f\n", decimals, d.sums[0], d.sums[1]),
			fmt.Sprintf("Grand total:,%.*f,%.0f\n", decimals, d.sums[0], d.sums[1]),
			fmt.Sprintf("Average,%.2f,%.2f\n", mean[0], mean[1]),
			fmt.Sprintf("a,%.3f,%.0f\n", d.sums[0], d.sums[1]),
			fmt.Sprintf("all,%.3f,%.2f\n", mean[0], mean[1]),
		} {
			table := tabletest.Read(t, clean+total)
			assert.Equal(t, n, table.Rows, "%q", total)
			assert.Contains(t, strings.Join(table.Notes.Texts(), "; "), fmt.Sprintf("line %d has sums or means of other rows and is left out", n+2))
			first := tabletest.Read(t, "region,sales,units\n"+total+tabletest.Join(d.lines))
			assert.Equal(t, []int{n, 3}, []int{first.Rows, first.Line(0)}, "%q above the rows", total)
			assert.Equal(t, n+1, readSaid(t, clean+total, read.Answers{DataRows: []string{"footer"}}).Rows)
		}
		for _, twin := range []string{"", fmt.Sprintf("Total,%.1f,17\n", mean[0]+9), fmt.Sprintf("a,%.1f,%.0f\n", 2*d.sums[0], d.sums[1]), fmt.Sprintf("a,%.0f,%.0f\n", mean[0], mean[1])} {
			table := tabletest.Read(t, clean+twin)
			assert.Empty(t, table.Notes.Texts(), "%q", twin)
			assert.Equal(t, n+strings.Count(twin, "\n"), table.Rows, "%q", twin)
		}
	}
}

func TestTotalsOfGroupsWithinGroupsAreLeftOut(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 53))
		var region, all drawnRows
		var lines, clean []string
		groups := 3 + rng.IntN(5)
		for g := range groups {
			var d drawnRows
			d.draw(rng, 2+rng.IntN(9), 2, fmt.Sprint("shop ", g))
			clean = append(clean, d.lines...)
			lines = append(append(lines, d.lines...), fmt.Sprintf("Subtotal %d,%.2f,%.0f", g, d.sums[0], d.sums[1]))
			for i, sum := range d.sums {
				region.sums[i] += sum
				all.sums[i] += sum
			}
			if g%2 == 1 { // of two shops and their subtotals
				lines = append(lines, fmt.Sprintf("Total of region %d,%.2f,%.0f", g/2, region.sums[0], region.sums[1]))
				region = drawnRows{}
			}
		}
		lines = append(lines, fmt.Sprintf("Total,%.2f,%.0f", all.sums[0], all.sums[1]))
		table := tabletest.Read(t, "shop,sales,units\n"+tabletest.Join(lines))
		assert.Equal(t, len(clean), table.Rows, "read = used + left out")
		assert.Contains(t, strings.Join(table.Notes.Texts(), "; "), fmt.Sprintf("%d rows have sums or means of other rows and are left out, the first on line", groups+groups/2+1))
		for row, line := range clean {
			assert.Equal(t, strings.Split(line, ",")[0], table.Text(0, row))
			assert.Equal(t, lines[table.Line(row)-2], line)
		}
		assert.Empty(t, tabletest.Read(t, "shop,sales,units\n"+tabletest.Join(clean)).Notes.Texts())
	}
}
