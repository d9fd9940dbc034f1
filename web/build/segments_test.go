package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
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
	content := writeSegments(segments)
	out = binary.AppendUvarint(append(out, dataSection), uint64(len(content)))
	return append(append(out, content...), "\x00\x05\x04name"...) // a custom section after it
}

// memory returns what a module leaves in its first bytes, as the specification
// says: segments are copied in, one after the other.
func memory(t *testing.T, module []byte) []byte {
	t.Helper()
	at := bytes.IndexByte(module, dataSection)
	size, n := binary.Uvarint(module[at+1:])
	segments, ok := readSegments(module[at+1+n : at+1+n+int(size)])
	require.True(t, ok)
	image := make([]byte, 2<<16)
	for _, s := range segments {
		copy(image[s.at:], s.content)
	}
	return image
}

func TestJoinedSegmentsLeaveTheSameMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var segments []segment
		at := uint64(rng.IntN(300)) + 100
		for range rng.IntN(40) {
			content := make([]byte, rng.IntN(20))
			for i := range content {
				content[i] = byte(1 + rng.IntN(255))
			}
			segments = append(segments, segment{at, content})
			at += uint64(len(content) + []int{0, 8, segmentGap, segmentGap + 1, 3000}[rng.IntN(5)])
		}
		rng.Shuffle(len(segments), func(i, j int) { segments[i], segments[j] = segments[j], segments[i] })
		module := wasmModule(segments...)
		few, _ := trimmed(module, otherToolchain)
		require.True(t, bytes.Equal(memory(t, module), memory(t, few)))
		assert.True(t, bytes.HasSuffix(few, module[len(module)-7:]), "what stands after the data stays")
		again, _ := trimmed(few, otherToolchain)
		assert.Equal(t, few, again, "nothing is left to join")
	}
}

func TestSegmentsAreJoinedOverFewZeros(t *testing.T) {
	few, _ := trimmed(wasmModule(segment{70000, []byte{5}}, segment{100, []byte{1, 2}}, segment{102 + segmentGap, []byte{3}}, segment{200 + segmentGap, []byte{4}}), otherToolchain)
	content := append([]byte{1, 2}, make([]byte, segmentGap)...)
	assert.Equal(t, wasmModule(segment{100, append(content, 3)}, segment{200 + segmentGap, []byte{4}}, segment{70000, []byte{5}}), few)
}

// What V8 makes of both, not what this test's own reader does.
func TestJoinedSegmentsAreTheSameToWebAssembly(t *testing.T) {
	needsNode(t)
	module := wasmModule(segment{0x10000, []byte{7, 8}}, segment{8191, []byte{1}}, segment{8192 + 40, []byte{2, 3}}, segment{64, []byte{9}})
	few, _ := trimmed(module, otherToolchain)
	require.NotEqual(t, module, few)
	dir := t.TempDir()
	var images []string
	for name, content := range map[string][]byte{"many": module, "few": few} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, content, 0o644))
		node := exec.Command("node", "-e", `const { instance } = new (class { instance = new WebAssembly.Instance(new WebAssembly.Module(require("node:fs").readFileSync(process.argv[1]))) })();
			process.stdout.write(Buffer.from(instance.exports.mem.buffer).toString("hex"))`, path)
		node.Stderr = os.Stderr
		out, err := node.Output()
		require.NoError(t, err)
		images = append(images, string(out))
	}
	assert.Len(t, images[0], 4<<16)
	assert.Contains(t, images[0], "0203")
	assert.True(t, images[0] == images[1])
}

func TestAModuleThatIsNotUnderstoodIsLeftAsItIsAndTheBuildSaysSo(t *testing.T) {
	leftAlone := func(module []byte, why string) {
		t.Helper()
		small, larger := trimmed(module, "go1.26.3")
		assert.Equal(t, module, small, why)
		assert.Equal(t, "each engine is some 140 kB larger, brotli, because the data section that go1.26.3 writes is not known here; see web/build/segments.go", larger, why)
	}
	whole := wasmModule(segment{100, []byte{1, 2}}, segment{300, []byte{3}})
	for at := range len(whole) - 7 {
		if at != 8 && at != 13 && at != 22 { // a section ends here, and a module may
			leftAlone(whole[:at], "it ends early")
		}
	}
	leftAlone(wasmModule(segment{100, []byte{1, 2}}, segment{101, []byte{3}}), "which of the two counts depends on their order")
	leftAlone(bytes.Replace(whole, []byte{activeInZero, i32Const}, []byte{1, i32Const}, 1), "a passive segment")
}
