//go:build !js

package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// export writes the site to a folder for a file server: its files, plain and
// compressed, and beside them what makes each kind of server send the headers
// that ours sends.
func (s *site) export(folder string) error {
	place, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	place = filepath.ToSlash(place)
	if strings.ContainsFunc(place, func(r rune) bool { return r < ' ' || strings.ContainsRune(`"\{}$`, r) }) {
		return fmt.Errorf("the folder %q has a mark in its name that configurations of servers do not take; choose another", place)
	}
	write := func(name string, content []byte) error {
		target := filepath.Join(folder, filepath.FromSlash(name))
		return errors.Join(os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, content, 0o644))
	}
	for address, f := range s.files {
		for _, v := range append([]*variant{f.plain}, f.encoded...) {
			content, err := v.read()
			if err != nil {
				return err
			}
			if address == "/" && s.page != nil && s.origin != "" { // it says where it is
				if v != f.plain {
					os.Remove(filepath.Join(folder, v.name)) // of another time
					continue
				}
				content = []byte(s.page.general(s.origin))
			}
			if err := write(v.name, content); err != nil {
				return err
			}
		}
	}
	rules := s.rules(place)
	if most := strings.Count(rules["_headers"], "\n/") + 1; most > mostRules {
		return fmt.Errorf("_headers would have %d rules, and Cloudflare reads %d; let fewer files differ from the others", most, mostRules)
	}
	for name, text := range rules {
		if err := write(name, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// rules returns the files that tell servers the headers of a site in a folder
// of the disk.
func (s *site) rules(place string) map[string]string {
	return map[string]string{
		"_headers":      s.cloudflare(),
		".assetsignore": "# Cloudflare compresses by itself, and has its headers from _headers.\n.htaccess\n_nginx.conf\n_Caddyfile\n*.br\n*.gz\n",
		".htaccess":     s.apache(),
		"_nginx.conf":   s.nginx(place),
		"_Caddyfile":    s.caddy(place),
	}
}

// cloudflare writes the headers as the _headers file of Cloudflare's asset
// store. A name in /a/ gets its rule by its exact path: under /a/* a missing
// file would be immutable too. The store adds up the values of several rules,
// so a header is taken back before it gets another value. It knows the types
// of files but for scripts, which it gives an older one, and for packages,
// which it gives none.
func (s *site) cloudflare() string {
	var b strings.Builder
	b.WriteString("/*\n")
	for _, h := range everywhere {
		fmt.Fprintf(&b, "  %s: %s\n", h.name, h.value[0])
	}
	for _, address := range slices.Sorted(maps.Keys(s.files)) {
		f := s.files[address]
		lines := own(address)
		if ending := path.Ext(f.name); ending == ".js" || ending == ".tgz" {
			lines = append(lines, line("Content-Type", f.contentType))
		}
		if len(lines) == 0 {
			continue
		}
		b.WriteString(address + "\n")
		for _, l := range lines {
			if slices.ContainsFunc(everywhere, func(h header) bool { return h.name == l.name }) {
				fmt.Fprintf(&b, "  ! %s\n", l.name)
			}
			fmt.Fprintf(&b, "  %s: %s\n", l.name, l.value[0])
		}
	}
	return b.String()
}

// mostRules is how many rules Cloudflare's asset store reads; it drops the others.
const mostRules = 100

// kinds lists what the files of the site end in, each without its dot, and its
// type without the charset.
func kinds(each func(ending, kind string, text bool)) {
	for _, ending := range slices.Sorted(maps.Keys(contentTypes)) {
		kind, charset, _ := strings.Cut(contentTypes[ending], "; ")
		each(ending[1:], kind, charset != "")
	}
}

// apache writes .htaccess, which Apache reads in the folder itself; it holds for
// whatever address the folder has.
func (s *site) apache() string {
	var b strings.Builder
	b.WriteString(`# For Apache httpd 2.4.16 or later; its directory needs "AllowOverride FileInfo".
# Where every answer is 500 the administrator does not allow it: remove this file.
<IfModule mod_headers.c>
`)
	for _, h := range everywhere {
		fmt.Fprintf(&b, "Header always set %s %q\n", h.name, h.value[0])
	}
	fmt.Fprintf(&b, "SetEnvIf Request_URI \"/a/[^/]+$\" IFMLAB_HASHED\nHeader always set Cache-Control %q env=IFMLAB_HASHED\n", forEver)
	fmt.Fprintf(&b, "<FilesMatch \"^offline\\.html\">\nHeader always set %s %s\n</FilesMatch>\n", download.name, apacheQuoted(download.value[0]))
	b.WriteString("Header always merge Vary Accept-Encoding\n</IfModule>\n\n<IfModule mod_mime.c>\n")
	kinds(func(ending, kind string, text bool) {
		fmt.Fprintf(&b, "AddType %s .%s\n", kind, ending)
		if text {
			fmt.Fprintf(&b, "AddCharset utf-8 .%s\n", ending)
		}
	})
	b.WriteString(`</IfModule>

# Files are sent as they were compressed when the page was built.
<IfModule mod_rewrite.c>
RemoveType .br .gz
AddEncoding br .br
AddEncoding gzip .gz
RewriteEngine On
RewriteCond %{HTTP:Accept-Encoding} \bbr\b
RewriteCond %{REQUEST_FILENAME}.br -f
RewriteRule ^(.+)$ $1.br [END]
RewriteCond %{HTTP:Accept-Encoding} \bgzip\b
RewriteCond %{REQUEST_FILENAME}.gz -f
RewriteRule ^(.+)$ $1.gz [END]
</IfModule>

# What is not for readers, and what is not there.
RedirectMatch 404 "/[._][^/]*$"
`)
	fmt.Fprintf(&b, "ErrorDocument 404 %s/404.html\n", s.base())
	return b.String()
}

// apacheQuoted writes a value that holds quotes as Apache reads it.
func apacheQuoted(value string) string {
	return `"` + strings.ReplaceAll(value, `"`, `\"`) + `"`
}

// nginx writes a block for a server { } of nginx.
func (s *site) nginx(place string) string {
	var b strings.Builder
	base := s.base()
	fmt.Fprintf(&b, "# For a server { } of nginx 1.21 or later:  include %q;\n", place+"/_nginx.conf")
	if base != "" {
		fmt.Fprintf(&b, "location = %[1]s { return 307 %[1]s/$is_args$args; }\n", base)
	}
	fmt.Fprintf(&b, `location ^~ %[1]s/ {
    alias %[2]q;
    index index.html;
    error_page 404 %[1]s/404.html;
    location ~ /[._][^/]*$ { return 404; }

    # Files are sent as they were compressed when the page was built.
    gzip_static on;
    gzip_vary on;
    # brotli_static on;  # a quarter less; needs the module of that name (Debian: libnginx-mod-http-brotli-static)

    set $ifmlab_cache %[3]q;
    if ($uri ~ "^%[1]s/a/[^/]+$") { set $ifmlab_cache %[4]q; }
    set $ifmlab_keep "";
    if ($uri = %[1]s/offline.html) { set $ifmlab_keep '%[5]s'; }

`, base, place+"/", askMe, forEver, download.value[0])
	for _, h := range everywhere {
		value := h.value[0]
		if h.name == "Cache-Control" {
			value = "$ifmlab_cache"
		}
		fmt.Fprintf(&b, "    add_header %s %q always;\n", h.name, value)
	}
	fmt.Fprintf(&b, "    add_header %s $ifmlab_keep;\n\n    types {\n", download.name)
	var texts []string
	kinds(func(ending, kind string, text bool) {
		fmt.Fprintf(&b, "        %s %s;\n", kind, ending)
		if text && kind != "text/html" { // which nginx has among them anyway
			texts = append(texts, kind)
		}
	})
	fmt.Fprintf(&b, "    }\n    charset utf-8;\n    charset_types %s;\n}\n", strings.Join(texts, " "))
	return b.String()
}

// caddy writes a block for a site of Caddy.
func (s *site) caddy(place string) string {
	var b strings.Builder
	base := s.base()
	fmt.Fprintf(&b, "# For a site { } of Caddy 2:  import %q\n", place+"/_Caddyfile")
	if base != "" {
		fmt.Fprintf(&b, "redir %[1]s %[1]s/ 307\n", base)
	}
	handle := "handle"
	if base != "" {
		handle = "handle_path " + base + "/*"
	}
	fmt.Fprintf(&b, "%s {\n\troot * %q\n\theader {\n", handle, place)
	for _, h := range everywhere {
		fmt.Fprintf(&b, "\t\t%s %q\n", h.name, h.value[0])
	}
	b.WriteString("\t}\n\t@ifmlab {\n\t\tfile {path} {path}/index.html\n\t\tnot path /.* /_*\n\t}\n\thandle @ifmlab {\n")
	fmt.Fprintf(&b, "\t\theader /a/* Cache-Control %q\n\t\theader /offline.html %s %s\n", forEver, download.name, "`"+download.value[0]+"`")
	kinds(func(ending, kind string, text bool) {
		fmt.Fprintf(&b, "\t\theader *.%s Content-Type %q\n", ending, contentTypes["."+ending])
	})
	b.WriteString("\t\tfile_server {\n\t\t\tprecompressed br gzip\n\t\t}\n\t}\n\thandle {\n\t\trewrite * /404.html\n\t\tfile_server {\n\t\t\tstatus 404\n\t\t}\n\t}\n}\n")
	return b.String()
}
