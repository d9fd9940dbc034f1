package main

import (
	"context"
	"fmt"
	"os/signal"
)

// interruptible returns a context that is done once the reader interrupts. A second
// interrupt ends the process at once.
func interruptible() (ctx context.Context, stop func()) {
	ctx, stop = signal.NotifyContext(context.Background(), interrupts...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// interrupted returns what ended a run: err, or that the reader did.
func (c *call) interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("ifm %s: interrupted", c.name)
	}
	return err
}
