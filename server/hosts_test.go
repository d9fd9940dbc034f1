//go:build !js

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tests of server/hosts start the real nginx, Apache and Caddy with the
// blocks that are there and with those that -assets writes. make hosts runs
// them; elsewhere they are left out.

const example = "https://lab.example/ifm" // of the blocks

// webServer is one of others, and what starts it with a block.
type webServer struct {
	name, program string
	config        func(t *testing.T, folder, addr, block string) []string // writes the configuration, returns the arguments
	proxy         string                                                  // its block in front of ours
	files         func(t *testing.T, place string) string                 // its block for the files in a folder
}

func webServers() []webServer {
	read := func(t *testing.T, name string) string {
		return string(must(os.ReadFile(name)))
	}
	return []webServer{
		{"nginx", "nginx", nginxConfig, "hosts/nginx.conf", func(t *testing.T, place string) string { return read(t, filepath.Join(place, "_nginx.conf")) }},
		{"nginx with brotli", "nginx", nginxConfig, "hosts/nginx.conf", func(t *testing.T, place string) string {
			if _, err := os.Stat(brotliModule); err != nil {
				t.Skip("not run: nginx has no brotli here; apt-get install libnginx-mod-http-brotli-static")
			}
			block := read(t, filepath.Join(place, "_nginx.conf"))
			require.Contains(t, block, "# brotli_static on;")
			return strings.Replace(block, "# brotli_static on;", "brotli_static on;", 1)
		}},
		{"Apache", "apache2", apacheConfig, "hosts/apache.conf", func(t *testing.T, place string) string {
			return strings.ReplaceAll(read(t, "hosts/apache-files.conf"), "/srv/ifmlab", place)
		}},
		{"Caddy", "caddy", caddyConfig, "hosts/Caddyfile", func(t *testing.T, place string) string { return read(t, filepath.Join(place, "_Caddyfile")) }},
	}
}

const brotliModule = "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so"

func nginxConfig(t *testing.T, folder, addr, block string) []string {
	var b strings.Builder
	if strings.Contains(block, "\n    brotli_static on;") {
		fmt.Fprintf(&b, "load_module %s;\n", brotliModule)
	}
	if os.Getuid() == 0 {
		b.WriteString("user root;\n")
	}
	fmt.Fprintf(&b, "daemon off;\nmaster_process off;\nerror_log stderr;\npid %s/pid;\nevents { }\nhttp {\naccess_log off;\n", folder)
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&b, "%s_temp_path %s/%[1]s;\n", kind, folder)
	}
	fmt.Fprintf(&b, "server {\nlisten %s;\n%s}\n}\n", addr, block)
	config := filepath.Join(folder, "nginx.conf")
	require.NoError(t, os.WriteFile(config, []byte(b.String()), 0o644))
	return []string{"-c", config, "-p", folder, "-e", "stderr"}
}

func apacheConfig(t *testing.T, folder, addr, block string) []string {
	var b strings.Builder
	for _, module := range []string{"mpm_event", "authz_core", "alias", "dir", "mime", "env", "headers", "rewrite", "setenvif", "proxy", "proxy_http"} {
		fmt.Fprintf(&b, "LoadModule %s_module /usr/lib/apache2/modules/mod_%[1]s.so\n", module)
	}
	if os.Getuid() == 0 {
		b.WriteString("User nobody\nGroup nogroup\n")
	}
	// Debian's own types come first, which the block has to overrule.
	fmt.Fprintf(&b, "ServerRoot %[1]s\nDefaultRuntimeDir %[1]s\nPidFile %[1]s/pid\nErrorLog /dev/stderr\nListen %[2]s\nServerName %[2]s\nTypesConfig /etc/mime.types\nAddType application/x-gzip .gz\n<Directory />\nRequire all denied\nAllowOverride None\n</Directory>\n<VirtualHost *>\n%[3]s</VirtualHost>\n", folder, addr, block)
	config := filepath.Join(folder, "apache2.conf")
	require.NoError(t, os.WriteFile(config, []byte(b.String()), 0o644))
	return []string{"-f", config, "-DFOREGROUND"}
}

func caddyConfig(t *testing.T, folder, addr, block string) []string {
	config := filepath.Join(folder, "Caddyfile")
	_, port, err := net.SplitHostPort(addr)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(config, []byte("{\nadmin off\n}\nhttp://:"+port+" {\nbind 127.0.0.1\n"+block+"}\n"), 0o644))
	return []string{"run", "--config", config, "--adapter", "caddyfile"}
}

// start runs the server with a block until the test ends, and returns its address.
func (s webServer) start(t *testing.T, block string) host {
	t.Helper()
	program, err := exec.LookPath(s.program)
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/" + s.program); err != nil {
			t.Skipf("not run: %s is not installed; apt-get install %[1]s", s.program)
		}
	}
	free := must(net.Listen("tcp", "127.0.0.1:0"))
	addr := free.Addr().String()
	free.Close()
	folder := openFolder(t)
	cmd := exec.Command(program, s.config(t, folder, addr, block)...)
	cmd.Env = append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	var said written
	cmd.Stdout, cmd.Stderr = &said, &said
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		<-ended
		if t.Failed() {
			t.Log(said.String())
		}
	})
	require.Eventually(t, func() bool {
		select {
		case err := <-ended:
			ended <- err
			t.Log(said.String())
			return true
		default:
		}
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
		}
		return err == nil
	}, time.Minute, 5*time.Millisecond, "%s does not listen", s.name)
	return host{s.name, addr}
}

// openFolder is a folder that servers read which give up what they may.
func openFolder(t *testing.T) string {
	t.Helper()
	folder := must(os.MkdirTemp("", "ifmlab-hosts-"))
	t.Cleanup(func() { os.RemoveAll(folder) })
	require.NoError(t, os.Chmod(folder, 0o755))
	return folder
}

func wantsHosts(t *testing.T) {
	t.Helper()
	if os.Getenv("IFMLAB_HOSTS") == "" {
		t.Skip("not run: make hosts does")
	}
}

func TestEachBlockServesTheFilesAsOursWould(t *testing.T) {
	wantsHosts(t)
	built := builtPage(t)
	places := map[string]string{} // by the folder of their host
	for _, folder := range []string{"/ifm", ""} {
		places[folder] = openFolder(t)
		require.NoError(t, run(t.Context(), []string{"-assets", places[folder], "-origin", "https://lab.example" + folder}, noEnvironment, io.Discard, io.Discard, built))
	}
	script, engine, style, font := hashed(t, "worker-*.js"), hashed(t, "engine-*.wasm"), hashed(t, "style-*.css"), hashed(t, "stix-*.woff2")
	for _, s := range webServers() {
		for folder, place := range places {
			t.Run(s.name+" at "+folder+"/", func(t *testing.T) {
				block := s.files(t, place)
				if s.name == "Apache" && folder == "" {
					block = strings.Replace(block, `Alias "/ifm" "`, `DocumentRoot "`, 1)
				}
				h := s.start(t, block)
				check := func(target string, status int, contentType, cache, accept, coding, name string) {
					t.Helper()
					got := h.do(t, request{name: target, target: target, headers: []string{"Accept-Encoding", accept}})
					require.Equal(t, status, got.status, target)
					for _, l := range commonHeaders {
						if l.name != "Cache-Control" {
							assert.Equal(t, l.value, got.header[l.name], "%s of %s", l.name, target)
						}
					}
					assert.Equal(t, []string{cache}, got.header["Cache-Control"], target)
					assert.Equal(t, contentType, strings.ToLower(got.header.Get("Content-Type")), target)
					assert.Equal(t, coding, got.header.Get("Content-Encoding"), target)
					if coding != "" {
						assert.Contains(t, strings.Join(got.header["Vary"], ","), "Accept-Encoding", target)
					}
					want := must(os.ReadFile(filepath.Join(place, name)))
					assert.True(t, string(want) == decoded(t, got), "%s is not %s", target, name)
				}
				best := "gzip"
				if s.name != "nginx" {
					best = "br"
				}
				check(folder+"/", 200, contentTypes[".html"], revalidate, "identity", "", "index.html")
				check(folder+"/?seed=7", 200, contentTypes[".html"], revalidate, "identity", "", "index.html")
				check(folder+"/"+script, 200, contentTypes[".js"], immutable, "identity", "", script)
				check(folder+"/"+script, 200, contentTypes[".js"], immutable, "gzip, deflate, br, zstd", best, script)
				check(folder+"/"+script, 200, contentTypes[".js"], immutable, "gzip", "gzip", script)
				check(folder+"/"+engine, 200, contentTypes[".wasm"], immutable, "gzip, deflate, br", best, engine)
				check(folder+"/"+style, 200, contentTypes[".css"], immutable, "gzip", "gzip", style)
				check(folder+"/"+font, 200, contentTypes[".woff2"], immutable, "br", "", font)
				check(folder+"/samples/cars.csv", 200, contentTypes[".csv"], revalidate, "identity", "", "samples/cars.csv")
				check(folder+"/embeds.html", 200, contentTypes[".html"], revalidate, "gzip", "gzip", "embeds.html")
				check(folder+"/favicon.ico", 200, contentTypes[".ico"], revalidate, "identity", "", "favicon.ico")
				check(folder+"/cards/psd.png", 200, contentTypes[".png"], revalidate, "identity", "", "cards/psd.png")
				check(folder+"/ifm-lab-quarto.zip", 200, contentTypes[".zip"], revalidate, "identity", "", "ifm-lab-quarto.zip")
				for _, missing := range []string{"nothing", "a/app-ZZZZZZZZ.js", "p/seed=7", ".htaccess", "_headers", "_nginx.conf", "_Caddyfile"} {
					check(folder+"/"+missing, 404, contentTypes[".html"], revalidate, "identity", "", "404.html")
				}
				assert.Equal(t, download.value, h.do(t, request{target: folder + "/offline.html"}).header["Content-Disposition"])
				assert.Empty(t, h.do(t, request{target: folder + "/"}).header["Content-Disposition"])
				if folder != "" {
					bare := h.do(t, request{target: folder})
					assert.Contains(t, []int{301, 307}, bare.status)
					assert.True(t, strings.HasSuffix(bare.header.Get("Location"), "/ifm/"), bare.header.Get("Location"))
				}
				page := contentIn(t, filepath.Join(place, "index.html"))
				assert.Contains(t, page, `content="https://lab.example`+folder+`/cards/flipped.png"`)
				assert.NotContains(t, page, "json+oembed", "no server answers there")
				assert.Contains(t, contentIn(t, filepath.Join(place, "404.html")), `href="`+folder+`/"`)
			})
		}
	}
}

func contentIn(t *testing.T, name string) string {
	t.Helper()
	return string(must(os.ReadFile(name)))
}

func TestEachBlockPassesOnWhatOursAnswers(t *testing.T) {
	wantsHosts(t)
	site := must(newSite(builtPage(t)))
	require.NoError(t, site.setOrigin(example))
	site.pack = packed
	ours := host{"ours", strings.Trim(strings.TrimPrefix(serveLocally(t, site), "http://"), "/")}
	told := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	echo := strings.Trim(strings.TrimPrefix(serveLocally(t, told), "http://"), "/")
	engine := hashed(t, "engine-*.wasm")
	for _, s := range webServers() {
		if s.name == "nginx with brotli" {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			block := contentIn(t, s.proxy)
			require.Contains(t, block, "127.0.0.1:8080")
			h := s.start(t, strings.ReplaceAll(block, "127.0.0.1:8080", ours.address))
			for _, target := range []string{
				"/ifm/", "/ifm/?scenario=mixed&seed=7", "/ifm/" + engine, "/ifm/p/scenario=mixed", "/ifm/p/source=table&target=a%2Fb%20c&ignore=%C3%A4%25", "/ifm/p/%3Fd=5", "/ifm/index.html?x=1",
				"/ifm/oembed?url=" + example + "/p/seed=7%26d=40", "/ifm/healthz", "/ifm/version", "/ifm/nothing", "/ifm/a/", "/ifm/?ignore=" + strings.Repeat("name,", 10_000),
			} {
				for _, accept := range []string{"identity", "gzip", "br"} {
					asked := request{name: target, target: target, headers: []string{"Accept-Encoding", accept}}
					want, got := ours.do(t, asked), h.do(t, asked)
					assert.Equal(t, want.status, got.status, target)
					assert.True(t, want.body == got.body, "%s: the body is another", target)
					for _, name := range []string{"Content-Type", "Content-Encoding", "Cache-Control", "Content-Security-Policy", "Access-Control-Allow-Origin", "Cross-Origin-Embedder-Policy", "X-Frame-Options", "Vary"} {
						if name != "Content-Type" || want.body != "" { // Apache has one for what is empty too
							assert.Equal(t, want.header[name], got.header[name], "%s of %s", name, target)
						}
					}
					assert.Equal(t, want.header.Get("Location"), strings.TrimPrefix(got.header.Get("Location"), "http://"+h.address), target)
				}
			}
			bare := h.do(t, request{target: "/ifm?seed=7"})
			assert.Equal(t, 307, bare.status)
			assert.Equal(t, "/ifm/?seed=7", strings.TrimPrefix(bare.header.Get("Location"), "http://"+h.address))
			assert.NotContains(t, h.do(t, request{target: "/ifm/..%2f..%2fetc/passwd"}).body, "root:")
			again := h.do(t, request{target: "/ifm/" + engine, again: true})
			assert.Equal(t, 304, again.status)

			e := s.start(t, strings.ReplaceAll(block, "127.0.0.1:8080", echo))
			assert.Equal(t, "lab.example:8443", e.do(t, request{target: "/ifm/", host: "lab.example:8443"}).body, "the port is passed on")
		})
	}
}

func TestTheUnitIsOneThatSystemdTakes(t *testing.T) {
	wantsHosts(t)
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("not run: systemd-analyze is not installed; apt-get install systemd")
	}
	unit := contentIn(t, "hosts/ifmlab.service")
	require.Contains(t, unit, "/usr/local/bin/ifmlab")
	program := must(os.Executable())
	file := filepath.Join(t.TempDir(), "ifmlab.service")
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(unit, "/usr/local/bin/ifmlab", program)), 0o644))
	said, err := exec.Command("systemd-analyze", "verify", "--man=no", file).CombinedOutput()
	require.NoError(t, err, "%s", said)
	assert.NotContains(t, string(said), "ifmlab.service", "it complains of nothing")
	said, err = exec.Command("systemd-analyze", "security", "--offline=yes", "--threshold=20", file).CombinedOutput() // of 100, tenths
	require.NoError(t, err, "%s", said)
}
