package main

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// floors are the rooms of web/src from the ground up. A file may import what is
// in its own room and in rooms on lower floors, types and import() included.
var floors = [][]string{
	{"text", "packed"},
	{"engine"},
	{"state"},
	{"training"},
	{"panel"},
	{"charts"},
	{"charts/classes"},
	{"charts/matrices", "charts/fit", "embed", "save"},
	{"figure", "element", "model", "offline", "present"},
	{"file", "share"},
	{"table", "lesson/chapter"},
	{"lesson/sweep", "lesson/followups"},
	{"lesson/vtec", "lesson/reach", "lesson/loophole", "lesson/break", "lesson/matter", "lesson/path", "lesson/interaction", "lesson/spectrum", "lesson/psd", "lesson/diagonal", "lesson/samples", "lesson/algorithm", "lesson/data", "homework"},
	{"lesson"},
	{"page"},
	{"."}, // app.ts
}

func TestEveryImportOfThePageGoesDownAndNoElementIsDefinedTwice(t *testing.T) {
	floor := map[string]int{}
	for i, rooms := range floors {
		for _, room := range rooms {
			floor[room] = i
		}
	}
	statement := regexp.MustCompile(`(?:from|import)\s*\(?\s*"(\.[^"]+)"`)
	element := regexp.MustCompile(`customElements\.define\("([^"]+)"`)
	seen, defined := map[string]bool{}, map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS("../src"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".ts") {
			return err
		}
		room := path.Dir(name)
		seen[room] = true
		source, err := os.ReadFile("../src/" + name)
		if err != nil {
			return err
		}
		for _, found := range statement.FindAllSubmatch(source, -1) {
			imported := path.Join(room, string(found[1]))
			other := path.Dir(imported)
			if other == room || strings.HasPrefix(imported, "../") {
				continue
			}
			assert.Contains(t, floor, other, "web/src/%s imports %s, which is in no room", name, imported)
			assert.Less(t, floor[other], floor[room], "web/src/%s imports %s, which is not below it", name, imported)
		}
		for _, found := range element.FindAllSubmatch(source, -1) {
			assert.Empty(t, defined[string(found[1])], "web/src/%s defines <%s>, and so does this: the page cannot load both", name, found[1])
			defined[string(found[1])] = name
		}
		return nil
	}))
	assert.ElementsMatch(t, slices.Collect(maps.Keys(floor)), slices.Collect(maps.Keys(seen)), "the rooms that there are")
}
