//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slurm is a cluster that cluster/slurm.sh has started for these tests. make cluster
// does; elsewhere they are left out.
type slurm struct {
	*testing.T
	folder string // in which its jobs are submitted
}

func onSLURM(t *testing.T) slurm {
	if os.Getenv("IFMLAB_CLUSTER") == "" {
		t.Skip("not run: make cluster starts a SLURM for it")
	}
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "bin", "ifm"), ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Setenv("PATH", filepath.Join(folder, "bin")+":"+os.Getenv("PATH"))
	require.NoError(t, os.Symlink(must(filepath.Abs("cluster/array.sh")), filepath.Join(folder, "array.sh")))
	return slurm{t, folder}
}

// try runs a command in the folder of the jobs.
func (s slurm) try(name string, args ...string) (stdout, stderr string, err error) {
	var out, told bytes.Buffer
	c := exec.Command(name, args...)
	c.Dir, c.Stdout, c.Stderr = s.folder, &out, &told
	err = c.Run()
	return strings.TrimSpace(out.String()), strings.TrimSpace(told.String()), err
}

// do runs one that is to succeed.
func (s slurm) do(name string, args ...string) string {
	s.Helper()
	out, told, err := s.try(name, args...)
	require.NoError(s, err, "%s %v: %s", name, args, told)
	return out
}

// until waits for what a cluster comes to by itself.
func (s slurm) until(what string, is func() bool) {
	s.Helper()
	for end := time.Now().Add(3 * time.Minute); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			require.FailNow(s, "it did not come to this: "+what, s.do("squeue")+"\n"+s.do("sinfo", "-N"))
		}
	}
}

// task is what SLURM says of a task.
func (s slurm) task(job string, i int, key string) string {
	for field := range strings.FieldsSeq(s.do("scontrol", "show", "job", fmt.Sprintf("%s_%d", job, i))) {
		if value, is := strings.CutPrefix(field, key+"="); is {
			return value
		}
	}
	return ""
}

// ended tells whether no task of a job runs or waits.
func (s slurm) ended(job string) bool {
	return s.do("squeue", "-h", "-j", job, "-t", "pending,running,completing,suspended,requeued") == ""
}

// kept is how many cells of a part are done.
func (s slurm) kept(i, n int) int {
	text, err := os.ReadFile(filepath.Join(s.folder, "results", fmt.Sprintf("%d-of-%d.jsonl", i, n)))
	if err != nil {
		return 0
	}
	return max(bytes.Count(text, []byte("\n"))-1, 0)
}

// sweeping returns the process of the command in a task.
func (s slurm) sweeping(job string, i int) int {
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(s, err)
	for _, name := range all {
		env, _ := os.ReadFile(name)
		comm, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "comm"))
		has := func(pair string) bool { return strings.Contains("\x00"+string(env), "\x00"+pair+"\x00") }
		if string(comm) == "ifm\n" && has("SLURM_CONF="+os.Getenv("SLURM_CONF")) && has("SLURM_ARRAY_JOB_ID="+job) && has("SLURM_ARRAY_TASK_ID="+strconv.Itoa(i)) {
			return must(strconv.Atoi(filepath.Base(filepath.Dir(name))))
		}
	}
	return 0
}

// Of eight tasks on three nodes one loses its process, one its node, and one is
// cancelled. The first two go on by themselves; merge says how to run the third.
func TestAnArrayOnSLURMThatLosesAProcessAndANodeMergesToTheBytesOfOneMachine(t *testing.T) {
	s := onSLURM(t)
	links := "d=60&k=4&n=4000&test=1000&iterations=120&tolerance=0&models=fm,ifm&trials=48"
	require.NoError(t, os.WriteFile(filepath.Join(s.folder, "links.txt"), []byte(links+"\n"), 0o644))
	t.Setenv("PARTS", "8")
	job := s.do("sbatch", "--parsable", "--array=1-8", "--cpus-per-task=1", "array.sh")

	const killed, cancelled = 3, 4
	s.until("task 3 has three cells", func() bool { return s.kept(killed, 8) >= 3 })
	process := s.sweeping(job, killed)
	require.NotZero(t, process, "task 3 is over too early: give it more cells")
	require.NoError(t, syscall.Kill(process, syscall.SIGKILL))
	had := s.kept(killed, 8)
	s.do("scancel", job+"_"+strconv.Itoa(cancelled))

	lost, node := 0, ""
	s.until("another task has a cell", func() bool {
		for i := 1; i <= 8; i++ {
			if i != killed && i != cancelled && s.kept(i, 8) > 0 && s.task(job, i, "JobState") == "RUNNING" {
				lost, node = i, s.task(job, i, "NodeList")
				return true
			}
		}
		return false
	})
	script := must(filepath.Abs("cluster/slurm.sh"))
	s.do(script, "lose", node)
	t.Logf("killed the process of task %d at cell %d of 12, cancelled task %d, lost node %s with task %d", killed, had, cancelled, node, lost)
	s.until("the node is down", func() bool { return strings.Contains(s.do("sinfo", "-h", "-n", node, "-o", "%T"), "down") })
	s.do(script, "back", node)
	s.until("the array has ended", func() bool { return s.ended(job) })
	for _, i := range []int{killed, lost} {
		assert.Equal(t, "COMPLETED", s.task(job, i, "JobState"), "task %d", i)
		assert.Equal(t, "1", s.task(job, i, "Restarts"), "task %d", i)
	}

	_, told, err := s.try("ifm", "merge", "results")
	require.Error(t, err)
	require.Contains(t, told, "Run part 4 of 8 again")
	again := s.do("sbatch", "--parsable", "--array=4", "--cpus-per-task=1", "array.sh")
	s.until("the cancelled task has ended", func() bool { return s.ended(again) })

	s.do("ifm", "merge", "results", "-o", "merged.jsonl")
	s.do("ifm", "sweep", "links.txt", "-out", "alone")
	s.do("ifm", "merge", "alone", "-o", "alone.jsonl")
	merged, alone := must(os.ReadFile(filepath.Join(s.folder, "merged.jsonl"))), must(os.ReadFile(filepath.Join(s.folder, "alone.jsonl")))
	assert.Equal(t, 1+96, bytes.Count(alone, []byte("\n")))
	assert.True(t, bytes.Equal(merged, alone), "the bytes of eight tasks are those of one machine")
}

// Without -shard it is the array that says which part a task is, and one that repeats a
// task does not.
func TestATaskReadsTheArraysVariables(t *testing.T) {
	s := onSLURM(t)
	require.NoError(t, os.WriteFile(filepath.Join(s.folder, "links.txt"), []byte(small+"&trials=9\n"), 0o644))
	job := s.do("sbatch", "--parsable", "--array=1-3", "--output=out.%a", "--wrap", "ifm sweep links.txt -out results")
	s.until("the array has ended", func() bool { return s.ended(job) })
	for i := 1; i <= 3; i++ {
		assert.NotZero(t, s.kept(i, 3), "part %d", i)
	}
	s.do("ifm", "merge", "results")

	again := s.do("sbatch", "--parsable", "--array=2", "--output=again.%a", "--wrap", "ifm sweep links.txt -out results")
	s.until("the task has ended", func() bool { return s.ended(again) })
	assert.Equal(t, "2:0", s.task(again, 2, "ExitCode"), "it was asked wrongly")
	assert.Contains(t, string(must(os.ReadFile(filepath.Join(s.folder, "again.2")))), "the job array (task 2 of 1 from 2 to 2) does not say of how many parts this is one")
}

func TestASweepOnADiskOfAFewPagesGoesOnOnceThereIsRoom(t *testing.T) {
	s := onSLURM(t) // as root
	disk := filepath.Join(s.folder, "disk")
	require.NoError(t, os.Mkdir(disk, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(s.folder, "links.txt"), []byte("d=2&k=1&n=10&test=10&iterations=1&trials=100\n"), 0o644))
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=32k"); err != nil {
		t.Skip("not run: no small disk can be mounted here:", err)
	}
	defer syscall.Unmount(disk, 0)
	_, told, err := s.try("ifm", "sweep", "links.txt", "-out", "disk")
	exit, is := errors.AsType[*exec.ExitError](err)
	require.True(t, is, "%v", err)
	assert.Equal(t, 1, exit.ExitCode())
	assert.Contains(t, told, "no space left on device; what was done before is kept; mend that and start again")
	_, told, _ = s.try("ifm", "merge", "disk")
	assert.Contains(t, told, "of 200 cells are missing")
	require.NoError(t, syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=1m"))
	s.do("ifm", "sweep", "links.txt", "-out", "disk")
	s.do("ifm", "sweep", "links.txt", "-out", "alone", "-shard", "1/1")
	assert.Equal(t, s.do("ifm", "merge", "alone"), s.do("ifm", "merge", "disk"))
}
