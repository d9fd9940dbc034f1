package web

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsUnloadedIsThereWhenItIsReadAgain(t *testing.T) {
	if _, err := fs.Stat(Dist(), "index.html"); err != nil {
		t.Skip("not run: web/dist is empty; run make build")
	}
	require.NoError(t, fs.WalkDir(Dist(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		before, err := fs.ReadFile(Dist(), name) // a copy
		require.NoError(t, err)
		Dist().Unload(name)
		after, err := Dist().Content(name)
		require.NoError(t, err)
		assert.True(t, string(before) == string(after), name)
		return nil
	}))

	other := Page{fstest.MapFS{"x": {Data: make([]byte, 1<<20)}}}
	copy(other.FS.(fstest.MapFS)["x"].Data[1<<19:], "text")
	other.Unload("x")
	other.Unload("nothing")
	got, err := other.Content("x")
	require.NoError(t, err)
	assert.Equal(t, "text", string(got[1<<19:1<<19+4]), "what is no file of the program stays")
}
