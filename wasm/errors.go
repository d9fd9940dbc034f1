//go:build js && wasm

package main

import (
	"errors"

	"ifmlab/core"
	"ifmlab/core/data"
	"ifmlab/core/fm"
)

var errCancelled = errors.New("reading was cancelled")

// describe turns an error into the object of the protocol. kind is the name of
// the Go type that says most: the first typed one in the chain.
func describe(err error) map[string]any {
	object := map[string]any{"kind": kind(err), "message": err.Error(), "file": "", "line": 0, "column": 0, "field": "", "found": ""}
	var row *data.RowError
	var file *data.FileError
	var target *data.TargetError
	var column *data.ColumnError
	var reader *data.ReaderError
	var model *fm.FileError
	var missing *data.MissingColumnsError
	switch {
	case errors.As(err, &row):
		for key, value := range place(row) {
			object[key] = value
		}
		object["message"] = err.Error()
	case errors.As(err, &file):
		object["file"], object["line"], object["column"], object["field"], object["found"] = file.File, file.Line, file.Column, file.Field, file.Found
	case errors.As(err, &reader):
		object["file"] = reader.File
	case errors.As(err, &model):
		object["line"], object["column"], object["field"], object["found"] = model.Line, model.Column, model.Field, model.Found
	case errors.As(err, &missing):
		object["file"], object["field"] = missing.File, missing.Missing[0]
	case errors.As(err, &target):
		object["file"], object["field"], object["found"] = target.File, target.Field, target.Found
	case errors.As(err, &column):
		object["file"], object["field"], object["found"] = column.File, column.Field, column.Found
	}
	return object
}

// kind returns "FileError" for a *data.FileError, "Error" for one without a
// type of ours.
func kind(err error) string {
	switch err.(type) {
	case *unknownHandle:
		return "unknownHandle"
	case *unknownCall:
		return "unknownCall"
	case *noTruth:
		return "noTruth"
	case *panicked:
		return "panicked"
	}
	return core.ErrorKind(err)
}
