package read_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/design"
	"ifmlab/core/encode"
	"ifmlab/core/note"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/table"
	"ifmlab/core/tabletest"
)

// drawnFile writes rows of a drawn cell x, a number a and a target y.
func drawnFile(seed uint64, rows int, x func(rng *rand.Rand) string) string {
	rng := tabletest.Stream(seed)
	return tabletest.File("x,a,y", rows, func(int) string {
		return fmt.Sprintf("%q,%.2f,%.3f", x(rng), 10*rng.Float64(), rng.NormFloat64())
	})
}

// A cell that looks like a number and is none becomes a level, and is told. Its clean twin
// becomes a number, and nothing but a unit is told.
func TestWhatOnlyLooksLikeANumberStaysAText(t *testing.T) {
	digits := func(n int) func(*rand.Rand) string {
		return func(rng *rand.Rand) string {
			return fmt.Sprint(int(math.Pow10(n-1)) + rng.IntN(9*int(math.Pow10(n-1))))
		}
	}
	for _, c := range []struct {
		name         string
		faulty, twin func(rng *rand.Rand) string
		topic        note.Topic
		ask          bool
	}{
		{"two counts in a cell", func(rng *rand.Rand) string { return fmt.Sprintf("%d,%d", rng.IntN(40), 1+rng.IntN(30)) },
			func(rng *rand.Rand) string { return fmt.Sprintf("%.2f", 40*rng.Float64()) }, note.TopicMarks, true},
		{"digits around an E", func(rng *rand.Rand) string { return digits(5)(rng) + "E" + digits(2)(rng) },
			func(rng *rand.Rand) string { return fmt.Sprintf("%.3E", 1e7*rng.Float64()) }, note.TopicCode, false},
		{"an exponent that begins with 0", func(rng *rand.Rand) string { return digits(1)(rng) + "E0" + digits(1)(rng) },
			func(rng *rand.Rand) string { return digits(1)(rng) + "e" + digits(1)(rng) }, note.TopicCode, false},
		{"a letter behind whole numbers", func(rng *rand.Rand) string { return digits(2)(rng) + "D" },
			func(rng *rand.Rand) string { return digits(2)(rng) + "kg" }, note.TopicCode, false},
		{"a letter that is a unit elsewhere", func(rng *rand.Rand) string { return digits(5)(rng) + "m" },
			func(rng *rand.Rand) string { return digits(4)(rng) + "m" }, note.TopicCode, false},
		{"letters that are no unit behind many digits", func(rng *rand.Rand) string { return digits(5)(rng) + "qx" },
			func(rng *rand.Rand) string { return digits(4)(rng) + "qx" }, note.TopicCode, false},
		{"more digits than a float64 holds", func(rng *rand.Rand) string { return "-90071992547409" + digits(3)(rng) },
			func(rng *rand.Rand) string { return "-900719925" + digits(3)(rng) }, note.TopicCode, false},
	} {
		for seed := range uint64(5) {
			faulty := tabletest.Read(t, drawnFile(seed, 80, c.faulty))
			p := roles.Profiles(faulty)[0]
			assert.Equal(t, design.Categorical, p.Kind, c.name)
			assert.Equal(t, c.ask, decision(p, c.topic).Ask, c.name)
			shown := faulty.Text(0, 0)
			if len(shown) > 15 {
				shown = "of more than 15 digits"
			}
			require.Contains(t, decision(p, c.topic).Text, shown, c.name)
			for _, a := range decision(p, c.topic).Answers { // each click does what it says
				said := read.Answers{}
				if a.Key == note.KeyDecimal && a.Value != "" {
					said.Decimal = []string{a.Value}
					again := roles.Profiles(readSaid(t, drawnFile(seed, 80, c.faulty), said))[0]
					assert.Equal(t, a.Label == "numbers", again.Kind == design.Numeric, "%s: %s", c.name, a.Label)
					assert.False(t, decision(again, c.topic).Ask)
				}
			}
			twin := roles.Profiles(tabletest.Read(t, drawnFile(seed, 80, c.twin)))[0]
			assert.Equal(t, design.Numeric, twin.Kind, c.name)
			for _, n := range twin.Notes {
				assert.Equal(t, note.TopicUnit, n.Topic, "%s: %s", c.name, n.Text)
			}
		}
	}
}

func TestASecondUnitIsConvertedOrAsked(t *testing.T) {
	for seed := range uint64(5) {
		others := 0
		mixed := func(second string, factor float64) (*table.Table, []float64) {
			var want []float64
			others = 0
			text := drawnFile(seed, 90, func(rng *rand.Rand) string {
				v := float64(1+rng.IntN(500)) / 2
				if rng.IntN(3) == 0 {
					want, others = append(want, v/factor), others+1
					return fmt.Sprint(v, " ", second)
				}
				want = append(want, v)
				return fmt.Sprint(v, " km")
			})
			return tabletest.Read(t, text), want
		}
		converted, want := mixed("m", 1000)
		same(t, want, values(converted, 0))
		assert.Zero(t, converted.Questions())
		assert.Equal(t, fmt.Sprintf("the unit \"km\" is removed from %d cells; %d cells in another unit are converted", 90-others, others), decision(roles.Profiles(converted)[0], note.TopicUnit).Text)
		asked, want := mixed("USD", math.NaN())
		same(t, want, values(asked, 0))
		assert.Equal(t, 1, asked.Questions())
		d := decision(roles.Profiles(asked)[0], note.TopicUnit)
		require.True(t, d.Ask)
		settled := roles.Profiles(readSaid(t, drawnFile(seed, 9, func(*rand.Rand) string { return "3 km" }), read.Answers{MissingAs: []string{d.Answers[0].Value}}))
		assert.False(t, decision(settled[0], note.TopicUnit).Ask)
		twin, _ := mixed("km", 1)
		assert.Zero(t, twin.Questions())
	}
}

func TestAModelReadsANumberByItself(t *testing.T) {
	lines := strings.Split(drawnFile(1, 60, func(rng *rand.Rand) string { return fmt.Sprintf("%.1f km", 50*rng.Float64()) }), "\n")
	set := tabletest.Dataset(t, lines[:61], roles.Settings{Target: "y"})
	texts := []string{"3.5 km", "3.5", "3500 m", "3.5 mi", "$3.5", "3.5 kg", "", "far"}
	apply := func(cells ...string) *encode.Applied {
		table := tabletest.ReadAs(t, "x,a\n\""+strings.Join(cells, "\",1\n\"")+"\",1\n", read.Options{Answers: read.AnswersOf(&set.Encoding)})
		return tabletest.Apply(t, table, &set.Encoding)
	}
	together := apply(texts...)
	for i, text := range texts {
		alone := apply(text).Table.Number(0, 0)
		same(t, []float64{[]float64{3.5, 3.5, 3.5, 5.632704, nan, nan, nan, nan}[i]}, []float64{alone})
		same(t, []float64{alone}, []float64{together.Table.Number(0, i)})
	}
	assert.Contains(t, decision(roles.Profiles(together.Table)[0], note.TopicUnit).Text, `"$" in 1 cell is not the unit "km"`)
}

func TestAnOrderOfDatesThatDoesNotFitIsRefusedWithTheCell(t *testing.T) {
	text := enoughDates("landed", "02/01/2006", 90, 24*60*60*1e9)
	table := readSaid(t, text, read.Answers{Dates: []string{"landed:ymd"}})
	require.Len(t, table.UnusedSettings, 1)
	assert.Contains(t, table.UnusedSettings[0].Text, `most cells are not such dates, for example "28/11/2023"`)
	assert.Equal(t, tabletest.Read(t, text).Names(), table.Names(), "the dates are read all the same")
	assert.Empty(t, readSaid(t, text, read.Answers{Dates: []string{"landed:dmy"}}).UnusedSettings)
}

func TestAHeaderWithinTheRowsHoldsFromThere(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(drawnFile(3, 60, func(rng *rand.Rand) string { return fmt.Sprint("k", rng.IntN(4)) })), "\n")
	clean := tabletest.Read(t, strings.Join(lines, "\n"))
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 0, 2}} {
		turned := slices.Clone(lines[:30])
		for _, line := range append([]string{lines[0]}, lines[30:]...) {
			cells := strings.Split(line, ",")
			turned = append(turned, strings.Join([]string{cells[order[0]], cells[order[1]], cells[order[2]]}, ","))
		}
		got := tabletest.Read(t, strings.Join(turned, "\n"))
		require.Equal(t, clean.Rows, got.Rows)
		for row := range clean.Rows {
			for i := range 3 {
				require.Equal(t, clean.Text(i, row), got.Text(i, row))
			}
		}
		assert.Len(t, got.Notes, 1)
	}
	assert.Empty(t, clean.Notes)
}

func TestHeadersThatDoNotFitTheirRowsAreRead(t *testing.T) {
	rows := strings.Repeat("links,72,11.5\nsouth,70,3.25\n", 10)
	for header, want := range map[string][]string{
		"course,par,wind,remark\n":         {"course", "par", "wind"},
		"course,round,\n,par,wind\n":       {"course", "round par", "round wind"},
		"course,par\nlinks,72\nlinks,71\n": {"course", "par", "column 3"},
		"course,par,wind\n":                {"course", "par", "wind"},
	} {
		if strings.HasPrefix(header, "course,par\n") {
			header += strings.Repeat("south,70\n", 3)
		}
		table := tabletest.Read(t, header+rows)
		assert.Equal(t, want, table.Names())
		assert.Zero(t, table.BadCount)
		assert.Equal(t, len(want) == 3 && header == "course,par,wind\n", len(table.Notes) == 0, table.Notes.Texts())
	}
}

func TestDatesOfSeveralFormsAreRead(t *testing.T) {
	cells := func(form func(i int) string) roles.Profile {
		text := tabletest.File("when,y", 60, func(i int) string {
			return fmt.Sprintf("%q,%d.5", form(i), i*i%17)
		})
		return roles.Profiles(tabletest.Read(t, text))[0]
	}
	iso := func(i int) string { return fmt.Sprintf("2021-%02d-%02d", 1+i%12, 1+i%28) }
	assert.NotContains(t, decision(cells(iso), note.TopicDates).Text, ";")
	mixed := cells(func(i int) string {
		return []string{iso(i), fmt.Sprintf("%02d/%02d/2021", 1+i%28, 1+i%12), fmt.Sprintf("%d-Aug-2020", 1+i%28), fmt.Sprintf("2021,08,%02d", 1+i%28)}[i%4]
	})
	assert.Len(t, mixed.Parts, 4)
	assert.False(t, decision(mixed, note.TopicDates).Ask)
	serial := cells(func(i int) string {
		if i%6 == 0 {
			return fmt.Sprint(44200 + i)
		}
		return iso(i)
	})
	assert.Contains(t, decision(serial, note.TopicDates).Text, "10 cells have the number of a day")
	swapped := cells(func(i int) string {
		if day := 1 + i%28; day > 12 {
			return fmt.Sprintf("%02d/%02d/2021", day, 1+i%12)
		}
		return fmt.Sprintf("2021-%02d-%02d", 1+i%28, 1+i%12)
	})
	assert.Contains(t, decision(swapped, note.TopicDates).Text, "may have swapped day and month")
}

func TestTimesAreNumbersOfMinutesOrSeconds(t *testing.T) {
	for form, unit := range map[string]string{"%d:%02d": "minutes", "0%d:%02d AM": "minutes", "%d:%02d:30": "seconds", "2 days %d:%02d:00": "seconds"} {
		text := drawnFile(5, 60, func(rng *rand.Rand) string { return fmt.Sprintf(form, rng.IntN(10), rng.IntN(60)) })
		p := roles.Profiles(tabletest.Read(t, text))[0]
		assert.Equal(t, design.Numeric, p.Kind, form)
		assert.Equal(t, unit, p.Unit)
		set := tabletest.Dataset(t, strings.Split(strings.TrimSpace(text), "\n"), roles.Settings{Target: "y"})
		table := readSaid(t, "x,a\n1:30,1\n0:01:30,1\n1 day 00:00:00,1\n1:30 PM,1\nsoon,1\n", read.AnswersOf(&set.Encoding))
		want := map[string][]float64{"minutes": {90, 1.5, 1440, 810, nan}, "seconds": {90, 90, 86400, 810, nan}}[unit]
		same(t, want, values(table, 0))
	}
	few := roles.Profiles(tabletest.Read(t, drawnFile(5, 60, func(rng *rand.Rand) string {
		return []string{fmt.Sprintf("%d:%02d", rng.IntN(40), rng.IntN(60)), "soon"}[rng.IntN(5)/4]
	})))[0]
	assert.Equal(t, []any{design.Categorical, ""}, []any{few.Kind, few.Unit}, "one in five is no time")
	scores := drawnFile(5, 60, func(rng *rand.Rand) string { return fmt.Sprint(rng.IntN(9), ":", rng.IntN(9)) })
	assert.Equal(t, design.Categorical, roles.Profiles(tabletest.Read(t, scores))[0].Kind)
}
