package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTableOfFaultsNamesTestsThatThereAre(t *testing.T) {
	_, table, found := strings.Cut(string(must(os.ReadFile("../README.md"))), "\n# Faults\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n# ")
	rows := regexp.MustCompile("(?m)^\\|.*\\| `([^`]+)`: (.+) \\|$").FindAllStringSubmatch(table, -1)
	assert.Len(t, rows, strings.Count(table, "\n|")-2, "every line but the head's two ends with a test")
	for _, row := range rows {
		source, err := os.ReadFile(filepath.Join("..", row[1]))
		if assert.NoError(t, err, row[0]) {
			named := regexp.MustCompile("(?m)^ *((await t\\.)?test\\(|func ).*" + regexp.QuoteMeta(row[2]))
			assert.Regexp(t, named, string(source), "%s has no test of that name", row[1])
		}
	}
}
