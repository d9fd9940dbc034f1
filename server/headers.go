package main

import (
	"net/http"
	"strings"
)

// header is one line of a response's head. The value has the form of net/http, so that
// all answers share it. It must not change.
type header struct {
	name  string // in its canonical form
	value []string
}

func line(name, value string) header {
	return header{http.CanonicalHeaderKey(name), []string{value}}
}

func set(h http.Header, lines []header) {
	for _, l := range lines {
		h[l.name] = l.value
	}
}

// commonHeaders lists the headers of every response. Any host can embed the page,
// including cross-origin isolated and sandboxed ones, and the page runs only its own
// scripts. Inline styles are allowed, because each chart writes its own; inline scripts
// are not. Frames are of this site: the page of examples and the preview of a share.
var commonHeaders = []header{
	line("Access-Control-Allow-Origin", "*"),
	line("Cache-Control", revalidate),
	line("Content-Security-Policy", strings.Join([]string{
		"default-src 'none'",
		"base-uri 'none'",
		"connect-src 'self'",
		"font-src 'self'",
		"form-action 'none'",
		"frame-src 'self'",
		"img-src 'self' blob: data:",
		"script-src 'self' 'wasm-unsafe-eval'",
		"style-src 'self' 'unsafe-inline'",
		"worker-src 'self' blob:",
	}, "; ")),
	line("Cross-Origin-Embedder-Policy", "require-corp"),
	line("Cross-Origin-Resource-Policy", "cross-origin"),
	line("Referrer-Policy", "no-referrer"), // a link may name the reader's columns
	line("X-Content-Type-Options", "nosniff"),
}

// Files in /a/ are named by their content and never change. Browsers ask for all others
// again, mostly to learn that they have not changed.
const (
	immutable  = "public, max-age=31536000, immutable"
	revalidate = "no-cache"
)

// contentTypes names the type of every kind of file that the site has.
var contentTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".csv":   "text/csv; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".ico":   "image/vnd.microsoft.icon",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".tgz":   "application/gzip",
	".txt":   "text/plain; charset=utf-8",
	".wasm":  "application/wasm",
	".woff2": "font/woff2",
	".zip":   "application/zip",
}

// headersFor returns the headers of the file at an address that differ from
// commonHeaders, without Content-Type.
func headersFor(address string) []header {
	switch {
	case strings.HasPrefix(address, "/a/"):
		return []header{line("Cache-Control", immutable)}
	case address == "/offline":
		return []header{download}
	}
	return nil
}

// download makes browsers save a file. Opened here, the offline file would come under
// this site's policy, which forbids its inline scripts.
var download = line("Content-Disposition", `attachment; filename="ifm-lab.html"`)
