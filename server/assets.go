//go:build !js

package main

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// export writes the site to a folder for a file server: its files, plain and compressed,
// and for each kind of server a configuration with the same headers.
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
				content = []byte(s.page.withGeneralCard(s.origin))
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

// templates of configurations, in which {{name}} stands for a value of [site.rules].
//
//go:embed rules
var templates embed.FS

// rules returns the files that tell servers the headers of a site in a folder
// of the disk.
func (s *site) rules(place string) map[string]string {
	base := s.base()
	values := map[string]string{"place": place, "base": base, "immutable": immutable, "revalidate": revalidate, "handle": "handle", "nginxRedirect": "", "caddyRedirect": ""}
	values["download"] = download.value[0]
	values["apacheDownload"] = strings.ReplaceAll(download.value[0], `"`, `\"`)
	if base != "" {
		values["handle"] = "handle_path " + base + "/*"
		values["nginxRedirect"] = fmt.Sprintf("location = %[1]s { return 307 %[1]s/$is_args$args; }\n", base)
		values["caddyRedirect"] = fmt.Sprintf("redir %[1]s %[1]s/ 307\n", base)
	}
	add := func(name, format string, what ...any) { values[name] += fmt.Sprintf(format, what...) }
	for _, h := range commonHeaders {
		add("apacheHeaders", "Header always set %s %q\n", h.name, h.value[0])
		add("caddyHeaders", "\t\t%s %q\n", h.name, h.value[0])
		if h.name == "Cache-Control" {
			add("nginxHeaders", "    add_header %s \"$ifmlab_cache\" always;\n", h.name)
		} else {
			add("nginxHeaders", "    add_header %s %q always;\n", h.name, h.value[0])
		}
	}
	for _, ending := range slices.Sorted(maps.Keys(contentTypes)) {
		kind, _, text := strings.Cut(contentTypes[ending], "; ")
		add("apacheTypes", "AddType %s %s\n", kind, ending)
		add("nginxTypes", "        %s %s;\n", kind, ending[1:])
		add("caddyTypes", "\t\theader *%s Content-Type %q\n", ending, contentTypes[ending])
		if text {
			add("apacheTypes", "AddCharset utf-8 %s\n", ending)
		}
		if text && kind != "text/html" { // which nginx always has among them
			add("nginxTexts", " %s", kind)
		}
	}
	var pairs []string
	for name, value := range values {
		if value == "" || strings.HasSuffix(value, "\n") { // of whole lines
			pairs = append(pairs, "{{"+name+"}}\n", value)
		}
		pairs = append(pairs, "{{"+name+"}}", value)
	}
	fill := strings.NewReplacer(pairs...)
	rules := map[string]string{"_headers": s.cloudflare()}
	for name, template := range map[string]string{".assetsignore": "assetsignore", ".htaccess": "htaccess", "_nginx.conf": "nginx.conf", "_Caddyfile": "Caddyfile"} {
		text, err := templates.ReadFile("rules/" + template)
		if err != nil {
			panic(err) // the compiler embedded it
		}
		rules[name] = fill.Replace(string(text))
	}
	return rules
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
	for _, h := range commonHeaders {
		fmt.Fprintf(&b, "  %s: %s\n", h.name, h.value[0])
	}
	for _, address := range slices.Sorted(maps.Keys(s.files)) {
		f := s.files[address]
		lines := headersFor(address)
		if ending := path.Ext(f.name); ending == ".js" || ending == ".tgz" {
			lines = append(lines, line("Content-Type", f.contentType))
		}
		if len(lines) == 0 {
			continue
		}
		b.WriteString(address + "\n")
		for _, l := range lines {
			if slices.ContainsFunc(commonHeaders, func(h header) bool { return h.name == l.name }) {
				fmt.Fprintf(&b, "  ! %s\n", l.name)
			}
			fmt.Fprintf(&b, "  %s: %s\n", l.name, l.value[0])
		}
	}
	return b.String()
}

// mostRules is how many rules Cloudflare's asset store reads; it drops the others.
const mostRules = 100
