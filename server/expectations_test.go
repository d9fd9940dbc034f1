//go:build !js

package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
	"ifmlab/web"
)

// expectations lists the requests that every host must answer, with what the
// answer has to be. A file's hashed name comes from the build.
func expectations(t *testing.T) []expectation {
	script, engine, style, font := hashed(t, "worker-*.js"), hashed(t, "engine-*.wasm"), hashed(t, "style-*.css"), hashed(t, "stix-*.woff2")
	length := len(contentOf(t, engine))
	var table []expectation
	add := func(name, target string, status int, more func(e *expectation)) {
		e := expectation{request: request{name: name, target: target}, status: status, header: map[string]string{}}
		if more != nil {
			more(&e)
		}
		for header, value := range map[string]string{
			"Access-Control-Allow-Origin": "*", "Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "cross-origin",
			"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "", "Cross-Origin-Opener-Policy": "",
		} {
			e.header[header] = value
		}
		table = append(table, e)
	}

	// Files.
	file := func(name, target, contentType, cache, decodes string) {
		add(name, target, 200, func(e *expectation) {
			e.header["Content-Type"], e.header["Cache-Control"], e.header["Content-Encoding"] = contentType, cache, ""
			e.decodes = decodes
		})
	}
	// The page is index.html, but for the tags in its head. Without Accept-Encoding it comes as it is.
	front := newFront(contentOf(t, "index.html"))
	require.NotNil(t, front, "index.html has no tags to put others in the place of")
	opened := func(name, query, title string, has ...string) {
		add(name, "/"+query, 200, func(e *expectation) {
			e.header["Content-Type"], e.header["Cache-Control"], e.header["Content-Encoding"] = "text/html; charset=utf-8", revalidate, ""
			e.has = append([]string{front.before, front.after, `<meta property="og:title" content="` + title + `">`, `<link rel="alternate" type="application/json+oembed"`}, has...)
			e.hasNot = []string{"<script>"}
		})
	}
	opened("the page", "", "Flip one sign and FM breaks", `<meta property="og:url" content="http://{site}/">`, `<meta property="og:image" content="http://{site}/cards/flipped.png">`, `content="summary_large_image"`)
	opened("the page with settings", "?scenario=mixed&seed=7&d=30&theme=dark", "Interactions of both signs", `<link rel="canonical" href="http://{site}/?scenario=mixed&amp;seed=7&amp;theme=dark">`, `seed 7.`, `content="summary">`, `/oembed?format=json&amp;url=http%3A%2F%2F{site}%2F%3Fscenario%3Dmixed%26seed%3D7%26theme%3Ddark"`)
	table[len(table)-1].hasNot = append(table[len(table)-1].hasNot, "og:image", "twitter:image")
	opened("the page with a script in a column", "?source=table&target=%3Cscript%3E", "FM and iFM on a table of your own", "“&lt;script&gt;”")
	add("the page as it is, its settings too long", "/?ignore="+strings.Repeat("x", 8200), 200, func(e *expectation) { e.decodes = "index.html" })
	add("the page as it is, for a host that is none", "/", 200, func(e *expectation) { e.host, e.decodes, e.hasNot = "a'b", "index.html", []string{"a'b"} })
	add("the page, packed", "/", 200, func(e *expectation) {
		e.headers, e.header["Content-Encoding"], e.header["Vary"] = []string{"Accept-Encoding", "gzip, br"}, "gzip", "Accept-Encoding"
	})
	file("the icon", "/favicon.ico", "image/vnd.microsoft.icon", revalidate, "favicon.ico")
	file("what crawlers may", "/robots.txt", "text/plain; charset=utf-8", revalidate, "robots.txt")
	file("a script", "/"+script, "text/javascript; charset=utf-8", immutable, script)
	file("the engine", "/"+engine, "application/wasm", immutable, engine)
	file("the style", "/"+style, "text/css; charset=utf-8", immutable, style)
	file("the formulas' font", "/"+font, "font/woff2", immutable, font)
	file("a table", "/samples/cars.csv", "text/csv; charset=utf-8", revalidate, "samples/cars.csv")
	file("the licences", "/licenses.txt", "text/plain; charset=utf-8", revalidate, "licenses.txt")
	for _, f := range []struct{ name, contentType string }{
		{"embeds.html", "text/html; charset=utf-8"}, {"offline.html", "text/html; charset=utf-8"}, {"ifm-lab.js", "text/javascript; charset=utf-8"},
		{"ifm-lab-quarto.zip", "application/zip"}, {"ifm-lab.tgz", "application/gzip"}, {"cards/psd.png", "image/png"},
	} {
		if _, err := fs.Stat(web.Dist(), f.name); err == nil {
			file(f.name, "/"+strings.TrimSuffix(f.name, ".html"), f.contentType, revalidate, f.name)
			if f.name == "offline.html" {
				table[len(table)-1].header["Content-Disposition"] = `attachment; filename="ifm-lab.html"`
			}
		}
	}

	// Codings.
	for _, c := range []struct{ accept, coding string }{
		{"br", "br"}, {"gzip", "gzip"}, {"gzip, deflate, br, zstd", "br"}, {"gzip;q=0.9, br;q=0.5", "gzip"}, {"br;q=0, gzip", "gzip"},
		{"br;q=0, gzip;q=0", ""}, {"identity", ""}, {"identity;q=0, br", "br"}, {"*;q=0", ""},
	} {
		add("coding "+c.accept, "/"+script, 200, func(e *expectation) {
			e.headers = []string{"Accept-Encoding", c.accept}
			e.header["Content-Encoding"], e.header["Vary"] = c.coding, "Accept-Encoding"
			e.decodes = script
		})
	}

	// HEAD, parts, and what a reader has already.
	for _, target := range []string{"/", "/" + engine, "/healthz", "/version", "/p/", "/nothing"} {
		status := 200
		if target == "/nothing" {
			status = 404
		}
		add("HEAD "+target, target, status, func(e *expectation) { e.method = "HEAD" })
	}
	part := func(asked string, status int, contentRange string, bytes int) {
		add("part "+asked, "/"+engine, status, func(e *expectation) {
			e.headers = []string{"Range", asked, "Accept-Encoding", "br"}
			e.header["Content-Range"], e.header["Content-Encoding"] = contentRange, ""
			if status != 416 {
				e.header["Content-Length"] = fmt.Sprint(bytes)
			}
		})
	}
	part("bytes=0-3", 206, fmt.Sprintf("bytes 0-3/%d", length), 4)
	part("bytes=-4", 206, fmt.Sprintf("bytes %d-%d/%d", length-4, length-1, length), 4)
	part("bytes=100-", 206, fmt.Sprintf("bytes 100-%d/%d", length-1, length), length-100)
	part("bytes=99999999-", 416, fmt.Sprintf("bytes */%d", length), 0)
	part("bytes=4-2", 416, "", 0)
	add("part lines=1-2", "/"+engine, 200, func(e *expectation) { // an unknown unit is as good as none
		e.headers = []string{"Range", "lines=1-2", "Accept-Encoding", "identity"}
		e.header["Content-Range"], e.decodes = "", engine
	})
	for _, accept := range []string{"identity", "gzip", "br"} {
		add("known page, "+accept, "/", 304, func(e *expectation) {
			e.headers, e.again = []string{"Accept-Encoding", accept}, true
			e.header["Cache-Control"], e.header["Content-Type"] = revalidate, ""
		})
	}
	add("another page known", "/", 200, func(e *expectation) { e.headers = []string{"If-None-Match", `"0123"`} })
	add("any page known", "/", 304, func(e *expectation) { e.headers = []string{"If-None-Match", "*"} })

	// What is not there.
	for _, target := range []string{
		"/nothing", "/a/", "/a", "/a/app-ZZZZZZZZ.js", "/.gitkeep", "/a/../../go.mod", "/..%2f..%2fgo.mod", "/%2e%2e/%2e%2e/etc/passwd", "/..\\go.mod",
		"/" + script + ".br", "/index.html.gz", "/_headers", "/samples/", "/healthz/", "/P/x", "/oembed/", "/%00", "/%ff", "/p",
		"/" + strings.Repeat("x", 3000),
	} {
		add("missing "+target[:min(len(target), 40)], target, 404, func(e *expectation) {
			e.header["Cache-Control"], e.header["Content-Type"], e.header["ETag"] = revalidate, "text/html; charset=utf-8", ""
			e.decodes = "404.html"
			e.has, e.hasNot = []string{"Nothing is here"}, []string{"module ifmlab", "root:"}
		})
	}
	for _, target := range []string{"/", "/" + script, "/nothing", "/healthz", "/version", "/p/d=5", "/oembed?url=x"} {
		for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"} {
			add(method+" "+target, target, 405, func(e *expectation) {
				e.method, e.header["Allow"] = method, "GET, HEAD"
				e.headers = []string{"Content-Length", "0"}
			})
		}
	}

	// Other names of what is there.
	for _, m := range []struct{ target, to string }{
		{"/index.html", "/"}, {"/index", "/"}, {"/index.html?seed=7&theme=dark", "/?seed=7&theme=dark"}, {"//", "/"}, {"//licenses.txt?x", "/licenses.txt?x"},
		{"/%6cicenses.txt", "/licenses.txt"}, {"/embeds.html?x=%0d%0aA:b", "/embeds?x=%0d%0aA:b"}, {"/embeds/", "/embeds"}, {"/offline.html", "/offline"},
	} {
		if page := strings.Trim(strings.TrimSuffix(m.to, "?x=%0d%0aA:b"), "/"); page == "embeds" || page == "offline" {
			if _, err := fs.Stat(web.Dist(), page+".html"); err != nil {
				continue
			}
		}
		add("moved "+m.target, m.target, 307, func(e *expectation) { e.header["Location"] = m.to })
	}
	add("no way out", "//evil.example/%2e%2e", 404, func(e *expectation) { e.header["Location"] = "" })

	// What is made for the request.
	add("health", "/healthz", 200, func(e *expectation) { e.body, e.header["Cache-Control"] = "ok\n", "no-store" })
	add("version", "/version", 200, func(e *expectation) {
		e.header["Content-Type"] = "application/json"
		e.has = []string{`{"version":"`, `","go":"go1.`}
	})
	card := func(name, settings, page, picture string, has ...string) {
		up := strings.TrimSuffix(strings.Repeat("../", strings.Count(settings, "/")+1), "/")
		add("card "+name, "/p/"+settings, 200, func(e *expectation) {
			e.header["Content-Type"], e.header["Cache-Control"] = "text/html; charset=utf-8", "no-store"
			e.has = append([]string{
				`content="0; url=` + up + strings.ReplaceAll(page, "&", "&amp;") + `"`,
				`<meta property="og:url" content="http://{site}/p/` + strings.ReplaceAll(strings.TrimLeft(page, "/?"), "&", "&amp;") + `">`,
				`<link rel="alternate" type="application/json+oembed"`,
			}, has...)
			e.hasNot = []string{"<script", "javascript:", "onerror=", "\x00"}
			if picture == "" {
				e.hasNot = append(e.hasNot, "og:image", "<img")
			} else {
				e.has = append(e.has, `<meta property="og:image" content="http://{site}/cards/`+picture+`.png">`, `<img src="`+up+`/cards/`+picture+`.png"`)
			}
		})
	}
	card("of the page", "", "/", "flipped", "Flip one sign and FM breaks")
	card("of a scenario", "scenario=mixed&d=30&theme=dark", "/?scenario=mixed&theme=dark", "mixed")
	card("of other numbers", "scenario=mixed&d=100&seed=7", "/?scenario=mixed&d=100&seed=7", "", "d = 100, seed 7.")
	card("in another order", "seed=7&d=100&scenario=mixed&d=100", "/?scenario=mixed&d=100&seed=7", "")
	card("of a chapter", "chapter=spectrum&spectrum.guess=2&embed=1&hide=verdict,title", "/?embed=1&chapter=spectrum&hide=title,verdict&spectrum.guess=2", "spectrum", "Eigenvalues")
	card("of a chapter with settings", "chapter=psd&psd.d=50&embed=1&hide=verdict,title", "/?embed=1&chapter=psd&hide=title,verdict&psd.d=50", "", "The PSD bias", "d = 50.")
	card("of a table", "source=table&sample=cars&target=Miles_per_Gallon", "/?source=table&target=Miles_per_Gallon&sample=cars", "table", "Miles_per_Gallon", "the table “cars”")
	card("clamped", "d=1e9&k=0&seed=-3&n=99999999999", "/?d=1000&k=1&n=40943&seed=0", "", "d = 1000, k = 1, 40943 training rows, seed 0.")
	card("with what is unknown", "kilroy=1&scenario=none&theme=pink&embed=2&nope.d=3", "/", "flipped")
	card("with a script in a column", "source=table&target=%3Cscript%3Ealert(1)%3C/script%3E", "/?source=table&target=%3Cscript%3Ealert%281%29%3C%2Fscript%3E", "", "&lt;script&gt;alert(1)")
	card("with quotes", "source=table&target=%22%20onerror=%22x&ignore=%27%3E%3Cb%3E", "/?source=table&target=%22%20onerror%3D%22x&ignore=%27%3E%3Cb%3E", "")
	table[len(table)-1].hasNot = []string{`" onerror`, "'><b>"}
	card("with a script in a chapter's setting", `psd.d="><script>x</script>&psd.k=%3Csvg%3E&psd.%3Cb%3E=1`, "/", "flipped")
	card("with line ends", "source=table&target=%0d%0aSet-Cookie:%20x=1", "/?source=table&target=%0D%0ASet-Cookie%3A%20x%3D1", "")
	card("with what is no text", "source=table&target=%ff%fe%00", "/?source=table&target=%EF%BF%BD%00", "")
	for _, r := range []request{
		{name: "card with a broken escape", target: "/p/d=%zz"}, {name: "card with quotes for a host", target: "/p/d=5", host: `a"b`},
		{name: "card with a path for a host", target: "/p/d=5", host: "evil.example/x"}, {name: "card with a user for a host", target: "/p/d=5", host: "me@evil.example"},
	} { // net/http answers these itself
		table = append(table, expectation{request: r, status: 400, hasNot: []string{"evil", `"`}})
	}
	card("of another table", "source=table&sample=penguins", "/?source=table&sample=penguins", "", "the table “penguins”")
	card("with its settings as a query", "?scenario=mixed&d=40", "/?scenario=mixed&d=40", "")
	card("with a query after it", "d=40?utm_source=x", "/?d=40", "")
	add("card with slashes in a name", "/p/source=table&target=a/b", 200, func(e *expectation) {
		e.has = []string{`content="0; url=../../?source=table&amp;target=a%2Fb"`}
	})
	add("card too long", "/p/source=table&ignore="+strings.Repeat("x", 8200), 414, func(e *expectation) { e.has = []string{"longer than 8192 bytes"} })
	add("card at its longest", "/p/source=table&ignore="+strings.Repeat("%2Cx", 2000), 200, nil)
	for _, to := range []string{"a'b", "evil.example:99:1", "[::1", "a,b", "a;b", "a&b"} {
		add("card for Host "+to, "/p/d=5", 400, func(e *expectation) { e.host, e.hasNot = to, []string{to} })
	}
	add("card for another host", "/p/d=5", 200, func(e *expectation) {
		e.host = "lab.example:8443"
		e.header["Cache-Control"] = "no-store"
		e.has = []string{`"http://lab.example:8443/p/d=5"`, `content="0; url=../?d=5"`}
	})

	oembed := func(name, query string, status int, has ...string) {
		add("oembed "+name, "/oembed"+query, status, func(e *expectation) {
			e.header["Cache-Control"] = "no-store"
			if status == 200 {
				e.header["Content-Type"] = "application/json"
				e.has = append(e.has, `{"version":"1.0","type":"rich","provider_name":"iFM Lab","provider_url":"http://{site}/","cache_age":86400`, `loading=\u0022lazy\u0022`)
			}
			e.has, e.hasNot = append(e.has, has...), []string{"<", "'", "style="} // some pages take no style, or drop it
		})
	}
	height := func(query string, width int) string {
		return strconv.Itoa(spec.ParseLink(query).Height(width))
	}
	size := func(query string, width int) string {
		return fmt.Sprintf(`"width":%d,"height":%s`, width, height(query, width))
	}
	const figure = "embed=1&hide=matrices"
	oembed("of the page", "?url=http%3A%2F%2F{site}%2F", 200, `\u0022http://{site}/?embed=1\u0026amp;hide=matrices\u0022`, `"width":800,"height":990`, `width=\u0022100%\u0022 height=\u0022`+height(figure, 800)+`\u0022 frameborder`, `"thumbnail_url":"http://{site}/cards/flipped.png","thumbnail_width":1200,"thumbnail_height":630`)
	oembed("of a card", "?format=json&url=http://{site}/p/scenario=mixed%26seed=7", 200, `/?scenario=mixed\u0026amp;seed=7\u0026amp;embed=1\u0026amp;hide=matrices\u0022`, `"title":"Interactions of both signs"`)
	table[len(table)-1].hasNot = []string{"thumbnail"}
	oembed("of a chapter", "?url=http://{site}/?chapter=psd%26psd.d=50%23top", 200, `/?embed=1\u0026amp;chapter=psd\u0026amp;psd.d=50\u0022`, size("embed=1&chapter=psd", 800))
	oembed("of the lab", "?url=http://{site}/?embed=lab", 200, `/?embed=lab\u0022`)
	oembed("of a reader's table", "?url=http://{site}/?source=table%26target=y", 200, `/?source=table\u0026amp;target=y\u0026amp;embed=lab\u0022`)
	oembed("of a sample", "?url=http://{site}/?source=table%26sample=cars", 200, `/?source=table\u0026amp;embed=1\u0026amp;sample=cars\u0022`, size("embed=1&source=table&sample=cars", 800))
	oembed("with little room", "?url=http://{site}/&maxwidth=320&maxheight=400", 200, `"width":320,"height":400`, `width=\u0022320\u0022 height=\u0022400\u0022 frameborder=\u00220\u0022 loading=`)
	table[len(table)-1].hasNot = []string{"thumbnail"}
	oembed("in a narrow column", "?url=http://{site}/&maxwidth=400", 200, size(figure, 400))
	oembed("of a chart alone", "?url=http://{site}/?embed=1%26hide=title,switch,controls,verdict,matrices", 200, size("embed=1&hide=title,switch,controls,verdict,matrices", 800))
	oembed("with much room", "?url=http://{site}/&maxwidth=5000", 200, size(figure, 800), "thumbnail_url")
	oembed("with a script", "?url=http://{site}/?source=table%26target=%253C/script%253E%2522", 200, `target=%3C%2Fscript%3E%22\u0026amp;`)
	oembed("as XML", "?format=xml&url=http://{site}/", 501, "format=json")
	oembed("of nothing", "", 400, "/oembed?url=")
	oembed("of elsewhere", "?url=http://evil.example/", 404, "http://{site}/?")
	oembed("of a lookalike", "?url=http://{site}.evil.example/", 404)
	oembed("of a user", "?url=http://x@{site}/", 404)
	oembed("of a script", "?url=javascript://{site}/%250aalert(1)", 404)
	oembed("of another file", "?url=http://{site}/licenses.txt", 404)
	oembed("of no address", "?url=%25%25", 404)
	oembed("of a broken query", "?url=%zz", 400, "escaped")
	oembed("with no number", "?url=http://{site}/&maxwidth=wide", 400, "whole numbers")
	oembed("with no room", "?url=http://{site}/&maxheight=0", 400, "whole numbers")
	oembed("with a negative room", "?url=http://{site}/&maxwidth=-5", 400, "whole numbers")
	add("oembed too long", "/oembed?url="+strings.Repeat("x", 17000), 414, nil)
	return table
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
