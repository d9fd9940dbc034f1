package saved

import (
	"bytes"

	"ifmlab/core/fm"
	"ifmlab/core/message"
	"ifmlab/core/script"
)

// File is a file for another program.
type File struct {
	Name  string
	Bytes []byte
}

// Exports are the forms that [Model.Export] writes.
var Exports = []string{"json", "python", "sql", "libfm"}

// FormError says that there is no such form of a model.
type FormError struct{ Found string }

func (e *FormError) Error() string {
	return message.Sprintf("saved: the form is %q, expected one of %v", e.Found, Exports)
}

func (*FormError) Kind() string { return "FormError" }

// Export writes the model in a form of [Exports]: as a model file of ours, as a script
// ([script.Python]), as one SELECT over a table of that name ([script.SQL]), or as
// libFM's text with a map of its features ([fm.Model.WriteLibFM]), whose errors it
// returns. The notices say what the form lacks.
func (m *Model) Export(form, table string) (files []File, notices []string, err error) {
	switch form {
	case "json":
		var b bytes.Buffer
		err = m.Model.Write(&b, m.Encoding)
		files = []File{{"model.json", b.Bytes()}}
	case "python":
		var text string
		text, err = script.Python(m.Model, m.Encoding)
		files = []File{{"predict.py", []byte(text)}}
	case "sql":
		var text string
		text, err = script.SQL(m.Model, m.Encoding, table)
		files = []File{{"predict.sql", []byte(text)}}
	case "libfm":
		var l *fm.LibFM
		if l, err = m.Model.WriteLibFM(m.Encoding); err == nil {
			files, notices = []File{{"model.libfm", l.Text}, {"features.csv", l.Features}}, l.Notices
		}
	default:
		err = &FormError{form}
	}
	if err != nil {
		return nil, nil, err
	}
	return files, notices, nil
}
