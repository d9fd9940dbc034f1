//go:build !js

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTableIsTheSameInEveryRunAndTakesALink(t *testing.T) {
	var first, second bytes.Buffer
	require.NoError(t, run(&first, "stride=480&days=2&methods=ridge,ifm&fixes=720", ""))
	require.NoError(t, run(&second, "https://lab.example/?chapter=vtec&vtec.stride=480&vtec.days=2&vtec.methods=ridge,ifm&vtec.fixes=720#vtec", ""))
	assert.Equal(t, first.String(), second.String())
	lines := strings.Split(strings.TrimSpace(first.String()), "\n")
	require.Len(t, lines, 6, first.String())
	assert.Equal(t, "| day | windows | zero | ridge | ifm |", lines[0])
	assert.Regexp(t, `^\| TestDay2 \| 3 \| 0\.0\d{4} \| (\*\*)?0\.0\d{4}`, lines[3])
	assert.Regexp(t, `^\| Average \| 6 \|`, lines[4])
	assert.Regexp(t, `^\| simulated RTK \| 4 \| \| .* % ± `, lines[5])
	for _, line := range lines[2:5] {
		assert.Equal(t, 2, strings.Count(line, "**"), "one is the least: %s", line)
	}
}

func TestWhatIsNotKnownEndsItWithAReason(t *testing.T) {
	var out bytes.Buffer
	assert.ErrorContains(t, run(&out, "strid=5", ""), "strid")
	assert.ErrorContains(t, run(&out, "sky=maps", ""), "IONEX")
	assert.ErrorContains(t, run(&out, "sky=maps", "no-such-file"), "no-such-file")
	assert.Empty(t, out.String())
}
