// Package spec declares every setting of iFM Lab with its type, default and
// bounds: the settings of a run, of the page and of its chapters. It reads and
// writes them as the query of a link. The page, the workers, the server and the
// commands all use these declarations and have no other list of settings.
//
// Parsing never fails. A value out of bounds is clamped, an unreadable value is
// replaced by the default, and a [Notice] reports both.
package spec

import "slices"

// Spec is a complete set of settings of a run. The zero value is not useful;
// start from [Default] or [Parse].
type Spec struct {
	Source string // "synthetic" or "table"

	// Settings of a synthetic run.
	Scenario string  // the sign of the truth: "psd", "flipped" or "mixed"
	Truth    string  // distribution of its factors: "gaussian" or "orthonormal"
	Pairs    string  // upper triangle of M*, row by row, over columns of variance 1, if Scenario is "mixed"; "": drawn
	Diagonal string  // of the truth: "zero", or "kept" as in gFM
	Features string  // the distribution of the columns
	Tau      float64 // moment invertibility of "threepoint" and "slider" columns
	Share    float64 // probability of the larger value of "twopoint" columns
	Rho      float64 // correlation of neighbouring columns, AR(1)
	Levels   int     // of each table column behind "onehot" columns
	D        int     // features
	K        int     // rank of the truth
	N        int     // training rows
	Test     int     // test rows
	Noise    float64 // standard deviation of the noise added to y, in units of sd(y)
	Rank     int     // rank of the models; 0: K, or 2K for Algorithm 1 on a Gaussian truth of both signs
	Numbers  string  // "rank": all models have that rank; "equal": FM has twice that rank, and so as many parameters as iFM

	// Settings of a sweep: one run for each point of a grid.
	Sweep  string    // "none", "rank" (Ratios × Ks) or "tau" (Ratios × Taus)
	Ratios []float64 // n/(d·k)
	Ks     []int
	Taus   []float64

	// Settings of a run on a table.
	Target      string    // column to predict; empty: guess
	Ignore      []string  // columns left out
	Categorical []string  // columns read as text
	Numeric     []string  // columns read as numbers
	Decimal     []string  // "column:comma" or "column:point": the decimal mark, followed by "?" if the cells are ambiguous
	MissingAs   []string  // "column:cell": this cell is missing
	NotMissing  []string  // "column:cell": this cell is a value, although it is missing in other columns
	Dates       []string  // "column:ymd", "…:dmy", "…:mdy" or "…:epoch": the date format, with "?" as above; "…:text": no dates
	Keep        []string  // what is left out by default: "units" below the header, "footer" for totals and sources at the end, "extremes" for numbers far from all others
	Weight      string    // column of row weights; empty: all equal
	Rows        string    // rules "column:operator:value" that rows must meet, separated by ";"; others are left out
	Missing     string    // "flag": mean plus a flag column; "drop": drop the row
	Log         string    // "yes": models learn the logarithm of the target; "no"
	Loss        string    // "auto": logistic for a target with two values or classes; "squared" or "logistic"
	Positive    string    // class whose probability is predicted, for a target with two values; empty: guess
	Rare        int       // levels seen fewer times than this in training rows become "other"
	Split       string    // "random"; "time": later rows test; "group": rows of a group stay together
	By          string    // column of the times or groups; empty: guess
	Folds       int       // of a cross-validation over the training and validation rows; 0 or 1: a fifth of the rows validates
	Separator   string    // "auto", "comma", "semicolon", "tab", "pipe" or "space"
	Header      string    // "auto", "yes" or "no"
	Charset     string    // "auto", "utf-8", "utf-16le", "utf-16be", "windows-1252", "latin-1", "windows-1251", "shift_jis" or "gbk"
	Member      string    // path of the table in a zip archive; empty: the only file
	Sheet       string    // name of the table's sheet in a workbook; empty: the only sheet
	Ranks       []int     // candidates, chosen on validation rows
	Lambdas     []float64 // penalties a row of the descents
	LambdaW     []float64 // penalties of the weights in ALS, in pseudo-rows, chosen by ridge
	LambdaF     []float64 // penalties of the factors in ALS, in pseudo-rows, in the order of the search
	Encoding    string    // of numbers: "auto", "linear" or "hats"
	Level       float64   // nominal coverage of prediction intervals
	Patience    int       // iterations without a better validation RMSE before a candidate stops; 0: the default of the solver

	// Settings of every run.
	Models     []string // "fm", "gfm", "ifm"
	Solver     string   // "default", "agd", "als", "auto", "gauss-newton", "scaled", "algorithm1", "centred" or "printed"
	Batches    string   // of Algorithm 1 on drawn rows: "reused" or "fresh"
	Moments    string   // that Algorithm 1 uses: "estimated" or "true"
	Inverse    string   // of moments near τ = 0: "refuse", "pseudo" or "divide"
	Start      float64  // ‖U‖₂ at the start of the descents; 0: their default
	Seed       uint64
	Trials     int
	Iterations int
	Tolerance  float64 // stop when an iteration lowers the training loss by less than this share of it
}

// Kind is the type of a setting: its form in a link and its check.
type Kind string

// The kinds.
const (
	Choice Kind = "choice" // one of Options
	Set    Kind = "set"    // some of Options, at least one, comma-separated
	Int    Kind = "int"    // a whole number within Min and Max
	Float  Kind = "float"  // a finite number within Min and Max
	Text   Kind = "text"   // any text of at most MaxText bytes
	Names  Kind = "names"  // any number of texts, comma-separated, \ before a comma or \ inside one
	Ints   Kind = "ints"   // 1 to MaxList whole numbers, comma-separated
	Floats Kind = "floats" // 1 to MaxList numbers, comma-separated
)

// Limits of the kinds.
const (
	MaxText  = 1024    // bytes in one text
	MaxNames = 4096    // texts in one list of names
	MaxList  = 10      // numbers in one list
	MaxCells = 5 << 23 // doubles in a synthetic design, test rows included: 336 MB
)

// Field declares one setting. Key is its name in a link and in the page's
// TypeScript. Default is the default value as written in a link.
type Field struct {
	Key      string
	Kind     Kind
	Default  string
	Min, Max float64
	Options  []string
	Doc      string
}

// Of declares a setting of the struct S.
type Of[S any] struct {
	Field
	ref func(*S) any // the address of the setting
}

// Fields declares the settings of a run, in the order of a link.
var Fields = []Of[Spec]{
	{Field: Field{Key: "source", Kind: Choice, Default: "synthetic", Options: []string{"synthetic", "table"}, Doc: "where the rows come from"}, ref: func(s *Spec) any { return &s.Source }},
	{Field: Field{Key: "scenario", Kind: Choice, Default: "flipped", Options: []string{"psd", "flipped", "mixed"}, Doc: "the sign of the true interactions: Figure 1 a, b, c of the paper"}, ref: func(s *Spec) any { return &s.Scenario }},
	{Field: Field{Key: "truth", Kind: Choice, Default: "gaussian", Options: []string{"gaussian", "orthonormal"}, Doc: "the true factors: Gaussian as in Figure 1, or orthonormal with eigenvalues from 1 to 1/2"}, ref: func(s *Spec) any { return &s.Truth }},
	{Field: Field{Key: "pairs", Kind: Text, Doc: "the true interactions over columns of variance 1, if scenario is mixed: M12,M13,…,M23,…; of onehot columns, the signs or factors of the blocks of two table columns, whose levels have drawn ones; empty: drawn"}, ref: func(s *Spec) any { return &s.Pairs }},
	{Field: Field{Key: "diagonal", Kind: Choice, Default: "zero", Options: []string{"zero", "kept"}, Doc: "the diagonal of the true interactions; gFM can represent a diagonal that is kept"}, ref: func(s *Spec) any { return &s.Diagonal }},
	{Field: Field{Key: "features", Kind: Choice, Default: "gaussian", Options: []string{"gaussian", "uniform", "laplace", "exponential", "threepoint", "twopoint", "slider", "t5", "t3", "lognormal", "counts", "equicorrelated", "onehot"}, Doc: "distribution of the columns; onehot: the levels of d/levels columns of a table"}, ref: func(s *Spec) any { return &s.Features }},
	{Field: Field{Key: "tau", Kind: Float, Default: "1", Min: 0, Max: 100, Doc: "moment invertibility of threepoint and slider columns; slider goes to 2"}, ref: func(s *Spec) any { return &s.Tau }},
	{Field: Field{Key: "share", Kind: Float, Default: "0.5", Min: 0.001, Max: 0.999, Doc: "share of the larger value in twopoint columns"}, ref: func(s *Spec) any { return &s.Share }},
	{Field: Field{Key: "rho", Kind: Float, Default: "0", Min: 0, Max: 0.99, Doc: "correlation of neighbouring columns"}, ref: func(s *Spec) any { return &s.Rho }},
	{Field: Field{Key: "levels", Kind: Int, Default: "10", Min: 1, Max: 500, Doc: "levels of each table column behind onehot columns"}, ref: func(s *Spec) any { return &s.Levels }},
	{Field: Field{Key: "d", Kind: Int, Default: "30", Min: 2, Max: 1000, Doc: "features"}, ref: func(s *Spec) any { return &s.D }},
	{Field: Field{Key: "k", Kind: Int, Default: "3", Min: 1, Max: 50, Doc: "rank of the truth"}, ref: func(s *Spec) any { return &s.K }},
	{Field: Field{Key: "n", Kind: Int, Default: "1800", Min: 10, Max: 1e6, Doc: "training rows"}, ref: func(s *Spec) any { return &s.N }},
	{Field: Field{Key: "test", Kind: Int, Default: "1000", Min: 10, Max: 1e5, Doc: "test rows"}, ref: func(s *Spec) any { return &s.Test }},
	{Field: Field{Key: "noise", Kind: Float, Default: "0", Min: 0, Max: 10, Doc: "noise on y, in units of its standard deviation"}, ref: func(s *Spec) any { return &s.Noise }},
	{Field: Field{Key: "rank", Kind: Int, Default: "0", Min: 0, Max: 100, Doc: "rank of the models; 0: k, or what Algorithm 1 needs for this truth"}, ref: func(s *Spec) any { return &s.Rank }},
	{Field: Field{Key: "numbers", Kind: Choice, Default: "rank", Options: []string{"rank", "equal"}, Doc: "rank: all models have the same rank; equal: FM has twice the rank of the others, and so as many parameters a feature"}, ref: func(s *Spec) any { return &s.Numbers }},
	{Field: Field{Key: "sweep", Kind: Choice, Default: "none", Options: []string{"none", "rank", "tau"}, Doc: "a grid of runs over n/(dk) and the rank, or over n/(dk) and τ, of threepoint columns unless features is slider"}, ref: func(s *Spec) any { return &s.Sweep }},
	{Field: Field{Key: "ratios", Kind: Floats, Default: "1,1.5,2,2.5,3,4,6", Min: 0.1, Max: 1000, Doc: "training rows of a sweep, in units of d·k"}, ref: func(s *Spec) any { return &s.Ratios }},
	{Field: Field{Key: "ks", Kind: Ints, Default: "1,2,4", Min: 1, Max: 50, Doc: "true ranks of a sweep"}, ref: func(s *Spec) any { return &s.Ks }},
	{Field: Field{Key: "taus", Kind: Floats, Default: "2,1,0.5,0.2,0.1,0.05,0.02", Min: 0, Max: 100, Doc: "moment invertibilities of a sweep"}, ref: func(s *Spec) any { return &s.Taus }},
	{Field: Field{Key: "target", Kind: Text, Doc: "column to predict"}, ref: func(s *Spec) any { return &s.Target }},
	{Field: Field{Key: "log", Kind: Choice, Default: "no", Options: []string{"no", "yes"}, Doc: "yes: models learn the logarithm of a table's target, log(1 + y) if it has zeros, and predict the target itself; all RMSE are of the target itself"}, ref: func(s *Spec) any { return &s.Log }},
	{Field: Field{Key: "loss", Kind: Choice, Default: "auto", Options: []string{"auto", "squared", "logistic"}, Doc: "loss on a table; auto: logistic for a target with two values, so that models predict the probability of one, else squared"}, ref: func(s *Spec) any { return &s.Loss }},
	{Field: Field{Key: "positive", Kind: Text, Doc: "class whose probability is predicted, for a target with two values; empty: guessed"}, ref: func(s *Spec) any { return &s.Positive }},
	{Field: Field{Key: "ignore", Kind: Names, Doc: "columns left out"}, ref: func(s *Spec) any { return &s.Ignore }},
	{Field: Field{Key: "categorical", Kind: Names, Doc: "columns read as text"}, ref: func(s *Spec) any { return &s.Categorical }},
	{Field: Field{Key: "numeric", Kind: Names, Doc: "columns read as numbers"}, ref: func(s *Spec) any { return &s.Numeric }},
	{Field: Field{Key: "decimal", Kind: Names, Doc: "decimal mark of a column, as in price:comma or price:point"}, ref: func(s *Spec) any { return &s.Decimal }},
	{Field: Field{Key: "missingas", Kind: Names, Doc: "cell that means missing in a column, as in depth:-999"}, ref: func(s *Spec) any { return &s.MissingAs }},
	{Field: Field{Key: "notmissing", Kind: Names, Doc: "cell that is a value in a column, although it means missing elsewhere, as in garage:none"}, ref: func(s *Spec) any { return &s.NotMissing }},
	{Field: Field{Key: "dates", Kind: Names, Doc: "date format of a column, as in when:dmy, when:mdy, when:ymd or when:epoch; when:text reads no dates"}, ref: func(s *Spec) any { return &s.Dates }},
	{Field: Field{Key: "keep", Kind: Names, Doc: "what is read though it is left out by default: units below the header; footer, for totals and sources; extremes, repeated numbers far from all others. Of a workbook with hidden rows, visible rows alone or hidden ones too"}, ref: func(s *Spec) any { return &s.Keep }},
	{Field: Field{Key: "weight", Kind: Text, Doc: "column of row weights, 0 or more, in fits and in all measures: a row of weight 2 counts as two rows; empty: all equal"}, ref: func(s *Spec) any { return &s.Weight }},
	{Field: Field{Key: "rows", Kind: Text, Doc: "rules that rows must meet, as in price:>:0;country:=:PT"}, ref: func(s *Spec) any { return &s.Rows }},
	{Field: Field{Key: "missing", Kind: Choice, Default: "flag", Options: []string{"flag", "drop"}, Doc: "missing cells: mean plus a flag column, or drop the row"}, ref: func(s *Spec) any { return &s.Missing }},
	{Field: Field{Key: "rare", Kind: Int, Default: "5", Min: 1, Max: 1e6, Doc: "levels seen fewer times than this become other, unless two columns have many levels and ridge predicts validation rows better with all of them"}, ref: func(s *Spec) any { return &s.Rare }},
	{Field: Field{Key: "split", Kind: Choice, Default: "random", Options: []string{"random", "time", "group"}, Doc: "how rows become training, validation and test rows: at random, by time with the last fifth for the test, or with each group in one part"}, ref: func(s *Spec) any { return &s.Split }},
	{Field: Field{Key: "by", Kind: Text, Doc: "column of the times or groups to split by; empty: guessed"}, ref: func(s *Spec) any { return &s.By }},
	{Field: Field{Key: "folds", Kind: Int, Default: "0", Min: 0, Max: 20, Doc: "folds of a cross-validation on a table: all rows but the test rows are cut into folds, each validates a model trained on the others, and the candidate with the least mean error is trained on all; 0 or 1: a fifth of the rows validates"}, ref: func(s *Spec) any { return &s.Folds }},
	{Field: Field{Key: "separator", Kind: Choice, Default: "auto", Options: []string{"auto", "comma", "semicolon", "tab", "pipe", "space"}, Doc: "separator of the cells"}, ref: func(s *Spec) any { return &s.Separator }},
	{Field: Field{Key: "header", Kind: Choice, Default: "auto", Options: []string{"auto", "yes", "no"}, Doc: "whether the first row names the columns"}, ref: func(s *Spec) any { return &s.Header }},
	{Field: Field{Key: "charset", Kind: Choice, Default: "auto", Options: []string{"auto", "utf-8", "utf-16le", "utf-16be", "windows-1252", "latin-1", "windows-1251", "shift_jis", "gbk"}, Doc: "character encoding of the file"}, ref: func(s *Spec) any { return &s.Charset }},
	{Field: Field{Key: "member", Kind: Text, Doc: "name of the table in a zip archive; empty: the only file"}, ref: func(s *Spec) any { return &s.Member }},
	{Field: Field{Key: "sheet", Kind: Text, Doc: "name of the table's sheet in a workbook; empty: the only sheet"}, ref: func(s *Spec) any { return &s.Sheet }},
	{Field: Field{Key: "ranks", Kind: Ints, Default: "2,4", Min: 1, Max: 50, Doc: "ranks tried on a table"}, ref: func(s *Spec) any { return &s.Ranks }},
	{Field: Field{Key: "lambdas", Kind: Floats, Default: "0,0.01,0.03,0.1,0.3", Min: 0, Max: 1e6, Doc: "L2 penalties a row tried on a table by the descents and gauss-newton, which penalises the whitened interactions instead of the factors"}, ref: func(s *Spec) any { return &s.Lambdas }},
	{Field: Field{Key: "lambdaw", Kind: Floats, Default: "0.1,0.3,1,3,10,30,100,300,1000,3000", Min: 0, Max: 1e12, Doc: "L2 penalties of the weights that als tries on a table, in pseudo-rows: the weight of as many rows without the effect"}, ref: func(s *Spec) any { return &s.LambdaW }},
	{Field: Field{Key: "lambdaf", Kind: Floats, Default: "1000,300,100,30,10,3,1", Min: 0, Max: 1e12, Doc: "L2 penalties of the factors, in pseudo-rows; each fit starts from the one before, so the largest should come first"}, ref: func(s *Spec) any { return &s.LambdaF }},
	{Field: Field{Key: "encode", Kind: Choice, Default: "auto", Options: []string{"auto", "linear", "hats"}, Doc: "encoding of a table's numbers: as they are, or as piecewise-linear bases; auto: als tries both, and validation rows choose, and other solvers take them as they are"}, ref: func(s *Spec) any { return &s.Encoding }},
	{Field: Field{Key: "patience", Kind: Int, Default: "0", Min: 0, Max: 10000, Doc: "iterations without a better validation RMSE before a candidate stops; 0: 8 of als, else 20"}, ref: func(s *Spec) any { return &s.Patience }},
	{Field: Field{Key: "level", Kind: Float, Default: "0.9", Min: 0.5, Max: 0.99, Doc: "nominal coverage of the prediction intervals of a table"}, ref: func(s *Spec) any { return &s.Level }},
	{Field: Field{Key: "models", Kind: Set, Default: "fm,ifm", Options: []string{"fm", "gfm", "ifm"}, Doc: "models to train"}, ref: func(s *Spec) any { return &s.Models }},
	{Field: Field{Key: "solver", Kind: Choice, Default: "default", Options: []string{"default", "agd", "als", "auto", "gauss-newton", "scaled", "algorithm1", "centred", "printed"}, Doc: "solver; default: agd on drawn rows, als on a table; lambdaw, lambdaf and encode apply to als on a table only; auto: gauss-newton on a dense design of numbers to predict, scaled on others"}, ref: func(s *Spec) any { return &s.Solver }},
	{Field: Field{Key: "batches", Kind: Choice, Default: "reused", Options: []string{"reused", "fresh"}, Doc: "the rows of each iteration of Algorithm 1"}, ref: func(s *Spec) any { return &s.Batches }},
	{Field: Field{Key: "moments", Kind: Choice, Default: "estimated", Options: []string{"estimated", "true"}, Doc: "the moments that Algorithm 1 uses"}, ref: func(s *Spec) any { return &s.Moments }},
	{Field: Field{Key: "inverse", Kind: Choice, Default: "refuse", Options: []string{"refuse", "pseudo", "divide"}, Doc: "what Algorithm 1 does if moments cannot be inverted: refuse (estimated moments count as such if τ is below 1/√n), use a pseudo-inverse, or divide by the estimate all the same"}, ref: func(s *Spec) any { return &s.Inverse }},
	{Field: Field{Key: "start", Kind: Float, Default: "0", Min: 0, Max: 1e6, Doc: "‖U‖₂ of the random factors that agd and scaled start from; 0: 0.1 for FM, else 1"}, ref: func(s *Spec) any { return &s.Start }},
	{Field: Field{Key: "seed", Kind: Int, Default: "1", Min: 0, Max: 1<<53 - 1, Doc: "seed of every random draw"}, ref: func(s *Spec) any { return &s.Seed }},
	{Field: Field{Key: "trials", Kind: Int, Default: "1", Min: 1, Max: 100, Doc: "independent repetitions"}, ref: func(s *Spec) any { return &s.Trials }},
	{Field: Field{Key: "iterations", Kind: Int, Default: "150", Min: 1, Max: 100000, Doc: "iterations at most"}, ref: func(s *Spec) any { return &s.Iterations }},
	{Field: Field{Key: "tolerance", Kind: Float, Default: "1e-12", Min: 0, Max: 1, Doc: "stop when an iteration lowers the training loss by less than this share; als on a table takes the default for 0.0001"}, ref: func(s *Spec) any { return &s.Tolerance }},
}

// Default returns the settings with which the page opens.
func Default() Spec {
	s := plain
	for _, f := range Fields { // callers may change the lists
		switch list := f.ref(&s).(type) {
		case *[]string:
			*list = slices.Clone(*list)
		case *[]int:
			*list = slices.Clone(*list)
		case *[]float64:
			*list = slices.Clone(*list)
		}
	}
	return s
}

// plain has the defaults, parsed once for sweeps of many links.
var plain = func() (s Spec) {
	setDefaults(Fields, &s)
	return s
}()
