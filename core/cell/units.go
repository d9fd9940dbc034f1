package cell

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// families list units that convert exactly, each with its size in the first of the line.
// Scales of numbers are one family: a cell without a scale has size 1.
var families = [...]string{
	"um=1 µm=1 mm=1e3 cm=1e4 dm=1e5 m=1e6 km=1e9 inch=25400 ft=304800 yd=914400 mi=1609344e3 mile=1609344e3 miles=1609344e3",
	"mg=1 g=1e3 kg=1e6 lb=453592.37 lbs=453592.37 oz=28349.523125",
	"ms=1 s=1e3 sec=1e3 min=6e4 h=36e5 hr=36e5 hrs=36e5 hour=36e5 hours=36e5 day=864e5 days=864e5 week=6048e5 weeks=6048e5",
	"month=1 months=1 yr=12 yrs=12 year=12 years=12",
	"ml=1 mL=1 cl=10 dl=100 l=1e3 L=1e3", "mmol=1 mol=1e3", "ha=1e4 m²=1 km²=1e6",
	"Wh=1 kWh=1e3 MWh=1e6 GWh=1e9", "J=1 kJ=1e3 MJ=1e6 GJ=1e9", "cal=1 kcal=1e3",
	"W=1 kW=1e3 MW=1e6 GW=1e9", "mV=1 V=1e3 kV=1e6", "mA=1 A=1e3", "mAh=1 Ah=1e3",
	"Hz=1 kHz=1e3 MHz=1e6 GHz=1e9", "Pa=1 hPa=100 mbar=100 kPa=1e3 bar=1e5 MPa=1e6",
	"kB=1 MB=1e3 GB=1e6 TB=1e9", "ppb=1 ppm=1e3", "‰=1 %=10 pct=10",
	"=1 k=1e3 K=1e3 M=1e6 B=1e9 bn=1e9 Mn=1e6 mn=1e6 Mio=1e6 Mrd=1e9",
}

// scaleFamily is the family of scales.
const scaleFamily = len(families) - 1

// unitSizes maps a unit to its size in each family. It is made when it is first needed,
// since an engine without tables needs none.
var (
	unitSizes     map[string]map[int]float64
	makeUnitSizes sync.Once
)

// sizesOf returns the sizes of a unit, nil if it has none.
func sizesOf(unit string) map[int]float64 {
	makeUnitSizes.Do(func() {
		unitSizes = map[string]map[int]float64{}
		for family, list := range families {
			for entry := range strings.FieldsSeq(list) {
				unit, text, _ := strings.Cut(entry, "=")
				size, _ := strconv.ParseFloat(text, 64)
				if unitSizes[unit] == nil {
					unitSizes[unit] = map[int]float64{}
				}
				unitSizes[unit][family] = size
			}
		}
	})
	return unitSizes[unit]
}

// Convert returns the factor by which a number in one unit is multiplied, and the one by
// which it is divided, to be in another. It reports false if that is not exact. No unit
// beside a scale means 1. Units without a size are the same if they differ in capitals or
// in the s of a plural.
func Convert(from, to string) (times, by float64, ok bool) {
	if from == to {
		return 1, 1, true
	}
	for family, size := range sizesOf(from) {
		other := sizesOf(to)[family]
		switch {
		case other == 0:
		case size > other:
			return size / other, 1, true
		default:
			return 1, other / size, true
		}
	}
	alike := from != "" && to != "" && EqualFold(strings.TrimSuffix(from, "s"), strings.TrimSuffix(to, "s"))
	return 1, 1, alike && (sizesOf(from) == nil || sizesOf(to) == nil)
}

// ConvertibleTo returns the units that convert to another, itself first, and the factors of
// each as [Convert] returns them.
func ConvertibleTo(unit string) (units []string, factors [][2]float64) {
	units, factors = []string{unit}, [][2]float64{{1, 1}}
	for _, list := range families {
		for entry := range strings.FieldsSeq(list) {
			from, _, _ := strings.Cut(entry, "=")
			if times, by, ok := Convert(from, unit); ok && from != "" && !slices.Contains(units, from) {
				units, factors = append(units, from), append(factors, [2]float64{times, by})
			}
		}
	}
	return units, factors
}

// IsScale reports whether a unit is a scale of plain numbers, as M in 19M.
func IsScale(unit string) bool { return unit != "" && sizesOf(unit)[scaleFamily] > 0 }
