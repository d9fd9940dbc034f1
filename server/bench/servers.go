package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is a program that serves the page's files on addr.
type server struct {
	addr string
	cmd  *exec.Cmd
	logs *bytes.Buffer
}

// newServer prepares a program, which is told to stop when ctx ends, so that it
// can stop its workers.
func newServer(ctx context.Context, program string, args ...string) *server {
	s := &server{cmd: exec.CommandContext(ctx, program, args...), logs: new(bytes.Buffer)}
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	s.cmd.Stderr = s.logs
	return s
}

// stop ends the program; its workers end with it.
func (s *server) stop() {
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.cmd.Wait()
}

// startOurs starts the binary and returns how long it took from there to the
// first page.
func startOurs(ctx context.Context, binary string) (*server, time.Duration, error) {
	s := newServer(ctx, binary, "-addr", "127.0.0.1:0", "-log=false")
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, 0, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_, rest, found := strings.Cut(line, "http://")
	if err != nil || !found {
		s.stop()
		return nil, 0, fmt.Errorf("%s said %q and %q, want its address", binary, line, s.logs)
	}
	s.addr, _, _ = strings.Cut(rest, "/")
	if _, err := get(s.addr, "/", "identity"); err != nil {
		s.stop()
		return nil, 0, err
	}
	return s, time.Since(began), nil
}

// errNoNginx says how to get what the server is compared with.
var errNoNginx = errors.New("nginx was not found; install it (apt-get install nginx-light) or put it on PATH")

// startNginx starts nginx on the same files as Debian configures it: sendfile,
// tcp_nopush, a worker for every core. It leaves out its log, keeps
// connections for as long as ours, sends the precompressed files, and the same
// headers as ours, which are given.
func startNginx(ctx context.Context, files, folder string, headers http.Header) (*server, error) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/nginx"); err != nil {
			return nil, errNoNginx
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := free.Addr().String()
	free.Close()
	if files, err = filepath.Abs(files); err != nil {
		return nil, err
	}
	var b strings.Builder
	if os.Getuid() == 0 {
		fmt.Fprintln(&b, "user root;")
	}
	fmt.Fprintf(&b, "daemon off;\nworker_processes auto;\nerror_log stderr;\npid %[1]s/pid;\nevents { worker_connections 768; }\n", folder)
	fmt.Fprintf(&b, "http {\n  access_log off;\n  sendfile on;\n  tcp_nopush on;\n  types_hash_max_size 2048;\n  gzip_static on;\n  gzip_vary on;\n  keepalive_requests 1000000000;\n")
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&b, "  %s_temp_path %s/%s;\n", kind, folder, kind)
	}
	fmt.Fprintf(&b, "  types { text/html html; text/javascript js; text/css css; text/csv csv; text/plain txt; application/wasm wasm; }\n")
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		fmt.Fprintf(&b, "  add_header %s %q;\n", name, headers.Get(name))
	}
	fmt.Fprintf(&b, "  server { listen %s; root %q; }\n}\n", addr, files)
	config := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(config, []byte(b.String()), 0o644); err != nil {
		return nil, err
	}
	s := newServer(ctx, program, "-c", config, "-p", folder, "-e", "stderr")
	s.addr = addr
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for range 200 {
		if _, err = get(addr, "/", "identity"); err == nil {
			return s, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.stop()
	return nil, fmt.Errorf("nginx did not answer: %w; it said %q", err, s.logs)
}

// get asks once, following where it is led, and returns the answer's headers.
func get(addr, path, coding string) (http.Header, error) {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}, Timeout: 5 * time.Second}
	request, err := http.NewRequest(http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept-Encoding", coding)
	r, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	if r.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("http://%s%s: the answer is %q, want 200", addr, path, r.Status)
	}
	return r.Header, nil
}

// nginxSets are the headers that nginx sends by itself.
var nginxSets = []string{"Accept-Ranges", "Connection", "Content-Length", "Content-Type", "Date", "Etag", "Last-Modified", "Server", "Vary"}

// ownHeaders returns those of the headers that nginx has to be told.
func ownHeaders(h http.Header) http.Header {
	h = h.Clone()
	for _, name := range nginxSets {
		h.Del(name)
	}
	return h
}

// resident is memory in megabytes, as Linux counts it: what a process keeps now
// and kept at most, and what of it is no page of a file, and so its own.
type resident struct{ now, peak, own float64 }

// memory returns what a process, and those it started, keep; pages that two of
// them share count twice.
func memory(pid int) (sum resident, err error) {
	pids := []int{pid}
	for i := 0; i < len(pids); i++ {
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pids[i]))
		if err != nil {
			return sum, err
		}
		for field := range strings.FieldsSeq(string(children)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				return sum, err
			}
			pids = append(pids, child)
		}
	}
	for _, pid := range pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return sum, err
		}
		now, err1 := kilobytes(status, "VmRSS:")
		peak, err2 := kilobytes(status, "VmHWM:")
		own, err3 := kilobytes(status, "RssAnon:")
		if err := cmp.Or(err1, err2, err3); err != nil {
			return sum, err
		}
		sum.now, sum.peak, sum.own = sum.now+now/1e3, sum.peak+peak/1e3, sum.own+own/1e3
	}
	return sum, nil
}

// kilobytes returns the value of a line such as "VmRSS:     1234 kB", in
// thousands of bytes.
func kilobytes(status []byte, name string) (float64, error) {
	_, rest, found := bytes.Cut(status, []byte("\n"+name))
	if !found {
		return 0, fmt.Errorf("bench: the process has no line %s", name)
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	value, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(string(line)), " kB"), 64)
	return value * 1.024, err
}
