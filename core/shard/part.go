// Package shard runs a sweep of numbered, independent cells in any number of processes,
// stores the result of each cell, and merges the results.
//
//	DIR/2-of-8.jsonl   a title, then a line for each cell that is done
//
// A cell's line is written by one call as soon as the cell is done. A killed process loses
// only the cells in progress, and the next process on its part does the others. Lines
// come in the order in which cells end. [Gather] returns them in the order of their
// numbers. They contain neither times nor machine names, so the merged bytes are the same
// for any number of parts, processes and workers.
//
// Both kinds of file are JSON Lines in UTF-8: one object a line, each with \n at its end,
// no line longer than a megabyte. Keys have a fixed order, and readers skip unknown keys.
// The first line is the title:
//
//	{"sweep":"410219a987975b0ae4b44b281a2df189","version":"0.5.0","cells":4000}
//	{"sweep":"410219a987975b0ae4b44b281a2df189","version":"0.5.0","cells":4000,"shard":2,"of":8}
//
// The first is the title of a merged file, the second that of a part's file: only the
// latter has "shard" and "of". "sweep" is a digest, 32 hexadecimal digits, of everything
// that the cells depend on. Every other line is a cell's:
//
//	{"cell":17, …}
//	{"cell":17, …,"sum":"9a7b05c2"}
//
// "cell" is its first key, a number from 0 to cells − 1. In a part's file "sum" is the last:
// CRC-32C of the line in front of it, so that a changed number is refused. In a merged file,
// line i + 2 is cell i, and none is missing. A part's file has its cells in any order, and
// its last line may be unfinished. The writer defines the other keys: for ifm sweep,
// core/cmd/ifm/README.md lists them.
package shard

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Part is part I of N of the cells, with 1 ≤ I ≤ N.
type Part struct{ I, N int }

// Whole is all of the cells.
var Whole = Part{1, 1}

// Has reports whether a cell belongs to the part. Of every N neighbouring cells each part
// has one, at a pseudo-random place: with cell mod N, an even N would give all cells of
// one of two models to half of the parts.
func (p Part) Has(cell int) bool { return partOf(cell, p.N) == p.I }

func partOf(cell, n int) int {
	run := uint64(cell / n) // mixed by splitmix64
	run = (run ^ run>>30) * 0xbf58476d1ce4e5b9
	run = (run ^ run>>27) * 0x94d049bb133111eb
	return int((uint64(cell%n)+(run^run>>31)%uint64(n))%uint64(n)) + 1
}

func (p Part) String() string { return strconv.Itoa(p.I) + "/" + strconv.Itoa(p.N) }

// Parse parses a part such as 2/8.
func Parse(text string) (Part, error) {
	first, second, _ := strings.Cut(text, "/")
	i, wrong := strconv.Atoi(first)
	n, wrong2 := strconv.Atoi(second)
	if wrong != nil || wrong2 != nil || i < 1 || i > n {
		return Part{}, fmt.Errorf("-shard is %q, expected a part and the number of parts, such as 1/8 to 8/8", text)
	}
	return Part{i, n}, nil
}

// Engine returns the part that the environment of a SLURM job array or of a Kubernetes
// Indexed Job assigns, or [Whole] outside both. It refuses variables that leave the
// number of parts open: an array that repeats a task, such as --array=4, reports one
// task, and Kubernetes gives a pod only its index.
func Engine(env func(string) string) (Part, error) {
	slurm, kubernetes := env("SLURM_ARRAY_TASK_ID"), env("JOB_COMPLETION_INDEX")
	number := func(name string) int {
		v, err := strconv.Atoi(env(name))
		if err != nil {
			return -1
		}
		return v
	}
	switch {
	case slurm != "" && kubernetes != "":
		return Part{}, errors.New("SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are both set; say which part this is by -shard i/N")
	case slurm != "":
		p := Part{number("SLURM_ARRAY_TASK_ID"), number("SLURM_ARRAY_TASK_MAX")}
		count := number("SLURM_ARRAY_TASK_COUNT")
		if number("SLURM_ARRAY_TASK_MIN") != 1 || count != p.N || count < 2 || p.I < 1 || p.I > p.N {
			return Part{}, fmt.Errorf("the job array (task %s of %s from %s to %s) does not say of how many parts this is one; submit --array=1-N, or say -shard $SLURM_ARRAY_TASK_ID/N",
				slurm, env("SLURM_ARRAY_TASK_COUNT"), env("SLURM_ARRAY_TASK_MIN"), env("SLURM_ARRAY_TASK_MAX"))
		}
		return p, nil
	case kubernetes != "":
		p := Part{number("JOB_COMPLETION_INDEX") + 1, number("JOB_COMPLETIONS")}
		if p.I < 1 || p.I > p.N {
			return Part{}, fmt.Errorf("JOB_COMPLETION_INDEX is %q and JOB_COMPLETIONS %q; set JOB_COMPLETIONS to the completions of the job, which Kubernetes does not tell a pod", kubernetes, env("JOB_COMPLETIONS"))
		}
		return p, nil
	}
	return Whole, nil
}
