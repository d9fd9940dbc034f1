//go:build !js

package main

import "net/http"

const withoutPage = "this program was built before the page was: run make build and start what that leaves in bin, or start this one with -site and the folder of a built page"

// unbuilt answers in the place of a site that the program does not hold: go
// install builds it from a repository in which the page was not built.
type unbuilt struct{}

// ServeHTTP implements [http.Handler].
func (unbuilt) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	set(w.Header(), commonHeaders)
	w.Header().Set("Retry-After", "60")
	if r.URL.Path == "/healthz" {
		sendLine(w, r, http.StatusServiceUnavailable, withoutPage)
		return
	}
	send(w, r, http.StatusServiceUnavailable, "no-store", contentTypes[".html"], `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>No page yet · iFM Lab</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}</style>
</head>
<body>
<main>
<h1>This server holds no page yet.</h1>
<p>The program runs, but it was built before the page was, as <code>go install</code> does it. Whoever runs it has two ways:</p>
<ul>
<li>run <code>make build</code> in the repository, then start <code>bin/ifmlab</code>, which holds the page;</li>
<li>or start this program with <code>-site FOLDER</code>, the folder of a built page: <code>web/dist</code>, or what a release has in its zip.</li>
</ul>
</main>
</body>
</html>
`)
}
