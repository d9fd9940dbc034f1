package cell

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnAmountIsANumberWithAtMostOneUnit(t *testing.T) {
	for text, want := range map[string]struct {
		v    float64
		unit string
	}{
		"12": {12, ""}, "12kg": {12, "kg"}, "12 kg": {12, "kg"}, "1.5 kg": {1.5, "kg"}, "5. kg": {5, "kg"}, ".5m": {.5, "m"}, "1,234.5 m": {1234.5, "m"}, "1 234 kg": {1234, "kg"}, "1’234": {1234, ""},
		"$4.50": {4.5, "$"}, "-$4": {-4, "$"}, "$-4": {-4, "$"}, "($4)": {-4, "$"}, "(4 kg)": {-4, "kg"}, "4-": {-4, ""}, "4 -": {-4, ""}, "4 kg-": {-4, "kg"}, "\u22125": {-5, ""}, "- 5": {-5, ""}, "+5 kg": {5, "kg"},
		"US$ 3": {3, "US$"}, "CHF 5": {5, "CHF"}, "5 USD": {5, "USD"}, "€1.5M": {1.5e6, "€"}, "1.5 Mio. €": {1.5e6, "€"}, "£2 thousand": {2000, "£"},
		"<0.05": {.05, ""}, ">= 3 m": {3, "m"}, "1e5kg": {1e5, "kg"}, "1e+5 m": {1e5, "m"}, "2E-3": {.002, ""}, "1e": {1, "e"}, "3%": {3, "%"}, "3 m/s": {3, "m/s"}, "3 abcdef": {3, "abcdef"}, "3 м²": {3, "м²"}, "3 시간": {3, "시간"},
		strings.Repeat("1", 64): {1111111111111111111111111111111111111111111111111111111111111111, ""},
	} {
		a, ok := ParseAmount(text)
		v, is := a.Number('.')
		assert.True(t, ok && is, text)
		assert.Equal(t, want.v, v, text)
		assert.Equal(t, want.unit, a.Unit, text)
		assert.Equal(t, strings.ContainsAny(text[:1], "<>"), a.Bound, text)
		assert.Equal(t, strings.HasPrefix(text, "(") || strings.HasSuffix(text, "-"), a.Brackets, text)
		assert.Equal(t, strings.Contains(text, "M") || strings.HasSuffix(text, "nd"), a.Scaled(), text)
	}
	for power, words := range map[float64]string{1e3: "k tsd thousand", 1e5: "lakh lac", 1e6: "m mn mm mio mln million millions", 1e7: "cr crore", 1e9: "b bn mrd billion billions"} {
		for _, word := range strings.Fields(words) {
			a, _ := ParseAmount("2 " + word + " $")
			v, _ := a.Number('.')
			assert.Equal(t, 2*power, v, word)
		}
	}
	for text, spaced := range map[string]bool{"12 kg": true, "12kg": false, "12": false} {
		a, _ := ParseAmount(text)
		assert.Equal(t, spaced, a.Spaced, text)
	}
	for _, text := range []string{"", "kg", "Kg 5", "$", "<", "(-4)", "($-4)", "-4-", "4--", "USD 5 EUR", "€1.5x", "$ k", "1e+", "3 /s", "3 m/", "3 abcdefg", "3 m s", "3 k#", "x3", "3 ا", strings.Repeat("1", 65)} {
		_, ok := ParseAmount(text)
		assert.False(t, ok, text)
	}
	for _, text := range []string{"1,23", "1.2.3", "12,34,56 kg", "1,23 €"} {
		a, ok := ParseAmount(text)
		_, is := a.Number('.')
		assert.True(t, ok && !is, "%s: the marks do not fit", text)
	}
}

func TestUnitsAreKnownOrWords(t *testing.T) {
	for unit, want := range map[string][2]bool{
		"USD": {true, true}, "m": {true, false}, "kg": {true, true}, "kg/foo": {true, true}, "foo/kg": {false, true}, "°C": {true, true}, "°": {true, true}, "%": {true, false}, "x%": {true, false},
		"bn": {false, false}, "Mio": {false, false}, "th": {false, false}, "qx": {false, true}, "q": {false, false},
	} {
		assert.Equal(t, want, [2]bool{IsKnownUnit(unit), IsWordUnit(unit)}, unit)
	}
	for _, c := range []struct {
		from, to  string
		times, by float64
		ok        bool
	}{
		{"km", "m", 1000, 1, true}, {"m", "km", 1, 1000, true}, {"mi", "km", 1.609344, 1, true}, {"g", "g", 1, 1, true}, {"k", "", 1000, 1, true}, {"", "M", 1, 1e6, true}, {"min", "h", 1, 60, true},
		{"Boxes", "boxe", 1, 1, true}, {"kg", "m", 1, 1, false}, {"boxes", "", 1, 1, false}, {"KG", "kg", 1, 1, true}, {"mw", "MW", 1, 1, true}, {"mWh", "MWh", 1, 1, true}, {"MW", "mw", 1, 1, true}, {"Ms", "ms", 1, 1, true}, {"mV", "MV", 1, 1, true}, {"Mg", "mg", 1, 1, true}, {"mm", "Mm", 1, 1, true}, {"s", "", 1, 1, false},
	} {
		times, by, ok := Convert(c.from, c.to)
		assert.Equal(t, c.ok, ok, "%s to %s", c.from, c.to)
		if ok {
			assert.Equal(t, []float64{c.times, c.by}, []float64{times, by}, "%s to %s", c.from, c.to)
		}
	}
	units, factors := ConvertibleTo("h")
	assert.Equal(t, "h ms s sec min hr hrs hour hours day days week weeks", strings.Join(units, " "))
	assert.Equal(t, [2]float64{24, 1}, factors[slices.Index(units, "day")])
	assert.True(t, IsScale("bn") && !IsScale("") && !IsScale("kg"))
}

func TestAClockIsReadInUnitsOfItsLastField(t *testing.T) {
	for text, want := range map[string]float64{
		"3:25": 205, "03:05": 185, "1234:59": 74099, "0:00": 0, "-0:30": -30, "3:25:48": 12348, "3:25:48.5": 12348.5, "2 days 03:25:48": 185148, "1 day 0:00": 1440, "1.5 days, 1:00": 2220,
		"12:05 AM": 5, "9:30am": 570, "12:00 p.m.": 720, "11:59\u202fPM": 1439, "1:02:03.5 PM": 46923.5,
	} {
		v, fields, ok := ParseClock(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, v, text)
		assert.Equal(t, 1+strings.Count(text, ":"), fields, text)
	}
	for _, text := range []string{"", "5", "5.5", "3:5", "3:60", "3:059", "12345:00", "1:02:03:04", "3:25x", "3:25:48,5", "3:25.x", "13:00 PM", "-3:25 PM", "1 day 3:25 PM", "3:25 PM x", "3:25 P", "3 PM", "x day 1:00", ":30", "3:"} {
		_, _, ok := ParseClock(text)
		assert.False(t, ok, text)
	}
	v, _, ok := NumberFormat{Point: '.', Unit: ClockMinutes}.Read("1:30:30")
	assert.True(t, ok && v == 90.5, "seconds in a column of minutes")
	v, _, _ = NumberFormat{Point: '.', Unit: ClockSeconds}.Read("1:30")
	assert.Equal(t, 90., v)
}

// evidence is what cells show, each once.
func evidence(cells ...string) (e MarkEvidence) {
	for _, c := range cells {
		e.Add(c, MarkHintOf(c), 1)
	}
	return e
}

func TestTheCellsOfAColumnDecideItsMarkElseTheOthersDo(t *testing.T) {
	maybe, comma, point := evidence("4.812", "12.049", "3.300"), evidence("2,5"), evidence("2.5")
	small, tens := evidence("4.812", "12.049", "3.300", "7", "5", "9"), evidence("4.812", "12.049", "3.300", "640", "871")
	for name, c := range map[string]struct {
		own, others MarkEvidence
		want        MarkChoice
	}{
		"more commas":                {evidence("1,5", "2,5", "3.5"), point, MarkChoice{Point: ',', Ask: true}},
		"commas alone":               {evidence("1,5", "-2,125"), point, MarkChoice{Point: ','}},
		"as many points":             {evidence("1,5", "3.5"), comma, MarkChoice{Point: '.', Ask: true}},
		"both may be":                {evidence("1,234", "1.234"), comma, MarkChoice{Point: '.', Ask: true}},
		"no mark":                    {evidence("12", "13"), comma, MarkChoice{Point: '.'}},
		"others have points":         {maybe, point, MarkChoice{Point: '.', Why: "other columns have this decimal mark"}},
		"others have commas":         {maybe, comma, MarkChoice{Point: ',', Why: "other columns have the other decimal mark"}},
		"but a long number has none": {evidence("4.812", "2048"), comma, MarkChoice{Point: '.', Ask: true}},
		"nothing tells":              {maybe, MarkEvidence{}, MarkChoice{Point: '.', Ask: true}},
		"nothing tells of commas":    {evidence("4,812", "12,049"), MarkEvidence{}, MarkChoice{Point: '.', Ask: true}},
		"whole ones among them":      {small, MarkEvidence{}, MarkChoice{Point: '.', Why: "all cells are of a similar size then"}},
		"bare ones below 1000":       {tens, MarkEvidence{}, MarkChoice{Point: ',', Why: "cells without a mark are all below 1000"}},
		"two are too few":            {evidence("4.812", "12.049", "640", "871"), MarkEvidence{}, MarkChoice{Point: ',', Ask: true}},
		"thousands beside points":    {tens, point, MarkChoice{Point: ',', Ask: true}},
		"small ones beside commas":   {small, comma, MarkChoice{Point: ',', Ask: true}},
	} {
		assert.Equal(t, c.want, c.own.Decide(c.others, '.'), name)
	}
	for body, want := range map[string]MarkHint{
		"1,234,567": hintPoint, "1.234.567": hintComma, "1,234.5": hintPoint, "1.234,5": hintComma, "1 234": noHint, "1'234.5": hintPoint, "1 234,5": hintComma, "1,5": hintComma, "1.234": HintMaybePoint, "1,234": HintMaybeComma, "1,23,4": noHint, "12": hintBare,
	} {
		assert.Equal(t, want, MarkHintOf(body), body)
	}
	fractions := evidence("-1,5", "3,05", "3,5", "12,5")
	assert.Equal(t, 2, fractions.Fractions, "a minus, and a 0 behind the mark")
}

func TestWordsAboutCells(t *testing.T) {
	levels := []string{"b", "10", "2", "-1", "a", "1.0", "1"}
	slices.SortFunc(levels, func(a, b string) int { return CompareLevels(a, b, '.') })
	assert.Equal(t, []string{"-1", "1", "1.0", "2", "10", "a", "b"}, levels)
	assert.Equal(t, "1 cell, 2 cells", CellCount(1)+", "+CellCount(2))
	assert.Equal(t, []string{"", "a", "a, b, c, d", "a, b, c, d, …"}, []string{List(nil), List([]string{"a"}), List([]string{"a", "b", "c", "d"}), List([]string{"a", "b", "c", "d", "e", "f"})})
	assert.Equal(t, "9-9/a9", DigitForm("12-3/a456"))
	assert.Equal(t, `"a"b\n"`, Quote("a\"b\n"))
	assert.True(t, Mostly(9, 10) && !Mostly(89, 100))
	assert.Equal(t, []string{"2021-03-04", "1969-12-31", ""}, []string{DayText(18690.9), DayText(-.5), DayText(math.NaN())})
	assert.Equal(t, []Token{{"x", 5}, {"y", 1}}, CountToken(CountToken(CountToken(nil, "x", 2), "y", 1), "x", 3))
	assert.Equal(t, "1234.5", ReadAs("1.234,5 kg", ','))
}
