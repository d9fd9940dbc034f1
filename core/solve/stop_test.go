package solve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestStopGivesItsReason(t *testing.T) {
	type moment struct{ loss, valid float64 }
	nan := math.NaN()
	for _, c := range []struct {
		name string
		stop Stop
		path []moment
		want string // at the last moment; every earlier one goes on
	}{
		{"after the iterations asked for", Stop{Iterations: 2}, []moment{{9, nan}, {5, nan}, {4, nan}}, "2 iterations done"},
		{"when the loss hardly falls", Stop{Tolerance: .1}, []moment{{9, nan}, {5, nan}, {4.6, nan}}, "the training loss fell by less than a share of 0.1"},
		{"when a little loss hardly falls", Stop{Tolerance: .1, Little: 10}, []moment{{9, nan}, {4, nan}, {3.2, nan}},
			"the training loss fell by less than a share of 0.1"},
		{"when the loss is 0", Stop{Tolerance: .1}, []moment{{9, nan}, {0, nan}}, "the training loss is 0"},
		{"when validation rows gain nothing", Stop{Patience: 2}, []moment{{9, 3}, {5, 2}, {4, 2}, {3, 2.5}}, "no better on validation rows for 2 iterations"},
		{"patience starts again at each gain", Stop{Patience: 2}, []moment{{9, 3}, {8, 4}, {7, 2}, {6, 3}, {5, 1}}, ""},
		{"patience needs validation rows", Stop{Patience: 1}, []moment{{9, nan}, {8, nan}, {7, nan}}, ""},
		{"without rules never", Stop{}, []moment{{9, 1}, {9, 2}, {0, 2}, {0, 2}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, m := range c.path {
				got := c.stop.Reason(Progress{Iteration: i, Loss: m.loss}, m.valid)
				if i < len(c.path)-1 {
					assert.Empty(t, got, "iteration %d", i)
				} else {
					assert.Equal(t, c.want, got)
				}
			}
		})
	}
}

func TestAnIterationThatHeldIsNotCountedAgainstTheFit(t *testing.T) {
	stop := Stop{Tolerance: .1, Patience: 2}
	for i, held := range []bool{false, true, true, true} {
		assert.Empty(t, stop.Reason(Progress{Iteration: i, Loss: 9, Rejected: held}, 3), "iteration %d", i)
	}
	assert.Empty(t, stop.Reason(Progress{Iteration: 4, Loss: 8}, 4))
	assert.Equal(t, "no better on validation rows for 2 iterations", stop.Reason(Progress{Iteration: 5, Loss: 7}, 4))
	assert.Equal(t, "the training loss fell by less than a share of 0.1", stop.Reason(Progress{Iteration: 6, Loss: 7}, 4))
	assert.Equal(t, "enough", stop.Reason(Progress{Iteration: 7, Loss: 7, Rejected: true, Stop: "enough"}, 4))
}
