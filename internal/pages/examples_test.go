package pages_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryFunctionAndMethodHasAnExample checks that each exported function and method of the
// packages for users is called in an Example with checked output. One Example may show several that
// belong together. Packages that draw have Examples that are compiled only.
func TestEveryFunctionAndMethodHasAnExample(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Export"}
	for _, name := range usersPackages {
		args = append(args, "./"+name)
	}
	list := exec.Command("go", args...)
	list.Dir, list.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("%v: %v", list, err)
	}
	exports := map[string]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
	}

	files := token.NewFileSet()
	load := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	for _, name := range usersPackages {
		shown := functionsInExamples(t, files, load, filepath.Join(root, name), name != "debugdraw")
		pkg, err := load.Import(module + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range exportedFunctions(pkg) {
			if !slices.Contains(shown, f) {
				t.Errorf("no Example calls %s", strings.ReplaceAll(f, module+"/", ""))
			}
		}
	}
}

// calledByOthers are the methods that packages fmt and errors call.
var calledByOthers = []string{"String", "Error", "Unwrap"}

// exportedFunctions returns the full names of the exported functions of a package, and of the
// exported methods of its exported types.
func exportedFunctions(pkg *types.Package) (all []string) {
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		switch x := object.(type) {
		case *types.Func:
			all = append(all, x.FullName())
		case *types.TypeName:
			if named, ok := x.Type().(*types.Named); ok && !types.IsInterface(named) {
				for k := range named.NumMethods() {
					if m := named.Method(k); m.Exported() && !slices.Contains(calledByOthers, m.Name()) {
						all = append(all, m.FullName())
					}
				}
			}
		}
	}
	return all
}

// functionsInExamples returns the full names of the functions that the Examples in a directory use.
// With checked, only Examples whose output is checked count.
func functionsInExamples(
	t *testing.T, files *token.FileSet, load types.Importer, dir string, checked bool,
) (all []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var parsed []*ast.File
	for _, path := range paths {
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name.Name, "_test") {
			parsed = append(parsed, f)
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{
		Importer: load,
		Error:    func(error) {}, // what only tests can see is unknown, and not in Examples
	}
	_, _ = config.Check(filepath.Base(dir)+"_test", files, parsed, info)
	for _, f := range parsed {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Example") {
				continue
			}
			hasOutput := slices.ContainsFunc(f.Comments, func(c *ast.CommentGroup) bool {
				return c.Pos() > fn.Body.Pos() && c.End() < fn.Body.End() && strings.HasPrefix(c.Text(), "Output:")
			})
			if checked && !hasOutput {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if f, ok := info.Uses[id].(*types.Func); ok {
						all = append(all, f.FullName())
					}
				}
				return true
			})
		}
	}
	return all
}
