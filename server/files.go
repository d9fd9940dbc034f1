package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// codings are the content codings a file may be stored in beside its plain
// form, the better one first.
var codings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// file is one address of the site in all the codings it is stored in.
type file struct {
	name, contentType string
	header            []header // of every answer with it
	plain             *variant
	encoded           []*variant // the better coding first
}

// variant is a file in one content coding. Its ETag is strong: another coding
// has another.
type variant struct {
	coding, name string
	size         string
	open         func() (io.ReadSeekCloser, error)
	etag         func() (string, error) // reads the whole file once
}

// newSite returns a handler of the files in source, which make build wrote:
// index.html is "/", NAME.html is /NAME, and other files are at their own names.
// name.br and name.gz are codings of name. 404.html is shown where nothing is.
// Names that begin with a dot are not served. A file of a type that contentTypes
// lacks is an error.
func newSite(source fs.FS) (*site, error) {
	s := &site{files: map[string]*file{}, aliases: map[string]string{}}
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
		if f.plain, err = newVariant("identity", name, fileIn(source, name)); err != nil {
			return err
		}
		for _, c := range codings {
			v, err := newVariant(c.name, name+c.suffix, fileIn(source, name+c.suffix))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			f.encoded = append(f.encoded, v)
		}
		address := s.addressOf(name)
		f.header = append([]header{line("Content-Type", contentType), line("Accept-Ranges", "bytes")}, headersFor(address)...)
		if len(f.encoded) > 0 {
			f.header = append(f.header, line("Vary", "Accept-Encoding"))
		}
		s.files[address] = f
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.notFound = s.files["/404"]
	if f := s.files["/"]; f != nil {
		content, err := f.plain.read()
		if err != nil {
			return nil, err
		}
		s.page = newFront(string(content))
	}
	return s, nil
}

// setOrigin sets the address of the site; "" is that of each request. If the site is in a
// folder of its host, the links of the 404 page lead to that folder.
func (s *site) setOrigin(origin string) error {
	s.origin = origin
	if s.notFound == nil || s.base() == "" {
		return nil
	}
	content, err := s.notFound.plain.read()
	if err != nil {
		return err
	}
	content = bytes.ReplaceAll(content, []byte(`href="/"`), []byte(`href="`+s.base()+`/"`))
	s.notFound.encoded = nil
	s.notFound.header = slices.DeleteFunc(s.notFound.header, func(h header) bool { return h.name == "Vary" })
	s.notFound.plain, err = newVariant("identity", s.notFound.name, func() (io.ReadSeekCloser, error) { return inMemory{bytes.NewReader(content)}, nil })
	return err
}

// addressOf returns the address of a file. It adds the other addresses of a page to
// the aliases.
func (s *site) addressOf(name string) string {
	page, is := strings.CutSuffix("/"+name, ".html")
	if !is {
		return "/" + name
	}
	if folder, is := strings.CutSuffix(page, "/index"); is {
		for _, other := range []string{"index", "index.html"} {
			s.aliases[folder+"/"+other] = folder + "/"
		}
		return folder + "/"
	}
	for _, other := range []string{".html", "/", "/index", "/index.html"} {
		s.aliases[page+other] = page
	}
	return page
}

func isCoding(name string) bool {
	return path.Ext(name) == ".br" || path.Ext(name) == ".gz"
}

// fileIn returns a function that opens a file.
func fileIn(source fs.FS, name string) func() (io.ReadSeekCloser, error) {
	return func() (io.ReadSeekCloser, error) {
		f, err := source.Open(name)
		if err != nil {
			return nil, err
		}
		return f.(io.ReadSeekCloser), nil // as files of a disk and of package embed are
	}
}

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

func newVariant(coding, name string, open func() (io.ReadSeekCloser, error)) (*variant, error) {
	content, err := open()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	size, err := content.Seek(0, io.SeekEnd)
	v := &variant{coding: coding, name: name, size: strconv.FormatInt(size, 10), open: open}
	v.etag = sync.OnceValues(func() (string, error) {
		content, err := v.read()
		return etag(content), err
	})
	return v, err
}

func (v *variant) read() ([]byte, error) {
	content, err := v.open()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return io.ReadAll(content)
}

// etag returns the strong ETag of a content.
func etag(content []byte) string {
	hash := sha256.Sum256(content)
	return `"` + hex.EncodeToString(hash[:12]) + `"`
}

// sum returns a version of the site, a hash of the plain content of all files.
func (s *site) sum() string {
	hash := sha256.New()
	for _, address := range slices.Sorted(maps.Keys(s.files)) {
		etag, err := s.files[address].plain.etag()
		if err != nil {
			return "unknown"
		}
		fmt.Fprintln(hash, address, etag)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// serve sends the file in the coding that the request prefers. A part of a file
// is a part of its plain form.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	v := f.plain
	if r.Header.Get("Range") == "" {
		v = f.choose(r)
	}
	tag, err := v.etag()
	content := f.begin(w, r, v, err)
	if content == nil {
		return
	}
	defer content.Close()
	w.Header()["Etag"] = []string{tag}
	if v == f.plain {
		w.Header().Del("Content-Length") // ServeContent knows that of a part
	}
	http.ServeContent(w, r, "", time.Time{}, content)
}

// show sends the whole file as the body of an answer with some other status.
func (f *file) show(w http.ResponseWriter, r *http.Request, status int) {
	content := f.begin(w, r, f.choose(r), nil)
	if content == nil {
		return
	}
	defer content.Close()
	w.Header().Del("Accept-Ranges")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		io.Copy(w, content) // fails only when the reader has left
	}
}

// begin sets the headers of an answer with a variant and returns its content. If that
// cannot be read, it answers with an error and returns nil.
func (f *file) begin(w http.ResponseWriter, r *http.Request, v *variant, failed error) io.ReadSeekCloser {
	content, err := v.open()
	if failed != nil || err != nil {
		sendLine(w, r, http.StatusInternalServerError, "the file cannot be read")
		return nil
	}
	set(w.Header(), f.header)
	w.Header()["Content-Length"] = []string{v.size} // net/http leaves it out of what is encoded
	if v != f.plain {
		w.Header()["Content-Encoding"] = []string{v.coding}
	}
	return content
}

// choose returns the variant that the Accept-Encoding header prefers: the
// highest quality, and among equals the smaller form. What has quality 0 or is
// not named is never sent, except the plain form when nothing else is left.
func (f *file) choose(r *http.Request) *variant {
	accept := strings.Join(r.Header["Accept-Encoding"], ",")
	best, most := f.plain, quality(accept, "identity")
	for _, v := range slices.Backward(f.encoded) {
		if q := quality(accept, v.coding); q >= most {
			best, most = v, q
		}
	}
	return best
}

// quality returns the quality of a coding in an Accept-Encoding header, from 0 to
// 1. It is 0 if it cannot be parsed, and the last one if a coding is named twice.
func quality(accept, coding string) float64 {
	named, others, least := -1.0, -1.0, 0.0
	if coding == "identity" {
		least = 1e-4 // even if refused, but below everything that was asked for
	}
	for item := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, coding):
			named = weight(parameters)
		case name == "*":
			others = weight(parameters)
		}
	}
	if named < 0 {
		named = others
	}
	return max(named, least)
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
