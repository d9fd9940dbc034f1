//go:build js && wasm && (figure || table || !ionosphere)

package main

import (
	"maps"
	"math"
	"slices"

	"ifmlab/core/interaction"
	"ifmlab/core/spec"
	"ifmlab/core/train"
	"ifmlab/core/trial"
	"ifmlab/wasm/protocol"
)

func init() {
	parts = append(parts, func(e *engine) {
		r := &runs{e, map[int]*train.Run{}, map[string]opener{}}
		e.answer(r.answers())
		e.points = pointsOf
		for _, add := range sources {
			add(r)
		}
		e.closers = append(e.closers, r.closed) // after those that look for the run
	})
}

// sources are the kinds of rows that this build trains on. Each adds its opener, and
// the calls that it alone answers.
var sources []func(r *runs)

// runs is the part that trains.
type runs struct {
	engine  *engine
	open    map[int]*train.Run
	openers map[string]opener // by the source of rows
}

// opener opens the run that start asks for, on rows of one source.
type opener func(s spec.Spec, start protocol.Start, others []*train.Run) (*train.Run, error)

func pointsOf(query string) (cells int, points []protocol.Point) {
	s, _ := spec.Parse(query)
	for _, p := range trial.Points(s) {
		points = append(points, protocol.Point{Query: p.Spec.Encode(), Ratio: p.Ratio, N: p.N, Clipped: p.Clipped(), K: p.K, Tau: p.Tau})
	}
	return trial.Cells(s), points
}

func (r *runs) closed(handle int) {
	if run := r.open[handle]; run != nil {
		run.Close()
		delete(r.open, handle)
	}
}

func (r *runs) run(handle int) (*train.Run, error) { return lookUp(r.open, "run", handle) }

func (r *runs) Start(start protocol.Start) (protocol.Started, error) {
	s, _ := spec.Parse(start.Query)
	open := r.openers[s.Source]
	if open == nil { // another build's
		return protocol.Started{}, &unknownCall{"start " + s.Source}
	}
	run, err := open(s, start, slices.Collect(maps.Values(r.open)))
	if err != nil {
		return protocol.Started{}, err
	}
	base, err := run.Baselines()
	if err != nil {
		run.Close()
		return protocol.Started{}, err
	}
	id, cell := r.engine.next(), run.Cell()
	r.open[id] = run
	return protocol.Started{
		Run: id, Model: protocol.ModelKind(cell.Model.String()), Trial: cell.Trial, Point: cell.Point, Candidates: run.Candidates(),
		Measure: protocol.Measure(run.Measure()), Classes: namesOf(run.ClassNames()), Mean: base.Mean, Ridge: base.Ridge, RidgeLambda: base.Lambda,
		Target: run.Target(), Quantity: run.Quantity(), Features: run.Features(), Notes: run.Notes(),
	}, nil
}

// namesOf returns the names of classes, nil for none.
func namesOf(names []string) *protocol.Names {
	if names == nil {
		return nil
	}
	return &names
}

// Next steps a run until the time is over or the run is done. An error ends the run; the
// records before it stay valid.
func (r *runs) Next(slice protocol.Slice) (protocol.Records, error) {
	records := protocol.Records{Final: math.NaN(), Additive: math.NaN()}
	run, err := r.run(slice.Run)
	if err != nil {
		return records, err
	}
	err = stepped(slice, run.Done, func() error {
		record, err := run.Next()
		if err == nil && !record.Last {
			add(&records, &record)
		}
		return err
	})
	if records.Done = run.Done(); records.Done && err == nil {
		records.Final = run.TestError()
		if curves := run.Additive(); curves != nil {
			records.Additive = curves.Test
		}
	}
	return records, err
}

// stepped does steps until all is done, one fails or the time is over.
func stepped(slice protocol.Slice, done func() bool, step func() error) error {
	until := now() + slice.MS
	for !done() {
		if err := step(); err != nil {
			return err
		}
		if now() >= until {
			break
		}
	}
	return nil
}

// add adds a record to the columns.
func add(c *protocol.Records, r *train.Record) {
	hats := 0
	if r.Encoding == "hats" {
		hats = 1
	}
	c.Candidate, c.Rank, c.Iteration, c.Lead, c.Hats = append(c.Candidate, r.Candidate), append(c.Rank, r.Rank), append(c.Iteration, r.Iteration), append(c.Lead, r.Lead), append(c.Hats, hats)
	c.Lambda, c.Weights, c.Passes = append(c.Lambda, r.Lambda), append(c.Weights, r.Weights), append(c.Passes, r.Passes)
	c.Train, c.Valid, c.Test = append(c.Train, r.Train), append(c.Valid, r.Valid), append(c.Test, r.Test)
	c.ErrorW, c.ErrorM = append(c.ErrorW, r.W), append(c.ErrorM, r.M)
	if r.Stop != "" {
		c.Stop, c.Rose = r.Stop, r.Rose
	}
}

func (r *runs) Interaction(on protocol.OnRun) (protocol.Matrix, error) {
	run, err := r.run(on.Run)
	if err != nil {
		return protocol.Matrix{}, err
	}
	m, err := run.Interaction()
	return matrixOf(m), err
}

func matrixOf(m interaction.Matrix) protocol.Matrix {
	return protocol.Matrix{D: len(m.Names), Values: m.Values, Eigenvalues: m.Eigenvalues, Names: m.Names, Rank: m.Rank, Lambda: m.Lambda, Iteration: m.Iteration}
}

func (r *runs) Predictions(on protocol.OnRun) (protocol.Predictions, error) {
	run, err := r.run(on.Run)
	if err != nil {
		return protocol.Predictions{}, err
	}
	return run.Predictions()
}

func (r *runs) Model(on protocol.OnRun) (protocol.ModelFile, error) {
	run, err := r.run(on.Run)
	if err != nil {
		return protocol.ModelFile{}, err
	}
	return modelOf(run)
}

func modelOf(run *train.Run) (protocol.ModelFile, error) {
	file, err := run.Model()
	return protocol.ModelFile{Name: modelName(run), Bytes: file}, err
}

func modelName(run *train.Run) string { return run.Cell().Model.String() + ".ifmlab.json" }
