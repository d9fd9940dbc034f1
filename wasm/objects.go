//go:build js && wasm

package main

import (
	"syscall/js"
	"unsafe"

	"ifmlab/core"
	"ifmlab/core/data"
)

// widest is the number of features up to which a model is described with its
// interactions: the page draws no more.
const widest = 1000

// mostPlaces is how many unusable rows cross to the page; the rest are counted.
const mostPlaces = 100

func tableObject(handle int, t *data.Table) any {
	profiles := t.Profile()
	columns := make([]any, len(profiles))
	for i, p := range profiles {
		columns[i] = map[string]any{
			"name": p.Name, "kind": string(p.Kind), "guess": string(p.Guess),
			"missing": p.Missing, "unreadable": p.Unreadable, "distinct": p.Distinct, "distinctExact": p.DistinctExact,
			"mean": p.Mean, "sd": p.SD, "min": p.Min, "max": p.Max, "tau": p.Tau, "levels": texts(p.Levels),
		}
	}
	preview := make([]any, len(t.Preview))
	for i, row := range t.Preview {
		preview[i] = texts(row)
	}
	return map[string]any{
		"table": handle, "name": t.Name, "rows": t.Rows(), "bytes": t.Bytes, "separator": string(t.Separator), "header": t.Header,
		"columns": columns, "preview": preview, "bad": places(t.Bad), "badCount": t.BadCount, "notices": texts(t.Notices),
	}
}

func planObject(p *core.Planned) any {
	roles, kinds := make([]any, len(p.Roles)), make([]any, len(p.Kinds))
	for i := range roles {
		roles[i], kinds[i] = string(p.Roles[i]), string(p.Kinds[i])
	}
	return map[string]any{
		"target": p.Target, "roles": roles, "kinds": kinds, "features": p.Features,
		"train": p.Train, "valid": p.Valid, "test": p.Test, "bytes": p.Bytes, "steps": p.Steps,
		"dropped": places(p.Dropped), "droppedCount": p.DroppedCount, "notices": texts(p.Notices),
	}
}

func pointObjects(points []core.Point) any {
	out := make([]any, len(points))
	for i, p := range points {
		out[i] = map[string]any{"query": p.Spec.Encode(), "ratio": p.Ratio, "n": p.N, "held": p.Held(), "k": p.K, "tau": p.Tau}
	}
	return out
}

func startedObject(handle int, r *core.Run, b core.Baselines) any {
	return map[string]any{
		"run": handle, "model": r.Cell().Model.String(), "trial": r.Cell().Trial, "point": r.Cell().Point, "candidates": r.Candidates(),
		"mean": b.Mean, "ridge": b.Ridge, "ridgeLambda": b.Lambda,
		"target": r.Target(), "features": texts(r.Features()), "notices": texts(r.Notices()),
	}
}

func recordsObject(records []core.Record, done bool) any {
	n := len(records)
	candidate, rank, iteration, lead := make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	lambda, train, valid, test := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	passes, errorW, errorM := make([]float64, n), make([]float64, n), make([]float64, n)
	stop := ""
	for i, r := range records {
		candidate[i], rank[i], iteration[i], lead[i] = int32(r.Candidate), int32(r.Rank), int32(r.Iteration), int32(r.Lead)
		lambda[i], train[i], valid[i], test[i] = r.Lambda, r.Train, r.Valid, r.Test
		passes[i], errorW[i], errorM[i] = r.Passes, r.W, r.M
		if r.Stop != "" {
			stop = r.Stop
		}
	}
	return map[string]any{
		"candidate": ints(candidate), "rank": ints(rank), "iteration": ints(iteration), "lead": ints(lead),
		"lambda": floats(lambda), "train": floats(train), "valid": floats(valid), "test": floats(test),
		"passes": floats(passes), "errorW": floats(errorW), "errorM": floats(errorM),
		"done": done, "stop": stop,
	}
}

func matrixObject(m core.Matrix) any {
	return map[string]any{
		"d": len(m.Names), "values": floats(m.Values), "eigenvalues": floats(m.Eigenvalues), "names": texts(m.Names),
		"rank": m.Rank, "lambda": m.Lambda, "iteration": m.Iteration,
	}
}

func predictionsObject(p core.Predictions) any {
	line := make([]int32, len(p.Line))
	for i, l := range p.Line {
		line[i] = int32(l)
	}
	return map[string]any{"line": ints(line), "actual": floats(p.Actual), "predicted": floats(p.Predicted), "ridge": floats(p.Ridge), "rmse": p.RMSE}
}

func describedObject(k *core.Kept, interaction js.Value, bytes int) any {
	target, written := k.Encoding.Target, k.Encoding.Written
	return map[string]any{
		"model": k.Model.Kind.String(), "rank": k.Model.Rank, "target": target.Name, "levels": texts(target.Levels),
		"columns": texts(k.Encoding.Columns()), "features": texts(k.Features()), "interaction": interaction, "bytes": bytes,
		"separator": string(written.Separator), "header": written.Header,
	}
}

func predictedObject(p *core.Predicted) any {
	return map[string]any{
		"line": ints(p.Line), "predicted": floats(p.Predicted), "actual": floats(p.Actual), "rmse": p.RMSE, "rows": len(p.Line),
		"notices": texts(p.Notices), "skipped": places(p.Skipped), "skippedCount": p.SkippedCount,
	}
}

func baselinesObject(b core.Baselines) any {
	return map[string]any{"mean": b.Mean, "ridge": b.Ridge, "ridgeLambda": b.Lambda}
}

func texts(list []string) any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func places(rows []data.RowError) any {
	rows = rows[:min(len(rows), mostPlaces)]
	out := make([]any, len(rows))
	for i := range rows {
		out[i] = place(&rows[i])
	}
	return out
}

func place(e *data.RowError) map[string]any {
	return map[string]any{"message": e.Error(), "file": e.File, "line": e.Line, "column": e.Column, "field": e.Field, "found": e.Found}
}

func floats(x []float64) js.Value {
	return js.Global().Get("Float64Array").New(raw(memory(x, 8)).Get("buffer"))
}

func ints(x []int32) js.Value {
	return js.Global().Get("Int32Array").New(raw(memory(x, 4)).Get("buffer"))
}

// memory returns the bytes of x, whose elements have the given size.
func memory[T any](x []T, size int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), size*len(x))
}

// raw copies bytes into a new Uint8Array.
func raw(bytes []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(bytes))
	js.CopyBytesToJS(array, bytes)
	return array
}
