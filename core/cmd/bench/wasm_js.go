package main

import (
	"errors"
	"syscall/js"
	"time"
)

var errNested = errors.New("bench: inside js/wasm only \"measure\" and \"growth\" work; run it natively")

func buildWasm() (string, error)                      { return "", errNested }
func runWasm(string, bool, string) ([]float64, error) { return nil, errNested }
func gonumStep() (float64, error)                     { return 0, errNested }

// processorTime asks Node.js: microseconds.
func processorTime() time.Duration {
	used := js.Global().Get("process").Call("cpuUsage")
	return time.Duration(used.Get("user").Int()+used.Get("system").Int()) * time.Microsecond
}
