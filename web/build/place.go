package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// placeholder is the one committed file of dist, so that the folder can be embedded
// before the first build.
const placeholder = ".gitkeep"

// window is how far back brotli looks, as a power of 2: its largest, 16 MB, which holds a whole
// engine of 8 MB. Every browser unpacks it.
const window = 24

// compressible lists the types that shrink; pictures are compressed already.
var compressible = []string{".css", ".csv", ".html", ".js", ".json", ".svg", ".txt", ".wasm"}

// encodings are the ways a file is compressed, by the suffix of the result.
var encodings = map[string]struct {
	encode func(io.Writer) io.WriteCloser
	decode func(io.Reader) (io.Reader, error)
}{
	".br": {
		func(w io.Writer) io.WriteCloser {
			return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: window})
		},
		func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	},
	".gz": {
		func(w io.Writer) io.WriteCloser {
			z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
			if err != nil {
				panic(err) // the level is a valid one
			}
			return z
		},
		func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	},
}

// place writes these files, their compressed forms and the placeholder to dir, removes
// all others, and returns a table of sizes. A compressed form that decodes to the same
// bytes stays, since brotli takes seconds for the engine.
func place(dir string, files map[string][]byte) (sizes string, err error) {
	wanted := map[string]bool{placeholder: true}
	type job struct{ path, suffix string }
	var jobs []job
	for path, content := range files {
		wanted[path] = true
		target := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return "", err
		}
		if err := writeChanged(target, content); err != nil {
			return "", err
		}
		if slices.Contains(compressible, filepath.Ext(path)) {
			for suffix := range encodings {
				if path != "offline.html" || suffix == ".gz" { // packed text: brotli takes long and gains nothing more
					jobs = append(jobs, job{path, suffix})
				}
			}
		}
	}

	var (
		wait    sync.WaitGroup
		mutex   sync.Mutex
		slots   = make(chan struct{}, runtime.GOMAXPROCS(0))
		encoded = map[job]int{}
	)
	for _, j := range jobs {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			size, e := compress(filepath.Join(dir, filepath.FromSlash(j.path))+j.suffix, j.suffix, files[j.path])
			mutex.Lock()
			defer mutex.Unlock()
			if e != nil {
				err = e
			} else if size > 0 {
				wanted[j.path+j.suffix] = true
				encoded[j] = size
			}
		})
	}
	wait.Wait()
	if err != nil {
		return "", err
	}
	if err := removeOthers(dir, wanted); err != nil {
		return "", err
	}

	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	var b strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&b, "%-32s %9d", path, len(files[path]))
		if size := encoded[job{path, ".br"}]; size > 0 {
			fmt.Fprintf(&b, "  brotli %8d", size)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// compress writes content to path in the suffix's encoding and returns its size. If that
// is no smaller, it writes nothing and returns 0.
func compress(path, suffix string, content []byte) (size int, err error) {
	if old, err := os.ReadFile(path); err == nil {
		if r, err := encodings[suffix].decode(bytes.NewReader(old)); err == nil {
			if decoded, err := io.ReadAll(r); err == nil && bytes.Equal(decoded, content) {
				return len(old), nil
			}
		}
	}
	var b bytes.Buffer
	w := encodings[suffix].encode(&b)
	if _, err := w.Write(content); err != nil {
		return 0, err
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	if b.Len() >= len(content) {
		return 0, nil
	}
	return b.Len(), os.WriteFile(path, b.Bytes(), 0o644)
}

// removeOthers removes all other files from dir, and then the empty folders.
func removeOthers(dir string, wanted map[string]bool) error {
	var folders []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			folders = append(folders, path)
			return nil
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil || wanted[filepath.ToSlash(relative)] {
			return err
		}
		return os.Remove(path)
	})
	if err != nil {
		return err
	}
	for _, folder := range slices.Backward(folders[1:]) {
		if entries, err := os.ReadDir(folder); err == nil && len(entries) == 0 {
			if err := os.Remove(folder); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeChanged writes a file unless it has these bytes already, so that programs that
// watch it see no change.
func writeChanged(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	return os.WriteFile(path, content, 0o644)
}
