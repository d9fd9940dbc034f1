package web

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestContentIsTheProgramsOwn(t *testing.T) {
	if _, err := fs.Stat(Dist(), "index.html"); err != nil {
		t.Skip("not run: web/dist is empty; run make build")
	}
	require.NoError(t, fs.WalkDir(Dist(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		want, err := fs.ReadFile(Dist(), name)
		require.NoError(t, err)
		got, err := Dist().Content(name)
		require.NoError(t, err)
		again, err := Dist().Content(name)
		require.NoError(t, err)
		assert.Equal(t, len(want), len(got), name)
		assert.True(t, string(want) == string(got), name)
		assert.Equal(t, unsafe.SliceData(got), unsafe.SliceData(again), "%s is copied", name)
		return nil
	}))
}

func TestContentOfOtherFilesIsRead(t *testing.T) {
	got, err := Page{fstest.MapFS{"x": {Data: []byte("text")}}}.Content("x")
	require.NoError(t, err)
	assert.Equal(t, "text", string(got))
	for _, name := range []string{"nothing", "../go.mod"} {
		_, err := Dist().Content(name)
		assert.True(t, errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid), "%v", err)
	}
	_, err = Dist().Content(".")
	assert.Error(t, err, "a folder has no content")
}
