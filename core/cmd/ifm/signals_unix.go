//go:build unix

package main

import (
	"os"
	"syscall"
)

// interrupts are what ends a run before its end.
var interrupts = []os.Signal{os.Interrupt, syscall.SIGTERM}
