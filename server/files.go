package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// suffixes are the content codings a file may be stored in beside its plain
// form, the better one first.
var suffixes = []struct{ coding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// file is one address of the site in all the codings it is stored in.
type file struct {
	name, contentType string
	header            []header // of every answer with it
	plain             *variant
	encoded           []*variant // the better coding first
}

// variant is a file in one content coding. It is read when it is first asked
// for; the ETag is strong: another coding has another.
type variant struct {
	source       fs.FS
	coding, name string
	size         int64
	header       []header // of every answer with it
	load         func() (loaded, error)
	unload       func(name string) // gives memory back for a while; nil: there is little to give
	readers      atomic.Int32
}

// large is from where on a file's memory is given back while nobody reads it.
const large = 1 << 20

// loaded is what reading a variant has brought. The content is at hand in one
// piece, since that leaves sooner than by way of a buffer.
type loaded struct {
	etag    []string
	content []byte
}

// newSite returns a handler of the files in source, which make build wrote:
// index.html is "/", NAME.html is /NAME, others have their names for
// addresses, and name.br and name.gz are codings of name. 404.html is shown
// where nothing is. Names that begin with a dot are not served. A file of a
// type that contentTypes lacks is an error.
func newSite(source fs.FS) (*site, error) {
	s := &site{files: map[string]*file{}, moved: map[string]string{}}
	s.hash = sync.OnceValue(s.sum)
	err := fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || isCoding(name) {
			return err
		}
		contentType, known := contentTypes[path.Ext(name)]
		if !known {
			return fmt.Errorf("%s: no content type for files that end in %q", name, path.Ext(name))
		}
		f := &file{name: name, contentType: contentType}
		if f.plain, err = newVariant(source, "identity", name); err != nil {
			return err
		}
		for _, s := range suffixes {
			if _, err := fs.Stat(source, name+s.suffix); err == nil {
				v, err := newVariant(source, s.coding, name+s.suffix)
				if err != nil {
					return err
				}
				f.encoded = append(f.encoded, v)
			}
		}
		address := s.place(name)
		f.header = append([]header{line("Content-Type", contentType), line("Accept-Ranges", "bytes")}, own(address)...)
		if len(f.encoded) > 0 {
			f.header = append(f.header, line("Vary", "Accept-Encoding"))
		}
		s.files[address] = f
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.lost = s.files["/404"]
	if f := s.files["/"]; f != nil {
		l, err := f.plain.load()
		if err != nil {
			return nil, err
		}
		s.page = newFront(string(l.content))
	}
	return s, nil
}

// settle tells the site where readers find it, or "". In a folder of its host
// the page of what is missing leads there.
func (s *site) settle(origin string) error {
	s.origin = origin
	if s.lost == nil || s.base() == "" {
		return nil
	}
	l, err := s.lost.plain.load()
	if err != nil {
		return err
	}
	text := strings.ReplaceAll(string(l.content), `href="/"`, `href="`+s.base()+`/"`)
	there := loaded{[]string{etag([]byte(text))}, []byte(text)}
	lost := *s.lost
	lost.header = slices.DeleteFunc(slices.Clone(lost.header), func(h header) bool { return h.name == "Vary" })
	lost.encoded = nil
	lost.plain = &variant{coding: "identity", name: lost.name, size: int64(len(text)), header: []header{line("Content-Length", strconv.Itoa(len(text)))}, load: func() (loaded, error) { return there, nil }}
	s.files["/404"], s.lost = &lost, &lost
	return nil
}

// place returns the address of a file, and leads the other names of a page there.
func (s *site) place(name string) string {
	page, is := strings.CutSuffix("/"+name, ".html")
	if !is {
		return "/" + name
	}
	if folder, is := strings.CutSuffix(page, "/index"); is {
		for _, other := range []string{"index", "index.html"} {
			s.moved[folder+"/"+other] = folder + "/"
		}
		return folder + "/"
	}
	for _, other := range []string{".html", "/", "/index", "/index.html"} {
		s.moved[page+other] = page
	}
	return page
}

func isCoding(name string) bool {
	return path.Ext(name) == ".br" || path.Ext(name) == ".gz"
}

func newVariant(source fs.FS, coding, name string) (*variant, error) {
	about, err := fs.Stat(source, name)
	if err != nil {
		return nil, err
	}
	v := &variant{source: source, coding: coding, name: name, size: about.Size()}
	v.header = []header{line("Content-Length", strconv.FormatInt(v.size, 10))} // net/http leaves it out of what is encoded
	if coding != "identity" {
		v.header = append(v.header, line("Content-Encoding", coding))
	}
	v.load = sync.OnceValues(v.read)
	if page, is := source.(interface{ Unload(string) }); is && v.size >= large {
		v.unload = page.Unload
	}
	return v, nil
}

// reading tells that the content is read until the function that it returns is called.
func (v *variant) reading() (read func()) {
	if v.unload == nil {
		return func() {}
	}
	v.readers.Add(1)
	return func() {
		if v.readers.Add(-1) == 0 {
			v.unload(v.name)
		}
	}
}

func (v *variant) read() (loaded, error) {
	content, err := contentFrom(v.source, v.name)
	if err != nil {
		return loaded{}, err
	}
	defer v.reading()()
	return loaded{[]string{etag(content)}, content}, nil
}

// etag returns the strong ETag of what is sent.
func etag(content []byte) string {
	hash := sha256.Sum256(content)
	return `"` + hex.EncodeToString(hash[:12]) + `"`
}

// contentFrom reads a file. What the program has in memory is not copied.
func contentFrom(source fs.FS, name string) ([]byte, error) {
	if page, is := source.(interface{ Content(string) ([]byte, error) }); is {
		return page.Content(name)
	}
	return fs.ReadFile(source, name)
}

// sum returns a version of the site: of the plain content of all its files.
func (s *site) sum() string {
	hash := sha256.New()
	for _, address := range slices.Sorted(maps.Keys(s.files)) {
		l, err := s.files[address].plain.load()
		if err != nil {
			return "unknown"
		}
		fmt.Fprintln(hash, address, l.etag[0])
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// serve sends the file in the coding the request likes best. A part of a file is
// a part of its plain form.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	v := f.plain
	if len(f.encoded) > 0 && r.Header.Get("Range") == "" {
		v = f.choose(strings.Join(r.Header["Accept-Encoding"], ","))
	}
	l, err := v.load()
	if err != nil {
		say(w, r, http.StatusInternalServerError, unreadable)
		return
	}
	h := w.Header()
	set(h, f.header)
	set(h, v.header)
	h["Etag"] = l.etag
	defer v.reading()()
	if !conditional(r.Header) {
		write(w, r, http.StatusOK, l.content)
		return
	}
	if v.coding == "identity" {
		delete(h, "Content-Length") // ServeContent knows that of a part
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(l.content))
}

const unreadable = "the file cannot be read"

// show sends the whole file as the body of an answer with some other status.
func (f *file) show(w http.ResponseWriter, r *http.Request, status int) {
	v := f.plain
	if len(f.encoded) > 0 {
		v = f.choose(strings.Join(r.Header["Accept-Encoding"], ","))
	}
	l, err := v.load()
	if err != nil {
		say(w, r, http.StatusInternalServerError, unreadable)
		return
	}
	set(w.Header(), f.header)
	set(w.Header(), v.header)
	delete(w.Header(), "Accept-Ranges")
	write(w, r, status, l.content)
}

func write(w http.ResponseWriter, r *http.Request, status int, content []byte) {
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(content) // fails only when the reader has left
	}
}

// conditional tells whether a request asks for more than the whole file.
func conditional(h http.Header) bool {
	return h["Range"] != nil || h["If-None-Match"] != nil || h["If-Match"] != nil || h["If-Range"] != nil
}

// choose returns the variant that the Accept-Encoding header prefers: the
// highest quality, among equals the smaller form. What has quality 0 or is not
// named is never sent, except that the plain form is when nothing else is left.
func (f *file) choose(accept string) *variant {
	best, most := f.plain, quality(accept, "identity")
	for _, v := range slices.Backward(f.encoded) {
		if q := quality(accept, v.coding); q > 0 && q >= most {
			best, most = v, q
		}
	}
	return best
}

// quality returns that of a coding in an Accept-Encoding header, between 0 and
// 1; one that cannot be read is 0. What is named twice has its last quality.
func quality(accept, coding string) float64 {
	named, others := -1.0, -1.0
	for item := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, coding):
			named = weight(parameters)
		case name == "*":
			others = weight(parameters)
		}
	}
	switch {
	case named >= 0:
		return named
	case others >= 0:
		return others
	case coding == "identity":
		return 1e-4 // acceptable unless refused, but below everything that was asked for
	}
	return 0
}

// weight returns the q of a coding's parameters, 1 where they have none.
func weight(parameters string) float64 {
	q := 1.0
	for parameters != "" {
		var parameter string
		parameter, parameters, _ = strings.Cut(parameters, ";")
		if parameter = strings.TrimSpace(parameter); len(parameter) < 2 || !strings.EqualFold(parameter[:2], "q=") {
			continue
		}
		v, err := strconv.ParseFloat(parameter[2:], 64)
		if err != nil || !(v >= 0 && v <= 1) {
			v = 0
		}
		q = v
	}
	return q
}
