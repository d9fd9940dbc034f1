package sky_test

import (
	"fmt"

	"ifmlab/core/vtec/sky"
)

// What the net over 30°N 115°E sees at noon UT, which is early evening there.
func ExampleNewSimulator() {
	simulator, err := sky.NewSimulator(sky.Config{
		Seed: 1, Systems: 1, Latitude: 30, Longitude: 115, Spacing: 75, Edge: 90, Waves: 1, Phase: 4,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	net := simulator.Network()
	fmt.Println(len(net.Stations), "stations,", len(net.Edges), "edges,", len(simulator.Days()), "days")

	shot, err := simulator.Snapshot(0, 720)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(shot.Satellites), "satellites,", len(shot.Points), "pierce points")
	first := shot.Points[0]
	fmt.Printf("%s to %s: %.0f° high, %.1f m\n", shot.Satellites[0], net.Stations[0].Name, first.Elevation*57.29578, first.Delay)
	// Output:
	// 17 stations, 36 edges, 9 days
	// 5 satellites, 85 pierce points
	// G09 to S01: 42° high, 2.8 m
}
