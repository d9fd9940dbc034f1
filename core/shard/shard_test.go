//go:build !js

// Processes end themselves in these tests, or are killed.

package shard

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const cells = 400

// counted is work whose cells count themselves.
func counted(count *atomic.Int64) *Work {
	return &Work{Title: Title{"a1b2c3d4", "1.2.3", cells}, Do: func(_ context.Context, cell int, line []byte) ([]byte, error) {
		if count != nil {
			count.Add(1)
		}
		return append(line, fmt.Sprintf(`"square":%d}`, cell*cell)...), nil
	}}
}

// asProcess is set where this test is run as a process that works on a part: folder,
// part.
const asProcess = "SHARD_PROCESS"

func TestMain(m *testing.M) {
	folder, part, is := strings.Cut(os.Getenv(asProcess), "|")
	if !is {
		os.Exit(m.Run())
	}
	p, err := Parse(part)
	if err == nil {
		w := counted(nil)
		do := w.Do
		w.Do = func(ctx context.Context, cell int, line []byte) ([]byte, error) {
			if _, err := os.Stdin.Read(make([]byte, 1)); err != nil { // a leave for each cell
				return nil, err
			}
			return do(ctx, cell, line)
		}
		w.Progress = func(done, all int) { fmt.Println(done) }
		err = w.Run(context.Background(), folder, p, 2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// gathered is all that a folder holds, as merged.
func gathered(t *testing.T, folder string) string {
	t.Helper()
	text, err := gather(folder)
	require.NoError(t, err)
	return text
}

func gather(folder string) (string, error) {
	var b bytes.Buffer
	err := Gather(folder, func(_ int, line []byte) error {
		b.Write(line)
		return b.WriteByte('\n')
	})
	return b.String(), err
}

// alone is what one process on one part ends with.
func alone(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, counted(nil).Run(t.Context(), folder, Whole, 1))
	return gathered(t, folder)
}

func TestEveryCellIsOfOnePartAndEveryPartHasItsShareOfEachModel(t *testing.T) {
	const many = 24000
	for _, n := range []int{1, 2, 3, 8, 19} {
		sizes := make([]int, n)
		var models [2][20][3]int // of two models, and of three
		for cell := range many {
			of := 0
			for i := range n {
				if (Part{i + 1, n}).Has(cell) {
					of++
					sizes[i]++
					models[0][i][cell%2]++
					models[1][i][cell%3]++
				}
			}
			if of != 1 {
				t.Fatalf("cell %d is of %d parts of %d", cell, of, n)
			}
		}
		for i, size := range sizes {
			assert.InDelta(t, many/n, size, 1)
			for k := range models {
				for m := range k + 2 {
					assert.InEpsilon(t, size/(k+2), models[k][i][m], .12, "part %d of %d, model %d of %d; drawn, three standard errors are .09", i+1, n, m+1, k+2)
				}
			}
		}
	}
}

func TestTheMergedBytesAreTheSameForAnyPartsWorkersAndOrder(t *testing.T) {
	want := alone(t)
	assert.True(t, strings.HasPrefix(want, `{"sweep":"a1b2c3d4","version":"1.2.3","cells":400}`+"\n"+`{"cell":0,"square":0}`+"\n"+`{"cell":1,"square":1}`+"\n"), want[:100])
	parts := []int{1, 2, 7}
	if !testing.Short() {
		parts = append(parts, 401) // each written through to the disk
	}
	for _, n := range parts {
		folder := t.TempDir()
		for _, i := range rand.New(rand.NewPCG(1, uint64(n))).Perm(n) {
			require.NoError(t, counted(nil).Run(t.Context(), folder, Part{i + 1, n}, 1+i%4))
		}
		assert.Equal(t, want, gathered(t, folder), "%d parts", n)
	}
}

func TestAProcessThatIsKilledTwentyTimesRepeatsNothingAndLosesNothing(t *testing.T) {
	want, folder := alone(t), t.TempDir()
	random := rand.New(rand.NewPCG(7, 20))
	lines := func(i int) int {
		text, err := os.ReadFile(filepath.Join(folder, Part{i, 3}.fileName()))
		if err != nil {
			return 0
		}
		return bytes.Count(text, []byte("\n"))
	}
	for start := range 20 {
		i := start%3 + 1
		before := lines(i)
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), asProcess+"="+folder+"|"+Part{i, 3}.String())
		leave, err := child.StdinPipe()
		require.NoError(t, err)
		told, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		few := 1 + random.IntN(12) // of the 133 of a part: it cannot end by itself
		_, err = leave.Write(make([]byte, few))
		require.NoError(t, err)
		seen := bufio.NewScanner(told)
		for range 1 + random.IntN(few+1) { // of its beginning, and of each cell
			require.True(t, seen.Scan())
		}
		time.Sleep(time.Duration(random.IntN(500)) * time.Microsecond)
		require.NoError(t, child.Process.Kill())
		assert.ErrorContains(t, child.Wait(), "killed")
		assert.GreaterOrEqual(t, lines(i), before, "what was kept is kept")
	}
	kept := lines(1) + lines(2) + lines(3) - 3
	require.Greater(t, kept, 0)
	var again atomic.Int64
	for i := 1; i <= 3; i++ {
		require.NoError(t, counted(&again).Run(t.Context(), folder, Part{i, 3}, 2))
	}
	assert.EqualValues(t, cells-kept, again.Load(), "no cell is repeated")
	assert.Equal(t, want, gathered(t, folder))
}

func TestATornLineIsDoneAgainWhereverItIsTorn(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, counted(nil).Run(t.Context(), folder, Whole, 1))
	name := filepath.Join(folder, "1-of-1.jsonl")
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	title := bytes.IndexByte(whole, '\n')
	for _, size := range []int{0, 1, title - 1, title, title + 1, title + 2, len(whole) - 1, len(whole) - 5} {
		require.NoError(t, os.WriteFile(name, whole[:size], 0o644))
		kept := max(bytes.Count(whole[:size], []byte("\n"))-1, 0)
		_, err := gather(folder)
		require.Error(t, err, "cut at %d", size)
		var again atomic.Int64
		require.NoError(t, counted(&again).Run(t.Context(), folder, Whole, 1), "cut at %d", size)
		assert.EqualValues(t, cells-kept, again.Load(), "cut at %d", size)
		after, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, string(whole), string(after), "cut at %d", size)
	}
	// A machine that loses power may leave zeros.
	require.NoError(t, os.WriteFile(name, append(bytes.Clone(whole[:title+1]), make([]byte, 50)...), 0o644))
	require.NoError(t, counted(nil).Run(t.Context(), folder, Whole, 1))
	assert.Equal(t, string(whole), string(must(os.ReadFile(name))))
}

func must(content []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return content
}

func TestMissingCellsAreToldWithTheParts(t *testing.T) {
	folder := t.TempDir()
	for _, i := range []int{2, 5} {
		require.NoError(t, counted(nil).Run(t.Context(), folder, Part{i, 6}, 1))
	}
	_, err := gather(folder)
	missing, is := errors.AsType[*MissingError](err)
	require.True(t, is, "%v", err)
	assert.Equal(t, []int{1, 3, 4, 6}, missing.Parts)
	assert.Equal(t, folder+": 266 of 400 cells are missing, the first is cell 0. Run parts 1,3-4,6 of 6 again with the same links and folder; what is done is not repeated.", err.Error())
	for _, i := range []int{1, 3, 4, 6} {
		require.NoError(t, counted(nil).Run(t.Context(), folder, Part{i, 6}, 1))
	}
	name := filepath.Join(folder, "3-of-6.jsonl")
	text := must(os.ReadFile(name))
	require.NoError(t, os.WriteFile(name, text[:len(text)-3], 0o644))
	_, err = gather(folder)
	assert.ErrorContains(t, err, "1 of 400 cells is missing")
	assert.ErrorContains(t, err, "Run part 3 of 6 again")

	folder = t.TempDir() // of one process, which knows of no arrays
	require.NoError(t, counted(nil).Run(t.Context(), folder, Whole, 1))
	require.NoError(t, os.Truncate(filepath.Join(folder, "1-of-1.jsonl"), 130))
	_, err = gather(folder)
	assert.EqualError(t, err, folder+": 399 of 400 cells are missing, the first is cell 1. Run the sweep again with the same links and folder; what is done is not repeated.")
}

// cellIn is the number of a line's cell.
func cellIn(line string) string {
	rest, _ := strings.CutPrefix(line, opening)
	number, _, _ := strings.Cut(rest, ",")
	return number
}

func TestWhatDoesNotBelongTogetherIsNamedAndKept(t *testing.T) {
	folder := t.TempDir()
	whole := func(i, n int) {
		require.NoError(t, counted(nil).Run(t.Context(), folder, Part{i, n}, 1))
	}
	whole(1, 2)
	whole(2, 2)
	first, second := filepath.Join(folder, "1-of-2.jsonl"), filepath.Join(folder, "2-of-2.jsonl")
	good := string(must(os.ReadFile(second)))
	lines := strings.SplitAfter(good, "\n")
	for what, c := range map[string]struct{ text, want string }{
		"other links":       {strings.Replace(good, "a1b2c3d4", "00000000", 1), second + ":1: the file is of another sweep (400 cells, 00000000; here are 400, a1b2c3d4); name another folder, or give the links it was made of"},
		"another version":   {strings.Replace(good, "1.2.3", "1.2.4", 1), second + ":1: the file is of version 1.2.4, this is of 1.2.3, and their numbers may differ; name another folder, or run that version"},
		"an index twice":    {string(must(os.ReadFile(first))), second + ":1: the file holds shard 1/2, not 2/2 as its name says; give it its name, 1-of-2.jsonl"},
		"a cell twice":      {good + lines[3], second + ":202: cell " + cellIn(lines[3]) + " is there twice; delete one of its lines"},
		"a cell of another": {good + strings.SplitAfter(string(must(os.ReadFile(first))), "\n")[5], second + ":202: cell " + cellIn(strings.SplitAfter(string(must(os.ReadFile(first))), "\n")[5]) + " is none of shard 2/2; delete the line"},
		"cut in a line":     {strings.Replace(good, lines[2], lines[2][:8]+"\n", 1), second + `:3: the line is damaged: it begins "{\"cell\":"; delete it, and its cell is done again`},
		"a number changed":  {strings.Replace(good, lines[2], strings.Replace(lines[2], `"square":`, `"square":1`, 1), 1), second + ":3: cell " + cellIn(lines[2]) + " has changed since it was written; delete the line, and its cell is done again"},
		"without a sum":     {strings.Replace(good, lines[2], `{"cell":`+cellIn(lines[2])+`,"square":4}`+"\n", 1), second + ":3: cell " + cellIn(lines[2]) + " has changed since it was written; delete the line, and its cell is done again"},
		"not ours":          {"a,b\n1,2\n", second + ":1: the file is none of a sweep; name another folder"},
		"no line at all":    {"a note", second + ":1: the file is none of a sweep; name another folder"},
	} {
		require.NoError(t, os.WriteFile(second, []byte(c.text), 0o644))
		if what != "no line at all" { // which may be torn
			_, err := gather(folder)
			assert.EqualError(t, err, c.want, what)
		}
		assert.EqualError(t, counted(nil).Run(t.Context(), folder, Part{2, 2}, 1), c.want, what)
		assert.Equal(t, c.text, string(must(os.ReadFile(second))), "%s: what is there stays", what)
	}
	require.NoError(t, os.WriteFile(second, []byte(good), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "merged.jsonl"), nil, 0o644)) // beside them
	gathered(t, folder)

	for _, n := range []int{1, 3} { // --array=1 alone, to repeat that task, is 1 of 1
		assert.ErrorContains(t, counted(nil).Run(t.Context(), folder, Part{1, n}, 1), "1-of-2.jsonl is there, and this is shard 1/"+strconv.Itoa(n)+"; say -shard with its number of parts, or name another folder")
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "1-of-3.jsonl"), []byte(good), 0o644))
	_, err := gather(folder)
	assert.ErrorContains(t, err, "holds parts of 2 and of 3; move those of one number elsewhere")
	require.NoError(t, os.Rename(filepath.Join(folder, "1-of-3.jsonl"), filepath.Join(folder, "2-of-2 (copy).jsonl")))
	_, err = gather(folder)
	assert.ErrorContains(t, err, "2-of-2 (copy).jsonl: the name is of no part")
	_, err = gather(t.TempDir())
	assert.ErrorContains(t, err, "holds no results; run the sweep first")
}

func TestTwoProcessesDoNotWorkOnOnePart(t *testing.T) {
	folder := t.TempDir()
	w, begun, end := counted(nil), make(chan bool), make(chan bool)
	var once sync.Once
	do := w.Do
	w.Do = func(ctx context.Context, cell int, line []byte) ([]byte, error) {
		once.Do(func() { begun <- true; <-end })
		return do(ctx, cell, line)
	}
	done := make(chan error)
	go func() { done <- w.Run(context.Background(), folder, Whole, 1) }()
	<-begun
	f, err := os.Open(filepath.Join(folder, "1-of-1.jsonl"))
	require.NoError(t, err)
	defer f.Close()
	if err := lock(f); !errors.Is(err, errTaken) {
		end <- true
		<-done
		t.Skip("not run: this system cannot lock:", err)
	}
	assert.ErrorContains(t, counted(nil).Run(t.Context(), folder, Whole, 1), "another process works on this shard; wait for it, or end it")
	end <- true
	require.NoError(t, <-done)
}

func TestARunThatIsStoppedKeepsWhatItHas(t *testing.T) {
	folder := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	w := counted(nil)
	w.Progress = func(done, all int) {
		assert.Equal(t, cells, all)
		if done == 100 {
			stop()
		}
	}
	assert.ErrorIs(t, w.Run(ctx, folder, Whole, 3), context.Canceled)
	var again atomic.Int64
	require.NoError(t, counted(&again).Run(t.Context(), folder, Whole, 3))
	assert.EqualValues(t, cells-100, again.Load())

	broken := counted(nil)
	broken.Do = func(context.Context, int, []byte) ([]byte, error) { return nil, errors.New("no memory") }
	assert.EqualError(t, broken.Run(t.Context(), t.TempDir(), Whole, 3), "no memory")
}

func TestADiskThatIsFullLosesNothingThatWasKept(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "1-of-1.jsonl")
	j, _, err := openJournal(folder, Whole, counted(nil))
	require.NoError(t, err)
	require.NoError(t, j.add(append(sealed([]byte(`{"cell":0,"square":0}`)), '\n')))
	// A part of a line, as a write that fails midway leaves.
	full, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0o644)
	require.NoError(t, err)
	_, err = full.WriteString(`{"cell":1,"squ`)
	require.NoError(t, err)
	require.NoError(t, full.Close())
	whole := j.size
	read, err := os.Open(name) // to which nothing can be written
	require.NoError(t, err)
	j.file.Close()
	j.file = read
	assert.ErrorContains(t, j.add([]byte("{}\n")), "what was done before is kept; mend that and start again")
	j.file.Close()
	require.NoError(t, os.Truncate(name, whole+5))
	var again atomic.Int64
	require.NoError(t, counted(&again).Run(t.Context(), folder, Whole, 1))
	assert.EqualValues(t, cells-1, again.Load())
	gathered(t, folder)
}

func TestAnEnginesVariablesAreTakenOnlyWhereTheySayAll(t *testing.T) {
	slurm := func(id, least, most, count string) map[string]string {
		return map[string]string{"SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_MIN": least, "SLURM_ARRAY_TASK_MAX": most, "SLURM_ARRAY_TASK_COUNT": count}
	}
	for _, c := range []struct {
		env  map[string]string
		want Part
		told string
	}{
		{nil, Whole, ""},
		{slurm("3", "1", "8", "8"), Part{3, 8}, ""},
		{slurm("4", "4", "4", "1"), Part{}, "the job array (task 4 of 1 from 4 to 4) does not say of how many parts this is one; submit --array=1-N, or say -shard $SLURM_ARRAY_TASK_ID/N"}, // --array=4
		{slurm("1", "1", "1", "1"), Part{}, "does not say of how many"}, // --array=1
		{slurm("7", "1", "7", "3"), Part{}, "does not say of how many"}, // --array=1,5,7
		{slurm("0", "0", "7", "8"), Part{}, "does not say of how many"}, // --array=0-7
		{slurm("9", "1", "8", "8"), Part{}, "does not say of how many"}, // nonsense
		{slurm("3", "1", "", ""), Part{}, "does not say of how many"},   // half of them
		{slurm("x", "1", "8", "8"), Part{}, "does not say of how many"}, // no number
		{map[string]string{"JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "100"}, Part{1, 100}, ""},
		{map[string]string{"JOB_COMPLETION_INDEX": "99", "JOB_COMPLETIONS": "100"}, Part{100, 100}, ""},
		{map[string]string{"JOB_COMPLETION_INDEX": "7"}, Part{}, `JOB_COMPLETION_INDEX is "7" and JOB_COMPLETIONS ""; set JOB_COMPLETIONS to the completions of the job, which Kubernetes does not tell a pod`},
		{map[string]string{"JOB_COMPLETION_INDEX": "100", "JOB_COMPLETIONS": "100"}, Part{}, "set JOB_COMPLETIONS"},
		{map[string]string{"JOB_COMPLETION_INDEX": "1", "SLURM_ARRAY_TASK_ID": "1"}, Part{}, "are both set; say which part this is by -shard i/N"},
	} {
		p, err := Engine(func(name string) string { return c.env[name] })
		assert.Equal(t, c.want, p, c.env)
		if c.told == "" {
			assert.NoError(t, err, c.env)
		} else {
			assert.ErrorContains(t, err, c.told, c.env)
		}
	}
	for _, text := range []string{"", "0/2", "3/2", "2", "two/3", "1/2/3", "-1/2"} {
		_, err := Parse(text)
		assert.ErrorContains(t, err, "expected a part and the number of parts", text)
	}
}
