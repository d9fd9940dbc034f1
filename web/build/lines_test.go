package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const faulty = `package main

import "runtime"

type node struct{ next *node; pad [100]byte }

//go:noinline
func deep(n int, list *node) int {
	if n == 0 {
		for range 50 { // a stack that is walked while it is collected
			list = &node{next: list}
			runtime.GC()
		}
		var none []int
		return none[n]
	}
	return deep(n-1, &node{next: list}) + 1
}

func recovered() (text string) {
	defer func() {
		if recover() != nil {
			buffer := make([]byte, 16<<10)
			text = string(buffer[:runtime.Stack(buffer, false)])
		}
	}()
	deep(200, nil)
	return "no fault"
}

func main() {
	println(recovered())
	done := make(chan int)
	go func() { done <- deep2() }()
	println(<-done)
}

func deep2() int { defer func() { recover() }(); m := map[string]int{}; for i := range 1000 { m[string(rune(i))] = i }; return len(m) }
`

// The runtime that the engine's build is for, collecting garbage, growing stacks,
// panicking and recovering, without the tables that it needs for text alone.
func TestAProgramThatHasForgottenItsLinesStillRuns(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not on PATH")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(faulty), 0o644))
	out := filepath.Join(dir, "main.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", out, filepath.Join(dir, "main.go"))
	build.Env = append(os.Environ(), engineEnv...)
	said, err := build.CombinedOutput()
	require.NoError(t, err, string(said))
	module, err := os.ReadFile(out)
	require.NoError(t, err)

	run := func(module []byte) string {
		require.NoError(t, os.WriteFile(out, module, 0o644))
		support := filepath.Join(runtime.GOROOT(), "lib", "wasm", "wasm_exec_node.js")
		node := exec.Command("node", "--stack-size=8192", support, out)
		said, err := node.CombinedOutput()
		require.NoError(t, err, string(said))
		return string(said)
	}
	joined, err := joinSegments(module)
	require.NoError(t, err)
	forgotten, err := forgetful(module, runtime.Version())
	require.NoError(t, err)
	if slices.Equal(joined, forgotten) {
		t.Skipf("forgetLines does not know the tables of %s", runtime.Version())
	}
	before, after := run(module), run(forgotten)
	assert.Equal(t, before, run(joined), "to join segments changes nothing")
	assert.Contains(t, before, "main.go:")
	assert.NotContains(t, after, "main.go")
	names := regexp.MustCompile(`(?m)^(main|panic)\S*\(`)
	assert.Equal(t, names.FindAllString(before, -1), names.FindAllString(after, -1), "functions keep their names")
	assert.Contains(t, after, "?:0 +0x")
	assert.True(t, strings.HasSuffix(after, "\n1000\n"), after)
}

func TestTablesOfAnotherToolchainAreLeftAlone(t *testing.T) {
	memory := []byte(strings.Repeat("\xf1\xff\xff\xff\x00\x00\x01\x08", 100))
	for _, toolchain := range []string{"", "go1.25.1", "go1.27", "go1.260", "devel go1.26", runtime.Version()} {
		before := slices.Clone(memory)
		assert.False(t, forgetLines(memory, toolchain), toolchain)
		assert.Equal(t, before, memory)
	}
	_, ok := findFunctions(nil)
	assert.False(t, ok)
}
