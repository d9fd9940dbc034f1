package main

import (
	"bytes"
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
	typ, given           string // what it is and what it may be given, in TypeScript
}

// ownProperties are those that are no settings of the lab.
var ownProperties = []property{
	{name: "src", kind: "text", typ: "string", given: "string", doc: "Address of the lab, or a link of it, whose settings the attributes overrule. Without it, IfmLab.home counts."},
	{name: "label", kind: "text", typ: "string", given: "string", doc: "What the frame is called for who cannot see it."},
	{name: "height", kind: "number", typ: "number", given: "number | `${number}`", doc: "Pixels that are reserved until the frame has told how high it is; of a whole lab, its height."},
	{name: "loading", kind: "text", typ: `"lazy" | "eager"`, given: `"lazy" | "eager"`, def: "lazy", doc: "Whether the frame is loaded when a reader comes near, or at once."},
}

// told are the names and docs of the element's events, by what messages.ts calls
// them; each is ifm-NAME.
var told = []struct{ name, doc string }{
	{"ready", "The lab is up. Its notices are of the settings that it has opened with."},
	{"notices", "Settings that were not used as they stood, each with a sentence that says why."},
	{"record", "New iterations, at most ten times a second; all records of a run come before the first of the next."},
	{"state", "What the run does, how far it is, and by which measure its errors are told."},
	{"verdict", "What a run that is over has shown, as a sentence and its numbers; of a table once more when boosted trees have joined."},
	{"height", "How high the frame is, px; the element has followed."},
	{"error", "Something is wrong; the element or the lab in it shows the same sentence."},
}

var methods = []struct{ name, parameters, doc string }{
	{"play", "", "Starts the run, or goes on with it."},
	{"pause", "", "Pauses the run."},
	{"step", "", "Makes one iteration more, and pauses."},
	{"restart", "seed?: number", "Begins the run anew, under another seed if one is given."},
	{"set", "settings: Attributes & Readonly<Record<string, unknown>>", "Sets several attributes at once; null takes one away."},
}

var cssProperties = []struct{ name, doc string }{
	{"--ifm-lab-border", "Border of the frame; 0 unless it is set."},
	{"--ifm-lab-radius", "Radius of its corners; 0 unless it is set."},
}

var cssParts = []struct{ name, doc string }{
	{"frame", "The frame with the lab."},
	{"message", "The sentence that stands there instead, when the lab cannot be shown."},
}

// elementProperties returns all of them.
func elementProperties() []property {
	all := slices.Clone(ownProperties)
	for _, f := range slices.Concat(fieldsOf(spec.Fields), fieldsOf(spec.ViewFields())) {
		p := property{name: f.Key, def: f.Default, typ: typeScript(f), doc: sentence(f.Doc)}
		switch f.Kind {
		case spec.Int, spec.Float:
			p.kind, p.given = "number", "number | `${number}`"
			p.doc += fmt.Sprintf(" From %s to %s.", number(f.Min), number(f.Max))
		case spec.Set, spec.Names:
			p.kind, p.given = "texts", p.typ+" | string"
		case spec.Ints, spec.Floats:
			p.kind, p.given = "numbers", p.typ+" | string"
		default:
			p.kind, p.given = "text", p.typ
		}
		all = append(all, p)
	}
	return all
}

func sentence(doc string) string {
	first, size := utf8.DecodeRuneInString(doc)
	return string(unicode.ToUpper(first)) + doc[size:] + "."
}

// propertyTypes returns what the element's script knows of its properties.
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
	b.WriteString("export interface Properties {\n")
	writeAccessors(&b, properties)
	b.WriteString("}\n")
	return b.Bytes()
}

func writeAccessors(b *bytes.Buffer, properties []property) {
	for _, p := range properties {
		fmt.Fprintf(b, "  /** %s */\n  get %s(): %s;\n  set %s(value: %s);\n", p.about(), p.name, orNothing(p.typ), p.name, orNothing(p.given)+" | undefined")
	}
}

// about is the property's doc with its default.
func (p property) about() string {
	if p.def == "" {
		return p.doc
	}
	return p.doc + " Default: " + p.def + "."
}

func orNothing(typ string) string { return typ + " | null" }

// packageFiles returns the folder of the element's package for npm. Its script is
// that of the page without a lab beside it; its types and its manifest are made
// of the same settings, and of what web/src/embed says that a frame tells.
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
		"ifm-lab.d.ts":         types,
		"ifm-lab.js":           outputs[0].content, // one, since it imports nothing later
		"package.json":         fmt.Appendf(nil, packageJSON, quote(version)),
		"react.d.ts":           []byte(generated + reactTypes),
		"svelte.d.ts":          []byte(generated + svelteTypes),
		"vue.d.ts":             []byte(generated + vueTypes),
	}
	if files["README.md"], err = fill("src/element/README.md", readme, map[string]string{"settings": settingsTable(), "events": eventsTable()}); err != nil {
		return nil, err
	}
	if files["LICENSE"], err = os.ReadFile(filepath.Join(root, "LICENSE")); err != nil {
		return nil, err
	}
	return files, nil
}

// elementPackage is the name under which a site hands out the element's package, for
// npm install https://HOST/ifm-lab.tgz.
const elementPackage = "ifm-lab.tgz"

// packedPackage packs the files as npm pack does.
func packedPackage(files map[string][]byte) ([]byte, error) {
	var members []member
	for _, name := range slices.Sorted(maps.Keys(files)) {
		members = append(members, member{name: "package/" + name, content: files[name]})
	}
	return tarball(members)
}

// placePackage makes dir hold exactly these files.
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

// declarations returns ifm-lab.d.ts. What events carry is taken from where the page
// declares it, since none of that is said twice.
func declarations(src string) ([]byte, error) {
	read := func(name string) string {
		source, err := os.ReadFile(filepath.Join(src, filepath.FromSlash(name)))
		if err != nil {
			return ""
		}
		return string(source)
	}
	messages := read("embed/messages.ts")
	var b bytes.Buffer
	b.WriteString(generated)
	var missing []error
	for _, from := range []struct{ file, name string }{
		{"state/spec.ts", "Notice"}, {"engine/protocol.gen.ts", "Measure"}, {"training/training.ts", "Phase"}, {"text/phrase.ts", "Whose"}, {"embed/messages.ts", "Iteration"},
	} {
		text := declared(read(from.file), from.name)
		if text == "" {
			missing = append(missing, fmt.Errorf("web/src/%s exports no type %s, which events of <ifm-lab> carry; say in web/build/element.go where it is now", from.file, from.name))
		}
		b.WriteString(text + "\n")
	}
	models := spec.Fields[slices.IndexFunc(spec.Fields, func(f spec.Of[spec.Spec]) bool { return f.Key == "models" })]
	b.WriteString("export type Model = " + union(models.Options) + ";\n\n")
	for _, event := range told {
		line := regexp.MustCompile(`(?m)^  \| \{ readonly type: "` + event.name + `"; (.*) \};?$`).FindStringSubmatch(messages)
		if line == nil {
			missing = append(missing, fmt.Errorf("web/src/embed/messages.ts has no line of FromFrame for %q, which ifm-%[1]s carries", event.name))
			continue
		}
		fmt.Fprintf(&b, "/** %s */\nexport interface %s {\n", event.doc, detail(event.name))
		for _, field := range splitFields(line[1]) {
			b.WriteString("  " + field + ";\n")
		}
		b.WriteString("}\n\n")
	}
	if err := errors.Join(missing...); err != nil {
		return nil, err
	}
	b.WriteString("/** The element's events; all of them bubble. */\nexport interface IfmLabEventMap {\n")
	for _, event := range told {
		fmt.Fprintf(&b, "  /** %s */\n  \"ifm-%s\": CustomEvent<%s>;\n", event.doc, event.name, detail(event.name))
	}
	var chapters []string
	for _, c := range spec.Chapters {
		chapters = append(chapters, c.Name)
	}
	properties := elementProperties()
	b.WriteString("}\n\nexport type Chapter = " + union(chapters) + ";\n\n/** What can be set of an element; null or undefined takes it away. A list may be a text, with commas. */\nexport interface Attributes {\n")
	for _, p := range properties {
		fmt.Fprintf(&b, "  /** %s */\n  %s?: %s | undefined;\n", p.about(), p.name, orNothing(p.given))
	}
	b.WriteString("  /** A chapter's own setting: \"psd.d\". */\n  [own: `${Chapter}.${string}`]: unknown;\n}\n\n")
	b.WriteString("/** <ifm-lab>: the lab in a page. Every property reflects the attribute of its name, and is null where there is none. */\nexport class IfmLab extends HTMLElement {\n" +
		"  /** Where the lab is of an element that has no src; \"\" until you say so. */\n  static home: string;\n")
	writeAccessors(&b, properties)
	b.WriteString("  /** All records of the run that is shown, or was last. */\n  get records(): readonly Iteration[];\n" +
		"  /** What was not used of the settings as it stood. */\n  get notices(): readonly Notice[];\n")
	for _, m := range methods {
		fmt.Fprintf(&b, "  /** %s */\n  %s(%s): void;\n", m.doc, m.name, m.parameters)
	}
	for _, call := range []string{"addEventListener", "removeEventListener"} {
		options := "AddEventListenerOptions"
		if call == "removeEventListener" {
			options = "EventListenerOptions"
		}
		for _, events := range []string{"IfmLabEventMap", "HTMLElementEventMap"} {
			fmt.Fprintf(&b, "  %s<Name extends keyof %s>(type: Name, listener: (this: IfmLab, event: %[2]s[Name]) => unknown, options?: boolean | %s): void;\n", call, events, options)
		}
		fmt.Fprintf(&b, "  %s(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | %s): void;\n", call, options)
	}
	b.WriteString("}\n\ndeclare global {\n  interface HTMLElementTagNameMap {\n    \"ifm-lab\": IfmLab;\n  }\n}\n")
	return b.Bytes(), nil
}

// declared returns an exported interface or a type of one line, with its doc; what
// is said at the end of a field's line becomes the field's doc.
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
	for _, event := range told {
		fmt.Fprintf(&b, "| `ifm-%s` | `%s` | %s |\n", event.name, detail(event.name), event.doc)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// manifest returns custom-elements.json, which editors read.
func manifest() []byte {
	type typ struct {
		Text string `json:"text"`
	}
	type parameter struct {
		Name     string `json:"name"`
		Optional bool   `json:"optional,omitempty"`
		Type     typ    `json:"type"`
	}
	type entry struct {
		Kind        string      `json:"kind,omitempty"`
		Name        string      `json:"name"`
		Type        *typ        `json:"type,omitempty"`
		Static      bool        `json:"static,omitempty"`
		Readonly    bool        `json:"readonly,omitempty"`
		Default     string      `json:"default,omitempty"`
		Description string      `json:"description"`
		Attribute   string      `json:"attribute,omitempty"`
		Reflects    bool        `json:"reflects,omitempty"`
		FieldName   string      `json:"fieldName,omitempty"`
		Parameters  []parameter `json:"parameters,omitempty"`
	}
	type reference struct {
		Name   string `json:"name"`
		Module string `json:"module,omitempty"`
	}
	type export struct {
		Kind        string    `json:"kind"`
		Name        string    `json:"name"`
		Declaration reference `json:"declaration"`
	}
	type declaration struct {
		Kind          string    `json:"kind"`
		Name          string    `json:"name"`
		TagName       string    `json:"tagName"`
		CustomElement bool      `json:"customElement"`
		Superclass    reference `json:"superclass"`
		Description   string    `json:"description"`
		Attributes    []entry   `json:"attributes"`
		Members       []entry   `json:"members"`
		Events        []entry   `json:"events"`
		CSSProperties []entry   `json:"cssProperties"`
		CSSParts      []entry   `json:"cssParts"`
	}
	type module struct {
		Kind         string        `json:"kind"`
		Path         string        `json:"path"`
		Declarations []declaration `json:"declarations"`
		Exports      []export      `json:"exports"`
	}
	element := declaration{Kind: "class", Name: "IfmLab", TagName: "ifm-lab", CustomElement: true, Superclass: reference{Name: "HTMLElement"}, Description: "iFM Lab in a page: factorization machines learn while you watch."}
	for _, p := range elementProperties() {
		element.Attributes = append(element.Attributes, entry{Name: p.name, Type: &typ{p.given}, Default: p.def, Description: p.doc, FieldName: p.name})
		element.Members = append(element.Members, entry{Kind: "field", Name: p.name, Type: &typ{orNothing(p.typ)}, Default: p.def, Description: p.doc, Attribute: p.name, Reflects: true})
	}
	element.Members = append(element.Members,
		entry{Kind: "field", Name: "home", Static: true, Type: &typ{"string"}, Description: "Where the lab is of an element that has no src."},
		entry{Kind: "field", Name: "records", Readonly: true, Type: &typ{"readonly Iteration[]"}, Description: "All records of the run that is shown, or was last."},
		entry{Kind: "field", Name: "notices", Readonly: true, Type: &typ{"readonly Notice[]"}, Description: "What was not used of the settings as it stood."})
	for _, m := range methods {
		e := entry{Kind: "method", Name: m.name, Description: m.doc}
		if name, text, found := strings.Cut(m.parameters, ": "); found {
			e.Parameters = []parameter{{Name: strings.TrimSuffix(name, "?"), Optional: strings.HasSuffix(name, "?"), Type: typ{text}}}
		}
		element.Members = append(element.Members, e)
	}
	for _, event := range told {
		element.Events = append(element.Events, entry{Name: "ifm-" + event.name, Type: &typ{"CustomEvent<" + detail(event.name) + ">"}, Description: event.doc})
	}
	for _, p := range cssProperties {
		element.CSSProperties = append(element.CSSProperties, entry{Name: p.name, Description: p.doc})
	}
	for _, p := range cssParts {
		element.CSSParts = append(element.CSSParts, entry{Name: p.name, Description: p.doc})
	}
	own := reference{Name: "IfmLab", Module: "ifm-lab.js"}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(struct {
		SchemaVersion string   `json:"schemaVersion"`
		Modules       []module `json:"modules"`
	}{"2.1.0", []module{{
		Kind: "javascript-module", Path: "ifm-lab.js", Declarations: []declaration{element},
		Exports: []export{{"js", "IfmLab", own}, {"custom-element-definition", "ifm-lab", own}},
	}}}); err != nil {
		panic(err) // texts and lists are always JSON
	}
	return b.Bytes()
}

const packageJSON = `{
  "name": "ifm-lab",
  "version": %s,
  "description": "<ifm-lab>: factorization machines that learn while a reader watches, in any page.",
  "keywords": ["custom-element", "web-component", "factorization-machines", "teaching"],
  "license": "Apache-2.0",
  "author": "The iFM Lab Authors",
  "type": "module",
  "main": "./ifm-lab.js",
  "types": "./ifm-lab.d.ts",
  "exports": {
    ".": { "types": "./ifm-lab.d.ts", "default": "./ifm-lab.js" },
    "./react": { "types": "./react.d.ts", "default": "./ifm-lab.js" },
    "./svelte": { "types": "./svelte.d.ts", "default": "./ifm-lab.js" },
    "./vue": { "types": "./vue.d.ts", "default": "./ifm-lab.js" },
    "./custom-elements.json": "./custom-elements.json",
    "./package.json": "./package.json"
  },
  "customElements": "custom-elements.json",
  "sideEffects": ["./ifm-lab.js"],
  "files": ["*.js", "*.d.ts", "custom-elements.json"]
}
`

// listeners is what React and Svelte have alike: on, then an event's name.
const listeners = "/** What hears the element's events. */\nexport type Listeners = { [Name in keyof IfmLabEventMap as `on${Name}`]?: ((event: IfmLabEventMap[Name]) => void) | undefined };\n\n"

const reactTypes = `import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { Attributes, IfmLab, IfmLabEventMap } from "./ifm-lab.js";

export * from "./ifm-lab.js";

` + listeners + `/** What the element takes in JSX. */
export type IfmLabProps = Omit<DetailedHTMLProps<HTMLAttributes<IfmLab>, IfmLab>, keyof Attributes> & Attributes & Listeners; // out here, since React has Attributes of its own

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "ifm-lab": IfmLabProps;
    }
  }
}
`

const svelteTypes = `import type { HTMLAttributes } from "svelte/elements";
import type { Attributes, IfmLab, IfmLabEventMap } from "./ifm-lab.js";

export * from "./ifm-lab.js";

` + listeners + `declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "ifm-lab": Omit<HTMLAttributes<IfmLab>, keyof Attributes> & Attributes & Listeners;
  }
}
`

const vueTypes = `import type { EmitFn, HTMLAttributes, PublicProps } from "vue";
import type { Attributes, IfmLab, IfmLabEventMap } from "./ifm-lab.js";

export * from "./ifm-lab.js";

/** The element as a template's types know it. */
export type IfmLabComponent = new () => IfmLab & {
  $props: Omit<HTMLAttributes, keyof Attributes> & Attributes & PublicProps;
  $emit: EmitFn<{ [Name in keyof IfmLabEventMap]: (event: IfmLabEventMap[Name]) => void }>;
};

declare module "vue" {
  interface GlobalComponents {
    "ifm-lab": IfmLabComponent;
  }
}
`
