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

// boundedReader fails after most bytes. damage says what any other failure means.
type boundedReader struct {
	io.ReadCloser
	file   string
	left   int64
	most   int
	damage func(error) string
}

func bounded(r io.ReadCloser, file string, most int, damage func(error) string) *boundedReader {
	return &boundedReader{r, file, int64(most), most, damage}
}

func (r *boundedReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if r.left -= int64(n); r.left < 0 {
		return 0, &Error{r.file, large(r.most)}
	}
	if err == nil || err == io.EOF {
		return n, err
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return n, known
	}
	return n, &Error{r.file, r.damage(err)}
}

// gunzip returns the content of all members of a gzip file.
func (l limits) gunzip(name string, r io.Reader) io.ReadCloser {
	return bounded(&gzipReader{from: r}, name, l.text, func(error) string { return damagedGzip })
}

// gzipReader is a [gzip.Reader] that reads the header at the first Read.
type gzipReader struct {
	from io.Reader
	gz   *gzip.Reader
}

func (g *gzipReader) Read(p []byte) (n int, err error) {
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

func (g *gzipReader) Close() error { return nil }

var (
	// systemFile matches what operating systems add to an archive.
	systemFile = regexp.MustCompile(`(^|/)(__MACOSX/|\.DS_Store$|\._|Thumbs\.db$|desktop\.ini$)`)
	// tableFile matches files that may be tables, aboutFile those that describe one.
	tableFile   = regexp.MustCompile(`(?i)\.(csv|tsv|txt|tab|dat|data|json|jsonl|ndjson|svm|libsvm|ffm|gz|zip|parquet|xlsx|xlsm)$`)
	archiveFile = regexp.MustCompile(`(?i)\.zip$`)
	aboutFile   = regexp.MustCompile(`(?i)(^|/)(read[-_ ]?me|licen[cs]e|copying|change(s|log)|notice|index)(\.[^/]*)?$`)
)

func (l limits) openZip(name string, at io.ReaderAt, size int64, s spec.Spec, depth int) (*Table, error) {
	archive, err := zip.NewReader(at, size)
	if err != nil && err != zip.ErrInsecurePath {
		return nil, &Error{name, notZip}
	}
	var files []*zip.File
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, "/") && !systemFile.MatchString(f.Name) {
			files = append(files, f)
		}
	}
	is, refusal := isWorkbook(files)
	if refusal != "" {
		return nil, &Error{name, refusal}
	}
	if is {
		return l.openWorkbook(name, files, s.Sheet, s.Keep)
	}
	member, err := chooseMember(name, files, s.Member)
	if err != nil {
		return nil, err
	}
	return l.openMember(name, member, s, depth)
}

// chooseMember returns the wanted file of an archive, or the only one that may be a
// table.
func chooseMember(name string, files []*zip.File, wanted string) (*zip.File, error) {
	if len(files) == 0 {
		return nil, &Error{name, emptyZip}
	}
	offered := files
	for _, unlikely := range []func(*zip.File) bool{
		func(f *zip.File) bool { return !tableFile.MatchString(f.Name) },
		func(f *zip.File) bool { return aboutFile.MatchString(f.Name) },
	} {
		if rest := slices.DeleteFunc(slices.Clone(offered), unlikely); len(rest) > 0 {
			offered = rest
		}
	}
	i := slices.IndexFunc(files, func(f *zip.File) bool { return f.Name == wanted })
	if only := offered[0]; len(offered) == 1 && (wanted == "" || i < 0 && archiveFile.MatchString(only.Name)) {
		return only, nil // what is wanted may be in it
	}
	var names []string
	for _, f := range offered {
		names = append(names, f.Name)
	}
	if i >= 0 {
		return files[i], nil
	}
	return nil, &ChoiceError{File: name, Message: whichMember(wanted, names), Key: "member", Names: names}
}

// maxDepth is how many archives may be in each other.
const maxDepth = 2

// openMember opens a file of an archive. A file that is packed itself is held in memory.
func (l limits) openMember(archive string, f *zip.File, s spec.Spec, depth int) (*Table, error) {
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
		return &Table{ReadCloser: r, Name: name}, nil
	}
	if depth >= maxDepth {
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
	if s.Member == f.Name {
		s.Member = ""
	}
	return l.open(name, bytes.NewReader(all), int64(len(all)), s, depth+1)
}

// unzip returns the content of a file of an archive.
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
	return bounded(r, archive, most, func(error) string { return damagedMember(f.Name) }), nil
}
