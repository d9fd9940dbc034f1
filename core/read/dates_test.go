package read_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/encode"
	"ifmlab/core/read"
	"ifmlab/core/roles"
	"ifmlab/core/tabletest"
)

// enoughDates writes a file of days or hours in the form of package time, with a target.
func enoughDates(name, form string, rows int, step time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s,catch\n", name)
	at := time.Date(2023, 11, 28, 5, 30, 0, 0, time.UTC)
	for i := range rows {
		fmt.Fprintf(&b, "\"%s\",%d.5\n", at.Format(form), i*i%17)
		at = at.Add(step)
	}
	return b.String()
}

func TestAModelReadsADateByItself(t *testing.T) {
	for _, form := range []string{"1/2/2006 3:04 PM", "2006-01-02 15:04", "02.01.2006 15:04"} {
		plan := tabletest.PlanOf(t, tabletest.Read(t, enoughDates("landed", form, 300, 7*time.Hour)), roles.Settings{Target: "catch"})
		set := tabletest.DatasetOf(t, plan)
		texts := []string{"05.06.2023", "2023-06-05", "2023-06-05T07:30:00Z", "5 Jun 2023", "", "soon", "2023,06,05"}
		apply := func(cells ...string) *encode.Applied {
			var b strings.Builder
			b.WriteString("landed,catch\n")
			for _, c := range cells {
				fmt.Fprintf(&b, "%q,4\n", c)
			}
			table := tabletest.ReadAs(t, b.String(), read.Options{Answers: read.AnswersOf(&set.Encoding)})
			return tabletest.Apply(t, table, &set.Encoding)
		}
		together := apply(texts...)
		for i, text := range texts {
			alone := apply(text)
			for _, part := range []string{"year", "month", "weekday", "hour", "days"} {
				name := "landed (" + part + ")"
				require.Equal(t, together.Column(name).Text(i), alone.Column(name).Text(0), "%s as %s: %s", text, form, part)
			}
		}
		assert.Equal(t, []string{"6", "6", "6", "6", "", "", "6"}, func() (months []string) {
			for i := range texts {
				months = append(months, together.Column("landed (month)").Text(i))
			}
			return months
		}())
		assert.Equal(t, "0", together.Column("landed (hour)").Text(0))
	}
}

func TestSecondsSince1970AreDatesWhateverTheyAreCalled(t *testing.T) {
	text := tabletest.File("czas,logged_at_time,price,DateKey,y", 6000, func(i int) string { // more than a dictionary holds
		at := time.Unix(1_600_000_000+int64(i)*40_000, 0).UTC()
		return fmt.Sprintf("%d,%d,%d,%s,%d.5", at.Unix(), at.UnixMilli()+7, at.Unix(), at.Format("20060102"), i*i%17)
	})
	table := tabletest.Read(t, text)
	columns := table.Names()
	require.Equal(t, []string{
		"czas", "czas (year)", "czas (month)", "czas (weekday)", "czas (hour)", "czas (days)",
		"logged_at_time", "logged_at_time (year)", "logged_at_time (month)", "logged_at_time (weekday)", "logged_at_time (hour)", "logged_at_time (days)",
		"price", "DateKey", "DateKey (year)", "DateKey (month)", "DateKey (weekday)", "DateKey (days)", "y"}, columns)
	for _, row := range []int{0, 1, 999, 5999} {
		at := time.Unix(1_600_000_000+int64(row)*40_000, 0).UTC()
		for i, column := range columns {
			switch {
			case strings.HasSuffix(column, "(hour)"):
				assert.Equal(t, fmt.Sprint(at.Hour()), table.Text(i, row), column)
			case strings.HasSuffix(column, "(days)"):
				assert.Equal(t, float64(at.Unix()/86400), table.Number(i, row), column)
			}
		}
	}
}

func TestPartsThatDoNotVaryAreThereForAModel(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(enoughDates("landed", "2006-01-02 15:04", 300, 7*time.Hour)), "\n")
	set := tabletest.Dataset(t, lines, roles.Settings{Target: "catch"})
	one := tabletest.Read(t, "landed,catch\n2023-11-30 05:30,4\n")
	_, err := encode.Apply(one, &set.Encoding)
	require.Error(t, err, "one day says nothing of its form")
	two := tabletest.Read(t, "landed,catch\n2023-11-30 05:30,4\n2023-11-30 06:30,4\n")
	require.Equal(t, []string{"landed", "landed (hour)", "catch"}, two.Names())
	a := tabletest.Apply(t, two, &set.Encoding)
	for part, want := range map[string]string{"year": "2023", "month": "11", "weekday": "Thursday"} {
		assert.Equal(t, want, a.Column("landed ("+part+")").Text(0))
	}
}
