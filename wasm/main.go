//go:build js && wasm

// Command wasm is the engine of the page: the core behind the calls that package
// protocol declares, registered as globalThis.ifmlab in a web worker.
//
//	ifmlab.call(name, args)                every call but those that read a file
//	ifmlab.openBegin({call, name, query})  → handle of the reading, for "open" and "sky"
//	ifmlab.openWrite(handle, Uint8Array)   → null
//	ifmlab.openEnd(handle)                 → Table or Sky
//	ifmlab.openCancel(handle)              → null
//
// Each returns {result} or {error} and never throws.
package main

import "syscall/js"

func main() {
	js.Global().Set("ifmlab", newEngine().functions())
	select {}
}

// functions returns the functions of the global object, by their names.
func (e *engine) functions() map[string]any {
	return map[string]any{
		"call": guarded(func(args []js.Value, c *crossing) error {
			name := args[0].String()
			if call := e.calls[name]; call != nil {
				return call(args[1], c)
			}
			return &unknownCall{name}
		}),
		"openBegin":  guarded(e.openBegin),
		"openWrite":  guarded(e.openWrite),
		"openEnd":    guarded(e.openEnd),
		"openCancel": guarded(e.openCancel),
	}
}
