// Package pages reads the Go code of the pages for users, README.md and docs/guide, so that its
// tests can compile and run all of it.
//
// A block of code that begins with "package main" is a program. Every other block marked as go is a
// fragment: declarations, or statements of a function. Fragments may use a few names that are
// declared elsewhere in a game, such as world and physics. The block of text that follows a program
// or a fragment is what it prints.
package pages

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Snippet is a block of Go code in a page.
type Snippet struct {
	File    string // of the page: its path
	Line    int    // of the first line of code
	Code    string
	Program bool   // it begins with "package main"
	Output  string // the block of text behind it, or nothing
}

// String returns the snippet's place, such as "README.md:49".
func (s Snippet) String() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// Snippets returns the blocks of Go code in a page.
func Snippets(file, text string) []Snippet {
	var all []Snippet
	var lines []string
	language, start, last := "", 0, 0
	for i, line := range strings.Split(text, "\n") {
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && language == "":
			language, start, lines = strings.TrimSpace(fence)+" ", i+2, nil
		case isFence:
			code := strings.Join(lines, "\n") + "\n"
			switch language {
			case "go ":
				all = append(all, Snippet{
					File: file, Line: start, Code: code, Program: strings.HasPrefix(code, "package main\n"),
				})
				last = i
			case "text ":
				// Only a sentence may stand between the two.
				if n := len(all); n > 0 && last > 0 && start-last < 8 && all[n-1].Output == "" {
					all[n-1].Output = code
				}
			}
			language = ""
		case language != "":
			lines = append(lines, line)
		case strings.HasPrefix(line, "#"):
			last = 0 // a heading ends what belongs to the code above it
		}
	}
	return all
}

// CheckFormat returns an error if the code isn't formatted as gofmt does it.
func (s Snippet) CheckFormat() error {
	want, err := format.Source([]byte(s.Code))
	if err != nil {
		return fmt.Errorf("%s: %w", s, err)
	}
	if strings.TrimSpace(string(want)) != strings.TrimSpace(s.Code) {
		return fmt.Errorf("%s: gofmt would write\n%s", s, want)
	}
	return nil
}

// Source returns the snippet as a Go file of a package with an exported function Main. imports are
// the packages that fragments may use, by name, and context declares the names that they may use:
// the parameters of a function.
func (s Snippet) Source(pkg string, imports map[string]string, context string) (string, error) {
	if s.Program {
		code := strings.Replace(s.Code, "package main\n", "package "+pkg+"\n", 1)
		if !strings.Contains(code, "\nfunc main() {") {
			return "", fmt.Errorf("%s: a program without a function main", s)
		}
		return strings.Replace(code, "\nfunc main() {", "\nfunc Main() {", 1), nil
	}
	body, declarations, uses := s.Code, "", s.Code+context
	files := token.NewFileSet()
	if _, err := parser.ParseFile(files, "", "package p\n"+s.Code, 0); err == nil {
		body, declarations = "", s.Code
	} else if declared, err := declaredNames(s.Code); err != nil {
		return "", fmt.Errorf("%s: %w", s, err)
	} else {
		for _, name := range declared { // so that no variable is unused
			body += "_ = " + name + "\n"
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", pkg)
	for _, name := range sortedKeys(imports) {
		if strings.Contains(uses, name+".") {
			fmt.Fprintf(&b, "\t%s %q\n", name, imports[name])
		}
	}
	fmt.Fprintf(&b, ")\n\n%s\nfunc fragment(%s) {\n{\n%s}\n}\n\nfunc Main() {}\n", declarations, context, body)
	return b.String(), nil
}

// declaredNames returns the variables that the statements declare at their outermost level.
func declaredNames(code string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+code+"\n}", 0)
	if err != nil {
		return nil, err
	}
	var names []string
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
	}
	for _, statement := range file.Decls[0].(*ast.FuncDecl).Body.List {
		switch x := statement.(type) {
		case *ast.AssignStmt:
			if x.Tok == token.DEFINE {
				for _, e := range x.Lhs {
					add(e)
				}
			}
		case *ast.DeclStmt:
			if d, ok := x.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
				for _, spec := range d.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						add(id)
					}
				}
			}
		}
	}
	return names, nil
}

// sortedKeys returns the keys of m in ascending order.
func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
