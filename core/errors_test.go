package core

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/data"
	"ifmlab/core/solve"
)

func TestTheKindOfAnErrorIsItsType(t *testing.T) {
	assert.Equal(t, "NoTableError", ErrorKind(NoTableError{}))
	assert.Equal(t, "DivergedError", ErrorKind(&solve.DivergedError{}))
	assert.Equal(t, "ReaderError", ErrorKind(&data.ReaderError{Err: &data.FileError{}}), "the first of the chain")
	assert.Equal(t, "Error", ErrorKind(errors.New("a fault")))
	assert.Equal(t, "Error", ErrorKind(nil))
}

func TestAReaderIsToldWhatWentWrongAndNotInWhichPackage(t *testing.T) {
	for message, want := range map[string]string{
		NoTableError{}.Error():                  "The settings ask for a table and none is open; drop a CSV file or choose a sample",
		"solve: λ is −1, want 0 or more":        "λ is −1, want 0 or more",
		"fm: k = 0, want 1 or more":             "k = 0, want 1 or more",
		"cars.csv:3:7: a quote is never closed": "cars.csv:3:7: a quote is never closed",
		"core: ":                                "",
		"other: it":                             "other: it",
	} {
		assert.Equal(t, want, Sentence(message))
	}
}

func TestEveryTypeOfErrorHasItsKind(t *testing.T) {
	list, err := os.ReadFile("errors.go")
	require.NoError(t, err)
	var sources []string
	for _, depth := range []string{"*.go", "*/*.go", "*/*/*.go"} {
		files, err := filepath.Glob(depth)
		require.NoError(t, err)
		sources = append(sources, files...)
	}
	method := regexp.MustCompile(`func \((?:\w+ )?(\*?)([A-Z]\w*)\) Error\(\) string`)
	found := 0
	for _, path := range sources {
		if room, _, _ := strings.Cut(path, string(filepath.Separator)); room == "estimator" || room == "packed" || room == "shard" {
			continue // for Go programs, which have the types themselves: the page never meets them
		}
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, match := range method.FindAllStringSubmatch(string(source), -1) {
			found++
			name := match[2]
			if dir := filepath.Dir(path); dir != "." {
				name = filepath.Base(dir) + "." + name
			}
			assert.Regexp(t, `case (.*, )?`+regexp.QuoteMeta(match[1]+name)+`[,:][^}]*return "`+match[2]+`"`, string(list), path)
		}
	}
	assert.Greater(t, found, 20)
}
