package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// header is one line of a response's head.
type header struct{ name, value string }

// everywhere lists the headers of every response, so that the page can be
// embedded on any host, cross-origin isolated and sandboxed ones included, and
// runs nothing that it did not bring along. Styles may stand inline, because
// each chart writes its own; scripts may not.
var everywhere = []header{
	{"Access-Control-Allow-Origin", "*"},
	{"Content-Security-Policy", strings.Join([]string{
		"default-src 'none'",
		"base-uri 'none'",
		"connect-src 'self'",
		"font-src 'self'",
		"form-action 'none'",
		"img-src 'self' blob: data:",
		"script-src 'self' 'wasm-unsafe-eval'",
		"style-src 'self' 'unsafe-inline'",
		"worker-src 'self' blob:",
	}, "; ")},
	{"Cross-Origin-Embedder-Policy", "require-corp"},
	{"Cross-Origin-Resource-Policy", "cross-origin"},
	{"Referrer-Policy", "no-referrer"}, // a link may name the reader's columns
	{"X-Content-Type-Options", "nosniff"},
}

// Files in /a/ are named by their content and never change; a reader's browser
// asks for all others again, and is mostly told that they are the same.
const (
	forEver = "public, max-age=31536000, immutable"
	askMe   = "no-cache"
)

func cacheControl(path string) string {
	if strings.HasPrefix(path, "/a/") {
		return forEver
	}
	return askMe
}

// writeRules writes the headers as the _headers file of Cloudflare's asset
// store. A name in /a/ gets its rule by its exact path: under /a/* a missing
// file would be immutable too.
func (s *site) writeRules(w io.Writer) error {
	var b strings.Builder
	b.WriteString("/*\n")
	for _, h := range everywhere {
		fmt.Fprintf(&b, "  %s: %s\n", h.name, h.value)
	}
	for _, path := range slices.Sorted(maps.Keys(s.files)) {
		fmt.Fprintf(&b, "%s\n  Cache-Control: %s\n  Content-Type: %s\n", path, cacheControl(path), s.files[path].contentType)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
