package main

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
)

// site answers every request: from its files, and by itself what is no file.
type site struct {
	origin string              // "https://lab.example" or "https://lab.example/ifm": where readers find it; "": where each request says
	page   *front              // the page, whose head tells what a link shows; nil: there is none
	pack   func(string) []byte // compresses an answer by gzip; nil: whoever passes it on does
	files  map[string]*file    // by address
	moved  map[string]string   // other names of an address, as Cloudflare's asset store knows them
	lost   *file               // what is shown where nothing is; may be nil
	hash   func() string       // version of the site
}

// ServeHTTP implements [http.Handler].
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	set(w.Header(), everywhere)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		say(w, r, http.StatusMethodNotAllowed, r.Method+" is not possible here; use GET or HEAD")
		return
	}
	r = onePart(r)
	if inside, is := within(s.base(), r.URL); is {
		if inside.Path == "" {
			s.lead(w, "/", r.URL.RawQuery)
			return
		}
		there := *r
		there.URL = inside
		r = &there
	}
	path := r.URL.Path
	if path == "/" && s.page != nil {
		s.showPage(w, r)
		return
	}
	if f, found := s.files[path]; found && r.URL.RawPath == "" {
		f.serve(w, r)
		return
	}
	switch {
	case path == "/healthz":
		say(w, r, http.StatusOK, "ok")
	case path == "/version":
		send(w, r, http.StatusOK, "no-store", "application/json", `{"version":`+quote(s.hash())+`,"go":`+quote(runtime.Version())+"}\n")
	case path == "/oembed":
		s.embed(w, r)
	case strings.HasPrefix(r.URL.EscapedPath(), "/p/"):
		s.showCard(w, r)
	default:
		s.elsewhere(w, r)
	}
}

// onePart returns a request for one part of a file, or for the whole: who asks
// for several, or in a unit other than bytes, gets the whole, as HTTP has it. An
// answer of thousands of parts would be longer than its file.
func onePart(r *http.Request) *http.Request {
	asked := r.Header["Range"]
	if len(asked) == 0 || len(asked) == 1 && strings.HasPrefix(asked[0], "bytes=") && !strings.Contains(asked[0], ",") {
		return r
	}
	whole := *r
	whole.Header = r.Header.Clone()
	whole.Header.Del("Range")
	return &whole
}

// elsewhere answers for what is no address: it may be another way to write one.
func (s *site) elsewhere(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	target, moved := s.moved[path]
	if _, found := s.files[path]; found {
		target, moved = path, true
	}
	if moved {
		s.lead(w, target, r.URL.RawQuery)
		return
	}
	if s.lost != nil {
		s.lost.show(w, r, http.StatusNotFound)
		return
	}
	send(w, r, http.StatusNotFound, askMe, plainText, "nothing is here; the page is at "+s.base()+"/\n")
}

// lead sends the reader to another address of the site.
func (s *site) lead(w http.ResponseWriter, target, query string) {
	if query != "" {
		target += "?" + query
	}
	w.Header().Set("Location", s.base()+target)
	w.WriteHeader(http.StatusTemporaryRedirect)
}

// base returns the folder of its host that the site is in, such as "/ifm"; ""
// is the root, and what a site is taken for that was not told its origin.
func (s *site) base() string {
	_, rest, _ := strings.Cut(s.origin, "://")
	host := strings.IndexByte(rest, '/')
	if host < 0 {
		return ""
	}
	return rest[host:]
}

// within returns an address as it is inside of a folder. A proxy may have left
// the folder out already: then it is not there, and the address is one inside.
func within(folder string, u *url.URL) (*url.URL, bool) {
	rest, is := strings.CutPrefix(u.Path, folder)
	if !is || folder == "" || rest != "" && rest[0] != '/' {
		return u, false
	}
	inside := *u
	inside.Path = rest
	if raw := strings.SplitN(u.RawPath, "/", strings.Count(folder, "/")+2); u.RawPath != "" { // which may write the folder with escapes
		inside.RawPath = "/" + raw[len(raw)-1]
	}
	if inside.RawPath == rest {
		inside.RawPath = ""
	}
	return &inside, true
}

// address returns where the reader finds the site, without a "/" at the end:
// where it was told to be, else where the request went. A host that is no name
// or number of a host is an error, so that nothing else can stand in an answer.
func (s *site) address(r *http.Request) (string, error) {
	if s.origin != "" {
		return s.origin, nil
	}
	scheme := "http"
	if r.URL.Scheme == "https" { // the Worker's host tells it
		scheme = "https"
	}
	if !isHost(r.Host) {
		return "", errors.New("the request's Host is no name of a host; ask by the address of the page")
	}
	return scheme + "://" + r.Host, nil
}

// keep tells how long an answer that names the site's address may be kept. One
// that took it from a request is nobody else's.
func (s *site) keep() string {
	if s.origin != "" {
		return "public, max-age=300"
	}
	return "no-store"
}

// isHost tells whether text is a host with or without a port, as an address
// has it: letters, digits, "-", ".", or a number in brackets.
func isHost(text string) bool {
	u, err := url.Parse("http://" + text + "/")
	if err != nil || u.Host != text || len(text) > 255 || strings.HasSuffix(text, ":") {
		return false
	}
	name := u.Hostname()
	if strings.HasPrefix(text, "[") {
		return strings.Trim(name, "0123456789abcdefABCDEF:.") == ""
	}
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._") == ""
}

const plainText = "text/plain; charset=utf-8"

// say answers with one line of text that no one keeps.
func say(w http.ResponseWriter, r *http.Request, status int, line string) {
	send(w, r, status, "no-store", plainText, line+"\n")
}

// send answers with what was made for this request.
func send(w http.ResponseWriter, r *http.Request, status int, cache, contentType, body string) {
	h := w.Header()
	h.Set("Cache-Control", cache)
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		io.WriteString(w, body) // fails only when the reader has left
	}
}
