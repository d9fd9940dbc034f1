// Command build writes the page to web/dist:
//
//	go run ./web/build          everything
//	go run ./web/build -types   only web/src/**/*.gen.ts, which the page's types come from
//	go run ./web/build -release FOLDER -programs FOLDER
//	                            nothing of these; packs them and the programs, for make release
//
// Its sources, and what they become:
//
//	web/*.html                  pages, with the addresses of built files filled in
//	web/*.css                   styles
//	web/src/app.ts              the page's module, split where it imports lazily
//	web/src/engine/worker.ts    a classic script that begins with Go's wasm_exec.js
//	web/src/packed/*.entry.ts   scripts that the worker loads for packed files
//	web/src/element/ifm-lab.ts  ifm-lab.js, for other sites, and ifm-lab.tgz for npm (bin/npm)
//	web/src/offline/page.html   offline.html, the page and all it needs in one file
//	web/samples, web/cards      tables, and the pictures of shared links
//	web/quarto                  ifm-lab-quarto.zip
//	wasm                        the engines
//
// In a page, these names in double braces stand for addresses relative to it: app,
// examples, worker, the engines wasm, table and ionosphere, font, and each style's
// base name. lesson, vtec and readers stand for several addresses: the scripts of the
// lesson, of its chapter on vTEC, and for packed files. preload stands for the
// elements that load app with all that it shares with later parts.
//
// Scripts, styles, fonts and engines are named by their content in a/, and so can be
// cached for ever. Files that compress well get a .br and a .gz beside them. The same
// tree gives the same bytes on every machine with the same Go.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path"
	"path/filepath"
	"sync"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("web/build: ")
	types := flag.Bool("types", false, "write only what is generated under web/src")
	release := flag.String("release", "", "write nothing anew; pack web/dist and the -programs for others to install, into this `folder`")
	programs := flag.String("programs", "bin/programs", "the `folder` of the programs, in a folder for each system and processor")
	flag.Parse()
	if _, err := os.Stat("web/build"); err != nil || flag.NArg() > 0 {
		log.Fatal("run it as go run ./web/build at the top of the repository")
	}
	if *release != "" {
		if err := packRelease(".", *programs, *release); err != nil {
			log.Fatal(err)
		}
		return
	}
	mathML, err := formulas("web")
	if err != nil {
		log.Fatal(err)
	}
	written := settings()
	written["web/src/lesson/chapter/formulas.gen.ts"] = mathML
	declared, err := protocol(".")
	if err != nil {
		log.Fatal(err)
	}
	maps.Copy(written, declared)
	for path, content := range written {
		if err := writeChanged(path, content); err != nil {
			log.Fatal(err)
		}
	}
	if *types {
		return
	}
	files, larger, err := buildPage(".")
	if err != nil {
		log.Fatal(err)
	}
	element, err := packageFiles(".")
	if err != nil {
		log.Fatal(err)
	}
	if err := placePackage("bin/npm", element); err != nil {
		log.Fatal(err)
	}
	if files[elementPackage], err = packedPackage(element); err != nil {
		log.Fatal(err)
	}
	sizes, err := place("web/dist", files)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(sizes)
	if larger != "" {
		log.Print(larger)
	}
}

// buildPage returns the files of the page by their path under web/dist. larger is the
// message of [trimmed] about its engines, if any.
func buildPage(root string) (files map[string][]byte, larger string, err error) {
	web := filepath.Join(root, "web")
	files = map[string][]byte{}
	names := map[string]string{} // {{name}} in a page → path under dist, or elements with such paths

	// The page waits for the engine of the figure only. The others are loaded with the
	// first table and with the chapter on vTEC. The offline file has one with all parts.
	var engines [4][]byte
	var untrimmed [4]string
	var failed [4]error
	var wait sync.WaitGroup
	for i, tag := range []string{"figure", "table", "ionosphere", ""} {
		wait.Go(func() { engines[i], untrimmed[i], failed[i] = buildEngine(root, tag) })
	}
	wait.Wait()
	if err := errors.Join(failed[:]...); err != nil {
		return nil, "", err
	}
	names["wasm"] = hashedName("engine", ".wasm", engines[0])
	names["table"] = hashedName("table", ".wasm", engines[1])
	names["ionosphere"] = hashedName("ionosphere", ".wasm", engines[2])
	files[names["wasm"]], files[names["table"]], files[names["ionosphere"]] = engines[0], engines[1], engines[2]

	bundled, first, err := bundle(web, files, names)
	if err != nil {
		return nil, "", err
	}
	names["preload"] = preload(first)
	for _, named := range []string{"samples/*.csv", "cards/*.png", "favicon.ico", "robots.txt"} {
		found, err := filepath.Glob(filepath.Join(web, filepath.FromSlash(named)))
		if err != nil {
			return nil, "", err
		}
		for _, file := range found {
			if files[path.Join(path.Dir(named), filepath.Base(file))], err = os.ReadFile(file); err != nil {
				return nil, "", err
			}
		}
	}
	if files["licenses.txt"], err = licenses(root, bundled); err != nil {
		return nil, "", err
	}
	if files["ifm-lab-quarto.zip"], err = archive(os.DirFS(filepath.Join(web, "quarto"))); err != nil {
		return nil, "", err
	}
	pages, err := filepath.Glob(filepath.Join(web, "*.html"))
	if err != nil {
		return nil, "", err
	}
	for _, page := range pages {
		template, err := os.ReadFile(page)
		if err != nil {
			return nil, "", err
		}
		name := filepath.Base(page)
		if files[name], err = fill(name, template, names); err != nil {
			return nil, "", err
		}
	}
	if files["offline.html"], err = offline(web, files, names, engines[3]); err != nil {
		return nil, "", err
	}
	return files, cmp.Or(untrimmed[:]...), nil
}
