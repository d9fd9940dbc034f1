package core

import (
	"bytes"

	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/script"
)

// Exported is a file that another program takes a kept model from.
type Exported struct {
	Name  string
	Bytes []byte
}

// Exports are the forms that [Kept.Export] writes.
var Exports = []string{"json", "python", "sql", "libfm"}

// FormError says that there is no such form of a model.
type FormError struct{ Found string }

func (e *FormError) Error() string {
	return message.Sprintf("core: form %q, want one of %v", e.Found, Exports)
}

// Export writes a kept model in a form of [Exports]: as a model file of ours, as a script
// ([script.Python]), as one SELECT over a table of that name ([script.SQL]), or as
// libFM's text with a map of its features ([fm.Model.WriteLibFM]), whose errors it
// returns. The notices say what the form lacks.
func (k *Kept) Export(form, table string) (files []Exported, notices []string, err error) {
	switch form {
	case "json":
		var b bytes.Buffer
		err = k.Model.Write(&b, k.Encoding)
		files = []Exported{{"model.json", b.Bytes()}}
	case "python":
		var text string
		text, err = script.Python(k.Model, k.Encoding)
		files = []Exported{{"predict.py", []byte(text)}}
	case "sql":
		var text string
		text, err = script.SQL(k.Model, k.Encoding, table)
		files = []Exported{{"predict.sql", []byte(text)}}
	case "libfm":
		var l *fm.LibFM
		if l, err = k.Model.WriteLibFM(k.Encoding); err == nil {
			files, notices = []Exported{{"model.libfm", l.Text}, {"features.csv", l.Features}}, l.Notices
		}
	default:
		err = &FormError{form}
	}
	if err != nil {
		return nil, nil, err
	}
	return files, notices, nil
}
