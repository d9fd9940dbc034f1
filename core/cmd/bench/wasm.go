//go:build !js

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// buildWasm builds this command for js/wasm and returns the file's name.
func buildWasm() (string, error) {
	file, err := os.CreateTemp("", "bench-*.wasm")
	if err != nil {
		return "", err
	}
	file.Close()
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file.Name(), "./core/cmd/bench")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("bench: go build for js/wasm: %w\n%s", err, out)
	}
	return file.Name(), nil
}

// runWasm runs the file in Node, with the SIMD kernel or without it, and returns the
// numbers that it prints.
func runWasm(file string, simd bool, what string) ([]float64, error) {
	script, err := filepath.Abs("wasm/exec")
	if err != nil {
		return nil, err
	}
	run := exec.Command(script, file, what)
	if much == smoke {
		run.Args = append(run.Args, "smoke")
	}
	run.Stderr = os.Stderr
	if !simd {
		run.Env = append(os.Environ(), "IFMLAB_SIMD=0")
	}
	out, err := run.Output()
	if err != nil {
		return nil, fmt.Errorf("bench: %s: %w", script, err)
	}
	var values []float64
	for line := range strings.Lines(string(bytes.TrimSpace(out))) {
		v, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
		if err != nil {
			return nil, fmt.Errorf("bench: the wasm run printed %q, expected a number", line)
		}
		values = append(values, v)
	}
	if want := map[string]int{"measure": len(measures), "growth": len(growths)}[what]; len(values) != want {
		return nil, fmt.Errorf("bench: the wasm run printed %d numbers, expected %d", len(values), want)
	}
	return values, nil
}
