package main

// What a reader waits for: brotli bytes that cross the network before the first
// curve. A test holds the last build to them.
const (
	engineBudget     = 890e3  // the engine, Go’s runtime included; 888e3 now: 7e3 fit FM and iFM to a matrix as it is painted, 2e3 tell what an iteration of Algorithm 1 holds
	ionosphereBudget = 710e3  // that of the chapter on vTEC, which comes with it; 708e3 now
	paintBudget      = 45e3   // the scripts that there is nothing to see without; 41e3 now
	scriptsBudget    = 145e3  // those, the charts', the maps' and the worker's; 132e3 now
	offlineBudget    = 2520e3 // the offline file as it lies on a disk; both engines are in it as one
	laterBudget      = 40e3   // each script that is loaded when its part of the page comes near
	fontBudget       = 20e3   // the formulas' font, which comes with the first of them; 17e3 now
)
