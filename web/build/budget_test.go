package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
