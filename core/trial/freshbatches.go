package trial

import (
	"ifmlab/core/design"
	"ifmlab/core/solve"
	"ifmlab/core/spec"
	"ifmlab/core/synth"
)

// fresh gives every iteration rows of its own: the training rows first, then new
// ones of the same truth, in the same scales. A batch is valid until the next.
type fresh struct {
	first  solve.Batch
	begun  bool
	rows   *Trial
	drawer *synth.Drawer
}

// Next returns the rows of the next iteration. O(n·d).
func (f *fresh) Next() (solve.Batch, error) {
	if !f.begun {
		f.begun = true
		return f.first, nil
	}
	part, err := f.rows.Encoding.Scale("fresh", design.Matrix(f.drawer.Next()))
	return solve.Batch{Z: part.Z, Y: part.Y}, err
}

// Fixed reports that the rows change.
func (f *fresh) Fixed() bool { return false }

// FreshBatches returns the training rows, and then new ones of the same truth without end.
func (t *Trial) FreshBatches(s spec.Spec, trial int) (solve.Batches, error) {
	drawer, err := synth.Fresh(drawing(s), t.Truth, t.SD, Stream(s.Seed, trial, StreamBatches))
	return &fresh{first: solve.Batch{Z: t.Train.Z, Y: t.Train.Y}, rows: t, drawer: drawer}, err
}
