package vtec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/vtec/sky"
)

func TestTheFirstPartIsAThirdOfTheDaysOrOfTheMinutes(t *testing.T) {
	var all []sky.Instant
	for day := range 7 {
		for _, minute := range []int{0, 30} {
			all = append(all, sky.Instant{Day: day, Minute: minute})
		}
	}
	first, rest := splitForTuning(all, 7)
	assert.Equal(t, all[:4], first, "two of seven days")
	assert.Equal(t, all[4:], rest)
	first, _ = splitForTuning(all[:4], 2)
	assert.Equal(t, all[:1], first)
	first, _ = splitForTuning(all[:2], 1)
	assert.Empty(t, first)
	assert.Equal(t, []sky.Instant{all[0], all[2], all[4]}, evenlySpread(all[:6], 3))
	assert.Equal(t, all[:2], evenlySpread(all[:2], 30))
}

func TestWindowsThatTuneAreNotTestedOn(t *testing.T) {
	settings := Settings{Seed: 3, Stride: 60, Fixes: 120, Days: 1, Methods: []Method{Ridge}, Tuning: fakeTuning, Fixing: fakeTuning, Own: true}
	e := must(NewExperiment(newFakeSource(), settings))
	assert.Len(t, e.Tunings(), 8)
	assert.Len(t, e.Windows(), 16)
	assert.Len(t, e.Fixes(), 8)
	for _, at := range e.Tunings() {
		assert.NotContains(t, e.Windows(), at)
		assert.Less(t, at.Minute, e.Windows()[0].Minute)
		assert.NotContains(t, e.Fixes(), at)
	}
	settings.Before = newFakeSource()
	e = must(NewExperiment(newFakeSource(), settings))
	assert.Len(t, e.Windows(), 24, "it has windows of its own to tune on")
	assert.Len(t, e.Tunings(), mostTunings)
	settings.Before, settings.Stride = nil, 720
	_, err := NewExperiment(newFakeSource(), settings)
	assert.EqualError(t, err, "vtec: 2 windows are too few to set some aside for tuning, expected at least three. Shorten the time between windows")
}

func TestTuningChoosesTheLeastSquaresOfEachMethod(t *testing.T) {
	methods := []Method{Ridge, IFM, Kriging}
	e := must(NewExperiment(newFakeSource(), Settings{Seed: 3, Stride: 240, Days: 1, Methods: methods, Tuning: fakeTuning, Own: true, All: true}))
	require.Len(t, e.Tunings(), 2)
	var sums []float64
	for i := range e.Tunings() {
		tuned := must(e.Tune(i))
		if sums == nil {
			sums = make([]float64, len(tuned.Squares))
		}
		for k, v := range tuned.Squares {
			sums[k] += v
		}
	}
	got := must(e.Choose(sums))
	// The same from windows made by hand: of the first station, then the fifth.
	want := fakeTuning
	source := newFakeSource()
	for _, m := range methods {
		least := math.Inf(1)
		for _, c := range Candidates(m) {
			sum := 0.0
			for i, at := range e.Tunings() {
				net := source.Network()
				net.Test = 4 * i // of nine stations every fourth
				s := must(source.Snapshot(at.Day, at.Minute))
				w := must(NewWindow(&net, &s))
				dst := make([]float64, len(w.Test))
				require.NoError(t, w.Predict(dst, m, c, random(at, 3, forStarts)))
				for k, y := range w.YTest {
					sum += (y - dst[k]) * (y - dst[k])
				}
			}
			if sum < least*(1-1e-9) { // of equals the first
				least = sum
				want[m] = c
			}
		}
	}
	assert.Equal(t, want, got)
	assert.Equal(t, fakeTuning[FM], got[FM], "FM is not in the experiment")

	for k := range sums {
		sums[k] = math.NaN()
	}
	_, err := e.Choose(sums)
	assert.EqualError(t, err, "vtec: ridge has no tuning that fits each of 2 windows of the first part; choose other methods, or a file with more of it")
	_, err = e.Choose(nil)
	assert.Error(t, err)
}

func TestCandidatesAreThePapersButForFactorizationMachines(t *testing.T) {
	for m, want := range [Methods]int{13, 13, 13 * 3, 13 * 6, 45, 45, 45, 9 * 8} {
		m := Method(m)
		all, seen := Candidates(m), map[Parameters]bool{}
		require.Len(t, all, want, m)
		for _, p := range all {
			assert.False(t, seen[p], "%s: %+v is there twice", m, p)
			seen[p] = true
			switch m {
			case Kriging:
				assert.Contains(t, []float64{100, 150, 200, 300, 450, 700, 1000, 1500, 2500}, p.Shape)
				assert.Contains(t, []float64{1, .3, .1, .06, .03, .02, .01, .003}, p.Penalty)
			case FM, IFM, GFM:
				assert.Contains(t, []int{1, 3, 10}, p.Rank)
				assert.Contains(t, []float64{10, 1, .1, 1e-3, 1e-5}, p.Penalty)
				assert.Contains(t, []float64{1, 1e-3, 1e-6}, p.Linear)
			default:
				assert.Contains(t, []float64{1e-6, 1e-5, 1e-4, 1e-3, .01, .1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6}, p.Penalty)
			}
		}
	}
}

func TestAWindowThatCannotBeTunedOnSaysWhy(t *testing.T) {
	source := newFakeSource()
	e := must(NewExperiment(source, Settings{Stride: 1, Days: 1, Methods: []Method{Ridge}, Own: true, Before: source}))
	e.tunings = []sky.Instant{{Day: 1, Minute: 67}, {Day: 1, Minute: 130}}
	for i, says := range []string{"the maps have a hole", "satellites in view of every station: 3, expected at least 4"} {
		tuned := must(e.Tune(i))
		assert.Equal(t, Tuned{Unusable: says}, tuned)
	}
}

func TestSquaresAreThoseOfEachCandidateAlone(t *testing.T) {
	w := fakeWindow(t, 11, 6, 13)
	start := func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
	for m := range Methods {
		all := Candidates(m)
		if m == FM || m == IFM || m == GFM {
			all = append(all[5:10:10], all[20:22]...)
		}
		got := w.Squares(m, all, start)
		for i := range all {
			p, want := make([]float64, len(w.Test)), 0.0
			require.NoError(t, w.Predict(p, m, all[i], start()))
			for k := range p {
				want += (p[k] - w.YTest[k]) * (p[k] - w.YTest[k])
			}
			// The order of the penalties is the only difference: starts are warm.
			assert.InEpsilon(t, want, got[i], 1e-7, "%s: %+v", m, all[i])
		}
	}
}

func TestACandidateWithoutAFitHasNoSquares(t *testing.T) {
	w := fakeWindow(t, 12, 5, 13)
	copy(w.Z[w.D:2*w.D], w.Z[:w.D])
	got := w.Squares(Kernel, []Parameters{{Penalty: 1, Shape: 1}, {Shape: 1}, {Penalty: 1, Shape: 1}}, nil)
	assert.True(t, math.IsNaN(got[1]))
	assert.Equal(t, got[0], got[2], "and leaves the next one as it would be")
	got = w.Squares(IFM, []Parameters{{}}, func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) })
	assert.True(t, math.IsNaN(got[0]))
}
