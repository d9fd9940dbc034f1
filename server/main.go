//go:build !js

// Command server serves the page that make build embedded in it:
//
//	go run ./server -addr 127.0.0.1:8080
//
// The same handler, compiled for js/wasm, is a Cloudflare Worker (worker.go);
// there the files come from Cloudflare's asset store, for which
//
//	go run ./server -assets DIR
//
// writes them, plain, with their headers in the file _headers.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"ifmlab/web"
)

// Limits of one connection. The longest answer is the engine, a few megabytes:
// who cannot take it in five minutes has gone.
const (
	headTime   = 10 * time.Second
	answerTime = 5 * time.Minute
	idleTime   = 2 * time.Minute
	headBytes  = 64 << 10
	leaveTime  = 10 * time.Second // for the answers under way when the server is told to stop
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv, os.Stdout, web.Dist()); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "server:", err)
		}
		os.Exit(1)
	}
}

// run serves files until ctx ends or cannot go on. It prints the page's
// address to out once it can be opened.
func run(ctx context.Context, args []string, getenv func(string) string, out io.Writer, files fs.FS) error {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	addr := flags.String("addr", cmp.Or(getenv("ADDR"), "127.0.0.1:8080"), "host and port to serve on; port 0: any that is free (environment: ADDR)")
	assets := flags.String("assets", "", "write the files for Cloudflare's asset store to this `folder`, and do not serve")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("found argument %q, want only flags; see -help", flags.Arg(0))
	}
	if _, err := fs.Stat(files, "index.html"); errors.Is(err, fs.ErrNotExist) {
		return errors.New("this program was built before the page was; run make build, then start it again")
	}
	site, err := newSite(files)
	if err != nil {
		return err
	}
	if *assets != "" {
		return site.export(*assets)
	}

	listener, err := net.Listen("tcp", *addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("another program listens on %s; stop it or choose another address, such as ADDR=127.0.0.1:8081", *addr)
	}
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           site,
		ReadHeaderTimeout: headTime,
		ReadTimeout:       headTime, // no request has a body worth waiting for
		WriteTimeout:      answerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headBytes,
	}
	fmt.Fprintf(out, "iFM Lab is at %s (Ctrl-C stops it)\n", address(listener.Addr()))
	return serve(ctx, server, listener)
}

// serve answers until ctx ends, then lets the answers under way finish.
func serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	leave, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if err := server.Shutdown(leave); err != nil {
		server.Close()
		return fmt.Errorf("stopped with answers still under way after %v", leaveTime)
	}
	return nil
}

// address returns what to type into a browser.
func address(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d/", tcp.Port)
	}
	return "http://" + addr.String() + "/"
}

// export writes the site's plain files and _headers to folder.
func (s *site) export(folder string) error {
	for _, f := range s.files {
		content, err := fs.ReadFile(f.source, f.plain.name)
		if err != nil {
			return err
		}
		target := filepath.Join(folder, filepath.FromSlash(f.plain.name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			return err
		}
	}
	rules, err := os.Create(filepath.Join(folder, "_headers"))
	if err != nil {
		return err
	}
	return errors.Join(s.writeRules(rules), rules.Close())
}
