package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMemoryIsReadFromTheProcess(t *testing.T) {
	held, err := memory(os.Getpid())
	if os.IsNotExist(err) {
		t.Skip("not run: there is no /proc here")
	}
	require.NoError(t, err)
	assert.Greater(t, held.own, 1.0, "megabytes")
	assert.Greater(t, held.now, held.own)
	assert.GreaterOrEqual(t, held.peak, held.now)

	kept, err := kilobytes([]byte("Name:\tx\nVmHWM:\t   30000 kB\nVmRSS:\t   20000 kB\n"), "VmRSS:")
	require.NoError(t, err)
	assert.Equal(t, 20480.0, kept, "the kernel's kB are 1024 bytes")
	_, err = kilobytes([]byte("Name:\tx\n"), "VmRSS:")
	assert.EqualError(t, err, "bench: the process has no line VmRSS:")
}

func TestNginxIsToldTheHeadersThatItDoesNotSendByItself(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Content-Type", "ETag", "Vary", "Referrer-Policy"} {
			w.Header().Set(name, "x")
		}
	}))
	defer server.Close()
	headers, err := get(server.Listener.Addr().String(), "/", "identity")
	require.NoError(t, err)
	assert.Equal(t, http.Header{"Referrer-Policy": {"x"}}, ownHeaders(headers))
}

func TestTheFilesOfTheComparisonAreChosenFromTheBuild(t *testing.T) {
	folder := t.TempDir()
	_, _, err := choose(folder)
	assert.ErrorContains(t, err, "run make build")
	require.NoError(t, os.Mkdir(filepath.Join(folder, "a"), 0o755))
	for name, size := range map[string]int{"big.js": 9000, "near.js": 4000, "tiny.js": 10, "engine.wasm": 4096} {
		for _, suffix := range []string{"", ".gz"} {
			require.NoError(t, os.WriteFile(filepath.Join(folder, "a", name+suffix), make([]byte, size-len(suffix)), 0o644))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "a", "plain.js"), make([]byte, 4096), 0o644))
	small, engine, err := choose(folder)
	require.NoError(t, err)
	assert.Equal(t, []asked{{"/a/near.js", "identity", make([]byte, 4000)}, {"/a/near.js", "gzip", make([]byte, 3997)}}, small)
	assert.Equal(t, "/a/engine.wasm", engine[0].path)
	assert.Len(t, engine[1].body, 4093)
}
