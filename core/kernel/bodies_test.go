//go:build (!(js && wasm) && !amd64 && !arm64) || purego

package kernel

// bodies of this build: one.
var bodies = []struct {
	name string
	use  func() (undo func())
}{{"go", func() func() { return func() {} }}}
