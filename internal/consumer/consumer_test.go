// Package consumer tests that another module can use this one by typing what README.md says: it
// downloads nothing but Donburi and what Donburi needs, builds without a C compiler, and brings no
// window system.
package consumer

import (
	"archive/zip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	module  = "github.com/dango-physics/dango"
	version = "v0.0.1" // any that sorts as a release
)

func TestTheCommandsOfTheReadmeBuildItsProgram(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	commands := readmeCommands(t, root)
	proxy := t.TempDir()
	publish(t, root, proxy)

	// What is already in the module cache is taken from there, and only the rest from the usual
	// proxy.
	settings, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	goenv := strings.Split(strings.TrimSpace(string(settings)), "\n")
	cache := filepath.Join(goenv[0], "cache", "download")
	dir := t.TempDir()
	copyFile(t, filepath.Join("testdata", "app", "main.go"), filepath.Join(dir, "main.go"))
	env := append(
		os.Environ(), "GOPROXY="+fileURL(proxy)+","+fileURL(cache)+","+goenv[1],
		"GONOPROXY=none", "GOPRIVATE=", "GOSUMDB=off", "GOMODCACHE="+t.TempDir(), "GOFLAGS=-modcacherw -trimpath",
		"GOWORK=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0",
	)
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
		return string(out)
	}

	for _, c := range commands {
		words := strings.Fields(c)
		got := run(words[0], words[1:]...)
		if words[1] != "run" {
			continue
		}
		// It falls 2.5 m: for sqrt(2·2.5/9.81) = 0.7139 s, to sqrt(2·9.81·2.5) = 7.004 m/s, and
		// hits again after 1.6 times as long.
		want := "tick 42: hits the floor 0.0139 s into the step, at 7.003 m/s\n" +
			"tick 111: hits the floor 0.0061 s into the step, at 5.602 m/s\n"
		if got != want {
			t.Errorf("%s says %q, want %q", c, got, want)
		}
	}

	deps := run("go", "list", "-deps", ".")
	if !strings.Contains(deps, "github.com/yohamta/donburi\n") || !strings.Contains(deps, module+"/systems\n") {
		t.Errorf("go list -deps names neither donburi nor systems: %s", deps)
	}
	if strings.Contains(deps, "ebiten") {
		t.Errorf("the program needs Ebitengine, which needs a screen: %s", deps)
	}
}

// readmeCommands returns the commands of README.md between the heading "First program" and the
// program.
//
// They have to name the package systems: for `go get` of the module alone the go command records no
// checksums of what the packages need, also where a package is at the root of the module, and then
// the program doesn't build.
func readmeCommands(t *testing.T, root string) []string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "\n## First program\n")
	before, _, found := strings.Cut(after, "```go\n")
	var commands []string
	for _, m := range regexp.MustCompile(`(?m)^    (go .*)$`).FindAllStringSubmatch(before, -1) {
		command, _, _ := strings.Cut(m[1], "#")
		commands = append(commands, strings.TrimSpace(command))
	}
	if !found || len(commands) < 3 || !strings.HasPrefix(commands[0], "go mod init ") ||
		commands[len(commands)-1] != "go run ." {
		t.Fatalf("README.md should say under \"First program\" how to make a module, get the library and run the "+
			"program, but says %q", commands)
	}
	return commands
}

// publish puts the module at root into a module proxy made of files.
func publish(t *testing.T, root, proxy string) {
	t.Helper()
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"list": version + "\n", version + ".info": `{"Version":"` + version + `"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	copyFile(t, filepath.Join(root, "go.mod"), filepath.Join(dir, version+".mod"))

	file, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(file)
	for _, top := range []string{"go.mod", "LICENSE", "collide", "components", "systems", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			w, err := archive.Create(module + "@" + version + "/" + filepath.ToSlash(name))
			if err != nil {
				return err
			}
			_, err = w.Write(content)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// fileURL returns the address of a directory.
func fileURL(dir string) string {
	return "file://" + strings.TrimSuffix("/"+strings.TrimPrefix(filepath.ToSlash(dir), "/"), "/")
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
