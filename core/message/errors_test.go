package message_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/message"
)

type wide struct{ error }

func (wide) Kind() string { return "WideError" }

func TestTheKindOfAnErrorIsThatOfTheFirstTypedOne(t *testing.T) {
	assert.Equal(t, "WideError", message.Kind(wide{errors.New("a fault")}))
	assert.Equal(t, "WideError", message.Kind(within{wide{errors.New("a fault")}}))
	assert.Equal(t, "Error", message.Kind(errors.New("a fault")))
	assert.Equal(t, "Error", message.Kind(nil))
}

type within struct{ wide error }

func (within) Error() string   { return "within" }
func (w within) Unwrap() error { return w.wide }

func TestASentenceHasNoPackageInFront(t *testing.T) {
	for text, want := range map[string]string{
		"core: the settings ask for a table":    "The settings ask for a table",
		"solve: λ is −1, expected 0 or more":    "λ is −1, expected 0 or more",
		"fm: k = 0, expected 1 or more":         "k = 0, expected 1 or more",
		"population: pairs are 2":               "Pairs are 2",
		"cars.csv:3:7: a quote is never closed": "cars.csv:3:7: a quote is never closed",
		"core: ":                                "",
		"other: it":                             "other: it",
	} {
		assert.Equal(t, want, message.Sentence(text))
	}
}

// sources calls visit with every file of the engine that is no test.
func sources(t *testing.T, visit func(folder, source string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		folder := filepath.Base(filepath.Dir(path))
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.Contains(" estimator packed shard cmd testdata ", " "+entry.Name()+" "):
			return fs.SkipDir // for Go programs, which have the types themselves
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			if folder == ".." {
				folder = "core"
			}
			visit(folder, string(source))
		}
		return nil
	}))
}

func TestEveryTypeOfErrorHasItsKind(t *testing.T) {
	method := regexp.MustCompile(`(?m)^func \((?:\w+ )?(\*?)(\w+)\) Error\(\) string`)
	all := map[string]string{}
	sources(t, func(folder, source string) { all[folder] += source })
	found := 0
	for folder, source := range all {
		for _, match := range method.FindAllStringSubmatch(source, -1) {
			found++
			assert.Regexp(t, `(?m)^func \((?:\w+ )?\*?`+match[2]+`\) Kind\(\) string`, source, folder)
		}
	}
	assert.Greater(t, found, 20)
}

func TestEveryPackageInFrontOfAMessageIsKnown(t *testing.T) {
	inFront := regexp.MustCompile(`(?:Sprintf|New|Shape|NotFinite)\("([a-z]+): |return "([a-z]+): `)
	found := 0
	sources(t, func(folder, source string) {
		for _, match := range inFront.FindAllStringSubmatch(source, -1) {
			found++
			assert.Equal(t, "It", message.Sentence(match[1]+match[2]+": it"), folder)
		}
	})
	assert.Greater(t, found, 20)
}
