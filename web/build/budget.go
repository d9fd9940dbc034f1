package main

// What a reader waits for: brotli bytes that cross the network before the first
// curve; and what lies on a disk. A test holds the last build to them.
const (
	engineBudget     = 661e3  // the engine, Go’s runtime included; 660e3 now. The aim is 850e3
	tableBudget      = 1105e3 // that of tables, which comes with the first of them; 1103e3 now, of which reading, planning and encoding are a quarter, and what chooses between levels and numbers 20e3
	ionosphereBudget = 795e3  // that of the chapter on vTEC, which comes with it; 793e3 now; it can read every text file that the page reads
	paintBudget      = 49e3   // the scripts that there is nothing to see without; 49e3 now, of which the triangles of the figure are 2e3 and standard decorators, lowered for browsers without them, are 2e3
	scriptsBudget    = 132e3  // those, the charts’, the maps’ and the worker’s; 131e3 now, of which opening files is 2e3. The aim is 130e3
	offlineBudget    = 3180e3 // the offline file as it lies on a disk, 3158e3 now; all engines are in it as one, and what reads packed files, of which 93e3 are Brotli’s dictionary
	laterBudget      = 40e3   // each script that is loaded when its part of the page comes near
	brotliBudget     = 68e3   // that of Parquet files which are packed by Brotli, a dictionary most of it; 66e3 now
	packageBudget    = 140e3  // the element's package for npm, unpacked; 130e3 now, of which the manifest and the types are 90
	formulasBudget   = 20e3   // the formulas' font, which comes with the first of them; 17e3 now
	typefaceBudget   = 45e3   // the page's typeface, Latin and Greek; 31e3 now
)
