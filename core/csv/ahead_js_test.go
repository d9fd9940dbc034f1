//go:build js && wasm && !purego

package csv

import "ifmlab/core/kernel"

func cutLines(ahead bool) { kernel.CutsLines = ahead }

func restore(ahead bool) { kernel.CutsLines = ahead }
