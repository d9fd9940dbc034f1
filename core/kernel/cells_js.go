//go:build js && wasm && !purego

package kernel

import "unsafe"

//go:wasmimport kernel cutLines
//go:noescape
func hostCutLines(p, end unsafe.Pointer, sep, point, comments, columns, most int32, wanted, numbers, from, to, sizes, texts, tens unsafe.Pointer) int32

// CutsLines reports whether there is a body that cuts lines. Only tests change it.
var CutsLines = linked

// CutLines cuts lines off the beginning of text and returns how many, none without a
// body for it. It stops at a line that is not of the usual kind: one that is blank, a
// comment or not complete, that has other than the wanted number of cells, quotes
// within a cell, or bytes that are 0 or not ASCII. Whoever calls it cuts that line.
// Sixteen bytes that are line ends stand after text. It costs O(bytes).
func CutLines(text []byte, how *Lines, into *Cells) int {
	p := unsafe.Pointer(unsafe.SliceData(text))
	comments := int32(0)
	if how.Comments {
		comments = 1
	}
	return int(hostCutLines(p, unsafe.Add(p, len(text)), int32(how.Sep), int32(how.Point), comments, int32(len(how.Wanted)), int32(len(into.Sizes)),
		unsafe.Pointer(unsafe.SliceData(how.Wanted)), address(into.Numbers), address(into.From), address(into.To), address(into.Sizes), address(into.Texts), unsafe.Pointer(how.Tens)))
}
