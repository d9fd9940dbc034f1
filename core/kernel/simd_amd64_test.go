//go:build !purego

package kernel

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheAssemblyIsUsedWhereTheProcessorHasAVX(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip("this system does not list what its processor has")
	}
	assert.Equal(t, regexp.MustCompile(`(?m)^flags.* avx( |$)`).Match(info), avx())
	assert.Equal(t, avx() && os.Getenv("IFMLAB_SIMD") != "0", simd)
}
