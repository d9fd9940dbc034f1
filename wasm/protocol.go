//go:build js && wasm

// The protocol between the page and the engine, in two twins: wasm/protocol.go
// and web/src/protocol.ts. Change both or neither.
//
// The page posts {id, call, args} to a worker; the worker answers {id, result},
// {id, error} or, while a file is read, {id, progress}, and {id: 0, call:
// "cancel", args: {id}} ends that reading. The page pulls: nothing runs unless a
// call asks for it, so pausing is not asking.
//
//	info   {}                          → Info
//	open   {file, query}               → Table      (the worker streams the file's bytes into the engine)
//	plan   {table, query}              → Plan       (what training on these settings would use; fits nothing)
//	start  {query, cell, table}        → Started    (table is 0 for synthetic rows)
//	next   {run, ms}                   → Records    (steps until ms milliseconds are over; at least one; ms = 0: one)
//	ask    {run, what}                 → columns    (truth, interaction, predictions, baselines, model, theory, quadratic)
//	describe {model}                   → Described  (model: the bytes of a file that ask "model" gave)
//	predict  {table, model}            → Predicted  (every row of the table)
//	close  {kind, id}                  → null       (kind "table" or "run")
//	generate {query}                   → ModelFile  (the rows of synthetic settings as CSV, at most 64 MB)
//
// query is a Spec in its link form (core/spec). Numbers that form a column cross
// as typed arrays, everything else as plain objects and strings. An error is an
// object {kind, message, file, line, column, field, found}: kind names the Go
// type, message is the sentence to show, the rest is there where it applies.
// After an error everything the worker held before is still there.
package main

// The names of the calls.
const (
	callInfo  = "info"
	callOpen  = "open"
	callPlan  = "plan"
	callStart = "start"
	callNext  = "next"
	callAsk   = "ask"
	callClose = "close"

	callDescribe = "describe"
	callPredict  = "predict"
	callGenerate = "generate"
)
