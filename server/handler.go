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

// site answers every request, with one of its files or by a handler of its own.
type site struct {
	origin   string              // "https://lab.example" or "https://lab.example/ifm": where readers find it; "": where each request says
	page     *front              // the page, whose head tells what a link shows; nil: there is none
	pack     func(string) []byte // compresses an answer by gzip; nil: whoever passes it on does
	files    map[string]*file    // by address
	aliases  map[string]string   // other names of an address, as Cloudflare's asset store knows them
	notFound *file               // what is shown where nothing is; may be nil
	hash     func() string       // version of the site
}

// ServeHTTP implements [http.Handler].
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	set(w.Header(), commonHeaders)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		sendLine(w, r, http.StatusMethodNotAllowed, r.Method+" is not possible here; use GET or HEAD")
		return
	}
	r = singleRange(r)
	if inside, is := within(s.base(), r.URL); is {
		if inside.Path == "" {
			s.redirect(w, "/", r.URL.RawQuery)
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
		sendLine(w, r, http.StatusOK, "ok")
	case path == "/version":
		send(w, r, http.StatusOK, "no-store", "application/json", `{"version":`+quote(s.hash())+`,"go":`+quote(runtime.Version())+"}\n")
	case path == "/oembed":
		s.embed(w, r)
	case strings.HasPrefix(r.URL.EscapedPath(), "/p/"):
		s.showCard(w, r)
	default:
		s.serveUnknown(w, r)
	}
}

// singleRange drops a Range header with several ranges or another unit, which HTTP
// allows. An answer of thousands of parts would be longer than its file.
func singleRange(r *http.Request) *http.Request {
	asked := r.Header["Range"]
	if len(asked) == 0 || len(asked) == 1 && strings.HasPrefix(asked[0], "bytes=") && !strings.Contains(asked[0], ",") {
		return r
	}
	whole := *r
	whole.Header = r.Header.Clone()
	whole.Header.Del("Range")
	return &whole
}

// serveUnknown redirects from another spelling of an address, and answers 404 to all
// others.
func (s *site) serveUnknown(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	target, moved := s.aliases[path]
	if _, found := s.files[path]; found {
		target, moved = path, true
	}
	if moved {
		s.redirect(w, target, r.URL.RawQuery)
		return
	}
	if s.notFound != nil {
		s.notFound.show(w, r, http.StatusNotFound)
		return
	}
	send(w, r, http.StatusNotFound, revalidate, plainText, "nothing is here; the page is at "+s.base()+"/\n")
}

// redirect sends the reader to another address of the site.
func (s *site) redirect(w http.ResponseWriter, target, query string) {
	if query != "" {
		target += "?" + query
	}
	w.Header().Set("Location", s.base()+target)
	w.WriteHeader(http.StatusTemporaryRedirect)
}

// base returns the site's folder on its host, such as "/ifm". It is "" at the root
// and without an origin.
func (s *site) base() string {
	_, rest, _ := strings.Cut(s.origin, "://")
	host := strings.IndexByte(rest, '/')
	if host < 0 {
		return ""
	}
	return rest[host:]
}

// within returns an address relative to a folder, and whether it is in there. A
// proxy may have left the folder out already.
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

// address returns where readers find the site, without a "/" at the end: its
// origin, or else the host of the request. A Host header that is no host name or
// IP address is an error, so that answers never repeat it.
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

// cacheControl returns the caching of an answer that names the site's address. An address
// from the request must not be cached.
func (s *site) cacheControl() string {
	if s.origin != "" {
		return "public, max-age=300"
	}
	return "no-store"
}

// isHost reports whether text is a host with or without a port, as an address
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

// sendLine answers with one line of text that is not cached.
func sendLine(w http.ResponseWriter, r *http.Request, status int, line string) {
	send(w, r, status, "no-store", plainText, line+"\n")
}

// send answers with a body made for this request.
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
