package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

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
	windows    []window     // of all shards, in order
	linear     float64      // λ of w
	candidates [vtec.Methods][]vtec.Tuning
	state      *state
	done       map[window]outcome
}

// newJob lists the windows, chooses ridge's penalty and reads the state.
func newJob(o options, s spec.Ionosphere) (*job, error) {
	o.query = s.Encode() // however it was written
	j := &job{options: o, done: map[window]outcome{}}
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
	if o.state != "" {
		j.state, err = openState(o.state, j.title(), j.candidates, j.done)
	}
	return j, err
}

func (j *job) close() {
	if j.state != nil {
		j.state.file.Close()
	}
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
	err := j.each(j.windows, func(i int) error {
		outcomes[i] = j.fit(j.windows[i], only)
		return nil
	}, nil)
	if err != nil {
		return 0, err
	}
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

// each calls f for the places of windows, several at a time, then after, if it is
// not nil, one at a time. It stops at the first error.
func (j *job) each(windows []window, f func(i int) error, after func(i int) error) error {
	next, results := make(chan int), make(chan error)
	var mutex sync.Mutex
	var group sync.WaitGroup
	for range j.workers {
		group.Go(func() {
			for i := range next {
				err := f(i)
				if err == nil && after != nil {
					mutex.Lock()
					err = after(i)
					mutex.Unlock()
				}
				results <- err
			}
		})
	}
	var failed error
	sent, received := 0, 0
	for received < len(windows) && failed == nil || received < sent {
		todo := next
		if sent == len(windows) || failed != nil {
			todo = nil
		}
		select {
		case todo <- sent:
			sent++
		case err := <-results:
			received++
			if failed == nil {
				failed = err
			}
		}
	}
	close(next)
	group.Wait()
	return failed
}

// work does the windows of the shard that are not done.
func (j *job) work(progress io.Writer) error {
	var todo []window
	for i, w := range j.windows {
		if _, known := j.done[w]; !known && i%j.shards == j.shard-1 {
			todo = append(todo, w)
		}
	}
	outcomes := make([]outcome, len(todo))
	began, finished := time.Now(), 0
	return j.each(todo, func(i int) error {
		outcomes[i] = j.fit(todo[i], j.candidates)
		return nil
	}, func(i int) error {
		j.done[todo[i]] = outcomes[i]
		finished++
		left := time.Since(began) / time.Duration(finished) * time.Duration(len(todo)-finished)
		fmt.Fprintf(progress, "%d of %d windows, %s left\n", finished, len(todo), left.Round(time.Second))
		if j.state != nil {
			return j.state.add(todo[i], outcomes[i])
		}
		return nil
	})
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
