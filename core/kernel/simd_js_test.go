//go:build js && wasm && !purego

package kernel

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Reading the kernel's bytes here also tells go test, which caches what passed,
// that these tests depend on them.
func TestTheHostSaysWhetherItLinkedTheKernel(t *testing.T) {
	compiled, err := os.ReadFile("simd/kernel.wasm")
	require.NoError(t, err)
	assert.Less(t, len(compiled), 12500, "the worker’s script holds it; 12.1 kB now, of which cutting lines into cells is 2.4")
	_, err = os.ReadFile("../../web/src/engine/link.mjs")
	require.NoError(t, err)
	if os.Getenv("IFMLAB_SIMD") == "0" {
		assert.Equal(t, "go", Body())
	} else {
		assert.Equal(t, "simd", Body())
	}
}
