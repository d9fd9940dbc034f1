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

// times repeats a list.
func times[T any](n int, list ...T) (all []T) {
	for range n {
		all = append(all, list...)
	}
	return all
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

var point, comma = []string{"2.5", "7.25", "0.5"}, []string{"2,5", "7,25", "0,5"}

var texts = []string{"lee", "luv", "lee"}

func TestCellsBecomeTheNumbersThatTheyMean(t *testing.T) {
	for _, c := range []struct {
		name   string
		cells  []string
		others []string
		want   []float64
		unit   string
	}{
		{"thousands and fractions", []string{"3,250.75", "18", "41,007", "-2,000,000"}, texts, []float64{3250.75, 18, 41007, -2e6}, ""},
		{"the same on the continent", []string{"3.250,75", "18", "41.007", "-2.000.000"}, texts, []float64{3250.75, 18, 41007, -2e6}, ""},
		{"Swiss", []string{"8'640.5", "12'000", "7"}, texts, []float64{8640.5, 12000, 7}, ""},
		{"spaces that do not break", []string{"8\u00a0640,5", "12\u202f000", "7 001,25"}, texts, []float64{8640.5, 12000, 7001.25}, ""},
		{"points are fractions where one begins with 0", []string{"0.125", "4.875", "11.250"}, texts, []float64{.125, 4.875, 11.25}, ""},
		{"points are fractions where one has two digits behind", []string{"6.50", "4.875"}, texts, []float64{6.5, 4.875}, ""},
		{"points are fractions after four digits", []string{"1250.125", "4.875"}, texts, []float64{1250.125, 4.875}, ""},
		{"bare cells below 1000", []string{"4.812", "655", "2.049", "90", "7.777"}, texts, []float64{4812, 655, 2049, 90, 7777}, ""},
		{"commas for thousands beside points for fractions", []string{"4,812", "2,049"}, point, []float64{4812, 2049}, ""},
		{"points for thousands beside commas for fractions", []string{"4.812", "2.049"}, comma, []float64{4812, 2049}, ""},
		{"points for fractions as in the other column", []string{"4.812", "12.049"}, point, []float64{4.812, 12.049}, ""},
		{"commas for fractions as in the other column", []string{"4,812", "12,049"}, comma, []float64{4.812, 12.049}, ""},
		{"whole numbers of four digits forbid thousands", []string{"4.812", "2048", "12.049"}, point, []float64{4.812, 2048, 12.049}, ""},
		{"money in front", []string{"£14.20", "£3", "-£7.50", "£1,020.00"}, texts, []float64{14.2, 3, -7.5, 1020}, "£"},
		{"money behind", []string{"14,20 €", "3 €", "-7,50 €"}, texts, []float64{14.2, 3, -7.5}, "€"},
		{"a unit", []string{"12 km/h", "9.5km/h", "30 km/h"}, texts, []float64{12, 9.5, 30}, "km/h"},
		{"brackets among others", []string{"(420)", "1,375.5", "(2,000.25)", "19"}, texts, []float64{-420, 1375.5, -2000.25, 19}, ""},
		{"a unit that converts exactly", append(times(9, "4 kg"), "4 g"), texts, append(times(9, 4.), .004), "kg"},
		{"few cells carry a unit", append(times(99, "21"), "22 °C"), texts, append(times(99, 21.), 22), "°C"},
		{"a quarter carries a unit", []string{"4", "9 kg", "12", "3"}, texts, []float64{4, 9, 12, 3}, "kg"},
		{"Indian groups", []string{"1,54,934", "10,34,567.25", "37,799"}, texts, []float64{154934, 1034567.25, 37799}, ""},
		{"millions beside thousands", []string{"€1.5M", "€300K", "€0"}, texts, []float64{1.5e6, 3e5, 0}, "€"},
		{"scales without money", []string{"19M", "8.7k", "512", "2M"}, texts, []float64{19e6, 8700, 512, 2e6}, ""},
		{"bounds", []string{"<0.05", "0.25", "1.5", ">4.75", "3.5"}, texts, []float64{.05, .25, 1.5, 4.75, 3.5}, ""},
		{"marks of footnotes", []string{"4,120*", "75", "$3.5 †‡", "($9)[a]", "8[12]"}, texts, []float64{4120, 75, 3.5, -9, 8}, "$"},
		{"a size is no unit", append(times(99, "21"), "22k"), texts, append(times(99, 21.), nan), ""},
		{"nor is percent where the others have none", append(times(99, "21"), "22%"), texts, append(times(99, 21.), nan), ""},
		{"one in ten may be no number", append(times(9, "4.5"), "calm"), texts, append(times(9, 4.5), nan), ""},
		{"what programs call numbers and no others do", append(times(36, "7.5"), "1_000", "0x1F", "Infinity", "٣"), texts, append(times(36, 7.5), nan, nan, nan, nan), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := tabletest.Read(t, columnFile(c.cells, c.others))
			p := roles.Profiles(table)[0]
			assert.Equal(t, design.Numeric, p.Kind)
			assert.Equal(t, c.unit, p.Unit)
			same(t, c.want, values(table, 0))
			for _, d := range p.Notes {
				assert.False(t, d.Ask, d.Text)
			}
			unreadable := 0
			for _, v := range c.want {
				if v != v {
					unreadable++
				}
			}
			assert.Equal(t, unreadable, p.Unreadable)
		})
	}
}

func TestTextsThatHoldDigitsStayTexts(t *testing.T) {
	for name, cells := range map[string][]string{
		"more than one in ten is none":   append(times(8, "4.5"), "calm", "gale"),
		"units that differ":              {"4 kg", "9 lb", "12 kg", "3 st"},
		"lists":                          {"1,2,3", "4,5,6", "1234,567,8"},
		"numbers with other digits":      {"٣", "٤", "٥"},
		"versions":                       {"1.2.30", "1.10.4", "2.0.1"},
		"brackets around all":            {"(1)", "(2)", "(3)"},
		"ranges":                         {"4-6", "7-9", "10-12"},
		"few clocks":                     {"12:30", "13:45", "09:10"},
		"scores":                         {"2:1", "0:3", "10:9"},
		"letters in front":               {"B4", "B5", "C9"},
		"codes with a zero in front":     {"00417", "31200", "99210"},
		"two digits with a zero":         {"01", "02", "11"},
		"groups that differ":             {"1,23,456,7", "2,345,67"},
		"a long word behind the numbers": {"4 lighthouses", "5 lighthouses"},
		"more than a mark in brackets":   {"4 [note]", "5 [sic!]", "6[]"},
		"bounds of half the cells":       {"<0.05", "0.25", ">4.75", "3.5"},
	} {
		table := tabletest.Read(t, columnFile(cells, texts))
		assert.Equal(t, design.Categorical, roles.Profiles(table)[0].Kind, name)
	}
}

func TestPostalCodesAreNamesEvenWithoutAZeroInFront(t *testing.T) {
	postal := strings.Replace(columnFile([]string{"97201", "97201-4410", "10115"}, texts), "x,", "ZipCode,", 1)
	assert.Equal(t, design.Categorical, roles.Profiles(tabletest.Read(t, postal))[0].Kind)
	p := roles.Profiles(tabletest.Read(t, strings.Replace(columnFile([]string{"8001", "80331", "1010"}, texts), "x,", "zipped,", 1)))[0]
	assert.Equal(t, design.Numeric, p.Kind)
	p = roles.Profiles(tabletest.Read(t, strings.Replace(columnFile([]string{"00417", "31200"}, texts), "x,", "berth,", 1)))[0]
	d := decision(p, note.TopicCode)
	assert.Contains(t, d.Text, "codes")
	assert.Equal(t, []note.Answer{{Label: "levels", Key: note.KeyNumeric, Now: true}, {Label: "numbers", Key: note.KeyNumeric, Value: "berth"}}, d.Answers)
}

func TestMarksThatCanBeReadInTwoWaysAreAsked(t *testing.T) {
	for _, c := range []struct {
		name          string
		cells, others []string
		text          string
		now           string // the label of what they are read as
	}{
		{"three digits behind, and nothing else", []string{"4.812", "12.049", "3.300"}, texts, `"4.812" may be 4.812 or 4812, in 3 cells; choose (now 4.812)`, "4.812"},
		{"commas", []string{"4,812", "12,049"}, texts, `"4,812" may be 4812 or 4.812, in 2 cells; choose (now 4812)`, "4812"},
		{"two marked cells are too few", []string{"4.812", "655", "2.049"}, texts, `"4.812" may be 4.812 or 4812, in 2 cells; choose (now 4.812)`, "4.812"},
		{"four digits where the others have commas", []string{"4.812", "6550", "2.049"}, comma, `"4.812" may be 4.812 or 4812, in 2 cells; choose (now 4.812)`, "4.812"},
		{"both marks before three digits", []string{"4.812", "2,049"}, texts, `"4.812" and "2,049" may be fractions or thousands (1 and 1 cells); choose the decimal mark (now the point)`, "decimal point"},
		{"fractions of both kinds", append(times(30, "4.5"), "2,25"), texts, `"2,25" and "4.5" both look like fractions (1 and 30 cells); choose the decimal mark (now the point)`, "decimal point"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := tabletest.Read(t, columnFile(c.cells, c.others))
			assert.Equal(t, 1, table.Questions())
			d := decision(roles.Profiles(table)[0], note.TopicMarks)
			require.True(t, d.Ask)
			assert.Equal(t, c.text, d.Text)
			require.Len(t, d.Answers, 2)
			assert.Equal(t, []string{"x:point", "x:comma"}, []string{d.Answers[0].Value, d.Answers[1].Value})
			for _, a := range d.Answers {
				assert.Equal(t, note.KeyDecimal, a.Key)
				assert.Equal(t, a.Label == c.now, a.Now, a.Label)
			}
		})
	}
}

func TestAFewTextsAmongNumbersAreAsked(t *testing.T) {
	numbers := func(n int, odd ...string) (cells []string) {
		for i := range n {
			cells = append(cells, fmt.Sprint(10+7*i))
		}
		return append(cells, odd...)
	}
	for _, c := range []struct {
		name  string
		cells []string
		asked []string
	}{
		{"one", numbers(40, times(6, "refused")...), []string{`"refused" in 6 cells stands among numbers; choose (now text)`}},
		{"three and a stray", numbers(60, append(times(4, "gone", "lost", "?!"), "stray")...), []string{
			`"gone" in 4 cells stands among numbers; choose (now text)`, `"lost" in 4 cells stands among numbers; choose (now text)`, `"?!" in 4 cells stands among numbers; choose (now text)`}},
		{"among an array of numbers", numbers(2000, times(500, "refused")...), []string{`"refused" in 500 cells stands among numbers; choose (now text)`}},
		{"fewer than one in ten", numbers(60, times(5, "refused")...), nil},
		{"as many as numbers", numbers(40, times(41, "refused")...), nil},
		{"four", numbers(60, times(4, "a", "b", "c", "d")...), nil},
		{"all different", numbers(40, "about 5", "about 6", "about 7", "about 8", "about 9", "about 10"), nil},
		{"beside few numbers, which may be levels", append(times(10, numbers(19)...), times(40, "refused")...), nil},
	} {
		p := roles.Profiles(tabletest.Read(t, columnFile(c.cells, texts)))[0]
		var asked []string
		for _, d := range p.Notes {
			if d.Ask {
				asked = append(asked, d.Text)
				assert.Equal(t, []note.Key{note.KeyMissingAs, note.KeyDecimal}, []note.Key{d.Answers[0].Key, d.Answers[1].Key}, c.name)
				assert.True(t, d.Answers[1].Now, c.name)
			}
		}
		assert.Equal(t, c.asked, asked, c.name)
	}
}

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
