package vtec

import "math"

// angles is the number of an encoding's columns for the angles of the signal at the shell.
// width is the number of columns that may differ from 0: the displacement from the centre
// of the point's cluster, and the angles.
const (
	angles = 8
	width  = 2 + angles
)

// encode sets X and Cluster from the points of a window. With c the centre of cluster g of
// a point at α, β,
//
//	Enc(x) = [0 … α − c_α, β − c_β … 0, sin θ, cos θ, θ, θ², sin γ, cos γ, γ, γ²]
//
// with the displacement in columns 2g and 2g+1. Displacements in latitude are divided by
// their root mean square, those in longitude by theirs. Columns of angles are standardized.
// Only training points count for this. A column that does not vary among them is 0
// everywhere. If blind is true, so are the columns of angles.
//
// Paper: θ and γ in their own units; here: standardized, because one penalty is on all
// columns. It costs O(points·M).
func (w *Window) encode(blind bool) {
	places := w.places()
	training, centres := make([]place, 0, len(places)), make([]place, w.M)
	for p, at := range places {
		if s, station := p/w.stations, p%w.stations; station != w.test {
			training = append(training, at)
			centres[s].lat += at.lat / float64(w.stations-1)
			centres[s].lon += at.lon / float64(w.stations-1)
		}
	}
	kMeans(training, centres)

	w.Cluster = make([]int32, len(places))
	raw := make([][width]float64, len(places))
	var sums, squares [width]float64
	for p, at := range places {
		g := nearest(centres, at)
		w.Cluster[p] = int32(g)
		q := &w.points[p]
		raw[p] = [width]float64{
			at.lat - centres[g].lat, at.lon - centres[g].lon,
			math.Sin(q.Zenith), math.Cos(q.Zenith), q.Zenith, q.Zenith * q.Zenith,
			math.Sin(q.Azimuth), math.Cos(q.Azimuth), q.Azimuth, q.Azimuth * q.Azimuth,
		}
		if p%w.stations != w.test {
			for j, v := range raw[p] {
				sums[j] += v
				squares[j] += v * v
			}
		}
	}
	var mean, scale [width]float64 // raw → (raw − mean)·scale
	for j := range width {
		square := squares[j] / float64(len(training))
		variance := square
		if j >= 2 {
			mean[j] = sums[j] / float64(len(training))
			variance -= mean[j] * mean[j]
		}
		if variance > 1e-13*square && !(blind && j >= 2) { // more than the rounding of the two sums
			scale[j] = 1 / math.Sqrt(variance)
		}
	}
	w.X = make([]float64, len(places)*w.D)
	for p := range raw {
		row := w.X[p*w.D:][:w.D]
		for j, v := range raw[p] {
			row[w.column(p, j)] = (v - mean[j]) * scale[j]
		}
	}
}

// places returns the places of the points, with longitudes that do not jump at 180°.
func (w *Window) places() []place {
	places := make([]place, len(w.points))
	for p, q := range w.points {
		turns := math.Round((q.Lon - w.points[0].Lon) / 360)
		places[p] = place{q.Lat, q.Lon - 360*turns}
	}
	return places
}

// column returns the column of an encoding that is the j-th of the ten of a point.
func (w *Window) column(point, j int) int {
	if j < 2 {
		return 2*int(w.Cluster[point]) + j
	}
	return 2*w.M - 2 + j
}
