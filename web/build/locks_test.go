package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// locked is what package.json and an entry of package-lock.json say.
type locked struct {
	Version, Resolved, Integrity           string
	Link, Optional, Dev, InBundle          bool
	OS, CPU                                []string
	Dependencies, DevDependencies          map[string]string
	OptionalDependencies, PeerDependencies map[string]string
	LockfileVersion                        int
	Packages                               map[string]locked
}

// wants returns what a package.json asks for, by name.
func (l locked) wants() map[string]string {
	all := map[string]string{}
	for _, some := range []map[string]string{l.Dependencies, l.DevDependencies, l.OptionalDependencies, l.PeerDependencies} {
		maps.Copy(all, some)
	}
	return all
}

// What npm installs is what was locked, byte for byte, from whatever registry it
// comes: every lock is of its package.json, names no host, and has each package's
// digest. Tools of the tests for other systems, which the registry did not have when
// they were locked, have none; they are optional and are not in what is built.
func TestEveryPackageIsLockedByItsDigest(t *testing.T) {
	var locks []string
	for _, pattern := range []string{"../package-lock.json", "../*/package-lock.json", "../../server/*/package-lock.json"} {
		locks = append(locks, must(filepath.Glob(pattern))...)
	}
	require.Len(t, locks, 6)
	digest := regexp.MustCompile(`^sha512-[A-Za-z0-9+/]{86}==$`)
	for _, name := range locks {
		text := must(os.ReadFile(name))
		var lock, asked locked
		require.NoError(t, json.Unmarshal(text, &lock), name)
		text = must(os.ReadFile(filepath.Join(filepath.Dir(name), "package.json")))
		require.NoError(t, json.Unmarshal(text, &asked))

		assert.Equal(t, 3, lock.LockfileVersion, name)
		assert.Equal(t, asked.wants(), lock.Packages[""].wants(), "%s is of another package.json; run npm install there", name)
		for wanted, version := range asked.wants() {
			if strings.HasPrefix(version, "file:") {
				continue
			}
			assert.Equal(t, version, lock.Packages["node_modules/"+wanted].Version, "%s: %s is asked for by its very version", name, wanted)
		}
		for _, place := range slices.Sorted(maps.Keys(lock.Packages)) {
			p := lock.Packages[place]
			if place == "" || p.Link || p.InBundle {
				continue
			}
			assert.Empty(t, p.Resolved, "%s: %s names where it was had from", name, place)
			elsewhere := p.Optional && p.Dev && len(p.OS) > 0 && len(p.CPU) > 0 && name == "../test/package-lock.json"
			if p.Integrity != "" || !elsewhere {
				assert.Regexp(t, digest, p.Integrity, "%s: %s", name, place)
			}
		}
	}
}
