package main

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// front is the page, cut at the tags in its head that describe the lab in general.
// The server writes tags there for the address in question, which chats, forums and
// course systems read. From the same tags, the page learns that there is a server.
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

// withGeneralCard returns the page for a file server at an address. Its tags
// describe the lab in general, with absolute addresses.
func (f *front) withGeneralCard(at string) string {
	var b strings.Builder
	readLink("").card().tags(&b, at, at+"/")
	tags, _, _ := strings.Cut(b.String(), `<link rel="alternate"`)
	return f.before + tags + f.after
}

// withCard returns the page with tags that describe a query.
func (f *front) withCard(at, query string) string {
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

// showPage sends the page. If the query is too long or the Host header is no host,
// the tags stay general.
func (s *site) showPage(w http.ResponseWriter, r *http.Request) {
	text := s.page.whole
	if at, err := s.address(r); err == nil && len(r.URL.RawQuery) <= maxSettings {
		text = s.page.withCard(at, r.URL.RawQuery)
	}
	h := w.Header()
	h.Set("Content-Type", contentTypes[".html"])
	content := []byte(text)
	if s.pack != nil {
		h.Set("Vary", "Accept-Encoding")
		accept := strings.Join(r.Header["Accept-Encoding"], ",")
		if q := quality(accept, "gzip"); r.Header.Get("Range") == "" && q >= quality(accept, "identity") {
			content = s.pack(text)
			h.Set("Content-Encoding", "gzip")
			h.Set("Content-Length", strconv.Itoa(len(content))) // net/http leaves it out of what is encoded
		}
	}
	h.Set("ETag", etag(content))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}
