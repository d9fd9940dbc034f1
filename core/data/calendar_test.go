package data

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDaysAreThoseOfPackageTime(t *testing.T) {
	first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	const step = 13 // which a week, a month and a leap year have no part of
	for at := first; !at.After(last); at = at.AddDate(0, 0, step) {
		days, ok := day(at.Year(), int(at.Month()), at.Day())
		want := at.Unix() / 86400
		if at.Unix()%86400 < 0 {
			want--
		}
		y, m, d := civil(days)
		if !ok || int64(days) != want || y != at.Year() || m != int(at.Month()) || d != at.Day() || weekday(days) != at.Weekday().String() {
			t.Fatalf("%v is day %d, %v, and day %d is %s, %d-%d-%d", at, days, ok, days, weekday(days), y, m, d)
		}
	}
	for _, d := range [][3]int{{2023, 2, 29}, {1900, 2, 29}, {2000, 2, 30}, {2024, 4, 31}, {2024, 13, 1}, {2024, 0, 1}, {2024, 1, 0}, {0, 1, 1}, {10000, 1, 1}} {
		_, ok := day(d[0], d[1], d[2])
		assert.False(t, ok, d)
	}
	_, ok := day(2000, 2, 29)
	assert.True(t, ok)
}

func TestEveryLayoutReadsWhatPackageTimeWritesInIt(t *testing.T) {
	forms := map[layout]string{
		"Y-M-D": "2006-01-02", "Y/M/D": "2006/1/2", "Y.M.D": "2006.01.02", "YMD": "20060102", "D.M.Y": "2.1.2006", "D.M.y": "02.01.06",
		"M/D/Y": "1/2/2006", "D/M/Y": "02/01/2006", "M/D/y": "01/02/06", "D/M/y": "2/1/06", "D-M-Y": "02-01-2006", "M-D-Y": "01-02-2006",
		"b D Y": "Jan 2 2006", "b D, Y": "January 2, 2006", "D b Y": "2 Jan 2006", "b Y": "Jan 2006", "Y-M": "2006-01",
		"Y-M-DTh:m:s": "2006-01-02T15:04:05", "Y-M-D h:m:s": "2006-01-02 15:04:05", "Y-M-D h:m": "2006-01-02 15:04", "Y/M/D h:m": "2006/01/02 15:04",
		"M/D/Y h:m": "1/2/2006 15:04", "D/M/Y h:m": "02/01/2006 15:04", "M/D/y h:m": "1/2/06 15:04", "D/M/y h:m": "2/1/06 15:04", "D.M.Y h:m": "02.01.2006 15:04",
		"Y-M-DTh:m:sZ": "2006-01-02T15:04:05Z", "Y-M-DTh:m:s.fZ": "2006-01-02T15:04:05.000Z", "b D Y h:m:s": "Jan 2 2006 15:04:05",
	}
	for _, l := range layouts {
		form := forms[l]
		require.NotEmpty(t, form, l)
		for at := time.Date(1969, 1, 1, 0, 0, 1, 0, time.UTC); at.Year() < 2069; at = at.Add(1093*time.Hour + 7*time.Minute) {
			got, ok := l.read(at.Format(form))
			require.True(t, ok, "%s: %s", l, at.Format(form))
			want, err := time.Parse(form, at.Format(form))
			require.NoError(t, err)
			require.EqualValues(t, floor(int(want.Unix()), 86400), got.days, at.Format(form))
			require.Equal(t, want.Hour(), got.hour)
		}
		for _, other := range []string{"", "2024", "12", "Jan", "2024-02-30", "31.4.2024", "2024-1-1 24:00", "2024-01-01 10:60", "2024-01-01 ", "Jano 2 2006", "2 Jan 20066", "1.2.3", "10.0.0.1"} {
			_, ok := l.read(other)
			assert.False(t, ok, "%s reads %q", l, other)
		}
	}
}
