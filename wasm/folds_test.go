//go:build js && wasm

package main

import (
	"syscall/js"
	"testing"

	"github.com/stretchr/testify/assert"
)

const folded = "source=table&target=y&models=fm,ifm&ranks=1,2&lambdaf=10,3&lambdaw=1,10&iterations=5&folds=3"

// folds does all folds of a cell as a page does, in two engines by turns, and returns
// what they have found and the records of the run that they choose.
func folds(p, other page, table [2]int, cell int) (found map[string]any, records string) {
	at := func(fold int) (page, int) { return []page{p, other}[fold%2], table[fold%2] }
	var ridge, errors []any
	for fold := range 3 {
		on, t := at(fold)
		ridge = append(ridge, on.call("weigh", map[string]any{"query": folded, "trial": 0, "fold": fold, "table": t}))
	}
	for fold := range 3 {
		on, t := at(fold + 1)
		run := on.call("start", map[string]any{"query": folded, "cell": cell, "table": t, "fold": fold, "crossValidation": map[string]any{"ridge": ridge}}).Get("run").Int()
		var candidates []any
		for done := false; !done; {
			r := on.call("next", map[string]any{"run": run, "ms": 1000})
			for i := range r.Get("candidate").Length() {
				at, valid := r.Get("candidate").Index(i).Int(), r.Get("valid").Index(i).Float()
				if at == len(candidates) {
					candidates = append(candidates, []any{})
				}
				candidates[at] = append(candidates[at].([]any), valid)
			}
			done = r.Get("done").Bool()
		}
		on.call("close", map[string]any{"handle": run})
		errors = append(errors, candidates)
	}
	found = map[string]any{"ridge": ridge, "errors": errors}
	return found, p.finished(map[string]any{"query": folded, "cell": cell, "table": table[0], "fold": -1, "crossValidation": found})
}

// finished starts a run and returns all its records.
func (p page) finished(start map[string]any) string {
	run := p.call("start", start).Get("run").Int()
	return stringify(p.call("next", map[string]any{"run": run, "ms": 1e6}))
}

func TestFoldsThatTwoEnginesDoAreThoseOfOne(t *testing.T) {
	p, other := open(t), open(t)
	table := [2]int{}
	for i, on := range []page{p, other} {
		table[i] = on.read("t.csv", tableOf(90), 100).Get("result").Get("table").Int()
	}
	assert.Equal(t, 3, p.call("plan", map[string]any{"table": table[0], "query": folded}).Get("folds").Int())
	for cell := range 2 {
		_, together := folds(p, other, table, cell)
		alone := p.finished(map[string]any{"query": folded, "cell": cell, "table": table[0], "fold": -1, "crossValidation": js.Null()})
		assert.Equal(t, alone, together)
		assert.Contains(t, together, "best over the folds")
	}
	e := p.fails(p.invoke("call", "weigh", js.ValueOf(map[string]any{"query": folded, "trial": 0, "fold": 3, "table": table[0]})))
	assert.Equal(t, "FoldError", e.Get("kind").String())
}
