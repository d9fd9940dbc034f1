package main

import (
	"fmt"

	"ifmlab/core"
	"ifmlab/core/spec"
)

// windows returns the milliseconds of a window of the ionosphere experiment at its
// default settings, with its snapshot and double differences, fitted by some
// methods: the mean over some.
func windows(methods string) (float64, error) {
	s, err := survey("methods=" + methods)
	if err != nil {
		return 0, err
	}
	return spread(len(s.Windows()), much.everyWindow, func(i int) error {
		_, err := s.Window(i)
		return err
	})
}

// fixes returns the milliseconds of an attempt to fix a position by all methods.
func fixes() (float64, error) {
	s, err := survey("")
	if err != nil {
		return 0, err
	}
	return spread(len(s.Fixes()), much.everyFix, func(i int) error {
		_, err := s.Fix(i)
		return err
	})
}

func survey(query string) (*core.Survey, error) {
	settings, notices := spec.ParseIonosphere(query)
	for _, n := range notices {
		return nil, fmt.Errorf("bench: %s", n.Message)
	}
	return core.OpenSurvey(settings, nil)
}

// spread returns the mean over every so many of n of the milliseconds of f, each
// the fastest of a few.
func spread(n, every int, f func(i int) error) (float64, error) {
	sum, count := 0.0, 0
	for i := 0; i < n; i += every {
		ms, err := fastest(much.repeats, func() error { return f(i) })
		if err != nil {
			return 0, err
		}
		sum += ms
		count++
	}
	return sum / float64(count), nil
}

// tables prints how long the tables of the chapter take, from the milliseconds of
// a window and of a fix with all methods.
func tables(native, wasm [2]float64) error {
	s, err := survey("")
	if err != nil {
		return err
	}
	all, err := survey("stride=1")
	if err != nil {
		return err
	}
	seconds := func(windows, fixes int, ms [2]float64) float64 {
		return (float64(windows)*ms[0] + float64(fixes)*ms[1]) / 1e3
	}
	for _, table := range []struct {
		name           string
		windows, fixes int
		aim            float64
	}{
		{"the default table of the ionosphere", len(s.Windows()), len(s.Fixes()), 15},
		{"all its windows", len(all.Windows()), len(all.Fixes()), 240},
	} {
		two := seconds(table.windows, table.fixes, wasm) / 2
		fmt.Printf("%s, %d windows and %d fixes, extrapolated from every %dth and %dth of the default's: %.3g s native in one thread, %.3g s wasm in one worker; in two %.3g s, aim ≤ %g%s\n",
			table.name, table.windows, table.fixes, much.everyWindow, much.everyFix, seconds(table.windows, table.fixes, native), 2*two, two, table.aim, missed(two <= table.aim))
	}
	fmt.Println()
	return nil
}
