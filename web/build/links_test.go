package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
)

// The page parses links with web/src/state over the generated tables of fields. It
// must read and write the examples of core/spec exactly as core/spec does.
func TestThePageReadsAndWritesLinksAsGoDoes(t *testing.T) {
	comparePage(t, "state/spec.ts", "{ const { spec, notices } = page.parse(query); return [page.encode(spec), notices]; }", "links.json", func(query string) (string, []spec.Notice) {
		s, notices := spec.Parse(query)
		return s.Encode(), notices
	})
	comparePage(t, "state/view.ts", "{ const { spec, view, parts, notices } = page.readLink(query); return [page.writeLink(spec, view, parts).slice(1), notices]; }", "addresses.json", func(query string) (string, []spec.Notice) {
		l := spec.ParseLink(query)
		return l.Encode(), l.Notices
	})
	comparePage(t, "lesson/vtec/settings.ts", "{ const { ionosphere, notices } = page.parse(query); return [page.encode(ionosphere), notices]; }", "ionosphere.json", func(query string) (string, []spec.Notice) {
		s, notices := spec.ParseIonosphere(query)
		return s.Encode(), notices
	})
}

// comparePage holds what a module of the page makes of examples to what Go does. The
// body of a function of page, the module, and query gives the query written again,
// and the notices.
func comparePage(t *testing.T, source, body, examples string, inGo func(query string) (encoded string, notices []spec.Notice)) {
	t.Helper()
	needsNode(t)
	for path, content := range settings() {
		require.NoError(t, writeChanged("../../"+path, content))
	}
	module := filepath.Join(t.TempDir(), "spec.mjs")
	scripts(t, api.BuildOptions{EntryPoints: []string{"../src/" + source}, Format: api.FormatESModule, Outfile: module})

	content := must(os.ReadFile("../../core/spec/testdata/" + examples))
	var links []struct{ Query string }
	require.NoError(t, json.Unmarshal(content, &links))
	require.NotEmpty(t, links)

	script := `const [module, body, links] = process.argv.slice(1);
		const page = await import(module);
		const read = new Function("page", "query", body);
		console.log(JSON.stringify(JSON.parse(links).map(({ query }) => {
			const [encoded, notices] = read(page, query);
			return { encoded, again: read(page, encoded)[0], notices: notices.map((n) => n.message) };
		})));`
	node := exec.Command("node", "--input-type=module", "-e", script, module, body, string(content))
	node.Stderr = os.Stderr
	out := must(node.Output())
	var page []struct {
		Encoded, Again string
		Notices        []string
	}
	require.NoError(t, json.Unmarshal(out, &page))
	require.Len(t, page, len(links))
	for i, l := range links {
		encoded, notices := inGo(l.Query)
		messages := []string{}
		for _, n := range notices {
			messages = append(messages, n.Message)
		}
		slices.Sort(messages)
		slices.Sort(page[i].Notices)
		assert.Equal(t, encoded, page[i].Encoded, "query %q", l.Query)
		assert.Equal(t, encoded, page[i].Again, "query %q", l.Query)
		assert.Equal(t, messages, page[i].Notices, "query %q", l.Query)
	}
}

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
