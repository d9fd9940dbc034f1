package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
)

// writeTree writes files, their text by path, into a folder of the test's own.
func writeTree(t *testing.T, tree map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range tree {
		target := filepath.Join(dir, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o755))
		require.NoError(t, os.WriteFile(target, []byte(text), 0o644))
	}
	return dir
}

// list returns the paths of the files below dir.
func list(t *testing.T, dir string) []string {
	t.Helper()
	var paths []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			relative, _ := filepath.Rel(dir, path)
			paths = append(paths, filepath.ToSlash(relative))
		}
		return err
	}))
	return paths
}

// needsBuild skips a test of what only a build brings: npm's packages and the
// sources that the build makes.
func needsBuild(t *testing.T) {
	t.Helper()
	for _, made := range []string{"../node_modules/lit", "../node_modules/temml", "../node_modules/subset-font", "../node_modules/@fontsource-variable/source-sans-3", "../src/lesson/chapter/formulas.gen.ts"} {
		if _, err := os.Stat(made); err != nil {
			t.Skipf("not run: there is no %s; run make build", strings.TrimPrefix(made, "../"))
		}
	}
}

// needsNode skips a test of what runs in Node.
func needsNode(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("not run: node is not on PATH")
	}
}

// scripts makes scripts for Node of modules of the page. Where one of them needs what
// only a build brings and there was none, its test is skipped.
func scripts(t *testing.T, options api.BuildOptions) {
	t.Helper()
	needsNode(t)
	options.Bundle, options.Write = true, true
	result := api.Build(options)
	if slices.ContainsFunc(result.Errors, func(m api.Message) bool { return strings.HasPrefix(m.Text, "Could not resolve") }) {
		needsBuild(t)
	}
	require.Empty(t, result.Errors)
}

func TestTheTypesNameEverySettingOnce(t *testing.T) {
	types := string(specTypes())
	ionosphere := string(chapterTypes("Ionosphere", fieldsOf(spec.IonosphereFields)))
	for declares, fields := range map[*string][]spec.Field{&types: fieldsOf(spec.Fields), &ionosphere: fieldsOf(spec.IonosphereFields)} {
		require.NotEmpty(t, fields)
		for _, f := range fields {
			assert.Equal(t, 1, strings.Count(*declares, "  readonly "+f.Key+": "+typeScript(f)+"; // "+f.Doc+"\n"), f.Key)
			assert.Equal(t, 1, strings.Count(*declares, `{ key: "`+f.Key+`", kind: "`+string(f.Kind)+`", default: "`+f.Default+`",`), f.Key)
		}
	}
	assert.Contains(t, types, "min: 0, max: 9007199254740991,", "bounds are written out")
	assert.Contains(t, ionosphere, "export interface Ionosphere {\n  readonly sky: \"simulated\" | \"maps\" | \"disturbed\" | \"points\";")
}

var smallPage = map[string]string{
	"src/app.ts":           "import { word } from './word.js';\ndocument.title = word as string;\nvoid import('./chapter.js');\n",
	"src/word.ts":          "export const word: string = 'a word with ü';\n",
	"src/chapter.ts":       "import { word } from './word.js';\nimport shout from 'shout';\ndocument.body.append(shout(word));\n",
	"src/engine/worker.ts": "onmessage = () => postMessage('from the worker');\n",

	"src/packed/unpack.entry.ts":  "console.log('unpacks');\n",
	"src/packed/parquet.entry.ts": "console.log('reads Parquet');\n",
	"src/packed/brotli.entry.ts":  "console.log('knows a dictionary');\n",

	"src/element/ifm-lab.ts": "import { word } from '../word.js';\nconsole.log(import.meta.url, word);\n",
	"src/share/examples.ts":  "document.title = 'examples';\n",

	"style.css":   "@import './colours.css';\nbody { color: var(--ink) }\n",
	"colours.css": ":root { --ink: #123456 }\n",

	"node_modules/shout/package.json": `{"name": "shout", "version": "1.2.3", "license": "ISC", "main": "index.js"}`,
	"node_modules/shout/index.js":     "export default (word) => word.toUpperCase() + '!';\n",
	"node_modules/shout/LICENSE.md":   "Shout as you like.\n",
}

func TestTheSameSourcesGiveTheSameBundlesInAnyFolder(t *testing.T) {
	build := func() (files map[string][]byte, names map[string]string, sources, first []string) {
		files, names = map[string][]byte{}, map[string]string{}
		sources, first, err := bundle(writeTree(t, smallPage), files, names)
		require.NoError(t, err)
		return files, names, sources, first
	}
	files, names, sources, first := build()
	again, sameNames, _, sameFirst := build()
	assert.Equal(t, files, again)
	assert.Equal(t, names, sameNames)
	assert.Equal(t, first, sameFirst)

	assert.Equal(t, []string{"app", "colours", "examples", "readers", "style", "worker"}, slices.Sorted(maps.Keys(names)))
	for i, path := range strings.Fields(names["readers"]) {
		assert.Contains(t, string(files[path]), []string{"unpacks", "reads Parquet", "knows a dictionary"}[i], "what the worker loads for a kind of file is a script of its own")
	}
	delete(names, "readers")
	for name, path := range names {
		assert.Regexp(t, "^a/"+name+`-[A-Z2-7]{8}\.(js|css)$`, path)
		assert.Contains(t, files, path)
	}
	var app string
	for _, path := range first {
		app += string(files[path])
	}
	assert.NotContains(t, app, "toUpperCase", "a chapter is not loaded with the page")
	assert.Contains(t, app, "import(")
	worker := string(files[names["worker"]])
	assert.Contains(t, worker, "Go=class", "the worker brings Go's support along")
	assert.Contains(t, worker, "from the worker")
	assert.NotRegexp(t, `(?m)^import |^export `, worker, "importScripts takes no modules")
	assert.Contains(t, string(files[names["style"]]), "#123456")
	element := string(files["ifm-lab.js"])
	assert.Contains(t, element, "import.meta.url", "the element knows where it came from")
	assert.Contains(t, element, "a word with ü", "and is one file")
	assert.Contains(t, sources, "node_modules/shout/index.js")

	require.Len(t, first, 2, "the page runs what it shares with the chapter, and not the chapter")
	assert.Equal(t, names["app"], first[0])
	assert.Contains(t, string(files[first[1]]), "a word with ü")
	assert.Equal(t, `<link rel="modulepreload" href="a/x.js" />`+"\n    "+`<link rel="modulepreload" href="a/y.js" />`, preload([]string{"a/x.js", "a/y.js"}))
}

func TestAScriptComesWithAllThatItNeedsAndNothingTwice(t *testing.T) {
	imports := map[string][]string{"lesson": {"charts", "app", "text"}, "charts": {"text", "lines"}, "app": {"words"}, "text": nil}
	assert.Equal(t, []string{"app", "words"}, needed("app", imports, nil))
	assert.Equal(t, []string{"lesson", "charts", "text", "lines"}, needed("lesson", imports, []string{"app", "words"}))
}

func TestTheEngineIsTheSameFromAnyFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("links the engine twice")
	}
	top := must(filepath.Abs("../.."))
	elsewhere := t.TempDir()
	for _, name := range []string{"core", "wasm"} {
		require.NoError(t, os.CopyFS(filepath.Join(elsewhere, name), os.DirFS(filepath.Join(top, name))))
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		content := must(os.ReadFile(filepath.Join(top, name)))
		require.NoError(t, os.WriteFile(filepath.Join(elsewhere, name), content, 0o644))
	}
	here, _, err := buildEngine(top, "figure")
	require.NoError(t, err)
	there, _, err := buildEngine(elsewhere, "figure")
	require.NoError(t, err)
	assert.True(t, bytes.Equal(here, there), "a path or a date has come into the engine")
}

func TestAFaultInTheSourcesIsToldWithItsPlace(t *testing.T) {
	tree := maps.Clone(smallPage)
	tree["src/word.ts"] = "export const word = ;\n"
	_, _, err := bundle(writeTree(t, tree), map[string][]byte{}, map[string]string{})
	assert.ErrorContains(t, err, "src/word.ts:1:20")
}

func TestThePageNamesTheBuiltFiles(t *testing.T) {
	names := map[string]string{"app": "a/app-X.js", "style": "a/style-Y.css"}
	page := must(fill("index.html", []byte(`<link href="{{style}}"><script src="{{app}}"></script>{{app}}`), names))
	assert.Equal(t, `<link href="a/style-Y.css"><script src="a/app-X.js"></script>a/app-X.js`, string(page))

	for _, template := range []string{"<p>\n{{apps}}", "<p>\n{{app", "<p>\n{{}}", "<p>\n{{ app }}"} {
		_, err := fill("embeds.html", []byte(template), names)
		assert.ErrorContains(t, err, "web/embeds.html:2: {{", template)
		assert.ErrorContains(t, err, "want one of {{app}}, {{style}}")
	}
}

func TestEveryPackageInThePageHasItsLicenceTold(t *testing.T) {
	web := writeTree(t, smallPage)
	sources := []string{"src/app.ts", "node_modules/shout/index.js", "node_modules/shout/more.js"}
	assert.Equal(t, []part{{"shout 1.2.3", "ISC", "Shout as you like.\n"}}, must(npmPackages(web, sources)))

	require.NoError(t, os.Remove(filepath.Join(web, "node_modules/shout/LICENSE.md")))
	_, err := npmPackages(web, sources)
	assert.ErrorContains(t, err, "shout holds no licence file")
}

func TestSourcesBelongToTheInnermostPackage(t *testing.T) {
	for source, want := range map[string]string{
		"src/app.ts":                            "",
		"node_modules/lit/index.js":             "node_modules/lit",
		"node_modules/@lit/element/a/b.js":      "node_modules/@lit/element",
		"node_modules/a/node_modules/@b/c/d.js": "node_modules/a/node_modules/@b/c",
	} {
		assert.Equal(t, want, npmFolder.FindString(source), source)
	}
}

func TestDistHoldsExactlyTheFilesAndTheirSmallerForms(t *testing.T) {
	dir := writeTree(t, map[string]string{placeholder: "", "a/old-AAAAAAAA.js": "old", "a/old-AAAAAAAA.js.br": "old", "gone/x.txt": "x", "index.html.gz": "broken"})
	long := []byte(strings.Repeat("<p>flip one sign and FM breaks\n", 100))
	files := map[string][]byte{"index.html": long, "a/style-BBBBBBBB.css": []byte("p{}"), "a/picture.png": long, "offline.html": long}
	sizes := must(place(dir, files))
	assert.Equal(t, []string{placeholder, "a/picture.png", "a/style-BBBBBBBB.css", "index.html", "index.html.br", "index.html.gz", "offline.html", "offline.html.gz"}, list(t, dir))
	assert.Equal(t, 4, strings.Count(sizes, "\n"))

	small := must(os.ReadFile(filepath.Join(dir, "index.html.br")))
	decoded := must(io.ReadAll(brotli.NewReader(bytes.NewReader(small))))
	assert.Equal(t, long, decoded)
	small = must(os.ReadFile(filepath.Join(dir, "index.html.gz")))
	decoded = must(io.ReadAll(must(gzip.NewReader(bytes.NewReader(small)))))
	assert.Equal(t, long, decoded)

	t.Run("a second build keeps what is right and makes anew what is not", func(t *testing.T) {
		br := filepath.Join(dir, "index.html.br")
		before := must(os.Stat(br))
		assert.Equal(t, sizes, must(place(dir, files)))
		assert.Equal(t, before.ModTime(), must(os.Stat(br)).ModTime())

		files["index.html"] = append(long, "more"...)
		_, err := place(dir, files)
		require.NoError(t, err)
		assert.Equal(t, files["index.html"], must(io.ReadAll(brotli.NewReader(bytes.NewReader(must(os.ReadFile(br)))))))
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestTheBuildKeepsItsBudgets(t *testing.T) {
	engine := must(filepath.Glob("../dist/a/engine-*.wasm.br"))
	if len(engine) == 0 {
		t.Skip("web/dist holds no build; run make build")
	}
	ionosphere := must(filepath.Glob("../dist/a/ionosphere-*.wasm.br"))
	require.Len(t, ionosphere, 1)
	table := must(filepath.Glob("../dist/a/table-*.wasm.br"))
	require.Len(t, table, 1)
	scripts := must(filepath.Glob("../dist/a/*.js"))
	require.NotEmpty(t, scripts)
	page := must(os.ReadFile("../dist/index.html"))
	var paint []string
	for _, found := range regexp.MustCompile(`rel="modulepreload" href="(a/[^"]+\.js)"`).FindAllSubmatch(page, -1) {
		paint = append(paint, "../dist/"+string(found[1]))
	}
	require.NotEmpty(t, paint, "index.html names its scripts")
	early := regexp.MustCompile(`/(plot|spectrum|worker)-[^/]*$`)
	before := slices.Clone(paint)
	for _, script := range scripts {
		if early.MatchString(script) {
			before = append(before, script)
		}
	}
	require.Len(t, before, len(paint)+3, "the scripts before the first curve are those of the page, the charts', the stems' and the worker's")
	imported := regexp.MustCompile(`(?:from|import)"\./([^"]+\.js)"`)
	for i := 0; i < len(before); i++ { // and what those import
		text := must(os.ReadFile(before[i]))
		for _, found := range imported.FindAllSubmatch(text, -1) {
			if script := "../dist/a/" + string(found[1]); !slices.Contains(before, script) {
				before = append(before, script)
			}
		}
	}
	later := slices.DeleteFunc(scripts, func(script string) bool { return slices.Contains(before, script) })
	size := func(paths []string) (bytes int64) {
		for _, path := range paths {
			info, err := os.Stat(path + ".br")
			if errors.Is(err, fs.ErrNotExist) { // too small to gain by it, or no text
				info, err = os.Stat(path)
			}
			require.NoError(t, err)
			bytes += info.Size()
		}
		return bytes
	}
	assert.LessOrEqual(t, size(paint), int64(paintBudget), "the scripts that paint the page; what is not seen at once can be imported later")
	assert.LessOrEqual(t, size(before), int64(scriptsBudget), "the scripts before the first curve; what a chapter alone needs can be imported when it opens")
	for _, script := range later {
		most := laterBudget
		if strings.Contains(script, "/brotli.") {
			most = brotliBudget
		}
		assert.LessOrEqual(t, size([]string{script}), int64(most), script)
	}
	for pattern, most := range map[string]float64{"stix-*": formulasBudget, "source-*": typefaceBudget} {
		fonts := must(filepath.Glob("../dist/a/" + pattern + ".woff2"))
		require.NotEmpty(t, fonts)
		assert.LessOrEqual(t, size(fonts), int64(most), pattern)
	}
	if !knownToolchain.MatchString(runtime.Version()) {
		t.Skipf("not run: the budgets of what holds an engine, which %s leaves larger; see web/build/trim.go", runtime.Version())
	}
	assert.LessOrEqual(t, size([]string{"../dist/offline.html"}), int64(offlineBudget), "the offline file")
	assert.LessOrEqual(t, size(engine), int64(engineBudget), "the engine; do runs on drawn rows reach what opens tables? They may use core/trial and core/train alone")
	assert.LessOrEqual(t, size(table), int64(tableBudget), "the engine of tables")
	assert.LessOrEqual(t, size(ionosphere), int64(ionosphereBudget), "the engine of the chapter on vTEC")
}

// withFormulas returns a folder like web with these formulas in it.
func withFormulas(t *testing.T, tex string) string {
	web := writeTree(t, map[string]string{
		"src/lesson/chapter/formulas.tex": tex,
		"build/formulas.mjs":              string(must(os.ReadFile("formulas.mjs"))),
	})
	require.NoError(t, os.Symlink(must(filepath.Abs("../node_modules")), filepath.Join(web, "node_modules")))
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
		if err != nil || filepath.Ext(path) != ".ts" || filepath.Base(path) == "formulas.gen.ts" || strings.HasSuffix(path, ".test.ts") {
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
