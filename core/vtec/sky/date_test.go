package sky

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDatesAreThoseOfTheCalendar(t *testing.T) {
	assert.Equal(t, 0, dayNumber(1970, 1, 1))
	y, m, d := 1970, 1, 1
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	for n := range 400 * 366 { // day after day
		yy, mm, dd := date(n)
		back, ok := parseDate(dateName(n))
		if dayNumber(y, m, d) != n || yy != y || mm != m || dd != d || !isDate(y, m, d) || !ok || back != n {
			t.Fatalf("%d-%d-%d is day %d, and day %d is %d-%d-%d, %q, which is read as %d, %v", y, m, d, dayNumber(y, m, d), n, yy, mm, dd, dateName(n), back, ok)
		}
		last := days[m-1]
		if m == 2 && (y%4 == 0 && y%100 != 0 || y%400 == 0) {
			last++
		}
		if d++; d > last {
			require.False(t, isDate(y, m, d))
			d = 1
			if m++; m > 12 {
				m = 1
				y++
			}
		}
	}
	for _, s := range []string{"", "2010-12-4", "2010-13-04", "2011-02-29", "2010-12/04", "20101-2-04", "2010-1x-04", "+010-12-04"} {
		_, ok := parseDate(s)
		assert.False(t, ok, s)
	}
}
