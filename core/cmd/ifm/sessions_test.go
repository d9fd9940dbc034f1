//go:build !js

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core"
)

// Each session of testdata/sessions.txt has a folder of its own. "< name" writes a file, whose
// lines begin with "> ", with ">n " n times, or with ">> " without an end; "$ " runs ifm. What a
// command answers stands below it, where UPDATE=1 writes it: its status, what it prints (of a
// long text the first line and a digest), and what it tells.
func TestCommandsAnswerAsRecorded(t *testing.T) {
	const name = "testdata/sessions.txt"
	home, inSamples := must(os.Getwd()), must(filepath.Abs(samples))+"/"
	t.Setenv("SLURM_ARRAY_TASK_ID", "")
	t.Setenv("JOB_COMPLETION_INDEX", "")
	var all strings.Builder
	for _, want := range strings.Split(string(must(os.ReadFile(name))), "=== ")[1:] {
		var got strings.Builder
		folder, file, before := t.TempDir(), "", ""
		t.Chdir(folder)
		title, rest, _ := strings.Cut(want, "\n")
		got.WriteString(title + "\n")
		for line := range strings.Lines(rest) {
			head, text, _ := strings.Cut(line, " ")
			switch {
			case head == "<":
				file = strings.TrimSpace(text)
				require.NoError(t, os.WriteFile(file, nil, 0o644))
			case strings.HasPrefix(head, ">"):
				if head == ">>" {
					text = strings.TrimSuffix(text, "\n")
				} else if head != ">" {
					text = strings.Repeat(text, must(strconv.Atoi(head[1:])))
				}
				require.NoError(t, os.WriteFile(file, append(must(os.ReadFile(file)), text...), 0o644))
			case head == "$":
				var args []string
				for _, arg := range word.FindAllString(text, -1) {
					args = append(args, strings.ReplaceAll(strings.ReplaceAll(arg, "'", ""), "samples/", inSamples))
				}
				status, out, told := ifm(args...)
				fmt.Fprintf(&got, "%sstatus %d\n", line, status)
				if out != "" && out == before {
					out = "(prints the same)\n"
				} else if out != "" {
					before = out
				}
				for _, said := range []string{shortened(out), told} {
					said = strings.NewReplacer(inSamples, "samples/", folder+"/", "", core.Version, "{version}").Replace(said)
					for line := range strings.Lines(said) {
						got.WriteString("\t" + strings.TrimSuffix(line, "\n") + "\n")
					}
				}
				continue
			default:
				continue
			}
			got.WriteString(line)
		}
		all.WriteString("=== " + got.String())
		if os.Getenv("UPDATE") == "" {
			assert.Equal(t, want, got.String())
		}
	}
	t.Chdir(home)
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(name, []byte(all.String()), 0o644))
	}
}

// shortened returns a short text as it is, and the first line and a digest of a long one.
func shortened(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= 60 && len(text) <= 5000 {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	first := lines[0]
	if len(first) > 200 {
		first = first[:200] + "\n"
	}
	return fmt.Sprintf("%s… %d lines, %x\n", first, len(lines)-1, sum[:6])
}
