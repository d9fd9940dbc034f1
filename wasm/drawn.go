//go:build js && wasm && (figure || (!table && !ionosphere))

package main

import (
	"maps"
	"slices"
	"syscall/js"

	"ifmlab/core"
	"ifmlab/core/spec"
)

func init() {
	kinds["synthetic"] = &rowKind{
		opened: (*runs).drawn,
		calls: map[string]func(r *runs, args js.Value) (any, error){
			callContest:  (*runs).contest,
			callGenerate: (*runs).generate,
		},
		asks: map[string]func(run *core.Run) (any, error){
			"truth":  truth,
			"theory": theory,
			"held":   held,
		},
	}
}

func (r *runs) drawn(s spec.Spec, args js.Value) (*core.Run, error) {
	return core.OpenDrawn(s, args.Get("cell").Int(), slices.Collect(maps.Values(r.open))...)
}

func (r *runs) generate(args js.Value) (any, error) {
	s, _ := spec.Parse(text(args, "query"))
	name, file, err := core.Generate(s)
	return object("name", name, "bytes", file), err
}

func truth(run *core.Run) (any, error) {
	m, ok := run.Truth()
	if !ok {
		return nil, &noTruth{"truth"}
	}
	return matrixObject(m), nil
}

func theory(run *core.Run) (any, error) {
	t, ok := run.Theory()
	if !ok {
		return nil, &noTruth{"theory"}
	}
	return object("floor", t.Floor, "sd", t.SD, "secondOrder", t.SecondOrder, "tau", t.Tau), nil
}

func held(run *core.Run) (any, error) {
	h, err := run.Held()
	return object("d", h.D, "k", h.K, "iteration", h.Iteration, "mean", h.Mean, "truth", h.Truth, "h", h.H, "m", h.M, "u", h.U, "q", h.Q, "v", h.V), err
}
