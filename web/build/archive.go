package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"time"
)

// member is a file of an archive. Its mode is 0755 if runs is true.
type member struct {
	name    string
	runs    bool
	content []byte
}

// archive packs the files of a folder by [zipped].
func archive(folder fs.FS) ([]byte, error) {
	files, err := filesOf(folder)
	if err != nil {
		return nil, err
	}
	return zipped(files)
}

// filesOf returns the files of a folder in the order of their paths.
func filesOf(folder fs.FS) (files []member, err error) {
	return files, fs.WalkDir(folder, ".", func(path string, found fs.DirEntry, err error) error {
		if err != nil || found.IsDir() {
			return err
		}
		content, err := fs.ReadFile(folder, path)
		files = append(files, member{name: path, content: content})
		return err
	})
}

// zipped packs files without times and permissions, so the same files give the same
// bytes.
func zipped(files []member) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, file := range files {
		w, err := z.Create(file.name)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(file.content); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// tarTime is the time of every file of a tarball. It is npm's own, since some programs
// refuse files from before 1980.
var tarTime = time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC)

// tarball packs files as .tar.gz, with one time and one owner for all.
func tarball(files []member) ([]byte, error) {
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(packed)
	for _, file := range files {
		head := tar.Header{Typeflag: tar.TypeReg, Name: file.name, Size: int64(len(file.content)), Mode: 0o644, ModTime: tarTime}
		if file.runs {
			head.Mode = 0o755
		}
		if err := t.WriteHeader(&head); err != nil {
			return nil, err
		}
		if _, err := t.Write(file.content); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(t.Close(), packed.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
