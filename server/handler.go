package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// site answers every request: /healthz itself, the rest from the files.
type site struct {
	files map[string]*file // by request path
}

// ServeHTTP implements [http.Handler].
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, h := range everywhere {
		w.Header().Set(h.name, h.value)
	}
	f, found := s.files[r.URL.Path]
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		say(w, r, http.StatusMethodNotAllowed, fmt.Sprintf("%s is not possible here; use GET or HEAD", r.Method))
	case r.URL.Path == "/healthz":
		say(w, r, http.StatusOK, "ok")
	case r.URL.Path == "/index.html":
		target := "/"
		if r.URL.RawQuery != "" {
			target += "?" + r.URL.RawQuery
		}
		w.Header().Set("Location", target)
		say(w, r, http.StatusMovedPermanently, "the page is at /")
	case found:
		f.serve(w, r)
	default:
		say(w, r, http.StatusNotFound, "nothing is here; the page is at /")
	}
}

// say answers with one line of text that no one keeps.
func say(w http.ResponseWriter, r *http.Request, status int, line string) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(line)+1))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		io.WriteString(w, line+"\n") // fails only when the reader has left
	}
}
