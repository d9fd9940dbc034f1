package main

import (
	"fmt"

	"ifmlab/core/spec"
	"ifmlab/core/survey"
)

// windows returns the mean milliseconds of a window of the ionosphere experiment at its
// default settings, with its snapshot, its double differences and the fits of methods.
func windows(methods string) (float64, error) {
	s, err := openSurvey("methods=" + methods)
	if err != nil {
		return 0, err
	}
	return spread(len(s.Windows()), much.everyWindow, func(i int) error {
		_, err := s.Window(i)
		return err
	})
}

// fixes returns the mean milliseconds of an attempt to fix a position by all methods.
func fixes() (float64, error) {
	s, err := openSurvey("")
	if err != nil {
		return 0, err
	}
	return spread(len(s.Fixes()), much.everyFix, func(i int) error {
		_, err := s.Fix(i)
		return err
	})
}

func openSurvey(query string) (*survey.Survey, error) {
	settings, notices := spec.ParseIonosphere(query)
	for _, n := range notices {
		return nil, fmt.Errorf("bench: %s", n.Message)
	}
	return survey.Open(settings, nil)
}

// spread returns the mean milliseconds of f over every so many of n, each the fastest of
// a few calls.
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

// tables prints how long the ionosphere's tables take. The milliseconds of a window and of
// a fix with all methods are native, in WebAssembly and without SIMD.
func tables(window, fix []float64) error {
	for _, table := range []struct {
		name, query string
		aim         float64
	}{{"the default table of the ionosphere", "", 15}, {"all its windows", "stride=1", 240}} {
		s, err := openSurvey(table.query)
		if err != nil {
			return err
		}
		windows, fixes := len(s.Windows()), len(s.Fixes())
		seconds := func(i int) float64 { return (float64(windows)*window[i] + float64(fixes)*fix[i]) / 1e3 }
		two := seconds(1) / 2
		fmt.Printf("%s, %d windows and %d fixes, extrapolated from every %dth and %dth of the default's: %.3g s native in one thread, %.3g s wasm in one worker; in two %.3g s, aim ≤ %g%s\n",
			table.name, windows, fixes, much.everyWindow, much.everyFix, seconds(0), 2*two, two, table.aim, missed(two <= table.aim))
	}
	fmt.Println()
	return nil
}
