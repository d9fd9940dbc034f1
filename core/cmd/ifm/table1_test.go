//go:build !js

package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTableIsTheSameInEveryRunAndTakesALink(t *testing.T) {
	first, _ := ok(t, "table1", "stride=480&days=2&methods=ridge,ifm&fixes=720")
	second, _ := ok(t, "table1", "https://lab.example/?chapter=vtec&theme=dark&vtec.stride=480&vtec.days=2&vtec.methods=ridge,ifm&vtec.fixes=720#vtec")
	assert.Equal(t, first, second)
	lines := strings.Split(strings.TrimSpace(first), "\n")
	require.Len(t, lines, 28, first)
	assert.Equal(t, "| day | windows | zero | ridge | ifm |", lines[0])
	assert.Regexp(t, `^\| TestDay2 \| 3 \| 0\.0\d{4} \| (\*\*)?0\.0\d{4}`, lines[3])
	assert.Regexp(t, `^\| Average \| 6 \|`, lines[4])
	assert.Regexp(t, `^\| simulated RTK \| 4 \| \d+\.\d % \| .* % ± `, lines[6])
	assert.Regexp(t, `^\| less ridge, points, ± 95 % \| 4 \| \|  \| [+-]\d+\.\d ± \d+\.\d \|$`, lines[7])
	assert.Regexp(t, `^RTK: .* With the true delays it is \d+\.\d %`, lines[9])
	assert.Regexp(t, `^\| less ridge, ± 95 % of 6 hours \| 6 \| \|  \| [+-]0\.0\d{4} ± 0\.0\d{4} \|$`, lines[5])
	assert.Equal(t, "| hours | differences | ridge | ifm |", lines[11])
	assert.Equal(t, "| elevation | differences | ridge | ifm |", lines[20])
	for _, line := range lines[2:5] {
		assert.Equal(t, 2, strings.Count(line, "**"), "one is the least: %s", line)
	}
}

func TestTable1LeavesEveryStationOutAndTunesOnWhatItDoesNotTest(t *testing.T) {
	out, _ := ok(t, "table1", "stations=all&tune=own&stride=720&days=1&fixes=0&methods=ridge,kriging")
	assert.Regexp(t, `^tuned on 10 of 10 windows, which are not in the table: methods=ridge,kriging&stations=all&tune=own&stride=720&fixes=0&days=1(&|\n)`, out)
	assert.Contains(t, out, "| day | windows | zero | ridge | kriging* |\n")
	assert.Contains(t, out, "| Average | 34 |")
	assert.Contains(t, out, "\\* not in the paper\n")
	assert.Contains(t, out, "\n| S01 | ")
	assert.Contains(t, out, "\n| S17 | ")
	again, _ := ok(t, "table1", "stations=all&tune=own&stride=720&days=1&fixes=0&methods=ridge,kriging")
	assert.Equal(t, out, again)
}

func TestTable1RunsWhatItCanOfALinkAndSaysWhatItLeaves(t *testing.T) {
	const small = "vtec.stride=720&vtec.days=1&vtec.methods=ridge&vtec.fixes=0"
	plain, told := ok(t, "table1", small)
	for link, want := range map[string]string{
		"?seed=7&n=50&" + small:         "ifm table1: left n=50&seed=7 of the figure or a table; run ifm curve with this link\n",
		"?chapter=psd&psd.d=5&" + small: "ifm table1: left the chapter psd with d=5, which only the page runs\n",
		small + "&vtec.strid=5":         "ifm table1: the link's parameter \"strid\" is not known here and was ignored\n",
		small + "&%76tec.days=none":     "ifm table1: the link has \"vtec.days\" more than once; the last value that can be used counts\nifm table1: the link's days was \"none\"; used \"1\" instead\n",
	} {
		status, out, told := ifm("table1", link)
		assert.Equal(t, 2, status, link)
		assert.Equal(t, want, told, link)
		assert.Equal(t, plain, out, link)
	}
	status, out, told := ifm("table1", "psd.guess=stuck&vtec.guess=all&vtec.then=few&"+small)
	assert.Zero(t, status)
	assert.Empty(t, told, "what a reader guessed is no setting of a run")
	assert.Equal(t, plain, out)
}

func TestASkyWithoutItsFileEndsTable1WithAReason(t *testing.T) {
	status, out, told := ifm("table1", "sky=maps")
	assert.Equal(t, 1, status)
	assert.Contains(t, told, "IONEX")
	assert.Empty(t, out)
	status, out, told = ifm("table1", "sky=maps", "no-such-file")
	assert.Equal(t, 1, status)
	assert.Contains(t, told, "no-such-file")
	assert.Empty(t, out)
}

func TestTable1ReadsMadrigalsLineOfSightTECPackedByGzip(t *testing.T) {
	const file = "../../vtec/sky/testdata/los.csv.gz"
	packed, told := ok(t, "table1", "sky=points&stride=20&fixes=0&methods=ridge,lasso", file)
	assert.Contains(t, packed, "\nslips: 1, jumps beyond 1 TECU, in 1 of ")
	assert.Contains(t, packed, "\narcs: ")
	assert.Contains(t, packed, "what is predicted is the change of the TEC along each signal")
	assert.Regexp(t, `\n\| 2011-06-06 \| [34] \| 0\.0\d+ \|`, packed)
	f := must(os.Open(file))
	defer f.Close()
	text := must(io.ReadAll(must(gzip.NewReader(f))))
	plain := filepath.Join(t.TempDir(), "los.csv")
	require.NoError(t, os.WriteFile(plain, text, 0o644))
	unpacked, told := ok(t, "table1", "sky=points&stride=20&fixes=0&methods=ridge,lasso", plain)
	assert.Equal(t, packed, unpacked)
	require.NoError(t, os.WriteFile(plain, []byte("\x1f\x8bno"), 0o644))
	status, _, told := ifm("table1", "sky=points", plain)
	assert.Equal(t, 1, status)
	assert.Contains(t, told, "los.csv: this gzip file is damaged or incomplete. Download or compress it again")
}
