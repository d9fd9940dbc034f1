package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheQuartoExtensionUnpacksToItsFilesAndHoldsNoTimes(t *testing.T) {
	packed, err := archive(os.DirFS("../quarto"))
	require.NoError(t, err)
	elsewhere := t.TempDir()
	require.NoError(t, os.CopyFS(elsewhere, os.DirFS("../quarto")))
	for _, name := range []string{"README.txt", "_extensions/ifm-lab/ifm-lab.lua"} {
		require.NoError(t, os.Chtimes(filepath.Join(elsewhere, name), time.Unix(1e9, 0), time.Unix(1e9, 0)))
	}
	again, err := archive(os.DirFS(elsewhere))
	require.NoError(t, err)
	assert.Equal(t, packed, again)

	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	require.NoError(t, err)
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		r, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		want, err := os.ReadFile(filepath.Join("../quarto", f.Name))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(content), f.Name)
	}
	assert.Equal(t, []string{"README.txt", "_extensions/ifm-lab/_extension.yml", "_extensions/ifm-lab/ifm-lab.lua"}, names)
}
