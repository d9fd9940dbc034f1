//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// limited runs the command in a process whose files cannot grow beyond 4 or 8 kB, by
// what a block is to the shell. The write that meets the limit leaves a part of a line.
func limited(t *testing.T, args ...string) (status int, told string) {
	t.Helper()
	child := exec.Command("sh", "-c", `ulimit -f 8 && exec "$0"`, os.Args[0])
	child.Env = append(os.Environ(), asSweep+"="+strings.Join(args, "|"))
	var stderr bytes.Buffer
	child.Stderr = &stderr
	child.Run()
	return child.ProcessState.ExitCode(), stderr.String()
}

func TestADiskThatFillsUpLosesNothingThatWasKept(t *testing.T) {
	file, folder, alone := linksFile(t, small+"&trials=30"), t.TempDir(), t.TempDir()
	_, told := ok(t, "sweep", file, "-out", alone)
	_, want, _ := ifm("merge", alone)

	status, told := limited(t, "sweep", file, "-out", folder)
	name := filepath.Join(folder, "1-of-1.jsonl")
	assert.Equal(t, 1, status)
	assert.Equal(t, "ifm sweep: write "+name+": file too large; what was done before is kept; mend that and start again\n", told)
	kept := string(must(os.ReadFile(name)))
	assert.Greater(t, strings.Count(kept, "\n"), 5)
	assert.True(t, strings.HasSuffix(kept, "}\n"), "the line that was begun is taken back")
	_, _, told = ifm("merge", folder)
	assert.Contains(t, told, "of 60 cells are missing")
	assert.NotContains(t, told, "SLURM", "one process knows of no arrays")
	_, told = ok(t, "sweep", file, "-out", folder)
	assert.True(t, strings.HasPrefix(string(must(os.ReadFile(name))), kept))
	_, merged, _ := ifm("merge", folder)
	assert.Equal(t, want, merged)

	// Neither does merge.
	out := write(t, "merged.jsonl", "before")
	status, told = limited(t, "merge", folder, "-o", out)
	assert.Equal(t, 1, status)
	assert.Equal(t, "ifm merge: write "+out+": file too large\n", told)
	assert.Equal(t, "before", string(must(os.ReadFile(out))))
	assert.Len(t, must(os.ReadDir(filepath.Dir(out))), 1, "nothing is left beside it")
	refused(t, 2, "is the file that it reads; name another one", "merge", folder, "-o", name)
	assert.Equal(t, merged, func() string { _, again, _ := ifm("merge", folder); return again }())
}

// What is no file, such as /dev/null, is written to and not replaced.
func TestAPipeIsWrittenToAndStaysOne(t *testing.T) {
	file, folder := linksFile(t, small), t.TempDir()
	ok(t, "sweep", file, "-out", folder)
	_, want, _ := ifm("merge", folder)
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	read := make(chan []byte)
	go func() {
		content, _ := os.ReadFile(pipe)
		read <- content
	}()
	ok(t, "merge", folder, "-o", pipe)
	require.NotZero(t, must(os.Lstat(pipe)).Mode()&os.ModeNamedPipe) // or its reader waits for ever
	assert.Equal(t, want, string(<-read))
}

func TestACommandThatCannotPrintSaysSo(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer full.Close()
	model, folder := filepath.Join(t.TempDir(), "model.json"), t.TempDir()
	ok(t, "sweep", linksFile(t, small), "-out", folder)
	for _, args := range [][]string{
		{"merge", folder},
		{"train", samples + "cars.csv", "-target", "Horsepower", "-set", "ignore=Name", "-set", "ranks=1", "-ranges=false", "-o", model}, {"predict", model, samples + "cars.csv"},
		{"explain", model}, {"explain", model, "-json"}, {"export", model, "-as", "sql"}, {"help"}, {"help", "predict"}, {"help", "settings"}, {"version"}, {"curve", "d=4&n=40"}, {"break"},
	} {
		var stderr bytes.Buffer
		assert.Equal(t, 1, run(args, nil, full, &stderr), args)
		assert.Contains(t, stderr.String(), "ifm "+args[0]+": what was written is not whole: write /dev/full: no space left on device\n")
	}
}

func TestAnOutputThatIsALinkIsWrittenToWhatItPointsTo(t *testing.T) {
	model, folder := trained(t, "cars.csv", "Horsepower", "-set", "ignore=Name"), t.TempDir()
	for _, there := range []bool{true, false} {
		target, link := filepath.Join(folder, "there.sql"), filepath.Join(folder, "link.sql")
		os.Remove(target)
		os.Remove(link)
		if there {
			require.NoError(t, os.WriteFile(target, []byte("before"), 0o600))
		}
		require.NoError(t, os.Symlink("there.sql", link))
		ok(t, "export", model, "-as", "sql", "-o", link)
		assert.NotZero(t, must(os.Lstat(link)).Mode()&os.ModeSymlink)
		assert.Contains(t, string(must(os.ReadFile(target))), "SELECT")
	}
}

func TestWhatAKilledCommandHasLeftIsReplaced(t *testing.T) {
	model, folder := trained(t, "cars.csv", "Horsepower", "-set", "ignore=Name"), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, ".p.sql.part"), []byte("half"), 0o600))
	ok(t, "export", model, "-as", "sql", "-o", filepath.Join(folder, "p.sql"))
	assert.Len(t, must(os.ReadDir(folder)), 1)
}

func TestAnInterruptEndsPredict(t *testing.T) {
	model, folder := trained(t, "cars.csv", "Horsepower", "-set", "ignore=Name"), t.TempDir()
	cars, _ := os.ReadFile(samples + "cars.csv")
	head, rows, _ := strings.Cut(string(cars), "\n")
	out := filepath.Join(folder, "p.csv")
	require.NoError(t, os.WriteFile(out, []byte("before"), 0o600))
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), asSweep+"=predict|"+model+"|-|-o|"+out)
		in := must(child.StdinPipe())
		require.NoError(t, child.Start())
		_, err := in.Write([]byte(head + "\n" + strings.Repeat(rows, 100))) // more than a pipe holds: it reads
		require.NoError(t, err)
		require.NoError(t, child.Process.Signal(signal))
		assert.Error(t, child.Wait())
		assert.Equal(t, "before", string(must(os.ReadFile(out))))
		assert.Len(t, must(os.ReadDir(folder)), 1)
	}
}
