// Package study runs long work in steps.
//
// A study is straight code that calls yield between its steps. A page cannot wait for its
// end, so a worker pulls it a slice at a time.
package study

import (
	"errors"
	"iter"
)

// ErrStopped is what a study returns when its yield reports false.
var ErrStopped = errors.New("study: it was closed before its end; start it again")

// Study is work that is done a step at a time. It holds a coroutine from its first step
// until its end or Close.
type Study struct {
	do   func(yield func() bool) error
	next func() (struct{}, bool)
	stop func()
	done bool
	err  error
}

// New returns a study that has not begun. When yield reports false, do has to return
// [ErrStopped].
func New(do func(yield func() bool) error) *Study { return &Study{do: do} }

// Next does one step. After the last one it returns the error of the study, nil if there
// was none.
func (s *Study) Next() error {
	if s.done {
		return s.err
	}
	if s.next == nil {
		s.next, s.stop = iter.Pull(func(yield func(struct{}) bool) {
			s.err = s.do(func() bool { return yield(struct{}{}) })
		})
	}
	_, more := s.next()
	s.done = !more
	return s.err
}

// Finish does all steps that are left.
func (s *Study) Finish() error {
	for !s.done {
		s.Next()
	}
	return s.err
}

// Done reports whether the study has ended, with or without an error.
func (s *Study) Done() bool { return s.done }

// Close ends a study that has not ended: Next then returns [ErrStopped].
func (s *Study) Close() {
	if s.done {
		return
	}
	s.done, s.err = true, ErrStopped
	if s.stop != nil {
		s.stop()
	}
}
