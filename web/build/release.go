package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// packRelease writes a release to folder. For each system and processor in programs
// it has an archive of the commands with their licences. It also has the site and the
// element's package, from web/dist, and SHA256SUMS of all. The same input gives the
// same bytes. A file that exists already is an error: it may be of another version.
func packRelease(root, programs, folder string) error {
	version, err := versionOf(root)
	if err != nil {
		return err
	}
	site, err := filesOf(os.DirFS(filepath.Join(root, "web", "dist")))
	if err != nil {
		return err
	}
	site = slices.DeleteFunc(site, func(f member) bool { return f.name == placeholder })
	assets := map[string][]byte{}
	for _, needed := range []string{"index.html", elementPackage} {
		i := slices.IndexFunc(site, func(f member) bool { return f.name == needed })
		if i < 0 {
			return fmt.Errorf("web/dist holds no %s; run make build first", needed)
		}
		if needed == elementPackage {
			assets["ifm-lab-"+version+".tgz"] = site[i].content
		}
	}
	if assets["ifmlab-site-"+version+".zip"], err = zipped(site); err != nil {
		return err
	}
	platforms, err := filepath.Glob(filepath.Join(programs, "*", "*"))
	if err != nil {
		return err
	}
	if len(platforms) == 0 {
		return fmt.Errorf("%s holds no programs; run make release", programs)
	}
	for _, platform := range platforms {
		system, processor := filepath.Base(filepath.Dir(platform)), filepath.Base(platform)
		name := fmt.Sprintf("ifmlab-%s-%s-%s", version, system, processor)
		files, err := programFiles(root, platform, system, processor)
		if err != nil {
			return err
		}
		for i := range files {
			files[i].name = name + "/" + files[i].name
		}
		// Unix has programs that must be allowed to run, and Windows a zip without tar.
		if system == "windows" {
			assets[name+".zip"], err = zipped(files)
		} else {
			assets[name+".tar.gz"], err = tarball(files)
		}
		if err != nil {
			return err
		}
	}
	return writeRelease(folder, assets)
}

// documents are the files of the repository that every archive of programs has.
var documents = []string{"CHANGELOG.md", "CITATION.cff", "LICENSE"}

// programFiles returns the files of an archive: the programs of a platform, and
// documents and licences.
func programFiles(root, platform, system, processor string) ([]member, error) {
	files, err := filesOf(os.DirFS(platform))
	if err != nil {
		return nil, err
	}
	for i := range files {
		files[i].runs = true
	}
	for _, name := range documents {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		files = append(files, member{name: name, content: content})
	}
	parts, err := goParts(root, []string{"GOOS=" + system, "GOARCH=" + processor, "CGO_ENABLED=0"}, "./server", "./core/cmd/ifm")
	if err != nil {
		return nil, err
	}
	terms := listed("ifm and ifmlab contain", parts)
	terms.WriteString("\nWhat the page contains, it lists in /licenses.txt.\n")
	return append(files, member{name: "licenses.txt", content: terms.Bytes()}), nil
}

// writeRelease writes assets and, last, their sums in the form that sha256sum checks.
func writeRelease(folder string, assets map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		if err := writeNew(filepath.Join(folder, name), assets[name]); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(assets[name]), name)
	}
	return writeNew(filepath.Join(folder, "SHA256SUMS"), sums.Bytes())
}

func writeNew(name string, content []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already, perhaps of another version; empty the folder first", name)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

var versionLine = regexp.MustCompile(`(?m)^const Version = "([0-9.]+)"$`)

// versionOf returns core.Version without linking the core into the build.
func versionOf(root string) (string, error) {
	name := filepath.Join(root, "core", "train", "run.go")
	source, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	found := versionLine.FindStringSubmatch(string(source))
	if found == nil {
		return "", fmt.Errorf("%s holds no line const Version = \"…\"", name)
	}
	return found[1], nil
}
