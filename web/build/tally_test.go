package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page makes its table of windows with web/src/lesson/vtec/tally.ts. It must be the
// one that core/vtec makes, whose example this is, to the bit.
func TestThePageMakesTheIonospheresTableAsGoDoes(t *testing.T) {
	module := filepath.Join(t.TempDir(), "tally.mjs")
	scripts(t, api.BuildOptions{EntryPoints: []string{"../src/lesson/vtec/tally.ts"}, Format: api.FormatESModule, Outfile: module})
	const example = "../../core/vtec/testdata/tally.json"
	content := must(os.ReadFile(example))
	var want struct{ Table map[string]any }
	require.NoError(t, json.Unmarshal(content, &want))
	// The page does not know how many differences a day has, and says how sure it is
	// of a difference of shares only.
	for _, row := range want.Table["rows"].([]any) {
		delete(row.(map[string]any), "differences")
	}
	positions := want.Table["positions"].(map[string]any)
	delete(positions, "error")

	// JSON has the shortest decimals of a number's bits, and null for NaN.
	script := `const [module, example] = process.argv.slice(1);
		const { readFileSync } = await import("node:fs");
		const { tabulate } = await import(module);
		const { methods, stations, left, days, windows, fixes } = JSON.parse(readFileSync(example, "utf8"));
		const all = (of, key) => Int32Array.from(of, (w) => w[key]);
		const flat = ({ bands, ...result }) => ({ ...result, bandTest: bands.map((b) => b.test), bandSquares: bands.flatMap((b) => b.squares) });
		const survey = { methods, stations, station: windows.map((_, i) => left[i % left.length]), days, day: all(windows, "day"), minute: all(windows, "minute"), fixDay: all(fixes, "day"), fixMinute: all(fixes, "minute") };
		const { rows, zero, average, groups, positions: { error, ...positions }, unusable } = tabulate({ survey, windows: windows.map((w) => w.result && flat(w.result)), fixes: fixes.map((f) => f.result) });
		console.log(JSON.stringify({ rows, zero, average, groups, positions: { ...positions, lead: methods.map((_, m) => error(m, 0)) }, unusable }));`
	node := exec.Command("node", "--input-type=module", "-e", script, module, example)
	node.Stderr = os.Stderr
	out := must(node.Output())
	var page map[string]any
	require.NoError(t, json.Unmarshal(out, &page))
	assert.Equal(t, want.Table, page)
}
