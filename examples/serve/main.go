// Serve builds an example for the browser and serves it on a local port:
//
//	go run ./examples/serve billiards
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed index.html
var page []byte

func main() {
	addr := flag.String("addr", "localhost:8080", "where to serve")
	out := flag.String(
		"out", "",
		"folder for the pictures of unattended runs, such as /?args=-ticks+600+-png+a.png; none where empty",
	)
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(
			os.Stderr,
			"usage: go run ./examples/serve [-addr host:port] [-out folder] billiards|corridor|cradle|pile",
		)
		os.Exit(2)
	}
	if err := run(*addr, *out, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(addr, out, name string) error {
	dir, err := os.MkdirTemp("", "dango-serve-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(dir, name); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("%s is at http://%s/\n", name, listener.Addr())
	return http.Serve(listener, handler(dir, out, func(text string) { fmt.Println(text) }))
}

// build compiles examples/name into dir, with the files that a page needs to run it.
func build(dir, name string) error {
	module, err := output("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}")
	if err != nil {
		return err
	}
	path, root, _ := strings.Cut(module, " ")
	cmd := exec.Command(
		"go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "main.wasm"), path+"/examples/"+name,
	)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building %s: %w", name, err)
	}
	goroot, err := output("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	glue, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "wasm_exec.js"), glue, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "index.html"), page, 0o644)
}

func output(name string, args ...string) (string, error) {
	b, err := exec.Command(name, args...).Output()
	return strings.TrimSpace(string(b)), err
}

// handler serves dir. It writes the pictures of unattended runs into out, and calls done with the
// text that such a run printed.
func handler(dir, out string, done func(string)) http.Handler {
	const limit = 64 << 20
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("POST /files/{name}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("name")
		if out == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
			http.Error(w, "no pictures wanted: serve with -out", http.StatusForbidden)
			return
		}
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
		if err == nil {
			err = os.WriteFile(filepath.Join(out, name), data, 0o644)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("POST /done", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
		if err == nil {
			done(string(text))
		}
	})
	return mux
}
