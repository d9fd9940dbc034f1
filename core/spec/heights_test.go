package spec_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/spec"
)

// The file is read by the page's tests too: theirs is the same function.
func TestAFrameIsAsHighAsThePageInIt(t *testing.T) {
	queries := []string{
		"embed=1&hide=matrices", "embed=1", "embed=1&scenario=mixed&hide=title,verdict,matrices", "embed=1&hide=controls,matrices", "embed=1&hide=spectrum",
		"embed=1&hide=title,switch,controls,verdict,matrices", "embed=1&hide=title,switch,curve,controls,verdict,spectrum", "embed=1&hide=title,switch,curve,controls,verdict,maps",
		"embed=1&source=table&sample=cars", "embed=1&source=table&sample=signs&target=y", "source=table&embed=1", "embed=lab&chapter=psd", "embed=slide&hide=matrices", "embed=slide&chapter=vtec",
	}
	for _, c := range spec.Chapters {
		queries = append(queries, "embed=1&chapter="+c.Name)
	}
	var b strings.Builder
	for _, query := range queries {
		for _, width := range []int{1, 340, 500, 720, 992, 993, 1000, 5000} {
			fmt.Fprintf(&b, "%s %d %d\n", query, width, spec.ParseLink(query).Height(width))
		}
	}
	const file = "testdata/heights.txt"
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String(), "run UPDATE=1 go test ./core/spec, and look what has changed")

	figure := func(width int) int { return spec.ParseLink("embed=1&hide=matrices").Height(width) }
	assert.Greater(t, figure(340), figure(720), "what is narrow is high")
	assert.Greater(t, figure(720), figure(1000))
	assert.Equal(t, figure(1200), figure(5000))
	assert.GreaterOrEqual(t, figure(700), figure(720), "between two measured widths it is the higher of both")
}

func TestEveryPieceOfThePageWasMeasured(t *testing.T) {
	known := map[string]bool{}
	for _, row := range spec.Measured {
		assert.False(t, known[row.Name], row.Name)
		known[row.Name] = true
	}
	for _, c := range spec.Chapters {
		assert.True(t, known["chapter:"+c.Name], c.Name)
	}
	for _, s := range spec.Samples {
		assert.True(t, known["table:"+s.Name], s.Name)
	}
}

func TestAChapterInAFrameStaysLow(t *testing.T) {
	for _, row := range spec.Measured {
		if !strings.HasPrefix(row.Name, "chapter:") {
			continue
		}
		for i, width := range spec.MeasuredWidths {
			switch {
			case width >= 800:
				assert.LessOrEqual(t, row.Px[i], 900, "%s at %d px", row.Name, width)
			case width >= 400:
				assert.LessOrEqual(t, row.Px[i], 1200, "%s at %d px", row.Name, width)
			}
		}
	}
}
