package sky

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/fault"
)

// aDay is a simulated day as a file of either kind.
func aDay(t *testing.T) map[string]string {
	t.Helper()
	s := newSimulator(t, usual())
	var maps bytes.Buffer
	require.NoError(t, WriteIONEX(&maps, s, 1, GridAround(s.Network()), ""))
	return map[string]string{"maps": maps.String(), "points": saved(t, s, 1, 360)}
}

// A day of the simulator comes back as maps or as pierce points, whatever the
// file is called and however it arrives.
func TestAFileIsToldByWhatStandsInIt(t *testing.T) {
	for what, content := range aDay(t) {
		name := map[string]string{"maps": "day.csv", "points": "day.inx"}[what]
		for _, r := range []io.Reader{strings.NewReader(content), iotest.OneByteReader(strings.NewReader(content)), iotest.DataErrReader(strings.NewReader(content))} {
			file := must(Read(name, r))
			assert.Equal(t, what, file.Kind())
			assert.Equal(t, name, file.Name)
			assert.EqualValues(t, len(content), file.Bytes)
			assert.Len(t, file.Description.Days, 1)
			assert.NotEmpty(t, file.Facts)
		}
	}
}

func TestAFileThatCannotBeReadSaysWhere(t *testing.T) {
	maps := aDay(t)["maps"]
	for name, c := range map[string]struct {
		content string
		line    bool
		says    string
	}{
		"cut short":   {maps[:len(maps)/2], true, "cut short"},
		"other table": {"a,b\n1,2\n", false, "sat"},
		"nothing":     {"", false, "empty"},
		"packed":      {"\x1f\x8b\x08\x00" + strings.Repeat("\x01", 100), false, "gzip"},
	} {
		_, err := Read(name, strings.NewReader(c.content))
		var bad *fault.FileError
		require.ErrorAs(t, err, &bad, name)
		assert.Equal(t, name, bad.File)
		assert.Equal(t, c.line, bad.Line > 1, "%s: %s", name, err)
		assert.Contains(t, err.Error(), c.says, name)
	}
	gone := errors.New("the disk is gone")
	for what, content := range aDay(t) {
		for _, after := range []int{0, 100, 12_000} {
			_, err := Read("day", io.MultiReader(strings.NewReader(content[:after]), iotest.ErrReader(gone)))
			require.ErrorIs(t, err, gone, "%s after %d bytes", what, after)
			var reader *fault.ReaderError
			require.ErrorAs(t, err, &reader)
			assert.LessOrEqual(t, reader.Bytes, int64(after), what)
			assert.True(t, what != "maps" || reader.Bytes == int64(after), "line by line")
		}
	}
}

// stalled returns neither bytes nor an error after those that it has.
type stalled struct{ io.Reader }

func (s stalled) Read(b []byte) (int, error) {
	n, _ := s.Reader.Read(b)
	return n, nil
}

func TestAFileThatNeitherGoesOnNorEndsIsGivenUp(t *testing.T) {
	for what, content := range aDay(t) {
		for _, after := range []int{0, 100, 4096, 10_000} {
			_, err := Read("day", stalled{strings.NewReader(content[:after])})
			require.ErrorIs(t, err, io.ErrNoProgress, "%s after %d bytes", what, after)
			assert.ErrorAs(t, err, new(*fault.ReaderError))
		}
	}
}

func TestAFileOfAnotherTypeSaysWhatASkyMayBe(t *testing.T) {
	const want = ", not maps of the TEC in IONEX or a table of pierce points. "
	for content, says := range map[string]string{
		"\x1f\x9d\x90" + "codg":     "this is a compressed file" + want + "Unpack it, as gunzip or 7-Zip does, and open the file inside",
		"\x1f\x8b\x08\x00codg":      "this is a gzip archive" + want + "Unpack it, as gunzip or 7-Zip does, and open the file inside",
		"PK\x03\x04codg":            "this is an Excel workbook or a zip archive" + want + "Save the sheet as CSV, or unpack the archive",
		"<html><body>Log in</body>": "this is a web page or XML" + want + "Save the table as CSV",
	} {
		_, err := Read("codg3380.10i.Z", strings.NewReader(content))
		var bad *fault.FileError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, fault.OtherType, bad.Problem)
		assert.Equal(t, "codg3380.10i.Z:1:1: "+says, err.Error())
	}
}
