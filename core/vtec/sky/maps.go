package sky

import (
	"math"

	"ifmlab/core/fault"
	"ifmlab/core/message"
)

// Maps is the content of an IONEX file: the TEC on a grid, at several times. It does not
// change.
type Maps struct {
	Name    string // the file's
	Bytes   int64
	Height  float64  // of the shell, km
	Notices []string // what was assumed

	south, west float64 // the first latitude and longitude of the grid
	dlat, dlon  float64 // > 0
	rows, cols  int
	turn        int // columns in 360°, 0 if the grid does not go round the globe
	radius      float64
	exponent    int
	times       []int       // of the maps, seconds since 1970, rising
	values      [][]float64 // rows·cols of each map, TECU, from the south-west to the east; NaN: no value
	largest     float64
	missing     int
}

// Days returns a [Field] for each day of which the maps cover more than an instant. A last
// map at 24:00 belongs to the day that it ends.
func (m *Maps) Days() []MapDay {
	var days []MapDay
	last := -1 << 31
	for k, from := range m.times[:len(m.times)-1] {
		until := m.times[k+1]
		if until-from > longestGap {
			continue
		}
		for day := max(last+1, from/secondsPerDay); day*secondsPerDay < until; day++ {
			days = append(days, MapDay{dateName(day), mapsDay{m, day * secondsPerDay}})
			last = day
		}
	}
	return days
}

// longestGap is the longest time between two maps for interpolation, seconds.
const longestGap = 6 * 3600

type mapsDay struct {
	*Maps
	midnight int
}

// TEC returns the content, interpolated bilinearly on the grid and linearly in
// time t between the maps before and after, turned with the Sun,
//
//	E(φ, λ, t) = (T₂−t)/(T₂−T₁)·E₁(φ, λ + ω(t−T₁)) + (t−T₁)/(T₂−T₁)·E₂(φ, λ + ω(t−T₂))
//
// with ω = 360° a day, as the description of IONEX 1.0 recommends (Schaer, Gurtner and
// Feltens, 1998). If the grid does not go round the globe, ω = 0. ok is false off the grid,
// for a missing value, before the first and after the last map, and between maps more than
// six hours apart. O(log maps).
func (d mapsDay) TEC(second, lat, lon float64) (float64, bool) {
	t := float64(d.midnight) + second
	lo, hi := 0, len(d.times)-1 // the last map at or before t lies in lo … hi−1
	if !(t >= float64(d.times[lo]) && t <= float64(d.times[hi])) {
		return 0, false
	}
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; t < float64(d.times[mid]) {
			hi = mid
		} else {
			lo = mid
		}
	}
	before, after := t-float64(d.times[lo]), float64(d.times[hi])-t
	if before > 0 && after > 0 && before+after > longestGap {
		return 0, false
	}
	sum := 0.0
	for i, k := range [2]int{lo, hi} {
		share, ahead := after/(before+after), before
		if i == 1 {
			share, ahead = before/(before+after), -after
		}
		if share == 0 {
			continue
		}
		if d.turn == 0 {
			ahead = 0
		}
		v, ok := d.on(d.values[k], lat, lon+ahead*(360./secondsPerDay))
		if !ok {
			return 0, false
		}
		sum += share * v
	}
	return sum, true
}

// on interpolates on one map. A place off the grid by less than slack of a cell counts as on
// its border.
func (m *Maps) on(values []float64, lat, lon float64) (float64, bool) {
	const slack = 1e-9
	y := (lat - m.south) / m.dlat
	x := math.Mod(lon-m.west, 360)
	if x < -slack*m.dlon {
		x += 360
	}
	x /= m.dlon
	if !(y >= -slack && y <= float64(m.rows-1)+slack && x >= -slack) || m.turn == 0 && x > float64(m.cols-1)+slack {
		return 0, false
	}
	i, fy := gridCell(y, m.rows)
	j, fx := gridCell(x, max(m.cols, m.turn+1))
	sum := 0.0
	for corner := range 4 {
		share := 1.0
		row, col := i, j
		if corner&1 == 0 {
			share *= 1 - fx
		} else {
			share *= fx
			if col++; m.turn > 0 && col >= m.cols {
				col -= m.turn
			}
		}
		if corner&2 == 0 {
			share *= 1 - fy
		} else {
			share *= fy
			row++
		}
		if share == 0 {
			continue
		}
		v := values[row*m.cols+col]
		if v != v {
			return 0, false
		}
		sum += share * v
	}
	return sum, true
}

// cellOf returns the cell of n − 1 that x lies in and where in it, 0 to 1.
func gridCell(x float64, n int) (i int, within float64) {
	i = min(max(int(x), 0), n-2)
	return i, min(max(x-float64(i), 0), 1)
}

// Bounds returns what the maps cover of the day.
func (d mapsDay) Bounds() Bounds {
	m := d.Maps
	east := m.west + float64(m.cols-1)*m.dlon
	if m.turn > 0 {
		east = m.west + 360
	}
	return Bounds{
		South: m.south, North: m.south + float64(m.rows-1)*m.dlat, West: m.west, East: east,
		First: max(0, float64(m.times[0]-d.midnight)), Last: min(secondsPerDay, float64(m.times[len(m.times)-1]-d.midnight)),
	}
}

// Description is what a file holds, to be shown.
type Description struct {
	Name     string
	Bytes    int64
	Days     []string
	Facts    [][2]string // what, and what was found
	Bad      []fault.RowError
	BadCount int
	Notices  []string
}

// describe says what the file holds.
func (m *Maps) describe() Description {
	d := Description{Name: m.Name, Bytes: m.Bytes, Notices: m.Notices}
	for _, day := range m.Days() {
		d.Days = append(d.Days, day.Date)
	}
	last := len(m.times) - 1
	b := mapsDay{m, m.times[0]}.Bounds()
	d.Facts = [][2]string{
		{"maps", message.Sprintf("%d", len(m.times))},
		{"first map", instant(m.times[0])},
		{"last map", instant(m.times[last])},
		{"interval", minutesText((m.times[last] - m.times[0]) / last)},
		{"grid", message.Sprintf("%d × %d, every %g° × %g°", m.rows, m.cols, m.dlat, m.dlon)},
		{"latitudes", latitude(b.South) + " to " + latitude(b.North)},
		{"longitudes", longitude(b.West) + " to " + longitude(b.East)},
		{"height", message.Sprintf("%g km", m.Height)},
		{"largest TEC", message.Sprintf("%.1f TECU", m.largest)},
	}
	if m.missing > 0 {
		d.Facts = append(d.Facts, [2]string{"values missing", message.Sprintf("%d", m.missing)})
	}
	return d
}

// instant writes seconds since 1970 as "2010-12-04 22:05".
func instant(t int) string { return dateName(t/secondsPerDay) + " " + clock(float64(t%secondsPerDay)) }

// minutesText writes seconds as "15 min" or "2 h".
func minutesText(seconds int) string {
	if seconds%3600 == 0 {
		return message.Sprintf("%d h", seconds/3600)
	}
	return message.Sprintf("%g min", float64(seconds)/60)
}

// Field is the TEC over places and times of one day, from maps.
type Field interface {
	// TEC returns the content above a place at a second of the day, TECU. lon is in
	// [−180, 180). ok is false if the maps have no value.
	TEC(second, lat, lon float64) (tec float64, ok bool)
	// Bounds returns the range of the maps. There may be holes in it.
	Bounds() Bounds
}

// Bounds is the range of a [Field].
type Bounds struct {
	South, North, West, East float64 // degrees; East may be above 180
	First, Last              float64 // seconds of the day
}

// MapDay is a day of maps.
type MapDay struct {
	Date string // "2010-12-04"
	Field
}

// CoverageError says that maps cover no station on any day.
type CoverageError struct {
	Maps                     Bounds // of all days together
	South, North, West, East float64
}

func (e *CoverageError) Error() string {
	m := &e.Maps
	if m.holds(e.South, e.West) && m.holds(e.North, e.East) {
		return "the maps have no values above the stations; choose a latitude and a longitude where they have"
	}
	return message.Sprintf("the maps cover %s to %s and %s to %s, the stations stand at %s to %s and %s to %s; choose a latitude and a longitude within the maps",
		latitude(m.South), latitude(m.North), longitude(m.West), longitude(m.East),
		latitude(e.South), latitude(e.North), longitude(e.West), longitude(e.East))
}

func (*CoverageError) Kind() string { return "CoverageError" }

// latitude writes degrees as "32.5°N".
func latitude(degrees float64) string { return side(degrees, "N", "S") }

// longitude writes degrees as "115.0°E", and 245 of them as "115.0°W".
func longitude(degrees float64) string {
	if degrees != 180 {
		degrees = wrapDegrees(degrees)
	}
	return side(degrees, "E", "W")
}

func side(degrees float64, positive, negative string) string {
	if degrees < 0 {
		return message.Sprintf("%.1f°%s", -degrees, negative)
	}
	return message.Sprintf("%.1f°%s", degrees, positive)
}

// holds reports whether a place is within the bounds, for any turn of its longitude.
func (b Bounds) holds(lat, lon float64) bool {
	east := lon - 360*math.Floor((lon-b.West)/360)
	return lat >= b.South && lat <= b.North && east <= b.East
}

// reason returns why the maps have no value above a place at a time.
func (b Bounds) reason(second, lat, lon float64) string {
	switch {
	case second < b.First:
		return message.Sprintf("the maps begin at %s", clock(b.First))
	case second > b.Last:
		return message.Sprintf("the maps end at %s", clock(b.Last))
	}
	place := latitude(lat) + " " + longitude(lon)
	if !b.holds(lat, lon) {
		return message.Sprintf("a signal goes through the ionosphere at %s, and the maps cover %s to %s, %s to %s; choose a latitude and a longitude further inside",
			place, latitude(b.South), latitude(b.North), longitude(b.West), longitude(b.East))
	}
	return message.Sprintf("a signal goes through the ionosphere at %s, where the maps have no value at that time", place)
}
