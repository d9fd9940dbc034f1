package main

import (
	"encoding/binary"
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
	needsNode(t)
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
	joined, larger := trimmed(module, otherToolchain)
	require.Equal(t, "each engine is some 90 kB larger, brotli, because the tables of go1.99 are not known here; see web/build/lines.go", larger)
	before := run(module)
	assert.Equal(t, before, run(joined), "to join segments changes nothing")
	if !knowsTables(runtime.Version()) {
		t.Skipf("not run: the rest needs a toolchain whose tables are known; those of %s are not", runtime.Version())
	}

	forgotten, larger := trimmed(module, runtime.Version())
	require.Empty(t, larger)
	after := run(forgotten)
	assert.Contains(t, before, "main.go:")
	assert.NotContains(t, after, "main.go")
	names := regexp.MustCompile(`(?m)^(main|panic)\S*\(`)
	assert.Equal(t, names.FindAllString(before, -1), names.FindAllString(after, -1), "functions keep their names")
	assert.Contains(t, after, "?:0 +0x")
	assert.True(t, strings.HasSuffix(after, "\n1000\n"), after)
}

func TestTablesOfAnotherToolchainAreLeftAlone(t *testing.T) {
	memory := []byte(strings.Repeat("\xf1\xff\xff\xff\x00\x00\x01\x08", 100))
	for _, toolchain := range []string{"", "go1.25.1", "go1.27", "go1.260", "devel go1.26", "go1.26", "go1.26.8"} {
		before := slices.Clone(memory)
		assert.False(t, forgetLines(memory, toolchain), toolchain)
		assert.Equal(t, before, memory)
	}
	_, ok := findFunctions(nil)
	assert.False(t, ok)
}

// tables is a memory with two functions as go1.26 has them, and where the words of
// the second begin.
func tables() (memory []byte, second int) {
	const head, values, functions = 72, 96, 128 // offsets from the header
	put := func(words ...uint32) {
		for _, w := range words {
			memory = binary.LittleEndian.AppendUint32(memory, w)
		}
	}
	memory = append(memory, "\xf1\xff\xff\xff\x00\x00\x01\x08"...)
	for _, n := range []uint64{2, 1, 0, head, 80, 88, values, functions} {
		memory = binary.LittleEndian.AppendUint64(memory, n)
	}
	memory = append(memory, make([]byte, values-head)...)
	memory = append(memory, 0, 2, 4, 0, 6, 4, 0, 8, 4, 0) // three tables, at 1, 4 and 7
	memory = append(memory, make([]byte, functions-len(memory))...)
	put(0, 16, 1, 64)
	for range 2 {
		second = len(memory)
		put(0, 0, 0, 0, 1, 4, 7, 0, 0, 0, 0, 0)
	}
	return memory, second
}

func TestATableThatIsNotAsItShouldBeIsLeftAlone(t *testing.T) {
	memory, second := tables()
	require.True(t, forgetLines(memory, "go1.26"), "so much is all it looks at")
	assert.Zero(t, memory[second+4*funcLine])

	for what, spoil := range map[string]func(memory []byte, second int){
		"another magic number":            func(memory []byte, _ int) { memory[0]++ },
		"offsets that do not rise":        func(memory []byte, _ int) { memory[8+8*5] = 1 },
		"a function beyond the end":       func(memory []byte, _ int) { memory[128+12+2] = 1 },
		"tables of values without number": func(memory []byte, second int) { memory[second+4*funcPCData] = 17 },
		"more data than there is":         func(memory []byte, second int) { memory[second+4*funcHead-1] = 200 },
		"a table beyond the values":       func(memory []byte, second int) { memory[second+4*funcLine+1] = 200 },
		"a table inside another":          func(memory []byte, second int) { memory[second+4*funcSP] = 2 },
	} {
		memory, second := tables()
		spoil(memory, second)
		before := slices.Clone(memory)
		assert.False(t, forgetLines(memory, "go1.26"), what)
		assert.Equal(t, before, memory, what)
	}
}
