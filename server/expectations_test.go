//go:build !js

package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
	"ifmlab/web"
)

// expectation is a request that every host must answer, with the answer of testdata/answers.txt,
// where UPDATE=1 writes it. A case begins with "=== ". Lines with "> " are the request: method and
// target, headers, and "again" where the reader has the answer already. {x*8200} stands for as many
// x, {script} for the hashed name of a built file, {site} for the address.
type expectation struct {
	request
	recorded string
}

func expectations(t *testing.T) (table []expectation) {
	for _, text := range strings.Split(contentIn(t, "testdata/answers.txt"), "=== ")[1:] {
		e := expectation{recorded: text}
		var rest string
		e.name, rest, _ = strings.Cut(text, "\n")
		for line := range strings.Lines(rest) {
			asked, is := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
			name, value, header := strings.Cut(asked, ": ")
			switch method, target, _ := strings.Cut(asked, " "); {
			case !is:
			case asked == "again":
				e.again = true
			case name == "Host":
				e.host = value
			case header && e.method != "":
				e.headers = append(e.headers, name, value)
			default:
				e.method, e.target = method, repeated.ReplaceAllStringFunc(target, func(s string) string {
					m := repeated.FindStringSubmatch(s)
					return strings.Repeat(m[1], must(strconv.Atoi(m[2])))
				})
				for name, pattern := range builtNames {
					if strings.Contains(e.target, name) {
						e.target = strings.ReplaceAll(e.target, name, hashed(t, pattern))
					}
				}
			}
		}
		if _, err := fs.Stat(web.Dist(), "embeds.html"); err == nil || !ofExtras.MatchString(e.target) {
			table = append(table, e)
		} else {
			require.Empty(t, os.Getenv("UPDATE"), "run make build")
		}
	}
	return table
}

var (
	builtNames = map[string]string{"{script}": "worker-*.js", "{engine}": "engine-*.wasm", "{style}": "style-*.css", "{font}": "stix-*.woff2"}
	repeated   = regexp.MustCompile(`\{([^}*]+)\*(\d+)\}`)
	ofExtras   = regexp.MustCompile(`^/(embeds|offline|ifm-lab|cards/)`) // a quick build has none of these
	localhost  = regexp.MustCompile(`127\.0\.0\.1(:|%3A)\d+`)            // in what came packed
	tagged     = regexp.MustCompile(`"[0-9a-f]{24}"`)
	versions   = regexp.MustCompile(`"version":"[^"]*","go":"go1[^"]*"`)
	sized      = regexp.MustCompile(`"width":(\d+),"height":(\d+),"html":"\\u003ciframe src=\\u0022http://\{site\}/\?([^ ]*?)\\u0022`)
)

// answered writes a case with an answer. What another build changes has a name in its place.
func (e expectation) answered(t *testing.T, got response) string {
	var b strings.Builder
	for line := range strings.Lines(e.recorded) {
		if !strings.HasPrefix(line, "> ") && b.Len() > 0 && strings.HasPrefix(line, "< ") {
			break
		}
		b.WriteString(line)
	}
	fmt.Fprintf(&b, "< %d\n", got.status)
	var pairs []string
	for name, pattern := range builtNames {
		pairs = append(pairs, hashed(t, pattern), name)
	}
	n := len(contentOf(t, hashed(t, "engine-*.wasm")))
	for _, less := range []int{0, 1, 4, 100} {
		pairs = append(pairs, strconv.Itoa(n-less), fmt.Sprintf("{n-%d}", less))
	}
	names := strings.NewReplacer(pairs...)
	if length := got.header.Get("Content-Length"); length != "" && got.body != "" && e.host == "" && !strings.Contains(got.body, "{site}") {
		assert.Equal(t, strconv.Itoa(len(got.body)), length)
	}
	usual := func(h header) bool { return h.name != "Cache-Control" && slices.Equal(h.value, got.header[h.name]) }
	common := e.name != "the page" && len(slices.DeleteFunc(slices.Clone(commonHeaders), usual)) <= 1
	if common {
		b.WriteString("< the headers of the page\n")
	}
	for _, name := range slices.Sorted(maps.Keys(got.header)) {
		if name == "Date" || name == "Content-Length" && got.status != 206 || common && slices.ContainsFunc(commonHeaders, func(h header) bool { return h.name == name && usual(h) }) {
			continue
		}
		for _, value := range got.header[name] {
			fmt.Fprintf(&b, "< %s: %s\n", name, names.Replace(tagged.ReplaceAllString(value, "{etag}")))
		}
	}
	body := ""
	if got.status != 206 {
		body = localhost.ReplaceAllString(decoded(t, got), "{site}")
	}
	if name, is := fileOf(body); is && body != "" {
		fmt.Fprintf(&b, "< file %s\n", names.Replace(name))
		return b.String()
	}
	front := newFront(contentOf(t, "index.html"))
	body = strings.NewReplacer(front.before, "{before}", front.after, "{after}").Replace(body)
	body = versions.ReplaceAllString(body, "{versions}")
	if m := sized.FindStringSubmatchIndex(body); m != nil {
		query := strings.ReplaceAll(body[m[6]:m[7]], `\u0026amp;`, "&")
		if want := strconv.Itoa(spec.ParseLink(query).Height(must(strconv.Atoi(body[m[2]:m[3]])))); want == body[m[4]:m[5]] {
			body = strings.NewReplacer(`"height":`+want, `"height":{height}`, `height=\u0022`+want, `height=\u0022{height}`).Replace(body)
		}
	}
	for line := range strings.Lines(body) {
		b.WriteString("\t" + strings.ReplaceAll(strings.Trim(strconv.Quote(strings.TrimSuffix(line, "\n")), `"`), `\"`, `"`) + "\n")
	}
	return b.String()
}

// fileOf returns the built file that has a content.
func fileOf(content string) (name string, is bool) {
	err := fs.WalkDir(web.Dist(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".br") || strings.HasSuffix(path, ".gz") {
			return err
		}
		if about := must(d.Info()); about.Size() == int64(len(content)) && string(must(fs.ReadFile(web.Dist(), path))) == content {
			name, is = path, true
			return fs.SkipAll
		}
		return nil
	})
	return name, is && err == nil
}

// hashed returns the path of a built file.
func hashed(t *testing.T, pattern string) string {
	t.Helper()
	found := must(fs.Glob(web.Dist(), path.Join("a", pattern)))
	require.Len(t, found, 1, "web/dist/a/%s; run make build", pattern)
	return found[0]
}

func contentOf(t *testing.T, name string) string {
	t.Helper()
	return string(must(fs.ReadFile(web.Dist(), name)))
}

// decoded returns the body without its content coding.
func decoded(t *testing.T, r response) string {
	t.Helper()
	if r.body == "" { // of a 304, or to HEAD
		return ""
	}
	var reader io.Reader = strings.NewReader(r.body)
	switch r.header.Get("Content-Encoding") {
	case "br":
		reader = brotli.NewReader(reader)
	case "gzip":
		reader = must(gzip.NewReader(reader))
	}
	return string(must(io.ReadAll(reader)))
}
