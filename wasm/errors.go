//go:build js && wasm

package main

import (
	"errors"

	"ifmlab/core/fault"
	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/saved"
	"ifmlab/wasm/protocol"
)

// mostPlaces is how many unusable rows cross to the page; the rest are counted.
const mostPlaces = 100

// failureOf returns an error as it crosses. Its kind is the name of the first typed error
// in the chain.
func failureOf(err error) protocol.Failure {
	p := place(err)
	return protocol.Failure{Kind: message.Kind(err), Place: protocol.Place{Message: message.Sentence(err.Error()), File: p.File, Line: p.Line, Column: p.Column, Field: p.Field, Found: p.Found}}
}

// placesOf returns the first unusable rows as they cross.
func placesOf(rows []fault.RowError) []protocol.Place {
	rows = rows[:min(len(rows), mostPlaces)]
	places := make([]protocol.Place, len(rows))
	for i := range rows {
		e := &rows[i]
		places[i] = protocol.Place{Message: e.Error(), File: e.File, Line: e.Line, Column: e.Column, Field: e.Field, Found: e.Found}
	}
	return places
}

// place returns the place of the first error in the chain that has one.
func place(err error) (p fault.RowError) {
	for ; err != nil; err = errors.Unwrap(err) {
		switch e := err.(type) {
		case *fault.RowError:
			return *e
		case *fault.FileError:
			return fault.RowError{File: e.File, Line: e.Line, Column: e.Column, Field: e.Field, Found: e.Found}
		case *fault.ReaderError:
			return fault.RowError{File: e.File}
		case *fm.FileError:
			return fault.RowError{Line: e.Line, Column: e.Column, Field: e.Field, Found: e.Found}
		case *saved.NoRowError:
			return fault.RowError{File: e.File, Line: e.Line}
		case *fault.MissingColumnsError:
			return fault.RowError{File: e.File, Field: e.Missing[0]}
		case *fault.PlanError:
			return fault.RowError{File: e.File, Field: e.Field, Found: e.Found}
		}
	}
	return fault.RowError{}
}
