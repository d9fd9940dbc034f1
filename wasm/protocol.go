//go:build js && wasm

// The protocol between the page and the engine, in two twins: wasm/protocol.go
// and web/src/engine/protocol.ts. Change both or neither.
//
// The page posts {id, call, args} to a worker; the worker answers {id, result},
// {id, error} or, while a file is read, {id, progress}, and {id: 0, call:
// "cancel", args: {id}} ends that reading. The page pulls: nothing runs unless a
// call asks for it, so pausing is not asking.
//
//	info   {}                          → Info
//	open   {file, query}               → Table      (the worker streams the file's text into the engine, and unpacks it first where it is packed)
//	plan   {table, query}              → Plan       (what training on these settings would use; fits nothing)
//	weigh  {query, trial, fold, table} → FoldRidge  (ridge's errors on a fold, for settings that ask for folds: the first thing that is done of them)
//	start  {query, cell, table, fold, found} → Started (table is 0 for synthetic rows; a run on a fold, from 0, with what ridge has found of all; one without, fold −1, with what all folds have found, or null where no folds are asked for)
//	next   {run, ms}                   → Records    (steps until ms milliseconds are over; at least one; ms = 0: one)
//	ask    {run, what}                 → columns    (truth, interaction, predictions, baselines, model, theory, quadratic, effort, log, held, classes)
//	trees  {run, ms}                   → Trees      (grows boosted trees as next steps: those of a run and of all that share its rows)
//	pairs  {run, ms}                   → Pairs      (tests which columns interact until ms milliseconds are over, as next)
//	intervals {run, ms}                → Intervals  (fits the model that leads a run again to calibrate prediction intervals, as next; a run that is not done is trained first)
//	describe {model}                   → Described  (model: the bytes of a file that ask "model" gave)
//	predict  {table, model}            → Predicted  (every row of the table)
//	explain  {table, model, line}      → Explained  (what the prediction for the row on a line is the sum of)
//	export   {model, form}             → Exported   (a model file as other programs take it; form "python", "sql" or "libfm")
//	close  {kind, id}                  → null       (kind "table", "run", "sky" or "survey")
//	contest  {pairs, seed, number}     → Contest    (FM against iFM on the interactions of six features; pairs is null for drawn ones)
//	generate {query}                   → ModelFile  (the rows of synthetic settings as CSV, at most 64 MB)
//	sky      {file, query}             → Sky        (reads an IONEX file or a table of pierce points as open reads a table)
//	survey   {query, sky}              → Survey     (the ionosphere experiment; sky is 0 for the simulator)
//	window   {survey, window}          → Window     (fits every method to one window and tests it)
//	tune     {survey, window}          → Tuned      (fits every method with all its candidates to one window of those to tune on)
//	choose   {survey, sums}            → Chosen     (the settings with the least sums of squares, of all those windows)
//	fix      {survey, window}          → Fix        (tries positions in one of the survey's windows for them)
//	scene    {survey, day, second, rows, columns, whole} → Scene (the map of one instant, of the net or of all that signals reach)
//	write    {survey, day, what}       → ModelFile  (what "maps": the day's TEC as IONEX; "points": its pierce points as CSV)
//
// query is a Spec in its link form (core/spec). Numbers that form a column cross
// as typed arrays, everything else as plain objects and strings. An error is an
// object {kind, message, file, line, column, field, found}: kind names the Go
// type, message is the sentence to show, the rest is there where it applies.
// After an error everything the worker held before is still there.
package main

// The names of the calls.
const (
	callInfo      = "info"
	callOpen      = "open"
	callPlan      = "plan"
	callWeigh     = "weigh"
	callStart     = "start"
	callNext      = "next"
	callAsk       = "ask"
	callTrees     = "trees"
	callPairs     = "pairs"
	callIntervals = "intervals"
	callClose     = "close"

	callDescribe = "describe"
	callPredict  = "predict"
	callExplain  = "explain"
	callExport   = "export"
	callGenerate = "generate"
	callContest  = "contest"

	callSky    = "sky"
	callSurvey = "survey"
	callWindow = "window"
	callTune   = "tune"
	callChoose = "choose"
	callFix    = "fix"
	callScene  = "scene"
	callWrite  = "write"
)
