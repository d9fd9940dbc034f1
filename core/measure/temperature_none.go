//go:build figure || ionosphere

package measure

func temperature(_, _, _ []float64) Calibration { return Calibration{Slope: 1} }
