package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// part is third-party work that the page contains.
type part struct{ name, license, text string }

// licenses returns the licences of all third-party parts of the page: Go, the Go
// modules in the engine and the Worker, the npm packages of the sources, and the
// sample tables.
func licenses(root string, sources []string) ([]byte, error) {
	parts, err := goParts(root, engineEnv, "./wasm", "./server")
	if err != nil {
		return nil, err
	}
	packages, err := npmPackages(filepath.Join(root, "web"), sources)
	if err != nil {
		return nil, err
	}
	b := listed("This page, or the Cloudflare Worker that serves it, also contains", slices.Concat(parts, packages))
	if about, err := os.ReadFile(filepath.Join(root, "web", "samples", "SOURCES.md")); err == nil {
		fmt.Fprintf(b, "\nThe sample tables\n=================\n\n%s\n", bytes.TrimSpace(about))
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return b.Bytes(), nil
}

// listed returns a list of the parts with their licences. The line above it begins with
// contains.
func listed(contains string, parts []part) *bytes.Buffer {
	var b bytes.Buffer
	b.WriteString("iFM Lab is under the Apache License 2.0, copyright The iFM Lab Authors.\n" +
		contains + " the following, each under its own licence.\n")
	for _, p := range parts {
		title := p.name
		if p.license != "" {
			title += " (" + p.license + ")"
		}
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", title, strings.Repeat("=", len(title)), strings.TrimSpace(p.text))
	}
	return &b
}

// goParts returns Go and the modules, ours apart, whose packages are in programs that
// are built for env.
func goParts(root string, env []string, programs ...string) ([]part, error) {
	goroot, err := goRoot()
	if err != nil {
		return nil, err
	}
	text, err := licenseIn(goroot)
	if err != nil {
		return nil, err
	}
	parts := []part{{"Go", "BSD-3-Clause", text}}
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"}, programs...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", strings.Join(programs, " "), err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			continue // a package of Go or of ours has no foreign module: an empty line
		}
		text, err := licenseIn(fields[2])
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{fields[0] + " " + fields[1], "", text})
	}
	return parts, nil
}

// npmFolder finds the package that a source belongs to, nested ones too.
var npmFolder = regexp.MustCompile(`^(?:.*/)?node_modules/(?:@[^/]+/)?[^/]+`)

// npmPackages returns the packages that sources, paths under web, came from.
func npmPackages(web string, sources []string) ([]part, error) {
	folders := map[string]bool{}
	for _, source := range sources {
		if folder := npmFolder.FindString(source); folder != "" {
			folders[folder] = true
		}
	}
	var parts []part
	for folder := range folders {
		dir := filepath.Join(web, filepath.FromSlash(folder))
		manifest, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			return nil, err
		}
		var about struct{ Name, Version, License string }
		if err := json.Unmarshal(manifest, &about); err != nil {
			return nil, fmt.Errorf("%s/package.json: %w", dir, err)
		}
		text, err := licenseIn(dir)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{about.Name + " " + about.Version, about.License, text})
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.name, b.name) })
	return parts, nil
}

// licenseIn returns the text of the licence file in dir.
func licenseIn(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		name := strings.ToUpper(entry.Name())
		if strings.HasPrefix(name, "LICENSE") || strings.HasPrefix(name, "LICENCE") || strings.HasPrefix(name, "COPYING") {
			text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
			return string(text), err
		}
	}
	return "", fmt.Errorf("%s holds no licence file; leave the package out of the page or find its terms", dir)
}
