//go:build !js

// Command server serves the page that make build embedded in it:
//
//	go run ./server -addr 127.0.0.1:8080 -origin https://lab.example/ifm
//
// It speaks plain HTTP and leaves HTTPS to a proxy in front of it. -origin is the
// proxy's address, with the folder of the site. The same handler, compiled for js/wasm,
// is a Cloudflare Worker (worker.go). For a file server
//
//	go run ./server -assets DIR
//
// writes the files, and configurations with their headers for Cloudflare's asset store,
// nginx, Apache and Caddy.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ifmlab/web"
)

// Limits of one connection; mostConnections limits their number. An answer may take as
// long as its reader does: on a bad line the engine, a few megabytes, takes ten minutes.
// A reader that takes nothing for stallTime counts as gone. TCP tries again at growing
// intervals, so a reader may be without a network for half of that time. Systems often
// kill a stopping server after ten seconds, so open answers have less.
const (
	headTime  = 10 * time.Second // until the whole request is there
	stallTime = time.Minute
	idleTime  = 2 * time.Minute
	leaveTime = 8 * time.Second // for all answers under way when the server is to stop
	headBytes = 64 << 10        // request line and headers: a link of thousands of names is some 50 kB
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	if err := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr, web.Dist()); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "ifmlab:", err)
		os.Exit(1)
	}
}

// options are the values of the flags, whose defaults are environment variables.
type options struct {
	addr, origin, site, assets string
	open, log, version         bool
}

func readOptions(args []string, getenv func(string) string, errout io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("ifmlab", flag.ContinueOnError)
	flags.SetOutput(errout)
	flags.StringVar(&o.addr, "addr", cmp.Or(getenv("ADDR"), "127.0.0.1:8080"), "host and port to serve on; port 0: any that is free (environment: ADDR)")
	flags.StringVar(&o.origin, "origin", getenv("ORIGIN"), "where readers find the page, such as `https://lab.example` or https://lab.example/ifm; if empty, wherever they ask (ORIGIN)")
	flags.StringVar(&o.site, "site", getenv("SITE"), "serve the built page in this `folder` in place of the program's own (SITE)")
	open, err := boolean(getenv, "OPEN", false)
	if err != nil {
		return o, err
	}
	flags.BoolVar(&o.open, "open", open, "open the page in a browser (OPEN)")
	flags.BoolVar(&o.log, "log", !isTerminal(errout), "write a line of JSON for each request to standard error; unless said otherwise, where that is no terminal")
	flags.StringVar(&o.assets, "assets", "", "write the files for a file server to this `folder`, with their headers for nginx, Apache, Caddy and Cloudflare, and do not serve")
	flags.BoolVar(&o.version, "version", false, "print the page's version, and do not serve")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("found the argument %q, expected only flags. See -help", flags.Arg(0))
	}
	o.origin, err = readOrigin(o.origin)
	return o, err
}

func boolean(getenv func(string) string, name string, otherwise bool) (bool, error) {
	text := getenv(name)
	if text == "" {
		return otherwise, nil
	}
	value, err := strconv.ParseBool(text)
	if err != nil {
		return false, fmt.Errorf("the environment variable %s is %q, expected true or false", name, text)
	}
	return value, nil
}

// readOrigin checks a scheme and host, such as https://lab.example, with the
// folder that the site has there, if any; a "/" at the end is left out.
func readOrigin(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || !isHost(u.Host) || text != u.Scheme+"://"+u.Host+u.Path || !isFolder(strings.TrimSuffix(u.Path, "/")) {
		return "", fmt.Errorf("the origin is %q, expected a scheme, a host and possibly a folder of letters, digits and -._~, such as https://lab.example or https://lab.example/~prof/ifm", text)
	}
	return u.Scheme + "://" + u.Host + strings.TrimSuffix(u.Path, "/"), nil
}

// isFolder reports whether text is the path of a folder in every notation: "", or
// "/" and a name, once or more.
func isFolder(text string) bool {
	return text == "" || text != "/" && path.Clean(text) == text && strings.HasPrefix(text, "/") && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/") == ""
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, is := w.(*os.File)
	if !is {
		return false
	}
	about, err := f.Stat()
	return err == nil && about.Mode()&os.ModeCharDevice != 0
}

// run serves files until ctx ends or cannot go on. It prints the page's
// address to out once it can be opened, and logs to errout.
func run(ctx context.Context, args []string, getenv func(string) string, out, errout io.Writer, files fs.FS) error {
	o, err := readOptions(args, getenv, errout)
	if err != nil {
		return err
	}
	if o.site != "" {
		files = os.DirFS(o.site)
	}
	var handler http.Handler = unbuilt{}
	_, err = fs.Stat(files, "index.html")
	switch built := err == nil; {
	case !built && o.site != "":
		return fmt.Errorf("%s holds no index.html; give the folder that the built page is in, such as web/dist", o.site)
	case !built && (o.version || o.assets != ""):
		return errors.New(withoutPage)
	case built:
		site, err := newSite(files)
		if err != nil {
			return err
		}
		if err := site.setOrigin(o.origin); err != nil {
			return err
		}
		site.pack = packed
		handler = site
		switch {
		case o.version:
			_, err := fmt.Fprintln(out, site.hash())
			return err
		case o.assets != "":
			return site.export(o.assets)
		}
	}

	listener, err := net.Listen("tcp", o.addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("another program listens on %s; stop it or choose another address, such as ADDR=127.0.0.1:8081", o.addr)
	}
	if err != nil {
		return err
	}
	if getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
	log := newLog(errout, o.log)
	at := address(listener.Addr())
	fmt.Fprintf(out, "iFM Lab is at %s (Ctrl-C stops it)\n", at)
	if handler == (unbuilt{}) {
		fmt.Fprintln(errout, withoutPage)
	}
	log.Info("start", "addr", listener.Addr().String(), "origin", o.origin, "go", runtime.Version())
	if o.open {
		if err := openBrowser(at); err != nil {
			fmt.Fprintf(errout, "no browser could be opened (%v); open %s yourself\n", err, at)
		}
	}
	err = serve(ctx, newServer(handler, log, o.log), listener, log)
	log.Info("stop")
	return err
}

// newServer returns the handler with its limits, and with a log of requests if
// that is wanted.
func newServer(handler http.Handler, log *slog.Logger, requests bool) *http.Server {
	if requests {
		handler = withLog(handler, log)
	}
	return &http.Server{
		Handler:           withoutBodies(handler),
		ReadHeaderTimeout: headTime,
		ReadTimeout:       headTime, // no request has a body worth waiting for: withoutBodies
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headBytes,
		// OPTIONS * is refused as every other is; net/http would answer it without our headers.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// serve answers until ctx ends. Open answers then have leaveTime to finish before they
// are cut off.
func serve(ctx context.Context, server *http.Server, listener net.Listener, log *slog.Logger) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(limit(listener, server, mostConnections)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping")
	leave, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if server.Shutdown(leave) != nil {
		log.Warn("answers were cut off", "after", leaveTime.String())
		server.Close()
	}
	return nil
}

// address returns the page's address for a browser.
func address(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d/", tcp.Port)
	}
	return "http://" + addr.String() + "/"
}

// browsers has the command that opens an address, by system.
var browsers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
}

func openBrowser(address string) error {
	command, known := browsers[runtime.GOOS]
	if !known {
		command = []string{"xdg-open"}
	}
	cmd := exec.Command(command[0], append(command[1:], address)...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // some of them last as long as the browser
	return nil
}
