package web

import (
	"os"
	"syscall"
	"unsafe"
)

// Unload lets the system have the memory back that a file of the program takes.
// No byte of it changes: what is asked for again comes from the program's file,
// which the system mostly has at hand.
func (p Page) Unload(name string) {
	data, is := p.own(name)
	if !is {
		return // it lies where memory that is given back is lost
	}
	content, page := unsafe.Slice(unsafe.StringData(data), len(data)), os.Getpagesize()
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(content))) & uintptr(page-1)) // others share the first page, and the last
	if whole := (len(content) - skip) &^ (page - 1); whole > 0 {
		syscall.Madvise(content[skip:skip+whole], syscall.MADV_DONTNEED) // where it is refused, it stays
	}
}
