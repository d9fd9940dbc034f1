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
