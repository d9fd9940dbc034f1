package main

// Limits in bytes: of downloads after brotli, and of two files on disk. make build prints
// the sizes, web/README.md has the aims. A test holds the last build to them.
const (
	engineBudget     = 640e3   // the figure's engine, with Go's runtime
	tableBudget      = 1175e3  // the tables' engine; reading, planning and encoding are a quarter
	ionosphereBudget = 765e3   // the ionosphere's engine, which reads every text file that the page reads
	paintBudget      = 51e3    // the scripts to the first paint
	scriptsBudget    = 132.5e3 // the scripts to the first curve: those, the charts, the maps and the worker
	offlineBudget    = 3310e3  // the offline file, on disk: all engines as one, and the readers of packed files
	laterBudget      = 40e3    // each script that loads with its part of the page
	brotliBudget     = 68e3    // the reader of Parquet files packed by Brotli, mostly its dictionary
	packageBudget    = 141e3   // the element's package for npm, unpacked
	formulasBudget   = 20e3    // the formulas' font
	typefaceBudget   = 45e3    // the page's typeface, Latin and Greek
)
