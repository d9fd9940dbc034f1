package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"ifmlab/core/shard"
	"ifmlab/core/spec"
	"ifmlab/core/vtec"
	"ifmlab/core/vtec/sky"
)

// window is one of the windows of all seeds.
type window struct {
	seed uint64
	at   sky.At
}

// outcome is what is known of a window that is done.
type outcome struct {
	unusable string // why, or ""
	tests    int
	squares  [vtec.Methods][]float64 // of the test errors, for each candidate
}

// job is a run of the command.
type job struct {
	options
	sources    []sky.Source // of each seed
	windows    []window     // of all parts, in order
	linear     float64      // λ of w
	candidates [vtec.Methods][]vtec.Tuning
}

// newJob lists the windows and chooses ridge's penalty.
func newJob(o options, s spec.Ionosphere) (*job, error) {
	o.query = s.Encode() // however it was written
	j := &job{options: o}
	for _, seed := range o.seeds {
		simulator, err := sky.NewSimulator(sky.Config{
			Seed: seed, Systems: s.Systems, Latitude: s.Latitude, Longitude: s.Longitude,
			Spacing: s.Spacing, Edge: s.Edge, Waves: s.Waves, Phase: s.Phase,
		})
		if err != nil {
			return nil, err
		}
		source := simulator.TuningDays()
		j.sources = append(j.sources, source)
		e, err := vtec.NewExperiment(source, vtec.Settings{Seed: seed, Stride: o.stride, Days: len(source.Days()), Methods: []vtec.Method{vtec.Ridge}})
		if err != nil {
			return nil, err
		}
		for _, at := range e.Windows() {
			j.windows = append(j.windows, window{seed, at})
		}
	}
	var err error
	if j.linear, err = j.chooseLinear(); err != nil {
		return nil, err
	}
	for m := range vtec.Methods {
		j.candidates[m] = o.candidates(m, j.linear)
	}
	return j, nil
}

// source returns that of a seed.
func (j *job) source(seed uint64) sky.Source {
	for i, s := range j.seeds {
		if s == seed {
			return j.sources[i]
		}
	}
	return nil
}

// chooseLinear returns ridge's best penalty on all windows.
func (j *job) chooseLinear() (float64, error) {
	var only [vtec.Methods][]vtec.Tuning
	only[vtec.Ridge] = j.options.candidates(vtec.Ridge, 0)
	outcomes := make([]outcome, len(j.windows))
	var next atomic.Int64
	var group sync.WaitGroup
	for range j.workers {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(outcomes); i = int(next.Add(1)) - 1 {
				outcomes[i] = j.fit(j.windows[i], only)
			}
		})
	}
	group.Wait()
	r := pool(outcomes, only)
	if r.tests == 0 {
		return 0, errors.New("no window can be used: " + outcomes[0].unusable)
	}
	return only[vtec.Ridge][r.best[vtec.Ridge]].Ridge, nil
}

// fit does a window.
func (j *job) fit(w window, candidates [vtec.Methods][]vtec.Tuning) (o outcome) {
	var err error
	if o.tests, o.squares, err = vtec.Tune(j.source(w.seed), w.at, w.seed, candidates); err != nil {
		o.unusable = err.Error()
	}
	return o
}

// work does the windows of the part that the folder has not kept.
func (j *job) work(folder string, progress io.Writer) error {
	began, before := time.Now(), -1
	w := shard.Work{Title: j.title(), Do: func(_ context.Context, cell int, line []byte) ([]byte, error) {
		return appendOutcome(line, j.windows[cell], j.fit(j.windows[cell], j.candidates))
	}, Told: func(done, all int) {
		if before < 0 {
			before = done
			return
		}
		left := time.Since(began) / time.Duration(done-before) * time.Duration(all-done)
		fmt.Fprintf(progress, "%d of %d windows, %s left\n", done, all, left.Round(time.Second))
	}, Warn: func(message string) { fmt.Fprintln(progress, message) }}
	return w.Run(context.Background(), folder, j.part, j.workers)
}

// gather reads what all parts have kept.
func (j *job) gather(folder string) ([]outcome, error) {
	title := j.title()
	var outcomes []outcome
	err := shard.Gather(folder, &title, func(cell int, line []byte) error {
		if cell < 0 {
			return nil
		}
		o, err := j.readOutcome(cell, line)
		outcomes = append(outcomes, o)
		return err
	})
	return outcomes, err
}

// result is what the windows say together.
type result struct {
	windows, tests int
	unusable       []int                   // of the outcomes
	rmse           [vtec.Methods][]float64 // of each candidate; NaN where one window has no fit
	best           [vtec.Methods]int
}

// pool adds up the outcomes, in their order.
func pool(outcomes []outcome, candidates [vtec.Methods][]vtec.Tuning) (r result) {
	for m := range candidates {
		r.rmse[m] = make([]float64, len(candidates[m]))
	}
	for i, o := range outcomes {
		if o.unusable != "" {
			r.unusable = append(r.unusable, i)
			continue
		}
		r.windows++
		r.tests += o.tests
		for m := range r.rmse {
			for c := range r.rmse[m] {
				r.rmse[m][c] += o.squares[m][c]
			}
		}
	}
	for m, rmse := range r.rmse {
		least := math.Inf(1)
		for c := range rmse {
			rmse[c] = math.Sqrt(rmse[c] / float64(r.tests))
			if rmse[c] < least {
				least, r.best[m] = rmse[c], c
			}
		}
	}
	return r
}
