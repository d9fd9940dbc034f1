package main

// What a reader waits for: brotli bytes that cross the network before the first
// curve. A test holds the last build to them.
const (
	engineBudget     = 887e3  // the engine, Go’s runtime included; 884e3 now: 7e3 fit FM and iFM to a matrix as it is painted
	ionosphereBudget = 710e3  // that of the chapter on vTEC, which comes with it; 705e3 now
	paintBudget      = 40e3   // the scripts that there is nothing to see without
	scriptsBudget    = 131e3  // those, the charts', the maps' and the worker's
	offlineBudget    = 2410e3 // the offline file as it lies on a disk; both engines are in it as one; 2407e3 now
	laterBudget      = 40e3   // each script that is loaded when its part of the page comes near
)
