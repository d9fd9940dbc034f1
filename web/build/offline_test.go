package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"html"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runScript runs an expression in Node beside what source, a module in web/src,
// exports as `page`, and what it is given as `input`, and returns its value.
func runScript[T any](t *testing.T, source, expression string, input any) (printed T) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not on PATH, so the page's scripts cannot run")
	}
	module := filepath.Join(t.TempDir(), "page.mjs")
	folder, err := filepath.Abs("../src")
	require.NoError(t, err)
	result := api.Build(api.BuildOptions{
		Stdin:   &api.StdinOptions{Contents: source, ResolveDir: folder, Loader: api.LoaderTS},
		Bundle:  true,
		Format:  api.FormatESModule,
		Outfile: module,
		Write:   true,
	})
	require.Empty(t, result.Errors)
	given, err := json.Marshal(input)
	require.NoError(t, err)
	node := exec.Command("node", "--input-type=module", "-e", `
		import { text } from "node:stream/consumers";
		const page = await import(process.argv[1]);
		const input = JSON.parse(await text(process.stdin));
		process.stdout.write(JSON.stringify(`+expression+`));`, module)
	node.Stdin = bytes.NewReader(given)
	node.Stderr = os.Stderr
	out, err := node.Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &printed))
	return printed
}

const unpackers = `export { base91 } from "./offline/base91.js"; export { undelta } from "./offline/delta.js"; export { lzma } from "./offline/lzma.js";`

func TestWhatTheBuildPacksThePageUnpacks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 70_001)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	var table, mixed []byte // of rising numbers, at places that are no multiple of four
	table = append(table, "odd"...)
	for i := range 9000 {
		table = binary.LittleEndian.AppendUint32(table, uint32(1<<31+i*i))
		table = binary.LittleEndian.AppendUint32(table, uint32(random.IntN(40)))
	}
	words := []string{"factor", "machine", "sign", "of", "a", "truth", "\n", "ü", "0.25,"}
	for len(mixed) < 300_000 { // literals, matches near and far, and repeated distances
		mixed = append(mixed, words[random.IntN(len(words))]...)
		if random.IntN(50) == 0 {
			from := random.IntN(len(mixed))
			mixed = append(mixed, mixed[from:min(len(mixed), from+random.IntN(400))]...)
			mixed = append(mixed, byte(random.Uint32()))
		}
	}
	contents := [][]byte{{7}, []byte("ab"), make([]byte, 100_000), noise, table, mixed, bytes.Join([][]byte{mixed[:5000], table, noise[:3000]}, nil)}
	var texts []string
	for _, content := range contents {
		packed, err := lzma("..", delta(content))
		require.NoError(t, err)
		texts = append(texts, string(base91(packed)))
	}
	assert.NotEqual(t, bytes.Count(delta(table)[:len(table)/deltaBlock], []byte{0}), len(table)/deltaBlock, "blocks of the table are written as differences")
	unpacked := runScript[[]string](t, unpackers, `input.map((text) => Buffer.from(page.undelta(page.lzma(page.base91(text)))).toString("base64"))`, texts)
	for i, content := range contents {
		got, err := base64.StdEncoding.DecodeString(unpacked[i])
		require.NoError(t, err)
		assert.True(t, bytes.Equal(content, got), "content %d, %d bytes", i, len(content))
	}

	t.Run("and what is damaged or cut short it refuses", func(t *testing.T) {
		whole := texts[5]
		var damaged []string
		for _, part := range []int{0, 10, 24, len(whole) / 2, len(whole) - 3} {
			damaged = append(damaged, whole[:part])
		}
		for range 20 {
			at := 24 + random.IntN(len(whole)-24)
			if other := digits[random.IntN(91)]; whole[at] != '\n' && whole[at] != other {
				damaged = append(damaged, whole[:at]+string(other)+whole[at+1:])
			}
		}
		said := runScript[[]string](t, unpackers, `input.map((text) => { try { page.lzma(page.base91(text)); return "nothing"; } catch (reason) { return reason.name + ": " + reason.message; } })`, damaged)
		for i, s := range said {
			assert.Regexp(t, `^RangeError: found .*\.lzma file`, s, "damage %d", i)
		}
	})
}

func TestTextInBase91CanStandInHTMLInLines(t *testing.T) {
	content := make([]byte, 50_000)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range content {
		content[i] = byte(random.Uint32())
	}
	text := string(base91(content))
	assert.Regexp(t, `^[!-%'-;=?-~\n]+$`, text, "no &, < or >, no space, ASCII alone")
	for line := range strings.SplitSeq(text, "\n") {
		assert.LessOrEqual(t, len(line), lineLength)
	}
	assert.Less(t, float64(len(text)), 1.235*float64(len(content)))
	assert.Len(t, digits, 91)
}

func TestTheOfflineFileIsWholeAndTheSameEachTime(t *testing.T) {
	if testing.Short() {
		t.Skip("packs the page twice")
	}
	engine := []byte("\x00asm and more")
	files := map[string][]byte{"a/style.css": []byte("p{}"), "a/worker.js": []byte("onmessage=0"), "licenses.txt": []byte("ours"), "samples/b.csv": []byte("b"), "samples/a.csv": []byte("a")}
	names := map[string]string{"style": "a/style.css", "worker": "a/worker.js"}
	file, err := offline("..", files, names, engine, nil)
	require.NoError(t, err)
	again, err := offline("..", files, names, engine, nil)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(file, again), "the same sources give the same bytes")

	text := string(file)
	for _, name := range []string{"policy", "start", "page", "engine"} {
		assert.False(t, strings.Contains(text, "{{"+name+"}}"), "%s is filled in", name)
	}
	start := regexp.MustCompile(`(?s)<script data-part="start">(.*?)</script>`).FindStringSubmatch(text)
	require.NotNil(t, start)
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)[1]
	assert.Contains(t, policy, "default-src 'none';")
	assert.Contains(t, policy, "script-src "+scriptHash([]byte(start[1]))+" 'sha256-")
	assert.NotRegexp(t, `script-src[^;]*(unsafe-inline|'unsafe-eval|self|http|blob)`, policy)
	assert.NotContains(t, policy, "connect-src")
	assert.Empty(t, regexp.MustCompile(`(?:src|href)="(?:[^d"][^"]*|d[^a][^"]*)"`).FindString(text), "it names no other file")
	assert.Less(t, strings.Index(text, "Content-Security-Policy"), strings.Index(text, "<script"), "the policy comes before what it is for")

	about := regexp.MustCompile(`data-part="page" data-key="\w+" data-files='([^']*)'`).FindStringSubmatch(text)
	require.NotNil(t, about)
	var list [][3]any
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(about[1])), &list))
	var found []string
	for _, entry := range list {
		found = append(found, entry[0].(string))
	}
	assert.Equal(t, []string{"style.css", "app.js", "worker.js", "licenses.txt", "samples/a.csv", "samples/b.csv"}, found)

	t.Run("what was packed before is taken from there, unless it is another's", func(t *testing.T) {
		part := regexp.MustCompile(`(data-part="engine"[^>]*>\n)[^<]*`)
		marked := part.ReplaceAll(file, []byte("${1}MARK"))
		taken, err := offline("..", files, names, engine, marked)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(marked, taken))
		fresh, err := offline("..", files, names, []byte("\x00asm and less"), marked)
		require.NoError(t, err)
		assert.False(t, bytes.Contains(fresh, []byte("MARK")))
	})
}

func TestAStateBakedIntoTheOfflineFileIsText(t *testing.T) {
	template, err := os.ReadFile("../src/offline/page.html")
	require.NoError(t, err)
	states := []string{"scenario=mixed&d=30", `"><script>alert(1)</script>`, `' onload='x`, `a=$1$&&amp;=&quot;`, "ü=<!--"}
	baked := runScript[[]string](t, `export { bake } from "./offline/bake.js";`, `input.states.map((state) => page.bake(page.bake(input.text, "seed=1", "https://one.example/"), state, "https://two.example/?\"<"))`, map[string]any{"text": string(template), "states": states})
	state := regexp.MustCompile(`<meta name="ifm-lab" content="([^"<>]*)" data-home="([^"<>]*)" />`)
	for i, text := range baked {
		found := state.FindAllStringSubmatch(text, -1)
		require.Len(t, found, 1, text)
		assert.Equal(t, states[i], html.UnescapeString(found[0][1]))
		assert.Equal(t, `https://two.example/?"<`, html.UnescapeString(found[0][2]))
		before, after, _ := strings.Cut(string(template), `<meta name="ifm-lab" content="" />`)
		assert.Equal(t, before+found[0][0]+after, text, "all else is as it was")
	}
}
