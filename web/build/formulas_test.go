package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// written returns a folder like web with these formulas in it.
func withFormulas(t *testing.T, tex string) string {
	web := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(web, "src", "lesson", "chapter"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(web, "build"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(web, "src", "lesson", "chapter", "formulas.tex"), []byte(tex), 0o644))
	absolute, err := filepath.Abs("..")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(filepath.Join(absolute, "node_modules"), filepath.Join(web, "node_modules")))
	script, err := os.ReadFile("formulas.mjs")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(web, "build", "formulas.mjs"), script, 0o644))
	return web
}

func TestAFormulaBecomesMathML(t *testing.T) {
	needsBuild(t)
	made, err := formulas(withFormulas(t, "# a remark\nquadratic\tx^\\top M x\n"))
	require.NoError(t, err)
	text := string(made)
	assert.Contains(t, text, "quadratic: html`<math display=\"block\">")
	assert.Contains(t, text, "<mi>M</mi>")
	assert.NotContains(t, text, "class=")
	assert.NotContains(t, text, "style=")
}

func TestAFormulaThatIsNoneSaysWhere(t *testing.T) {
	needsBuild(t)
	for _, tex := range []string{"broken\t\\frac{1}{\n", "no tab\n", "Upper\tx\n"} {
		_, err := formulas(withFormulas(t, tex))
		require.Error(t, err, tex)
		assert.True(t, strings.Contains(err.Error(), "formulas.tex"), err)
	}
}
