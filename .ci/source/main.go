// Source reads the Go files of the repository and reports lines that are too long, or private
// terms. The scripts .ci/lines and .ci/terms call it; they have the rules and the directories that
// haven't been cleaned yet.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

func main() {
	except := flag.String("except", "", "`directories` that aren't clean yet: findings there are only counted")
	words := flag.String("words", "", "terms that are wrong in names and comments")
	parts := flag.String("parts", "", "terms that are wrong as a part of a name")
	names := flag.String("names", "", "terms that are wrong as a whole name")
	ordinary := flag.String("ordinary", "", "names that have their ordinary meaning, as directory:name")
	flag.Parse()

	var check func(name string, text []byte) ([]finding, error)
	switch flag.Arg(0) {
	case "lines":
		check = func(name string, text []byte) ([]finding, error) { return longLines(text), nil }
	case "terms":
		t := newTerms(*words, *parts, *names, *ordinary)
		check = t.check
	default:
		fmt.Fprintln(os.Stderr, "source: want lines or terms, and directories")
		os.Exit(2)
	}
	clean, err := report(flag.Args()[1:], strings.Fields(*except), check)
	if err != nil {
		fmt.Fprintln(os.Stderr, "source:", err)
		os.Exit(2)
	}
	if !clean {
		os.Exit(1)
	}
}

// finding is something wrong in a line of a file.
type finding struct {
	line int // from 1
	text string
}

// report checks the files of the given directories and of those below them, and prints what it
// finds. Findings in a directory of except are counted only.
func report(dirs, except []string, check func(string, []byte) ([]finding, error)) (clean bool, err error) {
	clean = true
	counts := map[string]int{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				if base := entry.Name(); base == ".git" || base == "node_modules" || base == "testdata" {
					return filepath.SkipDir
				}
				return nil
			}
			if ext := filepath.Ext(name); ext != ".go" && ext != ".s" {
				return nil
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			found, err := check(name, text)
			if err != nil {
				return err
			}
			if home := filepath.ToSlash(filepath.Dir(name)); slices.Contains(except, home) {
				counts[home] += len(found)
				return nil
			}
			for _, f := range found {
				clean = false
				fmt.Printf("%s:%d: %s\n", filepath.ToSlash(name), f.line, f.text)
			}
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	for _, dir := range except {
		if n, ok := counts[dir]; !ok {
			fmt.Printf("%s: has no Go files, so take it off the list of exceptions\n", dir)
		} else if n == 0 {
			fmt.Printf("%s: clean, so take it off the list of exceptions\n", dir)
		} else {
			fmt.Printf("%s: %d, not cleaned yet\n", dir, n)
		}
	}
	return clean, nil
}

const (
	commentColumns = 100
	codeColumns    = 120
	tabColumns     = 4
)

// longLines returns the lines that have too many columns. A line that begins with // is a comment;
// all others are code. Directives and comments of a single word, which are addresses, can't be
// broken and may be longer.
func longLines(text []byte) []finding {
	var found []finding
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		columns := utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tabColumns-1)
		limit, kind := codeColumns, "code"
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "//"); ok {
			if strings.HasPrefix(rest, "go:") || len(strings.Fields(rest)) <= 1 {
				continue
			}
			limit, kind = commentColumns, "comment"
		}
		if columns > limit {
			found = append(found, finding{n, fmt.Sprintf("%s of %d columns, at most %d", kind, columns, limit)})
		}
	}
	return found
}

// terms are the private terms, each with the term to use instead.
type terms struct {
	words, parts, names map[string]string
	ordinary            []string
}

// newTerms reads lists of term=replacement, where the replacement may be left out.
func newTerms(words, parts, names, ordinary string) *terms {
	read := func(list string) map[string]string {
		m := map[string]string{}
		for _, f := range strings.Fields(list) {
			term, instead, _ := strings.Cut(f, "=")
			m[strings.ToLower(term)] = instead
		}
		return m
	}
	return &terms{read(words), read(parts), read(names), strings.Fields(ordinary)}
}

// check returns the private terms of a Go file: in the names that it declares, and in its comments.
// Names that are used are reported where they are declared.
func (t *terms) check(name string, text []byte) ([]finding, error) {
	if filepath.Ext(name) != ".go" {
		return nil, nil
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []finding
	add := func(pos token.Pos, what, term, instead string) {
		if instead != "" {
			instead = ", say " + instead
		}
		text := fmt.Sprintf("%s: %q is a private term%s", what, term, instead)
		found = append(found, finding{set.Position(pos).Line, text})
	}
	for _, id := range declared(file) {
		if slices.Contains(t.ordinary, filepath.ToSlash(filepath.Dir(name))+":"+id.Name) {
			continue
		}
		if instead, ok := t.names[strings.ToLower(id.Name)]; ok {
			add(id.Pos(), id.Name, strings.ToLower(id.Name), instead)
			continue
		}
		for _, part := range camel(id.Name) {
			instead, ok := t.parts[part]
			if !ok {
				instead, ok = t.words[part]
			}
			if ok {
				add(id.Pos(), id.Name, part, instead)
			}
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			for k, line := range strings.Split(c.Text, "\n") {
				for _, w := range word.FindAllString(line, -1) {
					if instead, ok := t.words[strings.ToLower(w)]; ok {
						add(c.Pos(), "comment", w, instead)
						found[len(found)-1].line += k
					}
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int { return a.line - b.line })
	return found, nil
}

var word = regexp.MustCompile(`\p{L}+`)

// declared returns the names that a file declares: packages, types, functions, fields, constants,
// variables, labels.
func declared(file *ast.File) []*ast.Ident {
	ids := []*ast.Ident{file.Name}
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			ids = append(ids, id)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			ids = append(ids, n.Name)
		case *ast.TypeSpec:
			ids = append(ids, n.Name)
		case *ast.LabeledStmt:
			ids = append(ids, n.Label)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.Field:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					add(e)
				}
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key)
				add(n.Value)
			}
		}
		return true
	})
	return ids
}

// camel returns the parts of a name in lower case: mayHold2D gives may, hold, d.
func camel(name string) []string {
	var parts []string
	runes := []rune(name)
	start := 0
	end := func(i int) {
		if i > start {
			parts = append(parts, strings.ToLower(string(runes[start:i])))
		}
		start = i
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			end(i)
			start = i + 1
		case unicode.IsUpper(r) && i > 0 &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end(i)
		}
	}
	end(len(runes))
	return parts
}
