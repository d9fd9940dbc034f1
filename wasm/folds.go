//go:build js && wasm && (table || (!figure && !ionosphere))

package main

import (
	"maps"
	"slices"
	"syscall/js"

	"ifmlab/core"
	"ifmlab/core/spec"
)

func (r *runs) weigh(args js.Value) (any, error) {
	table, err := r.table(args)
	if err != nil {
		return nil, err
	}
	s, _ := spec.Parse(text(args, "query"))
	ridge, err := core.WeighFold(s, args.Get("trial").Int(), args.Get("fold").Int(), table)
	return object("linear", ridge.Linear, "hats", ridge.Hats), err
}

// opened opens the run that start asks for: on a fold, by what folds have found, or
// neither. Where the page knows of no folds, the settings' are done here.
func (r *runs) opened(s spec.Spec, args js.Value) (*core.Run, error) {
	table, err := r.table(args)
	if err != nil {
		return nil, err
	}
	cell, others := args.Get("cell").Int(), slices.Collect(maps.Values(r.open))
	given := args.Get("found")
	if given.Type() != js.TypeObject {
		return core.Open(s, cell, table, others...)
	}
	var found core.Found
	each(given.Get("ridge"), func(fold js.Value) {
		found.Ridge = append(found.Ridge, core.FoldRidge{Linear: numbers(fold.Get("linear")), Hats: numbers(fold.Get("hats"))})
	})
	if fold := args.Get("fold").Int(); fold >= 0 {
		return core.OpenFold(s, cell, fold, table, found.Ridge, others...)
	}
	each(given.Get("errors"), func(fold js.Value) {
		valid, starts := numbers(fold.Get("valid")), numbers(fold.Get("starts"))
		errors := make(core.FoldErrors, len(starts))
		for c, from := range starts {
			to := len(valid)
			if c+1 < len(starts) {
				to = int(starts[c+1])
			}
			errors[c] = valid[int(from):to]
		}
		found.Errors = append(found.Errors, errors)
	})
	return core.OpenFound(s, cell, table, found, others...)
}

// each calls f with the elements of an array.
func each(array js.Value, f func(element js.Value)) {
	for i := range array.Length() {
		f(array.Index(i))
	}
}

// numbers returns those of an array, typed or not; nil of an empty one.
func numbers(array js.Value) (all []float64) {
	each(array, func(v js.Value) { all = append(all, v.Float()) })
	return all
}
