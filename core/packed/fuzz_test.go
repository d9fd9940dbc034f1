package packed

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
)

// FuzzNew holds every input to the same: no panic, no more text than may come, an error
// of a type or the same text whether the file can be read anywhere or once.
func FuzzNew(f *testing.F) {
	workbook := sheeted(f, at("A", 1)+`<row><c t="s"><v>0</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>`+at("C", 9), "<si><t>x_x0041_</t></si>")
	for _, file := range [][]byte{
		[]byte("a,b\n1,2\n"), gzipped(f, "a,b\n", "1,2\n"), zipped(f, "t.csv", "a,b\n1,2\n"), zipped(f, "s.csv", "1", "t.csv", "2"),
		zipped(f, "t.zip", string(zipped(f, "t.csv", "a\n1\n"))), workbook, workbook[:len(workbook)/2], parqueted(f, 3, 2), footed(hungry), []byte("PARE1234PARE"), []byte("\xd0\xcf\x11\xe0"),
	} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		whole, err := textOf(t, few, "f", file)
		typed(t, err)
		once, errOnce := "", error(nil)
		if table, err := few.read("f", bytes.NewBuffer(file), spec.Default()); err != nil {
			errOnce = err
		} else {
			defer table.Close()
			text, err := io.ReadAll(table)
			once, errOnce = string(text), err
		}
		typed(t, errOnce)
		if len(file) <= few.held {
			require.Equal(t, err == nil, errOnce == nil, "%v, %v", err, errOnce)
			require.Equal(t, whole, once)
		}
	})
}

func typed(t *testing.T, err error) {
	t.Helper()
	var fault *Error
	var choice *ChoiceError
	assert.True(t, err == nil || errors.As(err, &fault) || errors.As(err, &choice), "an error of no type: %T %v", err, err)
}
