package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const protocolFolder = "ifmlab/wasm/protocol"

// protocol returns, by their paths, what is made of the declarations in wasm/protocol:
// their types in TypeScript, and the Go code that converts them to and from
// JavaScript's. Reflection would do the latter at 30 kB of each engine, and calls
// through the interfaces, which keep all types of their methods, at 2 kB.
func protocol(root string) (map[string][]byte, error) {
	p := declarationsOf{root: root, packages: map[string]*goPackage{}, types: map[string]*goType{}}
	if err := p.read(); err != nil {
		return nil, err
	}
	files, err := p.converters()
	if err != nil {
		return nil, err
	}
	files["web/src/engine/protocol.gen.ts"] = p.typeScript()
	return files, nil
}

// declarationsOf reads the declarations of Go packages, without compiling them.
type declarationsOf struct {
	root     string
	packages map[string]*goPackage // by import path
	groups   []callGroup
	types    map[string]*goType // by Go's name, with the package's
	named    []*goType          // the same in the order in which they were met
}

// goPackage holds what a package declares, by name.
type goPackage struct {
	path   string
	types  map[string]*declaration
	values map[string][]goValue // the constants of a string type
	order  []string             // of types
}

type declaration struct {
	spec    *ast.TypeSpec
	doc     string
	imports map[string]string // of its file: paths by name
}

// callGroup is an interface whose methods are calls.
type callGroup struct {
	name  string
	calls []goCall
}

type goCall struct {
	name, doc    string
	args, result *goType // result is nil where there is none
}

type goKind int

const (
	goString goKind = iota
	goBool
	goInt
	goFloat
	goBytes
	goFloats
	goInts
	goStruct
	goSlice
	goArray
	goPointer
)

// goType is a type that crosses.
type goType struct {
	kind    goKind
	name    string // in TypeScript; "" for a type without a name
	source  string // in Go
	doc     string
	element *goType
	length  int // of an array
	values  []goValue
	fields  []goField
}

type goValue struct{ text, note string }

type goField struct {
	name      string
	doc, note string // above it and behind it
	typ       *goType
}

// read reads wasm/protocol: its interfaces with all that they name, then its other types.
func (p *declarationsOf) read() error {
	own, err := p.load(protocolFolder)
	if err != nil {
		return err
	}
	var failed []error
	for _, name := range own.order {
		d := own.types[name]
		methods, ok := d.spec.Type.(*ast.InterfaceType)
		if !ok {
			continue
		}
		group := callGroup{name: name}
		for _, m := range methods.Methods.List {
			f := m.Type.(*ast.FuncType)
			call := goCall{name: lowerFirst(m.Names[0].Name), doc: docOf(m.Doc.Text())}
			call.args, err = p.resolve(own, d, f.Params.List[0].Type)
			failed = append(failed, err)
			if results := f.Results.List; len(results) == 2 {
				call.result, err = p.resolve(own, d, results[0].Type)
				failed = append(failed, err)
			}
			group.calls = append(group.calls, call)
		}
		p.groups = append(p.groups, group)
	}
	for _, name := range own.order {
		if d := own.types[name]; d.isCrossing() {
			_, err := p.resolve(own, d, ast.NewIdent(name))
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func (d *declaration) isCrossing() bool {
	_, calls := d.spec.Type.(*ast.InterfaceType)
	return !calls && d.spec.Name.IsExported()
}

// load parses a package of this module.
func (p *declarationsOf) load(importPath string) (*goPackage, error) {
	if known := p.packages[importPath]; known != nil {
		return known, nil
	}
	names, err := filepath.Glob(filepath.Join(p.root, filepath.FromSlash(strings.TrimPrefix(importPath, "ifmlab/")), "*.go"))
	if err != nil {
		return nil, err
	}
	pkg := &goPackage{path: importPath, types: map[string]*declaration{}, values: map[string][]goValue{}}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		pkg.add(file)
	}
	p.packages[importPath] = pkg
	return pkg, nil
}

// add adds what a file declares.
func (pkg *goPackage) add(file *ast.File) {
	imports := map[string]string{}
	for _, i := range file.Imports {
		at, _ := strconv.Unquote(i.Path.Value)
		imports[path.Base(at)] = at
	}
	for _, d := range file.Decls {
		general, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range general.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				pkg.types[s.Name.Name] = &declaration{spec: s, doc: docOf(cmp.Or(s.Doc.Text(), general.Doc.Text())), imports: imports}
				pkg.order = append(pkg.order, s.Name.Name)
			case *ast.ValueSpec:
				of, isNamed := s.Type.(*ast.Ident)
				for _, value := range s.Values {
					if text, ok := value.(*ast.BasicLit); ok && isNamed && general.Tok == token.CONST && text.Kind == token.STRING {
						written, _ := strconv.Unquote(text.Value)
						pkg.values[of.Name] = append(pkg.values[of.Name], goValue{written, docOf(s.Comment.Text())})
					}
				}
			}
		}
	}
}

// resolve returns what an expression in a declaration stands for.
func (p *declarationsOf) resolve(pkg *goPackage, in *declaration, e ast.Expr) (*goType, error) {
	switch e := e.(type) {
	case *ast.Ident:
		if basic, ok := basicTypes[e.Name]; ok {
			return &goType{kind: basic, source: e.Name}, nil
		}
		return p.resolveNamed(pkg, e.Name)
	case *ast.SelectorExpr:
		other, err := p.load(in.imports[e.X.(*ast.Ident).Name])
		if err != nil {
			return nil, err
		}
		return p.resolveNamed(other, e.Sel.Name)
	case *ast.StarExpr:
		element, err := p.resolve(pkg, in, e.X)
		return &goType{kind: goPointer, element: element}, err
	case *ast.ArrayType:
		element, err := p.resolve(pkg, in, e.Elt)
		if err != nil {
			return nil, err
		}
		if e.Len != nil {
			length, err := strconv.Atoi(e.Len.(*ast.BasicLit).Value)
			return &goType{kind: goArray, element: element, length: length}, err
		}
		kinds := map[string]goKind{"byte": goBytes, "float64": goFloats, "int": goInts, "int32": goInts}
		kind, ok := kinds[element.source]
		if !ok {
			kind = goSlice
		}
		return &goType{kind: kind, element: element}, nil
	}
	return nil, fmt.Errorf("%s: %s holds a type that does not cross; see web/build/protocol.go", pkg.path, in.spec.Name.Name)
}

var basicTypes = map[string]goKind{"string": goString, "bool": goBool, "int": goInt, "int32": goInt, "int64": goInt, "byte": goInt, "float64": goFloat}

// resolveNamed returns a type that a package declares. An alias in wasm/protocol gives
// its name, and its doc, to a type of another package.
func (p *declarationsOf) resolveNamed(pkg *goPackage, name string) (*goType, error) {
	d := pkg.types[name]
	if d == nil {
		return nil, fmt.Errorf("%s: there is no type %s", pkg.path, name)
	}
	source := path.Base(pkg.path) + "." + name
	if known := p.types[source]; known != nil {
		return known, nil
	}
	t := &goType{}
	if d.spec.Assign.IsValid() {
		of, err := p.resolve(pkg, d, d.spec.Type)
		if err != nil {
			return nil, err
		}
		if of.kind != goStruct {
			*t = *of
			t.name, t.source, t.doc = name, source, d.doc
			p.types[source] = t
			p.named = append(p.named, t)
			return t, nil
		}
		of.name, of.doc = name, cmp.Or(d.doc, of.doc)
		p.types[source] = of
		return of, nil
	}
	p.types[source] = t
	switch of := d.spec.Type.(type) {
	case *ast.StructType:
		*t = goType{kind: goStruct, name: name, source: source, doc: d.doc}
		p.named = append(p.named, t)
		return t, p.addFields(t, pkg, d, of)
	case *ast.Ident:
		if of.Name == "string" {
			*t = goType{kind: goString, name: name, source: source, doc: d.doc, values: pkg.values[name]}
			p.named = append(p.named, t)
			return t, nil
		}
	}
	under, err := p.resolve(pkg, d, d.spec.Type)
	if err == nil {
		*t = *under
		t.source = source
	}
	return t, err
}

// addFields adds the exported fields of a struct, those of embedded ones among them.
func (p *declarationsOf) addFields(t *goType, pkg *goPackage, d *declaration, s *ast.StructType) error {
	for _, f := range s.Fields.List {
		if f.Names == nil {
			if err := p.addEmbedded(t, pkg, d, f.Type); err != nil {
				return err
			}
		}
		for _, name := range f.Names {
			if !name.IsExported() {
				continue
			}
			typ, err := p.resolve(pkg, d, f.Type)
			if err != nil {
				return err
			}
			t.fields = append(t.fields, goField{name.Name, docOf(f.Doc.Text()), docOf(f.Comment.Text()), typ})
		}
	}
	return nil
}

// addEmbedded adds the fields of an embedded struct.
func (p *declarationsOf) addEmbedded(t *goType, pkg *goPackage, d *declaration, e ast.Expr) error {
	name, ok := e.(*ast.Ident)
	if selected, other := e.(*ast.SelectorExpr); other {
		var err error
		if pkg, err = p.load(d.imports[selected.X.(*ast.Ident).Name]); err != nil {
			return err
		}
		name, ok = selected.Sel, true
	}
	if ok {
		if d = pkg.types[name.Name]; d != nil {
			if s, isStruct := d.spec.Type.(*ast.StructType); isStruct {
				return p.addFields(t, pkg, d, s)
			}
		}
	}
	return fmt.Errorf("%s embeds what is no struct; see web/build/protocol.go", t.source)
}

var link = regexp.MustCompile(`\[([*\w.]+)\]`)

// docOf returns a comment without the brackets of its links: a paragraph in one line.
func docOf(text string) string {
	var lines []string
	for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if !strings.HasPrefix(paragraph, "\t") {
			paragraph = strings.ReplaceAll(paragraph, "\n", " ")
		}
		lines = append(lines, paragraph)
	}
	return link.ReplaceAllString(strings.Join(lines, "\n\n"), "$1")
}

// lowerFirst returns the name of a field or a call in JavaScript: logP for LogP, roc for
// ROC.
func lowerFirst(name string) string {
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	letters := []rune(name)
	letters[0] = unicode.ToLower(letters[0])
	return string(letters)
}

// typeScript returns the types in TypeScript.
func (p *declarationsOf) typeScript() []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated by web/build from wasm/protocol, whose doc says how the values cross. DO NOT EDIT.\n\n/** The calls, by their names. */\nexport interface Calls {\n")
	for _, g := range p.groups {
		for _, c := range g.calls {
			result := "null"
			if c.result != nil {
				result = c.result.inTypeScript()
			}
			writeDoc(&b, "  ", c.doc)
			fmt.Fprintf(&b, "  readonly %s: { readonly args: %s; readonly result: %s };\n", c.name, c.args.inTypeScript(), result)
		}
	}
	b.WriteString("}\n")
	for _, t := range p.named {
		b.WriteString("\n")
		writeDoc(&b, "", t.doc)
		switch t.kind {
		case goStruct:
		case goString:
			writeUnion(&b, t.name, t.values)
			continue
		default:
			unnamed := *t
			unnamed.name = ""
			fmt.Fprintf(&b, "export type %s = %s;\n", t.name, unnamed.inTypeScript())
			continue
		}
		fmt.Fprintf(&b, "export interface %s {\n", t.name)
		for _, f := range t.fields {
			writeDoc(&b, "  ", f.doc)
			fmt.Fprintf(&b, "  readonly %s: %s;%s\n", lowerFirst(f.name), f.typ.inTypeScript(), noteOf(f.note))
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}

func writeDoc(b *bytes.Buffer, indent, doc string) {
	switch {
	case strings.Contains(doc, "\n"):
		fmt.Fprintf(b, "%s/**\n%[1]s * %s\n%[1]s */\n", indent, strings.ReplaceAll(strings.ReplaceAll(doc, "\n", "\n"+indent+" * "), " * \n", " *\n"))
	case doc != "":
		fmt.Fprintf(b, "%s/** %s */\n", indent, doc)
	}
}

// inTypeScript returns a type as TypeScript names it.
func (t *goType) inTypeScript() string {
	if t.name != "" {
		return t.name
	}
	switch t.kind {
	case goString:
		return "string"
	case goBool:
		return "boolean"
	case goBytes:
		return "Uint8Array"
	case goFloats:
		return "Float64Array"
	case goInts:
		return "Int32Array"
	case goPointer:
		return t.element.inTypeScript() + " | null"
	case goArray:
		elements := slices.Repeat([]string{t.element.inTypeScript()}, t.length)
		return "readonly [" + strings.Join(elements, ", ") + "]"
	case goSlice:
		if element := t.element.inTypeScript(); strings.Contains(element, " ") {
			return "readonly (" + element + ")[]"
		} else {
			return "readonly " + element + "[]"
		}
	}
	return "number"
}

// writeUnion writes a union of values, with a line for each if one has a note.
func writeUnion(b *bytes.Buffer, name string, values []goValue) {
	var texts []string
	for _, v := range values {
		texts = append(texts, v.text)
	}
	if !slices.ContainsFunc(values, func(v goValue) bool { return v.note != "" }) {
		fmt.Fprintf(b, "export type %s = %s;\n", name, union(texts))
		return
	}
	fmt.Fprintf(b, "export type %s =\n", name)
	for i, v := range values {
		end := map[bool]string{true: ";"}[i == len(values)-1]
		fmt.Fprintf(b, "  | %s%s%s\n", quote(v.text), end, noteOf(v.note))
	}
}

// noteOf returns what to write behind a line.
func noteOf(note string) string {
	if note == "" {
		return ""
	}
	return " // " + note
}

// converters returns the Go files that convert the types: one for the calls of each
// interface, built where the type is that has its methods, and one for the types.
func (p *declarationsOf) converters() (map[string][]byte, error) {
	files := map[string][]byte{}
	w := &converters{read: map[*goType]bool{}, written: map[*goType]bool{}, names: map[string]bool{}}
	for _, g := range p.groups {
		implementer := strings.ToLower(g.name)
		constraint, err := p.constraint(implementer)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, "var _ protocol.%s = (*%s)(nil)\n\nfunc (x *%[2]s) answers() calls {\n\treturn calls{\n", g.name, implementer)
		for _, c := range g.calls {
			fmt.Fprintf(&b, "\t\t%q: func(args js.Value, c *crossing) error {\n", c.name)
			method := strings.ToUpper(c.name[:1]) + c.name[1:]
			if c.result == nil {
				fmt.Fprintf(&b, "\t\t\tc.null()\n\t\t\treturn x.%s(%s(args))\n", method, w.reader(c.args))
			} else {
				fmt.Fprintf(&b, "\t\t\tresult, err := x.%s(%s(args))\n\t\t\tif err == nil {\n\t\t\t\t%s\n\t\t\t}\n\t\t\treturn err\n", method, w.reader(c.args), w.write(c.result, "result"))
			}
			b.WriteString("\t\t},\n")
		}
		b.WriteString("\t}\n}\n")
		if err := addGo(files, "wasm/"+implementer+".gen.go", constraint, []string{protocolFolder, "syscall/js"}, b.Bytes()); err != nil {
			return nil, err
		}
	}
	for _, t := range p.named {
		if t.kind == goStruct && !w.read[t] {
			w.writer(t) // the results of reading files, and errors
		}
	}
	imports := []string{"syscall/js"}
	for _, pkg := range p.packages {
		if w.names[path.Base(pkg.path)] {
			imports = append(imports, pkg.path)
		}
	}
	return files, addGo(files, "wasm/protocol.gen.go", "//go:build js && wasm", imports, append(w.readers.Bytes(), w.writers.Bytes()...))
}

// constraint returns what the file in wasm is built for that declares a type.
func (p *declarationsOf) constraint(name string) (string, error) {
	files, err := filepath.Glob(filepath.Join(p.root, "wasm", "*.go"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if bytes.Contains(source, []byte("\ntype "+name+" struct")) {
			first, _, _ := strings.Cut(string(source), "\n")
			return first, nil
		}
	}
	return "", fmt.Errorf("wasm has no type %s for the calls of wasm/protocol", name)
}

// addGo adds a file of package main.
func addGo(files map[string][]byte, name, constraint string, imports []string, body []byte) error {
	var b bytes.Buffer
	b.WriteString("// Code generated by web/build from wasm/protocol. DO NOT EDIT.\n\n" + constraint + "\n\npackage main\n\nimport (\n")
	slices.Sort(imports)
	for _, at := range imports {
		fmt.Fprintf(&b, "\t%q\n", at)
	}
	b.WriteString(")\n\n")
	b.Write(body)
	source, err := format.Source(b.Bytes())
	files[name] = source
	return err
}

// converters writes the functions that types need, each once.
type converters struct {
	readers, writers bytes.Buffer
	read, written    map[*goType]bool
	names            map[string]bool // of packages
}

// inGo returns a type as a package of Go names it that imports the type's own.
func (w *converters) inGo(t *goType) string {
	if pkg, _, ok := strings.Cut(t.source, "."); ok {
		w.names[pkg] = true
	}
	switch {
	case t.source != "":
		return t.source
	case t.kind == goPointer:
		return "*" + w.inGo(t.element)
	case t.kind == goArray:
		return fmt.Sprintf("[%d]%s", t.length, w.inGo(t.element))
	}
	return "[]" + w.inGo(t.element)
}

// writer returns the function that writes a struct.
func (w *converters) writer(t *goType) string {
	name := "write" + t.name
	if w.written[t] {
		return name
	}
	w.written[t] = true
	var body bytes.Buffer
	for _, f := range t.fields {
		fmt.Fprintf(&body, "\tc.field(%q)\n\t%s\n", lowerFirst(f.name), w.write(f.typ, "x."+f.name))
	}
	fmt.Fprintf(&w.writers, "\nfunc %s(c *crossing, x *%s) {\n\tc.open()\n%s\tc.close()\n}\n", name, w.inGo(t), body.String())
	return name
}

// write returns the statement that writes a value.
func (w *converters) write(t *goType, value string) string {
	switch t.kind {
	case goString:
		if t.source != "string" {
			value = "string(" + value + ")"
		}
		return "c.quote(" + value + ")"
	case goInt:
		return "c.integer(int64(" + value + "))"
	case goStruct:
		return w.writer(t) + "(c, &" + value + ")"
	case goSlice, goArray:
		index := string(rune('i' + strings.Count(value, "["))) // of lists in lists
		return fmt.Sprintf("c.list(len(%s), func(%s int) { %s })", value, index, w.write(t.element, value+"["+index+"]"))
	case goPointer:
		write := w.write(t.element, "(*"+value+")")
		return fmt.Sprintf("if %s == nil {\n\t\tc.null()\n\t} else {\n\t\t%s\n\t}", value, strings.Replace(write, "&(*"+value+")", value, 1))
	case goInts:
		return map[string]string{"int": "c.ints", "int32": "c.ints32"}[t.element.source] + "(" + value + ")"
	}
	return map[goKind]string{goBool: "c.boolean", goFloat: "c.number", goBytes: "c.bytes", goFloats: "c.floats"}[t.kind] + "(" + value + ")"
}

// reader returns the function that reads a struct.
func (w *converters) reader(t *goType) string {
	name := "read" + t.name
	if w.read[t] {
		return name
	}
	w.read[t] = true
	var body bytes.Buffer
	for _, f := range t.fields {
		fmt.Fprintf(&body, "\t%s\n", w.readInto("x."+f.name, f.typ, fmt.Sprintf("v.Get(%q)", lowerFirst(f.name))))
	}
	fmt.Fprintf(&w.readers, "\nfunc %s(v js.Value) (x %s) {\n%s\treturn x\n}\n", name, w.inGo(t), body.String())
	return name
}

// readInto returns the statements that set a variable to what a value says.
func (w *converters) readInto(to string, t *goType, value string) string {
	switch t.kind {
	case goStruct:
		return to + " = " + w.reader(t) + "(" + value + ")"
	case goPointer:
		return fmt.Sprintf("if v := %s; isObject(v) {\n\t\tvar found %s\n\t\t%s\n\t\t%s = &found\n\t}", value, w.inGo(t.element), w.readInto("found", t.element, "v"), to)
	case goSlice:
		element := "element"
		if to == element {
			element = "inner"
		}
		return fmt.Sprintf("each(%s, func(v js.Value) {\n\t\tvar %s %s\n\t\t%s\n\t\t%s = append(%[5]s, %[2]s)\n\t})", value, element, w.inGo(t.element), w.readInto(element, t.element, "v"), to)
	}
	read := map[goKind]string{goString: "readText", goBool: "readBool", goInt: "readInt", goFloat: "readNumber", goBytes: "readBytes", goFloats: "readNumbers"}[t.kind] + "(" + value + ")"
	if t.kind == goString && t.source != "string" {
		read = w.inGo(t) + "(" + read + ")"
	}
	return to + " = " + read
}
