package pages_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dango-physics/dango/internal/pages"
)

const module = "github.com/dango-physics/dango"

// imports are the packages that fragments may use.
var imports = map[string]string{
	"collide":    module + "/collide",
	"components": module + "/components",
	"systems":    module + "/systems",
	"levels":     module + "/levels",
	"tiled":      module + "/levels/tiled",
	"ldtk":       module + "/levels/ldtk",
	"gltf":       module + "/levels/gltf",
	"debugdraw":  module + "/debugdraw",
	"donburi":    "github.com/yohamta/donburi",
	"ecs":        "github.com/yohamta/donburi/ecs",
	"filter":     "github.com/yohamta/donburi/filter",
	"transform":  "github.com/yohamta/donburi/features/transform",
	"dmath":      "github.com/yohamta/donburi/features/math",
	"ebiten":     "github.com/hajimehoshi/ebiten/v2",
	"inpututil":  "github.com/hajimehoshi/ebiten/v2/inpututil",
	"vector":     "github.com/hajimehoshi/ebiten/v2/vector",
	"color":      "image/color",
	"fmt":        "fmt",
	"math":       "math",
	"os":         "os",
	"time":       "time",
}

// context declares what fragments may use without declaring it.
const context = "world donburi.World, game *ecs.ECS, physics *systems.Physics, " +
	"ball, bumper, hero, puck, floor, platform, lift, ladder *donburi.Entry, jump, up bool, seconds float64, " +
	"play func(name string, volume float64), screen *ebiten.Image, level *levels.Level"

// allPages returns the pages whose code is tested, by their paths from the root of the repository.
func allPages(t *testing.T, root string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(root, "docs", "guide", "*.md"))
	if err != nil || len(all) < 10 {
		t.Fatalf("pages of the guide: %d, %v", len(all), err)
	}
	return append(all, filepath.Join(root, "README.md"), filepath.Join(root, "docs", "tuning.md"))
}

// snippets returns the code in all pages.
func snippets(t *testing.T, root string) []pages.Snippet {
	t.Helper()
	var all []pages.Snippet
	for _, path := range allPages(t, root) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pages.Snippets(filepath.ToSlash(name), string(text))...)
	}
	return all
}

// ticks is how many ticks of a program with a window are run.
const ticks = 600

// runner is the function Run of a program with a window: it runs the game without the window, and
// prints what physics reports.
const runner = `package %s

import "fmt"

func Run() {
	g := newGame()
	for range %d {
		if err := g.Update(); err != nil {
			fmt.Println(err)
		}
	}
	for err := range g.physics.Errors() {
		fmt.Println(err)
	}
	for _, f := range g.physics.Check(g.world) {
		fmt.Println(f)
	}
	if s := g.physics.Stats(); s.Bodies == 0 {
		fmt.Println("there are no bodies")
	}
}
`

func TestTheCodeOfAllPagesCompilesAndPrintsWhatTheySay(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	all := snippets(t, root)
	if len(all) < 20 {
		t.Fatalf("found %d snippets", len(all))
	}

	// All snippets become packages of one program, which needs one run of the linker. The files
	// exist for the go command only.
	work := t.TempDir()
	overlay := map[string]string{}
	add := func(path, text string) {
		t.Helper()
		file := filepath.Join(work, fmt.Sprintf("%d.go", len(overlay)))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(root, "internal", "pages", "generated", filepath.FromSlash(path))] = file
	}
	var list, cases strings.Builder
	for i, s := range all {
		if err := s.CheckFormat(); err != nil {
			t.Error(err)
		}
		pkg := fmt.Sprintf("p%d", i)
		source, err := s.Source(pkg, imports, context)
		if err != nil {
			t.Error(err)
			continue
		}
		name := strings.NewReplacer("/", "_", ":", "_").Replace(s.String())
		add(pkg+"/"+name+".go", source)
		run := "Main"
		if hasWindow(s) {
			run = "Run"
			add(pkg+"/run.go", fmt.Sprintf(runner, pkg, ticks))
		}
		fmt.Fprintf(&list, "\t%q\n", module+"/internal/pages/generated/"+pkg)
		fmt.Fprintf(&cases, "\tcase %q:\n\t\t%s.%s()\n", pkg, pkg, run)
	}
	add("main.go", "package main\n\nimport (\n\t\"os\"\n\n"+list.String()+")\n\nfunc main() {\n\tswitch os.Args[1] {\n"+
		cases.String()+"\t}\n}\n")
	replace, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	overlayFile, binary := filepath.Join(work, "overlay.json"), filepath.Join(work, "snippets.exe")
	if err := os.WriteFile(overlayFile, replace, 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", overlayFile, "-o", binary, module+"/internal/pages/generated")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("a page has code that doesn't compile; file names say which and where it begins: %v\n%s", err, out)
	}

	for i, s := range all {
		if !s.Program {
			continue
		}
		t.Run(strings.ReplaceAll(s.String(), "/", "_"), func(t *testing.T) {
			t.Parallel()
			out, err := exec.Command(binary, fmt.Sprintf("p%d", i)).CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", s, err, out)
			}
			want := s.Output
			if hasWindow(s) || s.File == "README.md" {
				want = "" // README.md says what its program does, and package consumer tests it
			}
			if got := string(out); got != want && s.File != "README.md" {
				t.Errorf("%s prints\n%s\nand the page says\n%s", s, got, want)
			}
		})
	}
}

// hasWindow reports whether a snippet is a program that opens a window.
func hasWindow(s pages.Snippet) bool { return s.Program && strings.Contains(s.Code, "ebiten.RunGame") }

func TestEveryPageOfTheGuideHasAProgram(t *testing.T) {
	root := filepath.Join("..", "..")
	has := map[string]bool{}
	for _, s := range snippets(t, root) {
		if s.Program && (hasWindow(s) || s.Output != "") {
			has[s.File] = true
		}
	}
	index, err := os.ReadFile(filepath.Join(root, "docs", "guide", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range allPages(t, root) {
		name := filepath.Base(path)
		if filepath.Base(filepath.Dir(path)) != "guide" || name == "README.md" {
			continue
		}
		if !strings.Contains(string(index), "("+name+")") {
			t.Errorf("docs/guide/README.md doesn't link to %s", name)
		}
		if name != "comparison.md" && !has["docs/guide/"+name] {
			t.Errorf("%s has no program, or one without its output", name)
		}
	}
}

func TestSnippetsAreFoundWithTheirOutput(t *testing.T) {
	const fence = "```"
	code, output := fence+"go\npackage main\n"+fence+"\n", fence+"text\none\ntwo\n"+fence+"\n"
	fragment, other := fence+"go\nx := 1\n"+fence+"\n", fence+"text\nno output\n"+fence+"\n"
	text := "# Page\n\n" + code + "\nIt prints\n\n" + output + "\n" + fragment + "\n## Other\n\n" + other
	got := pages.Snippets("page.md", text)
	want := []pages.Snippet{
		{File: "page.md", Line: 4, Code: "package main\n", Program: true, Output: "one\ntwo\n"},
		{File: "page.md", Line: 15, Code: "x := 1\n"},
	}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestCodeThatIsWrongIsReported(t *testing.T) {
	for code, want := range map[string]string{
		"x :=  1\n":          "gofmt would write",
		"x := (\n":           "expected",
		"package main\n":     "without a function main",
		"for range 3 {\n}\n": "",
	} {
		s := pages.Snippet{File: "page.md", Line: 1, Code: code, Program: strings.HasPrefix(code, "package")}
		err := s.CheckFormat()
		if err == nil {
			_, err = s.Source("p", imports, context)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: got %v, want %q", code, err, want)
		}
	}
}
