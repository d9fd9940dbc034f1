package sky

import (
	"math"
	"slices"
	"strings"

	"ifmlab/core/fault"
	"ifmlab/core/read"
)

// usualHeight is the height of Madrigal's pierce points without a column for it, metres.
const usualHeight = 350e3

// lineOfSight has the settings of a table of Madrigal's line-of-sight TEC.
type lineOfSight struct {
	height   float64 // of the pierce points, metres
	vertical bool    // there is tec instead of los_tec
}

// lineOfSight returns nil unless four names of the header are Madrigal's. The options
// then say that numbers may be "missing", and that blanks separate cells where nothing
// else does.
func (p *preamble) lineOfSight(o *read.Options) *lineOfSight {
	blanks := !strings.ContainsAny(p.header, ",;\t|")
	known := 0
	for _, name := range strings.FieldsFunc(p.header, func(c rune) bool {
		return strings.ContainsRune(",;\t|", c) || blanks && c == ' '
	}) {
		name = strings.Trim(name, "\" \r")
		c := columnOf(&losNames, name)
		if c >= 0 && c < numbers {
			known++
		}
		if c >= columnLat && c < numbers {
			o.Answers.MissingAs = append(o.Answers.MissingAs, name+":missing")
		}
	}
	if known < 4 {
		o.Answers.MissingAs = nil
		return nil
	}
	if blanks {
		o.Separator = ' '
	}
	return &lineOfSight{height: usualHeight}
}

// findLineOfSight finds the columns of a table of Madrigal's.
func (b *recordingBuilder) findLineOfSight() error {
	lacking, _ := b.locate(&losNames, columnElevation)
	b.unit, b.mapping = "tecu", "slant"
	if at := b.at[columnVertical]; b.at[columnTEC] < 0 && at >= 0 {
		b.at[columnTEC], b.los.vertical = at, true
		lacking = slices.DeleteFunc(lacking, func(name string) bool { return name == losNames[columnTEC] })
	}
	if len(lacking) > 0 {
		return b.fail(fault.BadHeader, lacking[0], strings.Join(b.Names(), ","), "Madrigal's line-of-sight TEC has the columns ut1_unix, gps_site, sat_id, los_tec, azm, elm, gdlat and glon, and this table has no %s; have it written with that column, too", joinNames(lacking, len(lacking)))
	}
	if b.at[columnReceiverLat] < 0 || b.at[columnReceiverLon] < 0 {
		b.at[columnReceiverLat], b.at[columnReceiverLon] = -1, -1
		b.notice("there is no gdlatr or no gdlonr, so where stations stand follows from pierce points, azimuths and elevations")
	}
	b.column = b.Names()[b.at[columnTEC]]
	for row := 0; b.at[columnHeight] >= 0 && row < b.Rows; row++ {
		if v := 1e3 * b.Number(b.at[columnHeight], row); v >= 100e3 && v <= 1000e3 {
			b.los.height = v
			break
		}
	}
	return nil
}

// satelliteText returns the name of a row's satellite: the letter of its system, if known,
// and a number of two digits, as in G05.
func (b *recordingBuilder) satelliteText(text string, row int) string {
	text = strings.TrimSuffix(text, ".0")
	if strings.Trim(text, "0123456789") != "" || text == "" {
		return text
	}
	if len(text) == 1 {
		text = "0" + text
	}
	if b.at[columnSystem] < 0 {
		return text
	}
	switch system := strings.ToUpper(b.Text(b.at[columnSystem], row)); {
	case system == "":
		return text
	case strings.HasPrefix(system, "GLO"):
		return "R" + text
	case strings.HasPrefix(system, "GA"): // Galileo; G is GPS
		return "E" + text
	case strings.HasPrefix(system, "B"):
		return "C" + text
	default:
		return system[:1] + text // GPS, QZSS
	}
}

func (b *recordingBuilder) checkElevations() error {
	return b.checkRadians(columnElevation, "elevation", math.Pi)
}

// groupArcs finds arcs and groups the signals by minute. It takes the places of stations
// from the file.
func (b *recordingBuilder) groupArcs() error {
	if err := b.tooMany(); err != nil {
		return err
	}
	if err := b.findArcs(); err != nil {
		return err
	}
	if b.at[columnReceiverLat] >= 0 {
		b.places = make([]Station, len(b.stations))
		for i := range b.places { // unknown until a row tells it
			b.places[i] = Station{Name: b.stations[i], Lat: math.NaN(), Lon: math.NaN()}
		}
	}
	return b.groupMinutes()
}

// addGeometry sets a point's angle at the shell and the place of its station.
func (b *recordingBuilder) addGeometry(p *measurement, v *[numbers]float64) {
	p.zenith = groundAngle(p.elevation, b.los.height)
	if b.los.vertical {
		p.tec /= math.Cos(p.zenith)
	}
	if b.places != nil {
		s := &b.places[p.station]
		s.Lat, s.Lon = v[columnReceiverLat], v[columnReceiverLon]
	}
}

// compareGeometry adds a notice about stations whose pierce points are on average 60 km from
// the place that receiver, azimuth and elevation give. The true figure of the Earth
// explains 21 km. With ψ = 90° − ε − θ the pierce point φ′, λ′ of a station φ, λ is
//
//	sin φ′ = sin φ·cos ψ + cos φ·sin ψ·cos γ   λ′ = λ + atan2(sin ψ·sin γ·cos φ, cos ψ − sin φ·sin φ′)
func (b *recordingBuilder) compareGeometry() {
	if b.places == nil {
		return
	}
	const most = 60 // km
	count, sum := make([]float64, len(b.places)), make([]float64, len(b.places))
	for i := range b.points {
		p := &b.points[i]
		s := &b.places[p.station]
		sinP, cosP := math.Sincos(s.Lat * radian)
		sinPsi, cosPsi := math.Sincos(math.Pi/2 - p.elevation - p.zenith)
		sinA, cosA := math.Sincos(p.azimuth)
		sin := max(-1, min(1, float64(sinP*cosPsi)+float64(cosP*sinPsi*cosA)))
		place := Station{Lat: math.Asin(sin) / radian, Lon: s.Lon + math.Atan2(sinPsi*sinA*cosP, cosPsi-float64(sinP*sin))/radian}
		count[p.station]++
		sum[p.station] += distance(&place, &Station{Lat: p.lat, Lon: p.lon})
	}
	off, widest := 0, 0.0
	for i := range sum {
		if mean := sum[i] / count[i]; mean > most {
			off++
			widest = max(widest, mean)
		}
	}
	if off > 0 {
		b.notice("at %d of %d stations gdlat and glon do not fit gdlatr, gdlonr, azm and elm, by up to %.0f km on average; all are used as they are, so see whether gdlat and glon are those of the pierce point, and angles degrees", off, len(sum), widest)
	}
}

// groundAngle returns θ at the shell of a signal with elevation ε at a station:
// sin θ = R/(R + H)·cos ε.
func groundAngle(elevation, height float64) float64 {
	return math.Asin(earth / (earth + height) * math.Cos(elevation))
}
