package main

import (
	"bytes"
	"io/fs"
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
	absolute := must(filepath.Abs(".."))
	require.NoError(t, os.Symlink(filepath.Join(absolute, "node_modules"), filepath.Join(web, "node_modules")))
	script := must(os.ReadFile("formulas.mjs"))
	require.NoError(t, os.WriteFile(filepath.Join(web, "build", "formulas.mjs"), script, 0o644))
	return web
}

func TestAFormulaBecomesMathML(t *testing.T) {
	needsBuild(t)
	text := string(must(formulas(withFormulas(t, "# a remark\nquadratic\tx^\\top M x\n"))))
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

func TestNoOtherSourceMakesMathML(t *testing.T) {
	require.NoError(t, filepath.WalkDir("../src", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".ts" || filepath.Base(path) == "formulas.gen.ts" {
			return err
		}
		source, err := os.ReadFile(path)
		assert.NotContains(t, string(source), "<math", "%s: the font on the page has the characters of formulas.tex alone; write the formula there", path)
		return err
	}))
}

func TestThePageGetsAPartOfTheFontAndTheSameEachTime(t *testing.T) {
	needsBuild(t)
	web := must(filepath.Abs(".."))
	font := filepath.Join(web, "node_modules", "@fontsource", "stix-two-math", "files", "stix-two-math-latin-400-normal.woff2")
	part := must(partOfFont(web, font))
	assert.True(t, bytes.Equal(part, must(partOfFont(web, font))))
	assert.Equal(t, "wOF2", string(part[:4]))
	assert.Less(t, float64(len(part)), formulasBudget)

	small := must(partOfFont(withFont(t, "x+y"), font))
	root := must(partOfFont(withFont(t, "\\sqrt{x+y}"), font))
	assert.Less(t, len(small), len(root), "a root of any size is more than its characters")
	assert.Less(t, len(root), len(part))

	_, err := partOfFont(web, filepath.Join(web, "style.css"))
	assert.ErrorContains(t, err, "build/font.mjs, of style.css: ")
}

// withFont returns a folder like web whose only formula is this one.
func withFont(t *testing.T, tex string) string {
	web := withFormulas(t, "only\t"+tex+"\n")
	made := must(formulas(web))
	require.NoError(t, os.WriteFile(filepath.Join(web, "src", "lesson", "chapter", "formulas.gen.ts"), made, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(web, "build", "font.mjs"), must(os.ReadFile("font.mjs")), 0o644))
	return web
}
