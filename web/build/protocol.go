package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

const protocolFolder = "ifmlab/wasm/protocol"

// protocol returns the files generated from wasm/protocol, by their paths: its types in
// TypeScript, and the Go code that converts values to and from JavaScript. Reflection
// would add 30 kB to each engine. Calls through the interfaces would add 2 kB, since
// they keep the types of all methods.
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

// goPackage has the declarations of a package, by name.
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
	sources := map[string]string{}
	for _, t := range p.named {
		if other, twice := sources[t.name]; twice {
			failed = append(failed, fmt.Errorf("%s and %s are both called %s on the page; give one of them another name in wasm/protocol", other, t.source, t.name))
		}
		sources[t.name] = t.source
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

// add adds the declarations of a file.
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

// resolve returns the type that an expression in a declaration names.
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

// docOf returns a comment in one line, without the brackets of its links.
func docOf(text string) string {
	return link.ReplaceAllString(strings.Join(strings.Fields(text), " "), "$1")
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
