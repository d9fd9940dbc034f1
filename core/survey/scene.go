package survey

import (
	"errors"
	"math"

	"ifmlab/core/vtec/sky"
)

// Scene is the sky above a net at one instant, to be drawn. A grid is row-major,
// its rows from south to north, its columns from west to east.
type Scene struct {
	Latitude  []float64 // of the rows, degrees
	Longitude []float64 // of the columns; beyond 180 east of the date line
	TEC       []float64 // TECU; NaN where the source does not know it
	Bend      []float64 // what a net cannot take for a plane, TECU
	sky.Snapshot
	Unusable string // why there are no points, as a sentence
}

const (
	sceneReach = 12.  // degrees north and south of the test station: signals at 15° pierce the shell 10° away
	sceneRound = 1.5  // of the net's radius, where the net alone is to be seen
	sceneNet   = 1.25 // degrees, in place of the net's own extent where all its stations stand at one place
)

// Scene returns what is above the net at a second of one of the survey's days, on
// a grid about the test station that stays the same all the time: as far as any signal
// goes where whole is true, else over the net and half as far again. Bend is how far
// a place's TEC lies from the plane through the square around it that is as large
// as the net,
//
//	Bend(φ, λ) = TEC(φ, λ) − mean of TEC over |φ′ − φ| ≤ r, |λ′ − λ| ≤ r/cos φ
//
// for on a symmetric grid the plane of least squares passes through the mean; r is
// the distance of the station that is farthest from the test station, 12° at most. The
// source is asked for the grid with a margin of r.
func (s *Survey) Scene(day, second, rows, columns int, whole bool) Scene {
	var scene Scene
	shot, err := s.Source.Snapshot(day, second/60)
	if err != nil {
		scene.Unusable = err.Error()
		if e, ok := errors.AsType[*sky.UnusableError](err); ok {
			scene.Unusable = e.Reason
		}
	}
	scene.Snapshot = shot
	lat, lon, radius := s.extent()
	reach := sceneReach
	if !whole {
		reach = min(reach, sceneRound*radius)
	}
	wide := reach / math.Cos(lat*math.Pi/180)
	scene.Latitude, scene.Longitude = axis(lat, reach, rows), axis(lon, wide, columns)

	up := margin(radius, scene.Latitude)
	right := margin(radius*wide/reach, scene.Longitude)
	width := columns + 2*right
	dlat, dlon := 2*reach/float64(rows-1), 2*wide/float64(columns-1)
	lats, lons := make([]float64, rows+2*up), make([]float64, width)
	for i := range lats {
		lats[i] = scene.Latitude[0] + float64(i-up)*dlat
	}
	for j := range lons {
		lons[j] = scene.Longitude[0] + float64(j-right)*dlon
	}
	field := s.Source.TEC(day, float64(second), lats, lons)
	across := make([]float64, (rows+2*up)*columns) // sums over the square's width
	for i := range across {
		for _, v := range field[i/columns*width+i%columns:][:2*right+1] {
			across[i] += v
		}
	}
	for i := range rows {
		for j := range columns {
			sum := 0.
			for k := i; k <= i+2*up; k++ {
				sum += across[k*columns+j]
			}
			tec := field[(i+up)*width+j+right]
			scene.TEC = append(scene.TEC, tec)
			scene.Bend = append(scene.Bend, tec-sum/float64((2*up+1)*(2*right+1)))
		}
	}
	return scene
}

// extent returns where the test station is and how far the others are, in degrees.
func (s *Survey) extent() (lat, lon, radius float64) {
	test := s.Network.Stations[s.Network.Test]
	lat, lon = test.Lat, test.Lon
	shrink := math.Cos(lat * math.Pi / 180)
	for _, other := range s.Network.Stations {
		east := math.Remainder(other.Lon-lon, 360) * shrink
		if d := math.Hypot(other.Lat-lat, east); d > radius {
			radius = d
		}
	}
	if radius == 0 {
		radius = sceneNet
	}
	return lat, lon, min(radius, sceneReach)
}

// axis returns n numbers from middle − reach to middle + reach.
func axis(middle, reach float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = middle + reach*(2*float64(i)/float64(n-1)-1)
	}
	return out
}

// margin returns how many steps of an axis a distance is, at least one.
func margin(distance float64, axis []float64) int {
	return max(1, int(math.Round(distance/(axis[1]-axis[0]))))
}
