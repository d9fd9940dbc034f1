package sky

import (
	"math"

	"ifmlab/core/message"
)

// Field is the TEC over places and times of one day as somebody else knows it:
// maps.
type Field interface {
	// TEC returns the content above a place at a second of the day, TECU. lon is
	// in [−180, 180). ok is false where the maps do not say.
	TEC(second, lat, lon float64) (tec float64, ok bool)
	// Bounds returns what the maps reach at most; a hole within may remain.
	Bounds() Bounds
}

// Bounds is what a [Field] covers.
type Bounds struct {
	South, North, West, East float64 // degrees; East may be above 180
	First, Last              float64 // seconds of the day
}

// MapDay is a day of maps.
type MapDay struct {
	Date string // "2010-12-04"
	Field
}

// CoverageError says that maps cover none of the stations, on no day.
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
		degrees = wrap(degrees)
	}
	return side(degrees, "E", "W")
}

func side(degrees float64, positive, negative string) string {
	if degrees < 0 {
		return message.Sprintf("%.1f°%s", -degrees, negative)
	}
	return message.Sprintf("%.1f°%s", degrees, positive)
}

// holds reports whether a place lies within the bounds, whichever way round the
// globe its longitude is counted.
func (b Bounds) holds(lat, lon float64) bool {
	east := lon - 360*math.Floor((lon-b.West)/360)
	return lat >= b.South && lat <= b.North && east <= b.East
}

// reason says why the maps do not know the content above a place at a time.
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
