//go:build js && wasm && (table || (!figure && !ionosphere))

package main

import "ifmlab/core/pair"

func pairsObject(s *pair.Search, unit string) any {
	p, r := s.Progress(), s.Result()
	named, skipped, out := make([]any, len(r.Named)), make([]any, len(r.Skipped)), make([]int32, len(r.Out))
	for i := range named {
		n := &r.Named[i]
		named[i] = object(
			"first", n.P, "second", n.Q, "p", n.PValue, "logP", n.LogP, "f", n.F, "df", n.DF, "left", n.Left,
			"share", n.Share, "low", n.Low, "high", n.High, "rows", placeObjects(n.Effect.First), "columns", placeObjects(n.Effect.Second),
			"effect", n.Effect.Value, "seen", n.Effect.Rows,
		)
	}
	for i, skip := range r.Skipped {
		skipped[i] = object("first", skip.P, "second", skip.Q, "why", string(skip.Why), "products", skip.Products)
	}
	for i, k := range r.Out {
		out[i] = int32(k)
	}
	return object(
		"done", s.Done(), "stage", string(p.Stage), "step", p.Done, "steps", p.Of, "found", p.Named, "work", p.Work,
		"alpha", r.Alpha, "trained", r.Rows, "unit", unit, "names", r.Columns, "out", out, "pairs", r.Pairs, "looked", r.Looked, "tested", r.Tested,
		"few", pair.Few, "skipped", skipped, "named", named, "full", r.Full,
	)
}

func placeObjects(places []pair.Place) []any {
	out := make([]any, len(places))
	for i, p := range places {
		var knot any
		if p.Knot == p.Knot {
			knot = p.Knot
		}
		out[i] = object("knot", knot, "level", p.Level, "merged", p.Merged, "missing", p.Missing)
	}
	return out
}
