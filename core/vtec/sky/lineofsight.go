package sky

import (
	"bytes"
	"io"
	"math"
	"strings"

	"ifmlab/core/data"
	"ifmlab/core/message"
)

// losNames are what Madrigal calls the columns of its line-of-sight TEC, and
// losPlain the same as [plain] has them. It gives no zenith angle.
var (
	losNames = [columns]string{"ut1_unix", "sat_id", "gps_site", "gdlat", "glon", "", "azm", "los_tec", "elm", "gdlatr", "gdlonr"}
	losPlain = [columns]string{"utunix", "satid", "gpssite", "gdlat", "glon", "", "azm", "lostec", "elm", "gdlatr", "gdlonr"}
)

// usualHeight is that of Madrigal's pierce points where no column says it, metres.
const usualHeight = 350e3

// lineOfSight is what is particular to a table of Madrigal's line-of-sight TEC.
type lineOfSight struct {
	system   int     // the column gnss_type, −1 for none
	height   float64 // of the pierce points, metres
	vertical bool    // there is no los_tec but tec alone
}

// isLineOfSight reports whether a header is one of Madrigal's, by four of its
// names, and returns the names, and whether nothing but blanks stands between them.
func isLineOfSight(header string) (names []string, blanks, yes bool) {
	blanks = !strings.ContainsAny(header, ",;\t|")
	names = strings.FieldsFunc(header, func(c rune) bool {
		return strings.ContainsRune(",;\t|", c) || blanks && c == ' '
	})
	known := 0
	for i, name := range names {
		names[i] = strings.Trim(name, "\" \r")
		p := plain(name)
		for _, its := range losPlain {
			if p != "" && p == its {
				known++
			}
		}
	}
	return names, blanks, known >= 4
}

// options returns how a table with that header is read: cells of numbers that are
// "missing" have none.
func losOptions(name string, names []string) data.Options {
	o := data.Options{Name: name, Whole: true}
	for _, name := range names {
		for c := columnLat; c < columns; c++ {
			if p := plain(name); p != "" && p == losPlain[c] {
				o.Said.MissingAs = append(o.Said.MissingAs, name+":missing")
			}
		}
	}
	return o
}

// unblanked is a reader that puts one comma in the place of blanks between cells.
type unblanked struct {
	r     io.Reader
	begun bool // the line has a cell
	gap   bool // blanks stand behind it
	part  [4096]byte
	out   []byte
}

func (u *unblanked) Read(b []byte) (int, error) {
	var err error
	if len(u.out) == 0 {
		var n int
		n, err = u.r.Read(u.part[:])
		u.out = u.out[:0]
		for _, c := range u.part[:n] {
			switch c {
			case ' ':
				u.gap = u.begun
				continue
			case '\n', '\r':
				u.begun, u.gap = false, false
			default:
				if u.gap {
					u.out = append(u.out, ',')
				}
				u.begun, u.gap = true, false
			}
			u.out = append(u.out, c)
		}
	}
	n := copy(b, u.out)
	u.out = u.out[n:]
	if len(u.out) > 0 {
		err = nil
	}
	return n, err
}

// findLineOfSight finds the columns of a table of Madrigal's.
func (b *recordingBuilder) findLineOfSight() error {
	names := b.Columns()
	for i := range b.at {
		b.at[i] = -1
	}
	b.los.system, b.los.height = -1, usualHeight
	vertical, height := -1, -1
	for i, name := range names {
		p := plain(name)
		switch {
		case p == "gnsstype":
			b.los.system = i
		case p == "piercealt":
			height = i
		case p == "tec":
			vertical = i
		case p == "utunix" && strings.IndexByte(name, '2') >= 0: // the end of an epoch
		default:
			for c, its := range losPlain {
				if p != "" && p == its && b.at[c] < 0 {
					b.at[c] = i
				}
			}
		}
	}
	b.unit, b.mapping = "tecu", "slant"
	if b.at[columnTEC] < 0 && vertical >= 0 {
		b.at[columnTEC], b.los.vertical = vertical, true
	}
	var lacking []string
	for c, name := range losNames {
		if name != "" && b.at[c] < 0 && c <= columnElevation {
			lacking = append(lacking, name)
		}
	}
	if len(lacking) > 0 {
		return b.fail(data.BadHeader, lacking[0], strings.Join(names, ","), "Madrigal's line-of-sight TEC has the columns ut1_unix, gps_site, sat_id, los_tec, azm, elm, gdlat and glon, and this table has no %s; have it written with that column, too", list(lacking, len(lacking)))
	}
	if b.at[columnReceiverLat] < 0 || b.at[columnReceiverLon] < 0 {
		b.at[columnReceiverLat], b.at[columnReceiverLon] = -1, -1
		b.notice("there is no gdlatr or no gdlonr, so where stations stand follows from pierce points, azimuths and elevations")
	}
	b.column = names[b.at[columnTEC]]
	for row := 0; height >= 0 && row < b.Rows(); row++ {
		if v := 1e3 * b.Number(height, row); v >= 100e3 && v <= 1000e3 {
			b.los.height = v
			break
		}
	}
	return nil
}

// satelliteText returns how a row calls its satellite: by the system where that
// is told, and a number with two digits, as in G05.
func (b *recordingBuilder) satelliteText(text string, row int) string {
	text = strings.TrimSuffix(text, ".0")
	if _, number := digits(text); !number {
		return text
	}
	if len(text) == 1 {
		text = "0" + text
	}
	if b.los.system < 0 {
		return text
	}
	switch system := b.Text(b.los.system, row); {
	case system == "":
		return text
	case strings.HasPrefix(system, "GLO"):
		return "R" + text
	case strings.HasPrefix(system, "B"):
		return "C" + text
	default:
		return system[:1] + text // GPS, Galileo, QZSS
	}
}

// checkRadians tells radians from degrees.
func (b *recordingBuilder) checkRadians() error {
	widest, highest := 0., 0.
	for row := range b.Rows() {
		if azimuth := math.Abs(b.Number(b.at[columnAzimuth], row)); azimuth > widest {
			widest = azimuth
		}
		if elevation := b.Number(b.at[columnElevation], row); elevation > highest {
			highest = elevation
		}
	}
	if b.Rows() > 1 && widest > 0 && widest <= math.Pi+.001 && highest <= math.Pi/2+.001 {
		return b.fail(data.Undeclared, b.Columns()[b.at[columnAzimuth]], message.Sprintf("%.3g", widest), "no azimuth is above %.3g and no elevation above %.3g, as in radians, want degrees; multiply the angles by 180/π", widest, highest)
	}
	return nil
}

// divide finds arcs, and puts together what belongs to a minute. Its stations stand
// where the file says.
func (b *recordingBuilder) divide() error {
	if err := b.tooMany(); err != nil {
		return err
	}
	if err := b.findArcs(); err != nil {
		return err
	}
	if b.at[columnReceiverLat] >= 0 {
		b.places = make([]Station, len(b.stations))
		for i := range b.places { // nowhere, until a point says where
			b.places[i] = Station{Name: b.stations[i], Lat: math.NaN(), Lon: math.NaN()}
		}
	}
	return b.group()
}

// complete gives a point its angle at the shell, and its station a place.
func (b *recordingBuilder) complete(p *recorded, v *[columns]float64) {
	p.zenith = groundAngle(p.elevation, b.los.height)
	if b.los.vertical {
		p.tec /= math.Cos(p.zenith)
	}
	if b.places != nil {
		s := &b.places[p.station]
		s.Lat, s.Lon = v[columnReceiverLat], v[columnReceiverLon]
	}
}

// compareGeometry says at which stations pierce points are not where receiver,
// azimuth and elevation put them, 60 km away on average: the true figure of the Earth
// explains 21. With ψ = 90° − ε − θ the pierce point φ′, λ′ of a station φ, λ is
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

// headerOf returns the first line of a table.
func headerOf(start []byte) string {
	start = bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\uFEFF")), " \t\r\n")
	if i := bytes.IndexAny(start, "\r\n"); i >= 0 {
		start = start[:i]
	}
	return string(start)
}

// groundAngle returns θ at the shell of a signal with elevation ε at a station:
// sin θ = R/(R + H)·cos ε.
func groundAngle(elevation, height float64) float64 {
	return math.Asin(earth / (earth + height) * math.Cos(elevation))
}
