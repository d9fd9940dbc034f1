package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheConvertersInWasmAreThoseOfTheProtocol(t *testing.T) {
	made := must(protocol("../.."))
	for _, file := range must(filepath.Glob("../../wasm/*.gen.go")) {
		assert.Contains(t, made, "wasm/"+filepath.Base(file), "it is of no interface of wasm/protocol any more: delete it")
	}
	for name, content := range made {
		if strings.HasSuffix(name, ".go") {
			found := must(os.ReadFile("../../" + name))
			assert.Equal(t, string(content), string(found), "run go run ./web/build -types and commit %s", name)
		}
	}
}

const someEngine = "//go:build js && wasm\n\npackage main\n\ntype engine struct{}\n"

func TestTheProtocolIsWrittenForThePage(t *testing.T) {
	made := must(protocol("testdata/protocol"))["web/src/engine/protocol.gen.ts"]
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile("testdata/protocol/expected.txt", made, 0o644))
	}
	assert.Equal(t, string(must(os.ReadFile("testdata/protocol/expected.txt"))), string(made))
}

func TestWhatCannotCrossIsAnError(t *testing.T) {
	for source, says := range map[string]string{
		"type Engine interface{ Read(Query) error }\n\ntype Query struct{ X map[string]int }\n":                                                  "Query holds a type that does not cross",
		"type Engine interface{ Read(Query) error }\n\ntype Query struct{ X Gone }\n":                                                            "there is no type Gone",
		"type Engine interface{ Read(Query) error }\n\ntype Query struct{ X []int }\n":                                                           "[]int cannot be in an argument",
		"type Engine interface{ Read(Query) error }\n\ntype Query struct{ X [2]string }\n":                                                       "[2]string cannot be in an argument",
		"type Reader interface{ Read(Query) error }\n\ntype Query struct{}\n":                                                                    "wasm has no type reader",
		"import \"ifmlab/core\"\n\ntype Engine interface{ Read(Query) error }\n\ntype Query struct { X core.Row; Y Row }\n\ntype Row struct{}\n": "core.Row and protocol.Row are both called Row",
	} {
		_, err := protocol(writeTree(t, map[string]string{"core/row.go": "package core\n\ntype Row struct{}\n", "wasm/engine.go": someEngine, "wasm/protocol/calls.go": "package protocol\n\n" + source}))
		assert.ErrorContains(t, err, says)
	}
}
