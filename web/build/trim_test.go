package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
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

// otherToolchain is one whose tables are left alone.
const otherToolchain = "go1.99"

// wasmModule returns a module of one memory of two pages, exported as mem, and
// these segments.
func wasmModule(segments ...segment) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00" + "\x05\x03\x01\x00\x02" + "\x07\x07\x01\x03mem\x02\x00")
	content := writeData(segments)
	out = binary.AppendUvarint(append(out, dataSection), uint64(len(content)))
	return append(append(out, content...), "\x00\x05\x04name"...) // a custom section after it
}

// memory returns what a module leaves in its first bytes.
func memory(t *testing.T, module []byte) []byte {
	t.Helper()
	at := bytes.IndexByte(module, dataSection)
	size, n := binary.Uvarint(module[at+1:])
	memory, ok := readData(module[at+1+n : at+1+n+int(size)])
	require.True(t, ok)
	return append(memory, make([]byte, 2<<16-len(memory))...)
}

func TestFewerSegmentsLeaveTheSameMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var segments []segment
		at := rng.IntN(300)
		want := make([]byte, 2<<16)
		for range rng.IntN(40) {
			content := make([]byte, rng.IntN(20))
			for i := range content {
				content[i] = byte(rng.IntN(256))
			}
			copy(want[at:], content)
			segments = append(segments, segment{at, content})
			at += len(content) + []int{0, 8, segmentGap, segmentGap + 1, 3000}[rng.IntN(5)]
		}
		rng.Shuffle(len(segments), func(i, j int) { segments[i], segments[j] = segments[j], segments[i] })
		module := wasmModule(segments...)
		few, _ := trimmed(module, otherToolchain)
		require.True(t, bytes.Equal(want, memory(t, few)))
		assert.True(t, bytes.HasSuffix(few, module[len(module)-7:]), "what stands after the data stays")
		again, _ := trimmed(few, otherToolchain)
		assert.Equal(t, few, again, "nothing is left to join")
	}
}

func TestSegmentsAreJoinedOverFewZeros(t *testing.T) {
	few, _ := trimmed(wasmModule(segment{100, []byte{1, 2}}, segment{102 + segmentGap, []byte{3}}, segment{200 + segmentGap, []byte{0, 4}}, segment{70000, []byte{5}}), otherToolchain)
	content := append([]byte{1, 2}, make([]byte, segmentGap)...)
	assert.Equal(t, wasmModule(segment{100, append(content, 3)}, segment{201 + segmentGap, []byte{4}}, segment{70000, []byte{5}}), few)
}

func TestAModuleThatIsNotUnderstoodIsLeftAsItIsAndTheBuildSaysSo(t *testing.T) {
	leftAlone := func(module []byte, why string) {
		t.Helper()
		small, larger := trimmed(module, "go1.26.3")
		assert.Equal(t, module, small, why)
		assert.Equal(t, "each engine is some 190 kB larger, brotli, because the data section that go1.26.3 writes is not known here; see web/build/trim.go", larger, why)
	}
	whole := wasmModule(segment{100, []byte{1, 2}}, segment{300, []byte{3}})
	for at := range len(whole) - 7 {
		if at != 8 && at != 13 && at != 22 { // a section ends here, and a module may
			leftAlone(whole[:at], "it ends early")
		}
	}
	leftAlone(wasmModule(segment{1 << 31, []byte{1}}), "a place beyond all data")
	leftAlone(bytes.Replace(whole, []byte{activeInZero, i32Const}, []byte{1, i32Const}, 1), "a passive segment")
}

// The runtime that the engine's build is for, collecting garbage, growing stacks,
// panicking and recovering, without the tables that it needs for text alone.
func TestAProgramThatHasForgottenItsLinesStillRuns(t *testing.T) {
	needsNode(t)
	out := filepath.Join(t.TempDir(), "main.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", out, "testdata/faulty/main.go")
	build.Env = append(os.Environ(), engineEnv...)
	said, err := build.CombinedOutput()
	require.NoError(t, err, string(said))
	module := must(os.ReadFile(out))

	run := func(module []byte) string {
		require.NoError(t, os.WriteFile(out, module, 0o644))
		support := filepath.Join(runtime.GOROOT(), "lib", "wasm", "wasm_exec_node.js")
		node := exec.Command("node", "--stack-size=8192", support, out)
		said, err := node.CombinedOutput()
		require.NoError(t, err, string(said))
		return string(said)
	}
	joined, larger := trimmed(module, otherToolchain)
	require.Equal(t, "each engine is some 140 kB larger, brotli, because the tables of go1.99 are not known here; see web/build/trim.go", larger)
	before := run(module)
	assert.Equal(t, before, run(joined), "to join segments changes nothing")
	if !knownToolchain.MatchString(runtime.Version()) {
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
	_, ok := findTables(nil)
	assert.False(t, ok)
}

// twoFunctions is a memory with two functions as go1.26 has them, and where the words of
// the second begin.
func twoFunctions() (memory []byte, second int) {
	const head, values, functions, data, buckets, end, module = 72, 96, 128, 280, 292, 317, 320 // offsets from the header
	words := func(words ...uint32) {
		for _, w := range words {
			memory = binary.LittleEndian.AppendUint32(memory, w)
		}
	}
	at := func(place int, numbers ...uint64) {
		memory = append(memory, make([]byte, place-len(memory))...)
		for _, n := range numbers {
			memory = binary.LittleEndian.AppendUint64(memory, n)
		}
	}
	memory = append(memory, "\xf1\xff\xff\xff\x00\x00\x01\x08"...)
	at(8, 2, 1, 0, head, 80, 88, values, functions)
	memory = append(memory, "main.f\x00\x00"+"\x07\x00\x00\x00\x00\x00\x00\x00"+"main.go\x00"...)
	memory = append(memory, 0, 2, 4, 0, 6, 4, 0, 8, 4, 0) // three tables, at 1, 4 and 7
	at(functions)
	words(0, 16, 1, 16+4*17)
	for range 2 {
		second = len(memory)
		words(0, 0, 0, 0, 1, 4, 7, 2, 5, 9, 4<<24)
		words(4, 7)            // where an interrupt is safe, maps of the stack
		words(0, 8, noData, 4) // two more maps, objects, inlined calls
	}
	words(0x11111111, 0x22222222, 0x33333333)
	words(31, 0, 0, 0, 0, 33)
	at(module, 0, head)
	at(module+8*19, buckets)
	at(module+8*40, data, end)
	return memory, second
}

func TestOnlyWhatTheTextOfAStackNeedsIsCleared(t *testing.T) {
	want, _ := twoFunctions()
	copy(want[80:96], make([]byte, 16)) // the file
	copy(want[100:103], "\x00\x00\x00") // the lines at 4; those at 7 are maps of the stack as well
	for _, f := range []int{144, 212} {
		for _, word := range []int{funcFile, funcLine, funcUnit, funcStart, funcHead} {
			binary.LittleEndian.PutUint32(want[f+4*word:], 0)
		}
		binary.LittleEndian.PutUint32(want[f+4*16:], noData)
	}
	copy(want[284:288], make([]byte, 4)) // inlined calls
	want[292], want[312] = 0, 32         // 31 and 33
	memory, _ := twoFunctions()
	require.True(t, forgetLines(memory, "go1.26"))
	assert.Equal(t, want, memory)
}

func TestATableThatIsNotAsItShouldBeIsLeftAlone(t *testing.T) {
	for what, spoil := range map[string]func(memory []byte, second int){
		"another magic number":            func(memory []byte, _ int) { memory[0]++ },
		"offsets that do not rise":        func(memory []byte, _ int) { memory[8+8*5] = 1 },
		"a function beyond the end":       func(memory []byte, _ int) { memory[128+12+2] = 1 },
		"tables of values without number": func(memory []byte, second int) { memory[second+4*funcTables] = 17 },
		"more data than there is":         func(memory []byte, second int) { memory[second+4*funcHead-1] = 200 },
		"a table beyond the values":       func(memory []byte, second int) { memory[second+4*funcSP+1] = 200 },
		"a map beyond the data":           func(memory []byte, second int) { memory[second+4*13] = 12 },
		"no places of the data":           func(memory []byte, _ int) { memory[320+8]++ },
		"data before the functions":       func(memory []byte, _ int) { memory[320+8*40] = 100 },
	} {
		memory, second := twoFunctions()
		spoil(memory, second)
		before := slices.Clone(memory)
		assert.False(t, forgetLines(memory, "go1.26"), what)
		assert.Equal(t, before, memory, what)
	}
}
