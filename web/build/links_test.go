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
