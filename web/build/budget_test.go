package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheBuildKeepsItsBudgets(t *testing.T) {
	engine, err := filepath.Glob("../dist/a/engine-*.wasm.br")
	require.NoError(t, err)
	if len(engine) == 0 {
		t.Skip("web/dist holds no build; run make build")
	}
	scripts, err := filepath.Glob("../dist/a/*.js.br")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	page, err := os.ReadFile("../dist/index.html")
	require.NoError(t, err)
	painter := regexp.MustCompile(`src="(a/[^"]+\.js)"`).FindSubmatch(page)
	require.NotNil(t, painter, "index.html names its script")
	size := func(paths []string) (bytes int64) {
		for _, path := range paths {
			info, err := os.Stat(path)
			require.NoError(t, err)
			bytes += info.Size()
		}
		return bytes
	}
	assert.LessOrEqual(t, size(engine), int64(engineBudget), "the engine")
	assert.LessOrEqual(t, size([]string{"../dist/" + string(painter[1]) + ".br"}), int64(paintBudget), "the script that paints the page; what is not seen at once can be imported later")
	assert.LessOrEqual(t, size(scripts), int64(scriptsBudget), "the scripts; what a chapter alone needs can be imported when it opens")
}
