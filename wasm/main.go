//go:build js && wasm

// Command wasm is the engine of the page: the core behind the functions that
// protocol.go names, registered as globalThis.ifmlab in a web worker.
//
//	ifmlab.call(name, args)                every call but open and sky
//	ifmlab.openBegin({call, name, query})  → handle
//	ifmlab.openWrite(handle, Uint8Array)   → null
//	ifmlab.openEnd(handle)                 → Table, or Sky of call "sky"
//	ifmlab.openCancel(handle)              → null
//
// Each returns {result} or {error} and never throws.
package main

import "syscall/js"

func main() {
	js.Global().Set("ifmlab", newEngine().functions())
	select {}
}

// functions returns what the page may call.
func (e *engine) functions() map[string]any {
	return map[string]any{
		"call":       guarded(func(args []js.Value) (any, error) { return e.call(args[0].String(), args[1]) }),
		"openBegin":  guarded(e.openBegin),
		"openWrite":  guarded(e.openWrite),
		"openEnd":    guarded(e.openEnd),
		"openCancel": guarded(e.openCancel),
	}
}
