//go:build !js

package shard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzGather: whatever lies in a part's file, merging it or going on with it ends in
// sentences or in all of its cells, each once and in order.
func FuzzGather(f *testing.F) {
	title := `{"sweep":"a1b2c3d4","version":"1.2.3","cells":2,"shard":1,"of":1}` + "\n"
	line := func(cell string) string { return string(sealed([]byte(`{"cell":`+cell+`,"square":1}`))) + "\n" }
	for _, text := range []string{
		"", title, title + line("1") + line("0"), title + line("0") + `{"cell":1,"squ`,
		strings.Replace(title, "2,", "9000000000000000000,", 1), strings.Replace(title, "2,", "-1,", 1), strings.Replace(title, "2,", "0,", 1), "{}\n", "x\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "1-of-1.jsonl"), []byte(text), 0o666))
		next := -1
		err := Gather(folder, func(cell int, line []byte) error {
			require.Equal(t, next, cell)
			next++
			return nil
		})
		if err != nil {
			require.Contains(t, err.Error(), folder, "it names the place")
			require.Equal(t, -1, next, "and nothing is written")
		}
	})
}
