package main

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// front is the page, cut where its head says in general what it shows. There
// a server says what the address shows, which chats, forums and course systems
// read. That a server is there at all the page learns from the same tags, and
// so asks nobody.
type front struct{ whole, before, after string }

// What is cut out of index.html begins and ends so.
const (
	tagsBegin = `<meta property="og:type"`
	tagsEnd   = `<meta name="color-scheme"`
)

// newFront returns the page cut, or nil where it has no such tags.
func newFront(page string) *front {
	before, rest, begins := strings.Cut(page, tagsBegin)
	_, after, ends := strings.Cut(rest, tagsEnd)
	if !begins || !ends {
		return nil
	}
	return &front{page, before, tagsEnd + after}
}

// general returns the page as a file of a site at an address, where no server
// says what a link shows: with the addresses that its tags need whole.
func (f *front) general(at string) string {
	var b strings.Builder
	readLink("").card().tags(&b, at, at+"/")
	tags, _, _ := strings.Cut(b.String(), `<link rel="alternate"`)
	return f.before + tags + f.after
}

// of returns the page with what a query shows.
func (f *front) of(at, query string) string {
	l := readLink(query)
	itself := at + "/"
	if query := l.Encode(); query != "" {
		itself += "?" + query
	}
	var b strings.Builder
	b.WriteString(f.before)
	l.card().tags(&b, at, itself)
	b.WriteString(f.after)
	return b.String()
}

// showPage answers for the page. An address too long to be read for that, or a
// host that may not stand in a page of ours, gets it as it is.
func (s *site) showPage(w http.ResponseWriter, r *http.Request) {
	text := s.page.whole
	if at, err := s.address(r); err == nil && len(r.URL.RawQuery) <= longest {
		text = s.page.of(at, r.URL.RawQuery)
	}
	h := w.Header()
	h.Set("Content-Type", contentTypes[".html"])
	content := []byte(text)
	if s.pack != nil {
		h.Set("Vary", "Accept-Encoding")
		accept := strings.Join(r.Header["Accept-Encoding"], ",")
		if q := quality(accept, "gzip"); r.Header.Get("Range") == "" && q > 0 && q >= quality(accept, "identity") {
			content = s.pack(text)
			h.Set("Content-Encoding", "gzip")
			h.Set("Content-Length", strconv.Itoa(len(content))) // net/http leaves it out of what is encoded
		}
	}
	h.Set("ETag", etag(content))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}
