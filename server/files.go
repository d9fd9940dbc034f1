package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// contentTypes names the type of every kind of file that the page has.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".csv":  "text/csv; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".png":  "image/png",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
	".wasm": "application/wasm",
}

// suffixes are the content codings a file may be stored in beside its plain
// form, the better one first.
var suffixes = []struct{ coding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// file is one address of the site in all the codings it is stored in.
type file struct {
	source      fs.FS
	contentType string
	cache       string
	plain       variant
	encoded     []variant // the better coding first
}

// variant is a file in one content coding. The ETag is strong: another coding
// has another.
type variant struct {
	coding, name, etag string
	size               int64
}

// newSite returns a handler of the files in source, which make build wrote:
// index.html is "/", other names are their own address, and name.br and name.gz
// are codings of name. Names that begin with a dot are not served. It reads
// every file once and keeps none in memory; a file of a type that
// contentTypes lacks, or that cannot be sought in, is an error.
func newSite(source fs.FS) (*site, error) {
	s := &site{files: map[string]*file{}}
	err := fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || isCoding(name) {
			return err
		}
		contentType, known := contentTypes[path.Ext(name)]
		if !known {
			return fmt.Errorf("%s: no content type for files that end in %q", name, path.Ext(name))
		}
		address := "/" + name
		if name == "index.html" {
			address = "/"
		}
		f := &file{source: source, contentType: contentType, cache: cacheControl(address)}
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
		s.files[address] = f
		return nil
	})
	return s, err
}

func isCoding(name string) bool {
	return path.Ext(name) == ".br" || path.Ext(name) == ".gz"
}

func newVariant(source fs.FS, coding, name string) (variant, error) {
	f, err := source.Open(name)
	if err != nil {
		return variant{}, err
	}
	defer f.Close()
	if _, ok := f.(io.Seeker); !ok {
		return variant{}, fmt.Errorf("%s: cannot be sought in, so no part of it could be served", name)
	}
	hash := sha256.New()
	size, err := io.Copy(hash, f)
	if err != nil {
		return variant{}, err
	}
	return variant{coding, name, `"` + hex.EncodeToString(hash.Sum(nil)[:12]) + `"`, size}, nil
}

// serve sends the file in the coding the request likes best. Parts of a file
// are parts of its plain form.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	v := f.plain
	if len(f.encoded) > 0 {
		h.Set("Vary", "Accept-Encoding")
		if r.Header.Get("Range") == "" {
			v = f.choose(strings.Join(r.Header.Values("Accept-Encoding"), ","))
		}
	}
	content, err := f.source.Open(v.name)
	if err != nil {
		say(w, r, http.StatusInternalServerError, "the file cannot be read")
		return
	}
	defer content.Close()
	h.Set("Cache-Control", f.cache)
	h.Set("Content-Type", f.contentType)
	h.Set("ETag", v.etag)
	if v.coding != "identity" {
		h.Set("Content-Encoding", v.coding)
		h.Set("Content-Length", strconv.FormatInt(v.size, 10)) // net/http leaves it out of what is encoded
	}
	http.ServeContent(w, r, "", time.Time{}, content.(io.ReadSeeker))
}

// choose returns the variant that the Accept-Encoding header prefers: the
// highest quality, among equals the smaller form. What has quality 0 or is not
// named is never sent, except that the plain form is when nothing else is left.
func (f *file) choose(accept string) variant {
	quality := qualities(accept)
	best, most := f.plain, quality("identity")
	for _, v := range slices.Backward(f.encoded) {
		if q := quality(v.coding); q > 0 && q >= most {
			best, most = v, q
		}
	}
	return best
}

// qualities reads an Accept-Encoding header. The function it returns tells a
// coding's quality between 0 and 1; a coding that cannot be read has 0.
func qualities(accept string) func(coding string) float64 {
	named := map[string]float64{}
	for item := range strings.SplitSeq(accept, ",") {
		coding, parameters, _ := strings.Cut(item, ";")
		q := 1.0
		for parameter := range strings.SplitSeq(parameters, ";") {
			if value, is := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q="); is {
				v, err := strconv.ParseFloat(value, 64)
				if err != nil || !(v >= 0 && v <= 1) {
					v = 0
				}
				q = v
			}
		}
		if coding = strings.ToLower(strings.TrimSpace(coding)); coding != "" {
			named[coding] = q
		}
	}
	return func(coding string) float64 {
		if q, is := named[coding]; is {
			return q
		}
		if q, is := named["*"]; is {
			return q
		}
		if coding == "identity" {
			return 1e-4 // acceptable unless refused, but below everything that was asked for
		}
		return 0
	}
}
