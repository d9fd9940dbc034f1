package study_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/study"
)

// counted takes so many steps and then returns err.
func counted(n int, err error, at *int) *study.Study {
	return study.New(func(yield func() bool) error {
		for *at = range n {
			if !yield() {
				return study.ErrStopped
			}
		}
		return err
	})
}

func TestAStudyDoesOneStepAtATime(t *testing.T) {
	at := -1
	s := counted(3, nil, &at)
	assert.Equal(t, -1, at, "nothing before the first step")
	for want := range 3 {
		assert.NoError(t, s.Next())
		assert.Equal(t, want, at)
		assert.False(t, s.Done())
	}
	assert.NoError(t, s.Finish())
	assert.True(t, s.Done())
}

func TestAFailedStudyKeepsItsError(t *testing.T) {
	at, failed := 0, errors.New("no")
	s := counted(1, failed, &at)
	assert.NoError(t, s.Next())
	for range 2 {
		assert.Equal(t, failed, s.Next())
		assert.True(t, s.Done())
	}
}

func TestAClosedStudyLeavesNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		at := 0
		s := counted(5, nil, &at)
		assert.NoError(t, s.Next())
		s.Close()
		assert.Equal(t, study.ErrStopped, s.Next())
		at = -1
		unbegun := counted(5, nil, &at)
		unbegun.Close()
		assert.Equal(t, study.ErrStopped, unbegun.Next())
		assert.Equal(t, -1, at)
	}
	assert.Equal(t, before, runtime.NumGoroutine())
}
