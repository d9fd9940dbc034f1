package spec

// Ionosphere is a complete set of settings of the ionosphere experiment, package vtec
// and a chapter of the page. The zero value is not useful; start from
// [ParseIonosphere].
type Ionosphere struct {
	Sky        string   // where the TEC comes from: "simulated", "maps", "disturbed" or "points"
	Methods    []string // of the paper's Table 1, and two others
	Angles     string   // whether the encodings include the angles: "yes" or "no"
	Stations   string   // left out: the one in the "centre", or "all" in turn
	Tune       string   // "own": the first third of the file tunes and is not tested on; or "given"
	Stride     int      // minutes between two windows
	Fixes      int      // minutes between two attempts to fix a position; 0: none
	Trust      string   // in predicted delays when fixing positions: "alike" or "own"
	Days       int      // test days at most
	Systems    int      // of satellites: GPS, or GPS and a second one
	Latitude   float64  // of the test station, degrees
	Longitude  float64
	Spacing    float64 // between neighbouring stations, km
	Waves      float64 // amplitude of the travelling disturbances, in units of the simulator's own
	Phase      float64 // standard deviation of the noise of a slant delay at the zenith, mm
	Edge       float64 // largest distance of joined stations, km
	Station    string  // the test station of a table of pierce points; empty: the one in the middle
	Unit       string  // of its TEC: "auto", "tecu" or "metres"
	Mapping    string  // of its TEC: "auto", "vertical" or "slant"
	Ridge      float64 // λ
	LASSO      float64 // α
	ElasticNet float64 // α
	NetRatio   float64
	Kernel     float64 // α
	Gamma      float64
	FMRank     int
	FMLambda   float64
	FMLinear   float64
	IFMRank    int
	IFMLambda  float64
	IFMLinear  float64
	GFMRank    int
	GFMLambda  float64
	GFMLinear  float64
	Length     float64 // of kriging's covariance, km
	Noise      float64 // of kriging, in units of the field's standard deviation

	FixFMRank    int     // of FM with both systems of satellites, as used for positions
	FixFMLambda  float64 // of its factors
	FixIFMRank   int
	FixIFMLambda float64

	Seed uint64
}

// IonosphereFields declares its settings, in the order of a link.
// Penalties and ranks were chosen from the paper's grid on the simulator's first five
// days, which the page does not test on; tune=own chooses anew. Those for both systems
// of satellites were chosen with systems=2. The linear methods take the least penalty
// that the paper tries.
var IonosphereFields = []Of[Ionosphere]{
	{Field: Field{Key: "sky", Kind: Choice, Default: "simulated", Options: []string{"simulated", "maps", "disturbed", "points"}, Doc: "where the TEC comes from: the simulator, IONEX maps, maps with simulated disturbances on top, or a table of pierce points"}, ref: func(s *Ionosphere) any { return &s.Sky }},
	{Field: Field{Key: "methods", Kind: Set, Default: "ridge,lasso,elasticnet,kernel,fm,ifm,kriging", Options: []string{"ridge", "lasso", "elasticnet", "kernel", "fm", "ifm", "gfm", "kriging"}, Doc: "methods to compare; the last two are not in the paper's table"}, ref: func(s *Ionosphere) any { return &s.Methods }},
	{Field: Field{Key: "angles", Kind: Choice, Default: "yes", Options: []string{"yes", "no"}, Doc: "whether the encodings of the paper's methods and of gFM hold the angles of the signals"}, ref: func(s *Ionosphere) any { return &s.Angles }},
	{Field: Field{Key: "stations", Kind: Choice, Default: "centre", Options: []string{"centre", "all"}, Doc: "stations that are left out: the test station, or each in turn"}, ref: func(s *Ionosphere) any { return &s.Stations }},
	{Field: Field{Key: "tune", Kind: Choice, Default: "given", Options: []string{"given", "own"}, Doc: "own: the first third of a file is for tuning, and not tested on"}, ref: func(s *Ionosphere) any { return &s.Tune }},
	{Field: Field{Key: "stride", Kind: Int, Default: "20", Min: 1, Max: 720, Doc: "minutes between two windows"}, ref: func(s *Ionosphere) any { return &s.Stride }},
	{Field: Field{Key: "fixes", Kind: Int, Default: "120", Min: 0, Max: 1440, Doc: "minutes between two attempts to fix a position; 0: none"}, ref: func(s *Ionosphere) any { return &s.Fixes }},
	{Field: Field{Key: "trust", Kind: Choice, Default: "alike", Options: []string{"alike", "own"}, Doc: "assumed error of predicted delays when fixing a position: 15 mm for all methods, or each method's own error on days 1 to 5 of the simulator"}, ref: func(s *Ionosphere) any { return &s.Trust }},
	{Field: Field{Key: "days", Kind: Int, Default: "9", Min: 1, Max: 9, Doc: "test days"}, ref: func(s *Ionosphere) any { return &s.Days }},
	{Field: Field{Key: "systems", Kind: Int, Default: "1", Min: 1, Max: 2, Doc: "systems of satellites"}, ref: func(s *Ionosphere) any { return &s.Systems }},
	{Field: Field{Key: "latitude", Kind: Float, Default: "30", Min: -70, Max: 70, Doc: "latitude of the test station, degrees"}, ref: func(s *Ionosphere) any { return &s.Latitude }},
	{Field: Field{Key: "longitude", Kind: Float, Default: "115", Min: -180, Max: 180, Doc: "longitude of the test station, degrees"}, ref: func(s *Ionosphere) any { return &s.Longitude }},
	{Field: Field{Key: "spacing", Kind: Float, Default: "75", Min: 20, Max: 200, Doc: "distance of neighbouring stations, km"}, ref: func(s *Ionosphere) any { return &s.Spacing }},
	{Field: Field{Key: "waves", Kind: Float, Default: "1", Min: 0, Max: 10, Doc: "amplitude of the travelling disturbances, in units of the simulator's own"}, ref: func(s *Ionosphere) any { return &s.Waves }},
	{Field: Field{Key: "phase", Kind: Float, Default: "4", Min: 0, Max: 100, Doc: "noise of a slant delay at the zenith, mm"}, ref: func(s *Ionosphere) any { return &s.Phase }},
	{Field: Field{Key: "edge", Kind: Float, Default: "90", Min: 1, Max: 1000, Doc: "largest distance of joined stations, km"}, ref: func(s *Ionosphere) any { return &s.Edge }},
	{Field: Field{Key: "station", Kind: Text, Doc: "test station of a table of pierce points"}, ref: func(s *Ionosphere) any { return &s.Station }},
	{Field: Field{Key: "unit", Kind: Choice, Default: "auto", Options: []string{"auto", "tecu", "metres"}, Doc: "unit of the TEC in a table of pierce points"}, ref: func(s *Ionosphere) any { return &s.Unit }},
	{Field: Field{Key: "mapping", Kind: Choice, Default: "auto", Options: []string{"auto", "vertical", "slant"}, Doc: "whether the TEC in a table of pierce points is vertical or along the signal"}, ref: func(s *Ionosphere) any { return &s.Mapping }},
	{Field: Field{Key: "ridge", Kind: Float, Default: "0.000001", Min: 0, Max: 1e6, Doc: "penalty of ridge"}, ref: func(s *Ionosphere) any { return &s.Ridge }},
	{Field: Field{Key: "lasso", Kind: Float, Default: "0.000001", Min: 0, Max: 1e6, Doc: "penalty of LASSO"}, ref: func(s *Ionosphere) any { return &s.LASSO }},
	{Field: Field{Key: "elasticnet", Kind: Float, Default: "0.000001", Min: 0, Max: 1e6, Doc: "penalty of the elastic net"}, ref: func(s *Ionosphere) any { return &s.ElasticNet }},
	{Field: Field{Key: "netratio", Kind: Float, Default: "0.9", Min: 0, Max: 1, Doc: "share of the first norm in the penalty of the elastic net"}, ref: func(s *Ionosphere) any { return &s.NetRatio }},
	{Field: Field{Key: "kernel", Kind: Float, Default: "0.000001", Min: 0, Max: 1e6, Doc: "penalty of kernel ridge"}, ref: func(s *Ionosphere) any { return &s.Kernel }},
	{Field: Field{Key: "gamma", Kind: Float, Default: "0.0001", Min: 1e-6, Max: 1e6, Doc: "γ of the RBF kernel"}, ref: func(s *Ionosphere) any { return &s.Gamma }},
	{Field: Field{Key: "fmrank", Kind: Int, Default: "3", Min: 1, Max: 10, Doc: "rank of FM on a window"}, ref: func(s *Ionosphere) any { return &s.FMRank }},
	{Field: Field{Key: "fmlambda", Kind: Float, Default: "0.0001", Min: 0, Max: 1e6, Doc: "penalty of FM's factors on a window"}, ref: func(s *Ionosphere) any { return &s.FMLambda }},
	{Field: Field{Key: "fmlinear", Kind: Float, Default: "0.000001", Min: 0, Max: 1e6, Doc: "penalty of FM's linear part on a window"}, ref: func(s *Ionosphere) any { return &s.FMLinear }},
	{Field: Field{Key: "ifmrank", Kind: Int, Default: "10", Min: 1, Max: 10, Doc: "rank of iFM on a window"}, ref: func(s *Ionosphere) any { return &s.IFMRank }},
	{Field: Field{Key: "ifmlambda", Kind: Float, Default: "0.00001", Min: 0, Max: 1e6, Doc: "penalty of iFM's factors on a window"}, ref: func(s *Ionosphere) any { return &s.IFMLambda }},
	{Field: Field{Key: "ifmlinear", Kind: Float, Default: "0.000001", Min: 0, Max: 1e6, Doc: "penalty of iFM's linear part on a window"}, ref: func(s *Ionosphere) any { return &s.IFMLinear }},
	{Field: Field{Key: "gfmrank", Kind: Int, Default: "6", Min: 1, Max: 10, Doc: "rank of gFM on a window"}, ref: func(s *Ionosphere) any { return &s.GFMRank }},
	{Field: Field{Key: "gfmlambda", Kind: Float, Default: "0.00001", Min: 0, Max: 1e6, Doc: "penalty of gFM's factors on a window"}, ref: func(s *Ionosphere) any { return &s.GFMLambda }},
	{Field: Field{Key: "gfmlinear", Kind: Float, Default: "0.000001", Min: 0, Max: 1e6, Doc: "penalty of gFM's linear part on a window"}, ref: func(s *Ionosphere) any { return &s.GFMLinear }},
	{Field: Field{Key: "length", Kind: Float, Default: "1000", Min: 1, Max: 1e5, Doc: "length of kriging's covariance, km"}, ref: func(s *Ionosphere) any { return &s.Length }},
	{Field: Field{Key: "noise", Kind: Float, Default: "0.01", Min: 1e-3, Max: 1e3, Doc: "noise of the delays assumed by kriging, in units of the field's standard deviation"}, ref: func(s *Ionosphere) any { return &s.Noise }},
	{Field: Field{Key: "fixfmrank", Kind: Int, Default: "9", Min: 1, Max: 10, Doc: "rank of FM with both systems of satellites, as used for positions"}, ref: func(s *Ionosphere) any { return &s.FixFMRank }},
	{Field: Field{Key: "fixfmlambda", Kind: Float, Default: "0.1", Min: 0, Max: 1e6, Doc: "penalty of FM's factors with both systems"}, ref: func(s *Ionosphere) any { return &s.FixFMLambda }},
	{Field: Field{Key: "fixifmrank", Kind: Int, Default: "3", Min: 1, Max: 10, Doc: "rank of iFM with both systems of satellites"}, ref: func(s *Ionosphere) any { return &s.FixIFMRank }},
	{Field: Field{Key: "fixifmlambda", Kind: Float, Default: "0.00001", Min: 0, Max: 1e6, Doc: "penalty of iFM's factors with both systems"}, ref: func(s *Ionosphere) any { return &s.FixIFMLambda }},
	{Field: Field{Key: "seed", Kind: Int, Default: "1", Min: 0, Max: 1<<53 - 1, Doc: "seed of every random draw"}, ref: func(s *Ionosphere) any { return &s.Seed }},
}

// ParseIonosphere reads a query as [Parse] does.
func ParseIonosphere(query string) (Ionosphere, []Notice) {
	var s Ionosphere
	notices := parse(IonosphereFields, &s, query)
	return s, notices
}

// Encode returns the query as [Spec.Encode] does.
func (s Ionosphere) Encode() string { return encode(IonosphereFields, &s) }
