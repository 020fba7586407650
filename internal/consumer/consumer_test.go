// Package consumer tests that a module of somebody else's can use this one: it builds without a C compiler, downloads
// nothing that this module doesn't need itself, and brings no window system.
package consumer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnotherModuleCanUseThisOne(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	copyFile(t, filepath.Join("testdata", "app", "main.go"), filepath.Join(dir, "main.go"))
	copyFile(t, filepath.Join(root, "go.sum"), filepath.Join(dir, "go.sum"))
	const module = "github.com/dango-physics/dango"
	gomod := fmt.Sprintf("module example.com/app\n\ngo 1.26\n\nrequire %s v0.0.0\n\nreplace %s => %q\n", module, module, root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(gomod), 0o644); err != nil {
		t.Fatal(err)
	}

	// The proxy is off: building the tests has filled the module cache with all that the app may need.
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
		return string(out)
	}

	app := filepath.Join(dir, "app")
	run("go", "build", "-o", app, ".")
	got := run(app)
	// It falls 2.5 m: for sqrt(2·2.5/9.81) = 0.7139 s, to sqrt(2·9.81·2.5) = 7.004 m/s, and hits again after 1.6 times as long.
	want := "tick 42: hits the floor 0.0139 s into the step, at 7.003 m/s\n" +
		"tick 111: hits the floor 0.0061 s into the step, at 5.602 m/s\n"
	if got != want {
		t.Errorf("the app says %q, want %q", got, want)
	}

	deps := run("go", "list", "-deps", ".")
	if !strings.Contains(deps, "github.com/yohamta/donburi\n") || !strings.Contains(deps, module+"/systems\n") {
		t.Errorf("go list -deps names neither donburi nor systems: %s", deps)
	}
	if strings.Contains(deps, "ebiten") {
		t.Errorf("the app needs Ebitengine, which needs a screen: %s", deps)
	}
}

func TestTheReadmeShowsThatModule(t *testing.T) {
	app, err := os.ReadFile(filepath.Join("testdata", "app", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```go\n"+string(app)+"```\n") {
		t.Error("the program in README.md isn't testdata/app/main.go, which is the one that is tested")
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
