package read_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/note"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

var nan = math.NaN()

// columnFile writes cells, each in quotes, as the column x of a file with another,
// whose cells are others in turn.
func columnFile(cells, others []string) string {
	var b strings.Builder
	b.WriteString("x,other\n")
	for i, c := range cells {
		fmt.Fprintf(&b, "\"%s\",\"%s\"\n", c, others[i%len(others)])
	}
	return b.String()
}

// values returns the numbers of a column.
func values(t *table.Table, column int) []float64 {
	v := make([]float64, t.Rows)
	for row := range v {
		v[row] = t.Number(column, row)
	}
	return v
}

// same holds numbers to others, NaN to NaN.
func same(t *testing.T, want, got []float64) {
	t.Helper()
	require.Equal(t, len(want), len(got))
	for i, w := range want {
		if w != got[i] && (w == w || got[i] == got[i]) {
			t.Fatalf("cell %d is %v, want %v", i, got[i], w)
		}
	}
}

// decision returns what a profile decides of one kind, "" where nothing.
func decision(p roles.Profile, what note.Topic) (d note.Note) {
	for _, d = range p.Notes {
		if d.Topic == what {
			return d
		}
	}
	return note.Note{}
}

var texts = []string{"lee", "luv", "lee"}

// Decimals of three places of which some are whole, and thousands of which some are
// below 1000, look alike: what else the file shows must tell them apart, or nobody can.
func TestFractionsAndThousandsAreToldApartOrAsked(t *testing.T) {
	normal := func(mean, spread float64) func(*rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return mean + spread*r.NormFloat64() }
	}
	around := func(median, spread float64) func(*rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return median * math.Exp(spread*r.NormFloat64()) }
	}
	group := func(v float64, mark string) string {
		if n := int(v); n >= 1000 {
			return fmt.Sprintf("%d%s%03d", n/1000, mark, n%1000)
		}
		return fmt.Sprint(int(v))
	}
	const usual, other, none = 0, 1, 2 // what the other column shows: the mark of fractions, the other one, nothing
	for _, c := range []struct {
		name      string
		thousands bool
		draw      func(*rand.Rand) float64
		whole     float64 // share of fractions that are
		sure      []int   // beside what it is not asked, as long as a cell or more is whole or below 1000
	}{
		{"lengths, one in 200 whole", false, normal(20, 4), .005, []int{usual, none}},
		{"lengths, a third whole", false, normal(20, 4), .33, []int{usual, none}},
		{"losses", false, normal(-50, 12), .03, []int{usual, none}},
		{"shares with zeros", false, func(r *rand.Rand) float64 { return max(0, 30*r.Float64()-3) }, .02, []int{usual}},
		{"concentrations", false, around(30, 1), .03, []int{usual}},
		{"populations", true, around(20_000, 1.3), 0, []int{other, none}},
		{"prices", true, around(4000, .8), 0, []int{other, none}},
		{"takings with zeros", true, func(r *rand.Rand) float64 { return 3000 * max(0, r.NormFloat64()+1) }, 0, []int{other, none}},
	} {
		asked, columns := map[int]int{}, 24
		for seed := range uint64(columns) {
			for beside := range 3 {
				mark := []string{".", ","}[seed%2]
				r := rand.New(rand.NewPCG(seed, 11))
				var cells, others []string
				var want []float64
				for range 30 << (seed % 4) {
					switch v := c.draw(r); {
					case c.thousands:
						v = min(v, 999_999) // two marks in a cell would prove them
						want = append(want, math.Trunc(v))
						cells = append(cells, group(v, mark))
					case r.Float64() < c.whole || len(want) == 0 || v == 0:
						want = append(want, math.Round(v))
						cells = append(cells, fmt.Sprint(int(math.Round(v))))
					default:
						want = append(want, math.Round(1000*v)/1000)
						cells = append(cells, strings.Replace(fmt.Sprintf("%.3f", v), ".", mark, 1))
					}
					shows := map[int]string{usual: mark, other: string('.' + ',' - mark[0])}[beside]
					others = append(others, map[bool]string{true: "lee", false: strings.Replace(fmt.Sprintf("%.1f", 9*r.Float64()), ".", shows, 1)}[beside == none])
				}
				if c.thousands {
					want, cells = append(want, 640, 871), append(cells, "640", "871")
				}
				table := tabletest.Read(t, columnFile(cells, others))
				if decision(roles.Profiles(table)[0], note.TopicMarks).Ask {
					asked[beside]++
					continue
				}
				for row, w := range want {
					require.InDelta(t, w, table.Number(0, row), 1e-9, "%s, seed %d beside %d: %s among %v", c.name, seed, beside, cells[row], cells)
				}
			}
		}
		for _, beside := range c.sure {
			assert.Zero(t, asked[beside], "%s beside %d", c.name, beside)
		}
	}
}

// A column of more different numbers than a dictionary holds gives up its texts.
// What they say of their marks is kept, and where they leave it open they are
// looked at until the end.
func TestAColumnOfManyNumbersIsReadAsAShortOneIs(t *testing.T) {
	const rows = 12_000
	write := func(i int, mark string) string { // 1.000 to 9.999 and on
		return fmt.Sprintf("%d%s%03d", 1+i/1000, mark, i%1000)
	}
	for _, c := range []struct {
		name string
		cell func(i int) (string, float64)
		ask  bool
	}{
		{"fractions that one late cell tells from thousands", func(i int) (string, float64) {
			if i == rows-1 {
				return "0.5", .5
			}
			return write(i, "."), 1 + float64(i)/1000
		}, false},
		{"thousands that bare cells tell", func(i int) (string, float64) {
			if i%3 == 0 {
				return fmt.Sprint(i % 999), float64(i % 999)
			}
			return write(i, "."), float64(1000 + i)
		}, false},
		{"nothing tells", func(i int) (string, float64) { return write(i, "."), float64(1000+i) / 1000 }, true},
		{"whole numbers, and fractions with a comma now and then", func(i int) (string, float64) {
			if i%3 == 0 {
				return fmt.Sprintf("%d,5", i), float64(i) + .5
			}
			return fmt.Sprint(i), float64(i)
		}, false},
		{"money", func(i int) (string, float64) {
			return fmt.Sprintf("$%d.%02d", i, i%100), float64(i) + float64(i%100)/100
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			cells, want := make([]string, rows), make([]float64, rows)
			for i := range cells {
				cells[i], want[i] = c.cell(i)
			}
			table := tabletest.Read(t, columnFile(cells, texts))
			p := roles.Profiles(table)[0]
			assert.Equal(t, design.Numeric, p.Kind)
			assert.Equal(t, c.ask, decision(p, note.TopicMarks).Ask)
			got := values(table, 0)
			for i, w := range want {
				require.InDelta(t, w, got[i], 1e-9*w, "%d: %s", i, cells[i])
			}
			sum := 0.
			for _, w := range want {
				sum += w / rows
			}
			assert.InEpsilon(t, sum, p.Mean, 1e-9)
			assert.Zero(t, p.Missing+p.Unreadable)
		})
	}
}

func TestZeroPaddedCodesOfManyKindsStayTexts(t *testing.T) {
	var cells []string
	for i := range 9000 {
		cells = append(cells, fmt.Sprintf("%05d", i*11))
	}
	table := tabletest.Read(t, columnFile(cells, texts))
	assert.Equal(t, design.Categorical, roles.Profiles(table)[0].Kind)
	assert.Equal(t, "00011", table.Text(0, 1))
}
