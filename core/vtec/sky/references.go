package sky

import (
	"math"
	"math/bits"
	"slices"
)

// setReferences sets the change of each point along its signal since its satellite's
// reference. That is the first minute in which all stations of the net see the satellite
// within their present arcs. So all stations count from the same instant. If one of them
// starts a new arc, all get a new reference, also if the test station sees the satellite
// again. Points of the reference have NaN, and so have points of satellites that another
// station does not see. O(points + minutes·satellites·stations).
func (s *RecordingSource) setReferences() {
	r, stations := s.recording, len(s.network.Stations)
	s.changes = make([]float64, len(r.points))
	here := make([]int, len(r.satellites)*stations) // points, counted from 1
	count := make([]int, len(r.satellites))
	since := make([]measurement, len(here)) // at the reference
	for _, d := range r.days {
		for m := range d.minutes {
			clear(here)
			clear(count)
			for i := d.starts[m]; i < d.starts[m+1]; i++ {
				p := &r.points[i]
				s.changes[i] = math.NaN()
				if at := s.stationIndex[p.station]; at >= 0 && p.elevation >= leastElevation {
					here[int(p.satellite)*stations+at] = i + 1
					if at != s.network.Test {
						count[p.satellite]++
					}
				}
			}
			for satellite, n := range count {
				if n < stations-1 {
					continue
				}
				its, from := here[satellite*stations:][:stations], since[satellite*stations:][:stations]
				anew := false
				for k, i := range its {
					anew = anew || i > 0 && r.points[i-1].arc != from[k].arc
				}
				if anew {
					clear(from)
				}
				for k, i := range its {
					switch {
					case i == 0: // the test station does not see it
					case anew:
						from[k] = r.points[i-1]
					default:
						s.changes[i-1] = r.points[i-1].tec - from[k].tec
					}
				}
			}
		}
	}
}

// twinDistance is the distance of two receivers, km, below which they count as one place. One
// of them would tell the other's observations.
const twinDistance = 1

// dropTwins leaves out stations at the place of another one, the test station first, and
// stations that are near no other.
func (s *RecordingSource) dropTwins(all []Station, kept []int, test int, edge float64) []int {
	var single []int
	var left []string
	for _, i := range kept {
		twin := i != test && distance(&all[i], &all[test]) < twinDistance
		for _, j := range single {
			twin = twin || i != test && distance(&all[i], &all[j]) < twinDistance
		}
		if twin {
			left = append(left, shorten(all[i].Name))
		} else {
			single = append(single, i)
		}
	}
	if len(left) > 0 {
		s.notice("stations left out, because another receiver stands within %d km: %s", twinDistance, joinNames(left, 10))
	}
	return withNeighbours(all, single, test, edge)
}

// withNeighbours returns the test station and the stations at most edge km from another.
func withNeighbours(all []Station, kept []int, test int, edge float64) (joined []int) {
	for _, i := range kept {
		if i == test || slices.ContainsFunc(kept, func(j int) bool { return i != j && distance(&all[i], &all[j]) <= edge }) {
			joined = append(joined, i)
		}
	}
	return joined
}

// dropCostly leaves out stations, of at most 64, that cost the others satellites, because a
// satellite is used only if all stations see it. Let cᵤ be the number of satellites that
// all of n stations except the test station see in minute u. dropCostly maximises
//
//	n·Σcᵤ over the minutes with cᵤ ≥ 4, two of which the test station sees
//
// over a sequence of nets. Each leaves out one more station, the one with the largest
// Σ 2⁻ᵐ over the satellites that it and m − 1 others do not see. Each station of the net
// must have a neighbour, and the last neighbour of the test station stays. It costs
// O(minutes·satellites) a station.
func (s *RecordingSource) dropCostly(all []Station, kept []int, test int, edge float64) []int {
	r := s.recording
	bit := make([]uint64, len(all))
	joined := uint64(0) // to the test station
	current := uint64(0)
	own := uint64(0) // the test station's; it may miss a satellite
	for k, i := range kept {
		bit[i] = 1 << k
		if i == test {
			own = bit[i]
		}
		current |= bit[i]
		if i != test && distance(&all[i], &all[test]) <= edge {
			joined |= bit[i]
		}
	}
	var seen []uint64 // by which stations: the satellites of a minute, then 0
	by := make([]uint64, len(r.satellites))
	for _, d := range r.days {
		for m := range d.minutes {
			clear(by)
			for i := d.starts[m]; i < d.starts[m+1]; i++ {
				if p := &r.points[i]; p.elevation >= leastElevation {
					by[p.satellite] |= bit[p.station]
				}
			}
			for _, b := range by {
				if b != 0 {
					seen = append(seen, b)
				}
			}
			seen = append(seen, 0)
		}
	}
	in := func(net uint64) []int {
		return slices.DeleteFunc(slices.Clone(kept), func(i int) bool { return net&bit[i] == 0 })
	}
	best, most := current, 0
	for {
		points, common, tested := 0, 0, 0
		blame := make([]float64, len(kept))
		for _, b := range seen {
			missing := current &^ (b | own)
			switch {
			case b == 0:
				if common >= FewestSatellites && tested >= fewestTested {
					points += common
				}
				common, tested = 0, 0
			case missing == 0:
				common++
				if b&own != 0 {
					tested++
				}
			default:
				share := math.Ldexp(1, -bits.OnesCount64(missing))
				for ; missing != 0; missing &= missing - 1 {
					blame[bits.TrailingZeros64(missing)] += share
				}
			}
		}
		if n := bits.OnesCount64(current); n*points > most && len(withNeighbours(all, in(current), test, edge)) == n {
			best, most = current, n*points
		}
		worst := -1
		for k, i := range kept {
			last := joined&current == bit[i] // neighbour of the test station
			if i != test && !last && current&bit[i] != 0 && blame[k] > 0 && (worst < 0 || blame[k] > blame[worst]) {
				worst = k
			}
		}
		if worst < 0 || bits.OnesCount64(current) <= fewestStations {
			break
		}
		current &^= 1 << worst
	}
	var left []string
	for _, i := range in(^best) {
		left = append(left, shorten(r.stations[i]))
	}
	if len(left) > 0 {
		s.notice("stations left out, because they see fewer satellites than the others, and only those count that all see: %s", joinNames(left, 10))
	}
	return in(best)
}
