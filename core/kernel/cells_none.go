//go:build !(js && wasm) || purego

package kernel

// CutsLines reports whether there is a body that cuts lines. There is none here.
const CutsLines = false

// CutLines cuts no line here.
func CutLines(text []byte, how *Lines, into *Cells) int { return 0 }
