package message

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestSprintfIsFmts(t *testing.T) {
	numbers := []any{0., math.Copysign(0, -1), 1., -1.5, .1, 1e-4, 1e-5, 123456., 1e6, 1e20, 1e21, 1e-300, math.Pi, math.MaxFloat64,
		math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	texts := []any{"", "plain", "a \"quoted\" one", "ü, τ and 界", "tab\tand\nline", "\x00\xff", "\u2028\ufeff", "100 %", errors.New("a fault"), time.Second}
	whole := []any{0, 7, -12, math.MaxInt, math.MinInt, int64(math.MinInt64)}
	for format, args := range map[string][]any{
		"%d": whole, "%v": append(append(append([]any{}, whole...), texts...), numbers...), "%s": texts, "%q": {"", "a \"b\" `c`", "ü\n\x00\xff\u2028"},
		"%g": numbers, "%.1f": numbers, "%.3g": numbers, "%.0f": numbers, "%f": numbers, "%.12g": numbers,
	} {
		for _, arg := range args {
			for _, around := range []string{"%s", "ü %s", "%s%%", "[%s] "} {
				f := fmt.Sprintf(around, format)
				if around == "%s%%" {
					f = format + "%%"
				}
				assert.Equal(t, fmt.Sprintf(f, arg), write(f, []any{arg}), "%s of %v", f, arg)
			}
		}
	}
	assert.Equal(t, "", Sprintf(""))
	assert.Equal(t, "rows", Sprintf("rows"))
	assert.Equal(t, `3 of "a" at 0.5%: x`, Sprintf("%d of %q at %g%%: %s", 3, "a", .5, "x"))
}

// What go vet would have found is seen, and stops nothing.
func TestAFaultInAFormatIsSeen(t *testing.T) {
	for format, want := range map[string]string{
		"%d":     "%!d(?)",
		"%x":     "%!x(?)",
		"%s, %s": "x, %!s(MISSING)",
		"50 %":   "50 %!(NOVERB)",
		"%.2":    "%!(NOVERB)",
	} {
		assert.Equal(t, want, write(format, []any{"x"}), format)
	}
	assert.Equal(t, "%!s(?)", write("%s", []any{1}))
	assert.Equal(t, "%!v(?)", write("%v", []any{[]int{1}}))
}
