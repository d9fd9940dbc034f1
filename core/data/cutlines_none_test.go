//go:build !(js && wasm) || purego

package data

func cutLines(bool) {}

func restore(bool) {}
