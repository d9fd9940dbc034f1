//go:build js && wasm && !purego

package kernel

import "unsafe"

//go:wasmimport kernel cutLines
//go:noescape
func hostCutLines(p, end unsafe.Pointer, sep, point, comments, columns, most int32, wanted, numbers, from, to, sizes, texts, tens unsafe.Pointer) int32

// CutsLines reports whether there is a body that cuts lines. Only tests change it.
var CutsLines = linked

// CutLines cuts lines off the beginning of text and returns their number, 0 if there is no
// body for it. It stops at an unusual line: one that is blank, incomplete or a comment, that
// has another number of cells, quotes within a cell, or bytes that are 0 or not ASCII. The
// caller cuts that line. Sixteen line ends must follow text. It costs O(bytes).
func CutLines(text []byte, how *Lines, into *Cells) int {
	p := unsafe.Pointer(unsafe.SliceData(text))
	comments := int32(0)
	if how.Comments {
		comments = 1
	}
	return int(hostCutLines(p, unsafe.Add(p, len(text)), int32(how.Sep), int32(how.Point), comments, int32(len(how.Wanted)), int32(len(into.Sizes)),
		unsafe.Pointer(unsafe.SliceData(how.Wanted)), address(into.Numbers), address(into.From), address(into.To), address(into.Sizes), address(into.Texts), unsafe.Pointer(how.Tens)))
}
