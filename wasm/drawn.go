//go:build js && wasm && (figure || (!table && !ionosphere))

package main

import (
	"ifmlab/core/population"
	"ifmlab/core/spec"
	"ifmlab/core/train"
	"ifmlab/core/trial"
	"ifmlab/wasm/protocol"
)

func init() {
	sources = append(sources, func(r *runs) {
		r.engine.answer((&drawn{r}).answers())
		r.openers["synthetic"] = func(s spec.Spec, start protocol.Start, others []*train.Run) (*train.Run, error) {
			return openDrawn(s, start.Cell, others)
		}
	})
}

func openDrawn(s spec.Spec, cell int, others []*train.Run) (*train.Run, error) {
	c, err := trial.CellAt(s, cell)
	if err != nil {
		return nil, err
	}
	return train.Search(s, cell, trial.Drawn(trial.PointAt(s, c.Point).Spec, c.Trial), others...)
}

// drawn answers the calls about drawn rows and their truth, and those that need no rows.
type drawn struct{ runs *runs }

func (d *drawn) Generate(of protocol.Query) (protocol.ModelFile, error) {
	s, _ := spec.Parse(of.Query)
	name, file, err := trial.Generate(s)
	return protocol.ModelFile{Name: name, Bytes: file}, err
}

func (d *drawn) Contest(of protocol.Contestants) (protocol.Contest, error) {
	pairs := of.Pairs
	if pairs == nil {
		pairs = population.Drawn(6, uint64(of.Seed), of.Number)
	}
	c, err := population.Compare(pairs, 1)
	if err != nil {
		return protocol.Contest{}, err
	}
	return *c, nil
}

func (d *drawn) Truth(on protocol.OnRun) (protocol.Matrix, error) {
	run, err := d.runs.run(on.Run)
	if err != nil {
		return protocol.Matrix{}, err
	}
	m, ok := run.Truth()
	if !ok {
		return protocol.Matrix{}, &noTruth{"truth"}
	}
	return matrixOf(m), nil
}

func (d *drawn) Theory(on protocol.OnRun) (protocol.Theory, error) {
	run, err := d.runs.run(on.Run)
	if err != nil {
		return protocol.Theory{}, err
	}
	t, ok := run.Theory()
	if !ok {
		return t, &noTruth{"theory"}
	}
	return t, nil
}

func (d *drawn) IterationMatrices(on protocol.OnRun) (protocol.IterationMatrices, error) {
	run, err := d.runs.run(on.Run)
	if err != nil {
		return protocol.IterationMatrices{}, err
	}
	return run.IterationMatrices()
}
