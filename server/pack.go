//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"sync"
)

var packers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// packed returns text compressed by gzip.
func packed(text string) []byte {
	var b bytes.Buffer
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(&b)
	z.Write([]byte(text)) // a buffer takes all
	z.Close()
	return b.Bytes()
}
