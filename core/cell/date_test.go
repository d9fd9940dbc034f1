package cell

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDaysAreThoseOfPackageTime(t *testing.T) {
	first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	const step = 13 // which a week, a month and a leap year have no part of
	for at := first; !at.After(last); at = at.AddDate(0, 0, step) {
		days, ok := Day(at.Year(), int(at.Month()), at.Day())
		want := at.Unix() / 86400
		if at.Unix()%86400 < 0 {
			want--
		}
		y, m, d := Civil(days)
		if !ok || int64(days) != want || y != at.Year() || m != int(at.Month()) || d != at.Day() || Weekday(days) != at.Weekday().String() {
			t.Fatalf("%v is day %d, %v, and day %d is %s, %d-%d-%d", at, days, ok, days, Weekday(days), y, m, d)
		}
	}
	for _, d := range [][3]int{{2023, 2, 29}, {1900, 2, 29}, {2000, 2, 30}, {2024, 4, 31}, {2024, 13, 1}, {2024, 0, 1}, {2024, 1, 0}, {0, 1, 1}, {10000, 1, 1}} {
		_, ok := Day(d[0], d[1], d[2])
		assert.False(t, ok, d)
	}
	_, ok := Day(2000, 2, 29)
	assert.True(t, ok)
}

// forms are ways to write a date and a time, as package time has them, each in its
// layout.
var forms = []struct {
	layout Layout
	date   string
	behind []string // times, one of which follows
}{
	{"ymd", "2006-01-02", iso}, {"ymd", "2006/1/2", iso}, {"ymd", "2006.01.02", iso}, {"ymd", "2006-Jan-02", iso},
	{"dmy", "2.1.2006", usual}, {"dmy", "02.01.06", usual}, {"dmy", "02/01/2006", usual}, {"dmy", "2/1/06", usual}, {"dmy", "02-01-2006", usual},
	{"dmy", "2 Jan 2006", usual}, {"dmy", "02-Jan-2006", usual}, {"dmy", "Mon, 02 Jan 2006", usual}, {"dmy", "02Jan2006", usual}, {"dmy", "02-Jan-06", usual},
	{"mdy", "1/2/2006", usual}, {"mdy", "01/02/06", usual}, {"mdy", "01-02-2006", usual},
	{"mdy", "Jan 2 2006", usual}, {"mdy", "January 2, 2006", usual}, {"mdy", "Monday, January 2, 2006", usual},
}

var (
	iso   = []string{"T15:04:05.999999999Z07:00", "T15:04:05.000Z", " 15:04:05.000000", " 15:04:05-0700", " 15:04:05 -07", " 15:04:05,999", "T15:04:05", " 15:04", ""}
	usual = []string{" 15:04:05.999", " 3:04:05 PM", " 03:04 pm", ", 3:04:05PM", " 15:04:05 -0700", " 15:04:05 UTC", " 15:04", ":15:04:05", ""}
)

func TestADateIsReadAsPackageTimeWroteIt(t *testing.T) {
	zones := []*time.Location{time.UTC, time.FixedZone("", 5*3600+1800), time.FixedZone("", -8*3600)}
	for _, f := range forms {
		for k, at := 0, time.Date(1969, 1, 1, 0, 0, 1, 123_456_789, time.UTC); at.Year() < 2068; k, at = k+1, at.Add(293*time.Hour+7*time.Minute+time.Second) {
			form := f.date + f.behind[k%len(f.behind)]
			text := at.In(zones[k%3]).Format(form)
			want, err := time.Parse(form, text)
			require.NoError(t, err)
			if text = strings.Replace(text, "Sep ", "Sept ", k%2); k%5 == 0 {
				text = strings.ToUpper(text)
			}
			got, ok := f.layout.Read(text)
			require.True(t, ok, "%s: %q", f.layout, text)
			require.EqualValues(t, want.Unix(), got.Seconds-got.Ahead, text)
			require.Equal(t, want.Nanosecond(), got.Nanos, text)
			require.Equal(t, want.Hour(), got.Hour(), "the hour of %q is the local one", text)
			require.Equal(t, want.Format(time.DateOnly), got.Date(), text)
			for _, other := range Layouts {
				if at, ok := other.Read(text); ok && other != f.layout {
					require.Contains(t, "dmymdydmy", string(f.layout+other), "%q is %v", text, at)
					require.NotContains(t, f.date, "Jan", "%s reads %q", other, text)
				}
			}
		}
	}
	for _, text := range []string{"Jan 2006", "January 2006", "Jan-2006"} {
		at, ok := Layout("my").Read(text)
		assert.True(t, ok && at.Days() == 13149, text)
	}
	at, ok := Layout("ym").Read("2006-01")
	assert.True(t, ok && at.Days() == 13149 && !at.Timed)
	at, ok = Layout("ymd").Read("2016-12-31 23:59:60")
	assert.True(t, ok && at.Seconds%86400 == 86399, "a leap second is in its day")
}

func TestWhatIsNoDateIsReadInNoLayout(t *testing.T) {
	for _, text := range []string{"", "2024", "12", "Jan", "20240131", "2024-02-30", "31.4.2024", "2024-1-1 24:00", "2024-01-01 10:60", "2024-01-01 ", "2024-01-01T", "Jano 2 2006", "2 Jan 20066",
		"1.2.3", "1.2.31.4", "10.0.0.1", "192.168.10.24", "1/2", "3/4", "10:30", "10:30:15", "2024-0001", "2024-001", "555-12-3456", "123-45-6789", "+49 30 1234567", "01-02-03", "1 2 2024",
		"2024-01-01 10", "2024-01-01 10:", "2024-01-01 10:00:00.", "2024-01-01 10:00:00.1234567890", "2024-01-01 13:00 PM", "2024-01-01 10:00 am x", "2024-01-01 10:00 CET", "2024-01-01 10:00+2", "2024-01-01 10:00+15:00", "2024-01-01+02:00",
		"Monday", "Mon 10:30", "May", "MAY5", "5 May", "1.2-2024", "1/2-2024", "model 2024-01-01", "12-Dez-2024", "2024-W05", "2024-13-01", "2024-00-10"} {
		for _, l := range Layouts {
			_, ok := l.Read(text)
			assert.False(t, ok, "%s reads %q", l, text)
		}
	}
}
