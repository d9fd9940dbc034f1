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
	packed := must(archive(os.DirFS("../quarto")))
	elsewhere := t.TempDir()
	require.NoError(t, os.CopyFS(elsewhere, os.DirFS("../quarto")))
	for _, name := range []string{"README.txt", "_extensions/ifm-lab/ifm-lab.lua"} {
		require.NoError(t, os.Chtimes(filepath.Join(elsewhere, name), time.Unix(1e9, 0), time.Unix(1e9, 0)))
	}
	assert.Equal(t, packed, must(archive(os.DirFS(elsewhere))))

	z := must(zip.NewReader(bytes.NewReader(packed), int64(len(packed))))
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		content := must(io.ReadAll(must(f.Open())))
		assert.Equal(t, string(must(os.ReadFile(filepath.Join("../quarto", f.Name)))), string(content), f.Name)
	}
	assert.Equal(t, []string{"README.txt", "_extensions/ifm-lab/_extension.yml", "_extensions/ifm-lab/ifm-lab.lua"}, names)
}
