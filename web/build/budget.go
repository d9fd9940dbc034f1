package main

// What a reader waits for: brotli bytes that cross the network before the first
// curve. A test holds the last build to them.
const (
	engineBudget  = 850e3 // the engine, Go's runtime (418e3) included
	scriptsBudget = 130e3 // the page's scripts and the worker's
)
