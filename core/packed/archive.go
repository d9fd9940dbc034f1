package packed

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"ifmlab/core/spec"
)

// limited fails once more than most bytes have been read of it, and says of other
// failures what blame makes of them.
type limited struct {
	io.ReadCloser
	file  string
	left  int64
	most  int
	blame func(error) string
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, &Error{l.file, large(l.most)}
	}
	if err != nil && err != io.EOF {
		if known, ok := errors.AsType[*Error](err); ok {
			return n, known
		}
		err = &Error{l.file, l.blame(err)}
	}
	return n, err
}

// gunzip returns what a gzip file holds, all its members.
func (l limits) gunzip(name string, r io.Reader) io.ReadCloser {
	return &limited{&gunzipper{from: r}, name, int64(l.text), l.text, func(error) string { return damagedGzip }}
}

// gunzipper is a [gzip.Reader] whose header is read with what follows it.
type gunzipper struct {
	from io.Reader
	gz   *gzip.Reader
}

func (g *gunzipper) Read(p []byte) (n int, err error) {
	if g.gz == nil {
		if g.gz, err = gzip.NewReader(g.from); err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
	}
	return g.gz.Read(p)
}

func (g *gunzipper) Close() error { return nil }

// litter is what operating systems put beside the files of an archive.
var litter = regexp.MustCompile(`(^|/)(__MACOSX/|\.DS_Store$|\._|Thumbs\.db$|desktop\.ini$)`)

// likely are the endings of files that may be tables; about those of files that are
// about one.
var (
	likely = regexp.MustCompile(`(?i)\.(csv|tsv|txt|tab|dat|data|json|jsonl|ndjson|svm|libsvm|ffm|gz|zip|parquet|xlsx|xlsm)$`)
	about  = regexp.MustCompile(`(?i)(^|/)(read[-_ ]?me|licen[cs]e|copying|change(s|log)|notice|index)(\.[^/]*)?$`)
)

func (l limits) openZip(name string, at io.ReaderAt, size int64, s spec.Spec, depth int) (*Table, error) {
	archive, err := zip.NewReader(at, size)
	if err != nil && err != zip.ErrInsecurePath {
		return nil, &Error{name, notZip}
	}
	var files []*zip.File
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, "/") && !litter.MatchString(f.Name) {
			files = append(files, f)
		}
	}
	is, kind := isWorkbook(files)
	if kind != "" {
		return nil, &Error{name, kind}
	}
	if is {
		return l.openWorkbook(name, files, s.Sheet)
	}
	member, err := chosen(name, files, s.Member)
	if err != nil {
		return nil, err
	}
	return l.within(name, member, s, depth)
}

// chosen returns the file of an archive that is its table: the one that is asked for,
// or the only one that may be.
func chosen(name string, files []*zip.File, wanted string) (*zip.File, error) {
	if len(files) == 0 {
		return nil, &Error{name, emptyZip}
	}
	var tables, ones []*zip.File
	for _, f := range files {
		if likely.MatchString(f.Name) {
			tables = append(tables, f)
			if !about.MatchString(f.Name) {
				ones = append(ones, f)
			}
		}
	}
	offered := files
	if len(ones) > 0 {
		offered = ones
	} else if len(tables) > 0 {
		offered = tables
	}
	if wanted == "" && len(offered) == 1 {
		return offered[0], nil
	}
	if i := slices.IndexFunc(files, func(f *zip.File) bool { return f.Name == wanted }); i >= 0 {
		return files[i], nil
	}
	var names []string
	for _, f := range offered {
		names = append(names, f.Name)
	}
	return nil, &ChoiceError{File: name, Message: whichMember(wanted, names), Key: "member", Names: names}
}

// within finds the table in a file of an archive: text, or a file that is packed
// itself, which is held as a whole.
func (l limits) within(archive string, f *zip.File, s spec.Spec, depth int) (*Table, error) {
	r, err := unzip(archive, f, l.text)
	if err != nil {
		return nil, err
	}
	var head [4]byte
	n, err := io.ReadFull(r, head[:])
	r.Close()
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	name := path.Base(f.Name)
	if kindOf(head[:n]) == "" {
		if r, err = unzip(archive, f, l.text); err != nil {
			return nil, err
		}
		return text(name, r), nil
	}
	if depth >= deepest {
		return nil, &Error{archive, deepZip}
	}
	if r, err = unzip(archive, f, l.held); err != nil {
		return nil, err
	}
	defer r.Close()
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return l.open(name, bytes.NewReader(all), int64(len(all)), s, depth+1)
}

// unzip returns what a file of an archive holds.
func unzip(archive string, f *zip.File, most int) (io.ReadCloser, error) {
	switch {
	case f.Flags&1 != 0:
		return nil, &Error{archive, encryptedMember(f.Name)}
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return nil, &Error{archive, unknownMethod(f.Name, f.Method)}
	case f.UncompressedSize64 > uint64(most):
		return nil, &Error{archive, large(most)}
	}
	r, err := f.Open()
	if err != nil {
		return nil, &Error{archive, damagedMember(f.Name)}
	}
	return &limited{r, archive, int64(most), most, func(error) string { return damagedMember(f.Name) }}, nil
}
