package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
)

func TestATableThatNeedsTooMuchMemoryIsRefusedWhileItIsRead(t *testing.T) {
	const rows = 20000
	for name, cell := range map[string]func(row int) string{
		"numbers": func(row int) string { return fmt.Sprintf("%d.5", row) },
		"texts":   func(row int) string { return fmt.Sprintf("text %d", row) },
	} {
		t.Run(name, func(t *testing.T) {
			text := "a,b\n"
			for row := range rows {
				text += fmt.Sprintf("%s,%d\n", cell(row), row%7)
			}
			read := func(most int) error {
				_, err := Read(strings.NewReader(text), Options{Name: "t.csv", most: most})
				return err
			}
			assert.NoError(t, read(0))
			err := read(1 << 18)
			var e *fault.FileError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, fault.TooLarge, e.Problem)
			assert.Regexp(t, `^t\.csv: the first \d+ rows need more than 0 MB of memory\. Use fewer rows or columns$`, err.Error())
		})
	}
	numbers := "a\n"
	for row := range rows {
		numbers += fmt.Sprintf("%d.5\n", row)
	}
	_, err := Read(strings.NewReader(numbers), Options{Name: "t.csv", most: 8*rows + 4096*textOverhead + 1<<17})
	assert.NoError(t, err, "once a column is an array, only its numbers count")
}
