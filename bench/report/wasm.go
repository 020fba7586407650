package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/dango-physics/dango/bench/internal/measure"
)

//go:embed wasm.html
var wasmPage []byte

// wasm runs the same scenes natively, natively without assembly, in Node and in Chromium.
func (r *report) wasm() (map[string]string, error) {
	program := filepath.Join(r.dir, "main.wasm")
	if err := build(program, "./bench/sizes", "GOOS=js", "GOARCH=wasm"); err != nil {
		return nil, err
	}
	plain := filepath.Join(r.dir, "plain")
	if err := build(plain, "./bench/sizes", "GOFLAGS=-buildvcs=false -tags=purego"); err != nil {
		return nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	glue := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm")

	var t table
	t.head("scene", "ms a step", "without assembly", "in Node", "ratio", "in Chromium", "ratio", "same bits")
	for _, spec := range []string{"gas:1000", "gas:10000", "mix:1000", "pile:1000", "rain:1000"} {
		// The same number of steps everywhere, because a pile changes with time. Five rounds are
		// enough for one without other load.
		args := append([]string{"-steps", "80", "-warm", "60"}, r.arguments(spec, 1)...)
		fmt.Fprintf(os.Stderr, "%s, natively, in Node and in Chromium\n", spec)
		native, err := result(exec.Command(r.program, args...))
		if err != nil {
			return nil, err
		}
		withoutAssembly, err := result(exec.Command(plain, args...))
		if err != nil {
			return nil, err
		}
		node := exec.Command(
			"node",
			append([]string{"--stack-size=8192", filepath.Join(glue, "wasm_exec_node.js"), program}, args...)...,
		)
		node.Env = []string{"PATH=" + os.Getenv("PATH")} // Go's start code has room for 8 kB of environment
		inNode, err := result(node)
		if err != nil {
			return nil, err
		}
		inChromium, err := chromium(program, filepath.Join(glue, "wasm_exec.js"), args)
		if err != nil {
			return nil, err
		}
		same := "yes"
		if withoutAssembly.Hash != native.Hash || inNode.Hash != native.Hash || inChromium.Hash != native.Hash {
			same = "NO"
		}
		ratio := func(m measure.Result) string { return fmt.Sprintf("%.2f", m.BestMillis/native.BestMillis) }
		t.row(
			strings.Replace(spec, ":", " ", 1), digits(native.BestMillis),
			digits(withoutAssembly.BestMillis), digits(inNode.BestMillis), ratio(inNode),
			digits(inChromium.BestMillis), ratio(inChromium), same,
		)
	}
	version := func(name string) string {
		text, err := exec.Command(name, "--version").Output()
		if err != nil {
			return name
		}
		return strings.TrimSpace(string(text))
	}
	from := fmt.Sprintf(
		"On %s, Node %s, %s, one worker, the fastest 16 steps of each run.\n\n", machine(), version("node"),
		version("chromium"),
	)
	return map[string]string{"wasm": from + t.String()}, nil
}

// chromium runs a WebAssembly program in a browser without a window and returns what it measured.
func chromium(program, glue string, args []string) (measure.Result, error) {
	var m measure.Result
	done := make(chan string, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { w.Write(wasmPage) })
	mux.HandleFunc("GET /main.wasm", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, program) })
	mux.HandleFunc("GET /wasm_exec.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, glue) })
	mux.HandleFunc("POST /done", func(_ http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			text = []byte(err.Error())
		}
		done <- string(text)
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// An isolated page gets a clock of 5 µs instead of 100 µs.
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		mux.ServeHTTP(w, r)
	}))
	defer server.Close()
	profile, err := os.MkdirTemp("", "dango-chromium-")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(profile)
	// Without a display and without network traffic of the browser itself.
	browser := exec.Command("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
		"--user-data-dir="+profile, server.URL+"/?args="+strings.Join(args, "+"))
	if err := browser.Start(); err != nil {
		return m, err
	}
	defer browser.Wait()
	defer browser.Process.Kill()
	select {
	case text := <-done:
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			return m, fmt.Errorf("the page said %q", text)
		}
		return m, nil
	case <-time.After(5 * time.Minute):
		return m, fmt.Errorf("the page said nothing in five minutes")
	}
}
