package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"ifmlab/core/spec"
)

// property is a property of <ifm-lab> that reflects its attribute of that name.
type property struct {
	name, kind, doc, def string
	typ, accepts         string // the types of its value and of what it can be set to, in TypeScript
}

// ownProperties are the properties that are no settings of the lab.
var ownProperties = []property{
	{name: "src", kind: "text", typ: "string", accepts: "string", doc: "Address of the lab, or a link of it, whose settings the attributes overrule. Without it, IfmLab.home counts."},
	{name: "label", kind: "text", typ: "string", accepts: "string", doc: "Name of the frame for screen readers."},
	{name: "height", kind: "number", typ: "number", accepts: "number | `${number}`", doc: "Pixels that are reserved until the frame reports its height; for a whole lab, its height."},
	{name: "loading", kind: "text", typ: `"lazy" | "eager"`, accepts: `"lazy" | "eager"`, def: "lazy", doc: "Whether the frame is loaded when a reader comes near, or at once."},
}

// elementEvents are the events, ifm-NAME, by the names of their messages in
// messages.ts.
var elementEvents = []struct{ name, doc string }{
	{"ready", "The lab has started. Its notices concern the settings that it opened with."},
	{"notices", "Settings that could not be used as given, each with the reason."},
	{"record", "New iterations, at most ten times a second; all records of a run come before the first of the next."},
	{"state", "The phase of the run, its progress, and the measure of its errors."},
	{"verdict", "The result of a finished run, as a sentence and its numbers; for a table once more when the boosted trees are done."},
	{"height", "The height of the frame in px, which the element has taken."},
	{"error", "An error. The element or its lab shows the same sentence."},
}

var methods = []struct{ name, parameters, doc string }{
	{"play", "", "Starts or resumes the run."},
	{"pause", "", "Pauses the run."},
	{"step", "", "Runs one more iteration and pauses."},
	{"restart", "seed?: number", "Restarts the run, with another seed if one is given."},
	{"set", "settings: Attributes & Readonly<Record<string, unknown>>", "Sets several attributes at once; null removes one."},
}

var cssProperties = []struct{ name, doc string }{
	{"--ifm-lab-border", "Border of the frame; 0 unless it is set."},
	{"--ifm-lab-radius", "Radius of its corners; 0 unless it is set."},
}

var cssParts = []struct{ name, doc string }{
	{"frame", "The frame with the lab."},
	{"message", "The message in its place when the lab cannot be shown."},
}

// elementProperties returns the element's own properties and the settings.
func elementProperties() []property {
	all := slices.Clone(ownProperties)
	for _, f := range slices.Concat(fieldsOf(spec.Fields), fieldsOf(spec.ViewFields())) {
		p := property{name: f.Key, def: f.Default, typ: typeScript(f), doc: sentence(f.Doc)}
		switch f.Kind {
		case spec.Int, spec.Float:
			p.kind, p.accepts = "number", "number | `${number}`"
			p.doc += fmt.Sprintf(" From %s to %s.", number(f.Min), number(f.Max))
		case spec.Set, spec.Names:
			p.kind, p.accepts = "texts", p.typ+" | string"
		case spec.Ints, spec.Floats:
			p.kind, p.accepts = "numbers", p.typ+" | string"
		default:
			p.kind, p.accepts = "text", p.typ
		}
		all = append(all, p)
	}
	return all
}

func sentence(doc string) string {
	first, size := utf8.DecodeRuneInString(doc)
	return string(unicode.ToUpper(first)) + doc[size:] + "."
}

// propertyTypes returns the kinds and the types of the properties, for the element's script.
func propertyTypes() []byte {
	var b bytes.Buffer
	b.WriteString(generated + "import type { Kind } from \"./values.js\";\n\n")
	properties := elementProperties()
	for _, part := range []struct {
		name, doc  string
		properties []property
	}{
		{"own", "The element's own attributes.", properties[:len(ownProperties)]},
		{"kinds", "All settings but those of the chapters.", properties[len(ownProperties):]},
	} {
		fmt.Fprintf(&b, "/** %s */\nexport const %s = {\n", part.doc, part.name)
		for _, p := range part.properties {
			fmt.Fprintf(&b, "  %s: %s,\n", p.name, quote(p.kind))
		}
		b.WriteString("} as const satisfies Readonly<Record<string, Kind>>;\n\n")
	}
	b.WriteString("export interface Properties {\n" + accessors(properties) + "}\n")
	return b.Bytes()
}

func accessors(properties []property) string {
	var b strings.Builder
	for _, p := range properties {
		fmt.Fprintf(&b, "  /** %s */\n  get %s(): %s;\n  set %[2]s(value: %[4]s | undefined);\n", p.about(), p.name, orNull(p.typ), orNull(p.accepts))
	}
	return b.String()
}

// about is the property's doc with its default.
func (p property) about() string {
	if p.def == "" {
		return p.doc
	}
	return p.doc + " Default: " + p.def + "."
}

func orNull(typ string) string { return typ + " | null" }

// packageFiles returns the files of the element's package for npm. Its script is the
// page's, without the address of a lab. Its types and its manifest follow from the
// settings and from the messages of web/src/embed.
func packageFiles(root string) (map[string][]byte, error) {
	absolute, err := filepath.Abs(filepath.Join(root, "web"))
	if err != nil {
		return nil, err
	}
	outputs, err := runEsbuild(api.BuildOptions{
		AbsWorkingDir: absolute,
		Bundle:        true,
		Charset:       api.CharsetUTF8,
		Define:        map[string]string{"import.meta.url": `""`},
		EntryNames:    "[name]",
		EntryPoints:   []string{"src/element/ifm-lab.ts"},
		Format:        api.FormatESModule,
		MinifySyntax:  true, // what is never true goes; the rest stays legible
		Metafile:      true,
		Outdir:        "dist",
		Target:        api.ES2022,
	})
	if err != nil {
		return nil, err
	}
	version, err := versionOf(root)
	if err != nil {
		return nil, err
	}
	types, err := declarations(filepath.Join(root, "web", "src"))
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(root, "web", "src", "element", "README.md"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"custom-elements.json": manifest(),
		"ifm-lab.js":           outputs[0].content, // one, since it imports nothing later
	}
	for _, name := range []string{"ifm-lab.d.ts", "react.d.ts", "svelte.d.ts", "vue.d.ts"} {
		if files[name], err = templateOf("npm/"+name, types); err != nil {
			return nil, err
		}
		files[name] = append([]byte(generated), files[name]...)
	}
	if files["package.json"], err = templateOf("npm/package.json", map[string]string{"version": version}); err != nil {
		return nil, err
	}
	if files["README.md"], err = fill("src/element/README.md", readme, map[string]string{"settings": settingsTable(), "events": eventsTable()}); err != nil {
		return nil, err
	}
	if files["LICENSE"], err = os.ReadFile(filepath.Join(root, "LICENSE")); err != nil {
		return nil, err
	}
	return files, nil
}

// elementPackage is the element's package on a site, for npm install
// https://HOST/ifm-lab.tgz.
const elementPackage = "ifm-lab.tgz"

// packedPackage packs the files as npm pack does.
func packedPackage(files map[string][]byte) ([]byte, error) {
	var members []member
	for _, name := range slices.Sorted(maps.Keys(files)) {
		members = append(members, member{name: "package/" + name, content: files[name]})
	}
	return tarball(members)
}

// placePackage writes these files to dir and removes all others.
func placePackage(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	wanted := map[string]bool{}
	for name, content := range files {
		wanted[name] = true
		if err := writeChanged(filepath.Join(dir, name), content); err != nil {
			return err
		}
	}
	return removeOthers(dir, wanted)
}

//go:embed npm
var templates embed.FS

func templateOf(name string, names map[string]string) ([]byte, error) {
	template, err := templates.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return fill("build/"+name, template, names)
}

// declarations returns the values of the names in npm/ifm-lab.d.ts. The details of events
// are taken from the page's own declarations.
func declarations(src string) (map[string]string, error) {
	read := func(name string) string {
		source, err := os.ReadFile(filepath.Join(src, filepath.FromSlash(name)))
		if err != nil {
			return ""
		}
		return string(source)
	}
	var missing []error
	var types, details, events, attributes, calls strings.Builder
	for _, from := range []struct{ file, name string }{
		{"state/spec.ts", "Notice"}, {"engine/protocol.gen.ts", "Measure"}, {"training/training.ts", "Phase"}, {"text/phrase.ts", "Whose"}, {"embed/messages.ts", "Iteration"},
	} {
		text := declared(read(from.file), from.name)
		if text == "" {
			missing = append(missing, fmt.Errorf("web/src/%s exports no type %s, which events of <ifm-lab> carry; say in web/build/element.go where it is now", from.file, from.name))
		}
		types.WriteString(text + "\n")
	}
	models := spec.Fields[slices.IndexFunc(spec.Fields, func(f spec.Of[spec.Spec]) bool { return f.Key == "models" })]
	types.WriteString("export type Model = " + union(models.Options) + ";\n\n")
	messages := read("embed/messages.ts")
	for _, event := range elementEvents {
		line := regexp.MustCompile(`(?m)^  \| \{ readonly type: "` + event.name + `"; (.*) \};?$`).FindStringSubmatch(messages)
		if line == nil {
			missing = append(missing, fmt.Errorf("web/src/embed/messages.ts has no line of FromFrame for %q, which ifm-%[1]s carries", event.name))
			continue
		}
		fields := strings.Join(splitFields(line[1]), ";\n  ")
		fmt.Fprintf(&details, "/** %s */\nexport interface %s {\n  %s;\n}\n\n", event.doc, detail(event.name), fields)
		fmt.Fprintf(&events, "  /** %s */\n  \"ifm-%s\": CustomEvent<%s>;\n", event.doc, event.name, detail(event.name))
	}
	properties := elementProperties()
	for _, p := range properties {
		fmt.Fprintf(&attributes, "  /** %s */\n  %s?: %s | undefined;\n", p.about(), p.name, orNull(p.accepts))
	}
	for _, m := range methods {
		fmt.Fprintf(&calls, "  /** %s */\n  %s(%s): void;\n", m.doc, m.name, m.parameters)
	}
	var chapters []string
	for _, c := range spec.Chapters {
		chapters = append(chapters, c.Name)
	}
	return map[string]string{
		"types": types.String(), "details": details.String(), "events": events.String(), "chapters": union(chapters),
		"attributes": attributes.String(), "accessors": accessors(properties), "methods": calls.String(),
	}, errors.Join(missing...)
}

// declared returns an exported interface or a type of one line, with its doc. A comment
// at the end of a field's line becomes the field's doc.
func declared(source, name string) string {
	found := regexp.MustCompile(`(?m)(^/\*\* .* \*/\n)?^export (interface ` + name + ` \{\n(?s:.*?)\n\}|type ` + name + ` = [^;\n]+;)$`).FindString(source)
	return regexp.MustCompile(`(?m)^  (.*;) // (.*)$`).ReplaceAllString(found, "  /** $2 */\n  $1") + strings.Repeat("\n", min(len(found), 1))
}

// splitFields splits the fields of an object type that is written on one line.
func splitFields(line string) []string {
	var fields []string
	depth, from := 0, 0
	for i, c := range line {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		case ';':
			if depth == 0 {
				fields = append(fields, strings.TrimSpace(line[from:i]))
				from = i + 1
			}
		}
	}
	return append(fields, strings.TrimSpace(line[from:]))
}

func detail(event string) string {
	return strings.ToUpper(event[:1]) + event[1:] + "Detail"
}

func settingsTable() string {
	var b strings.Builder
	b.WriteString("| property and attribute | what it is | default |\n|---|---|---|\n")
	for _, p := range elementProperties() {
		def := ""
		if p.def != "" {
			def = "`" + p.def + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.name, strings.ReplaceAll(p.doc, "|", "\\|"), def)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func eventsTable() string {
	var b strings.Builder
	b.WriteString("| event | `detail` | when |\n|---|---|---|\n")
	for _, event := range elementEvents {
		fmt.Fprintf(&b, "| `ifm-%s` | `%s` | %s |\n", event.name, detail(event.name), event.doc)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// object is an object of JSON.
type object = map[string]any

// manifest returns custom-elements.json, which editors read.
func manifest() []byte {
	described := func(name, doc string, more object) object {
		more["name"], more["description"] = name, doc
		if more["default"] == "" {
			delete(more, "default")
		}
		return more
	}
	typ := func(text string) object { return object{"text": text} }
	var attributes, members, events, properties, parts []object
	for _, p := range elementProperties() {
		attributes = append(attributes, described(p.name, p.doc, object{"type": typ(p.accepts), "default": p.def, "fieldName": p.name}))
		members = append(members, described(p.name, p.doc, object{"kind": "field", "type": typ(orNull(p.typ)), "default": p.def, "attribute": p.name, "reflects": true}))
	}
	members = append(members,
		described("home", "Where the lab is of an element that has no src.", object{"kind": "field", "static": true, "type": typ("string")}),
		described("records", "All records of the run that is shown, or was last.", object{"kind": "field", "readonly": true, "type": typ("readonly Iteration[]")}),
		described("notices", "Settings that could not be used as given.", object{"kind": "field", "readonly": true, "type": typ("readonly Notice[]")}))
	for _, m := range methods {
		method := described(m.name, m.doc, object{"kind": "method"})
		if name, text, found := strings.Cut(m.parameters, ": "); found {
			name, optional := strings.CutSuffix(name, "?")
			method["parameters"] = []object{{"name": name, "optional": optional, "type": typ(text)}}
		}
		members = append(members, method)
	}
	for _, event := range elementEvents {
		events = append(events, described("ifm-"+event.name, event.doc, object{"type": typ("CustomEvent<" + detail(event.name) + ">")}))
	}
	for _, p := range cssProperties {
		properties = append(properties, described(p.name, p.doc, object{}))
	}
	for _, p := range cssParts {
		parts = append(parts, described(p.name, p.doc, object{}))
	}
	element := described("IfmLab", "iFM Lab in a page: factorization machines learn while you watch.", object{
		"kind": "class", "tagName": "ifm-lab", "customElement": true, "superclass": object{"name": "HTMLElement"},
		"attributes": attributes, "members": members, "events": events, "cssProperties": properties, "cssParts": parts,
	})
	own := object{"name": "IfmLab", "module": "ifm-lab.js"}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(object{"schemaVersion": "2.1.0", "modules": []object{{
		"kind": "javascript-module", "path": "ifm-lab.js", "declarations": []object{element},
		"exports": []object{{"kind": "js", "name": "IfmLab", "declaration": own}, {"kind": "custom-element-definition", "name": "ifm-lab", "declaration": own}},
	}}}); err != nil {
		panic(err) // texts and lists are always JSON
	}
	return b.Bytes()
}
