package pages_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// usersPackages are the packages for users.
var usersPackages = []string{
	"collide", "components", "systems", "debugdraw", "levels", "levels/tiled", "levels/ldtk", "levels/gltf",
}

// Every exported name of the packages for users has a comment. That of a function, method or type
// begins with its name. Constants, variables and fields may share one with their group or the line
// above, and the comment of a type may name its fields.
func TestEveryExportedNameIsDocumented(t *testing.T) {
	names := 0
	for _, dir := range usersPackages {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*.go"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, text, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range exportedNames(f) {
				names++
				if !n.documented {
					t.Errorf("%s: %s has no comment", files.Position(n.at), n.name)
				}
			}
		}
	}
	if names < 500 {
		t.Errorf("found only %d exported names", names)
	}
}

// exportedName is a name that users of a package see.
type exportedName struct {
	name       string
	at         token.Pos
	documented bool
}

// exportedNames returns the exported names that a file declares, with methods and fields of
// exported types.
func exportedNames(f *ast.File) (all []exportedName) {
	add := func(id *ast.Ident, documented bool) {
		if id.IsExported() {
			all = append(all, exportedName{id.Name, id.Pos(), documented})
		}
	}
	begins := func(doc *ast.CommentGroup, name string) bool {
		text := doc.Text()
		for _, article := range []string{"A ", "An ", "The "} {
			text = strings.TrimPrefix(text, article)
		}
		return strings.HasPrefix(text, name)
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || receiverIsExported(d.Recv.List[0].Type) {
				add(d.Name, begins(d.Doc, d.Name.Name))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name, begins(d.Doc, spec.Name.Name) || begins(spec.Doc, spec.Name.Name))
					if s, ok := spec.Type.(*ast.StructType); ok && spec.Name.IsExported() {
						shared := len(s.Fields.List) == 1 // such as struct{ X, Y, Z float64 }
						for _, field := range s.Fields.List {
							shared = shared || field.Doc != nil || field.Comment != nil
							for _, id := range field.Names {
								named := slices.Contains(strings.FieldsFunc(d.Doc.Text(), notLetter), id.Name)
								add(id, shared || named)
							}
						}
					}
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id, d.Doc != nil || spec.Doc != nil || spec.Comment != nil)
					}
				}
			}
		}
	}
	return all
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// receiverIsExported reports whether the type of a receiver is exported.
func receiverIsExported(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverIsExported(e.X)
	case *ast.IndexExpr:
		return receiverIsExported(e.X)
	case *ast.Ident:
		return e.IsExported()
	}
	return false
}
