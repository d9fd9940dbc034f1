//go:build js && wasm

package main

type engine struct{}
