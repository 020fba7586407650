// Serve builds the gallery as a web page, serves it on a local port and opens a browser:
//
//	go run ./examples/serve            # all examples
//	go run ./examples/serve pile       # opens one
//	go run ./examples/serve -out site  # writes the page for any host of static files, and ends
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/dango-physics/dango/examples/internal/catalog"
)

const module = "github.com/dango-physics/dango"

//go:embed index.html
var page string

func main() {
	addr := flag.String("addr", "localhost:8080", "where to serve; another port if this one is taken")
	out := flag.String("out", "", "write the page into this `folder` and end")
	browser := flag.Bool("open", true, "open a browser")
	name, err := catalog.ParseArgs(flag.CommandLine, os.Args[1:])
	if err == nil {
		err = run(*addr, *out, name, *browser)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(addr, out, name string, browser bool) error {
	dir := out
	if out == "" {
		temp, err := os.MkdirTemp("", "dango-gallery-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		dir = temp
	}
	if err := build(dir); err != nil {
		return err
	}
	if out != "" {
		fmt.Println("The page is in", out)
		return nil
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		host, _, _ := net.SplitHostPort(addr)
		if listener, err = net.Listen("tcp", net.JoinHostPort(host, "0")); err != nil {
			return err
		}
	}
	url := fmt.Sprintf("http://%s/", listener.Addr())
	if name != "" {
		url += "#" + name
	}
	fmt.Printf("The gallery is at %s (Ctrl+C ends it)\n", url)
	if browser {
		open(url)
	}
	return http.Serve(listener, handler(dir))
}

// open shows a page in the browser, if there is one.
func open(url string) {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	if exec.Command(name, args...).Start() != nil {
		fmt.Println("Open this address in a browser.")
	}
}

// build writes the page into dir: index.html, the program, and the pictures.
func build(dir string) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "pictures"), 0o755); err != nil {
		return err
	}
	goroot, err := output("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "dango-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	wasm := filepath.Join(work, "gallery.wasm")
	stop := progress("Building the examples for the browser; the first time takes a minute or two")
	// Without inlining the packed program is a tenth smaller. A step has to be fast, so what it
	// is made of keeps it.
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", wasm, "-gcflags=all=-l"}
	for _, fast := range []string{
		module + "/collide", module + "/internal/...", "github.com/yohamta/donburi/...", "math", "math/bits",
		"cmp", "slices", "sync/...", "runtime/...", "internal/runtime/...",
	} {
		args = append(args, "-gcflags="+fast+"=")
	}
	overlay, err := withoutMethods(goroot, work)
	if err != nil {
		return err
	}
	args = append(args, "-overlay="+overlay)
	cmd := exec.Command("go", append(args, "./examples/gallery")...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	text, err := cmd.CombinedOutput()
	stop()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	data, err := os.ReadFile(wasm)
	if err != nil {
		return err
	}
	stop = progress("Compressing")
	packed, err := pack(data)
	stop()
	if err != nil {
		return err
	}
	fmt.Printf("%.1f MB, of which %.1f MB are loaded\n", float64(len(data))/1e6, float64(len(packed))/1e6)
	// The name changes with the content, so that browsers can keep the file forever. It doesn't end
	// in .gz: some hosts would tell browsers to unpack such a file.
	name := fmt.Sprintf("gallery-%.6x.bin", sha256.Sum256(packed))
	if err := os.WriteFile(filepath.Join(dir, name), packed, 0o644); err != nil {
		return err
	}
	info, err := json.Marshal(map[string]any{"file": name, "size": len(packed), "entries": catalog.Entries})
	if err != nil {
		return err
	}
	index := strings.Replace(page, `"INFO"`, string(info), 1)
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(index), 0o644); err != nil {
		return err
	}
	for from, to := range map[string]string{
		filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"):            dir,
		filepath.Join(root, "examples", "gallery", "pictures", "*.png"): filepath.Join(dir, "pictures"),
		filepath.Join(root, "docs", "pictures", "*.gif"):                filepath.Join(dir, "pictures"),
	} {
		if err := copyTo(from, to); err != nil {
			return err
		}
	}
	return nil
}

// withoutMethods writes an overlay for the go command, in which templates call no methods. A call
// by name makes the linker keep every exported method of the program, a tenth of it when packed.
// Ebitengine's templates only read fields. If Go's source has no such call, the overlay is empty.
func withoutMethods(goroot, work string) (overlay string, err error) {
	const call, none = "method := ptr.MethodByName(fieldName);", "method := (reflect.Value{});"
	source := filepath.Join(goroot, "src", "text", "template", "exec.go")
	replace := map[string]string{}
	if text, err := os.ReadFile(source); err == nil && bytes.Contains(text, []byte(call)) {
		changed := filepath.Join(work, "exec.go")
		if err := os.WriteFile(changed, bytes.Replace(text, []byte(call), []byte(none), 1), 0o644); err != nil {
			return "", err
		}
		replace[source] = changed
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(work, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o644)
}

// pack compresses data.
func pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// copyTo copies the files that match a pattern into a folder.
func copyTo(pattern, dir string) error {
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		return errors.Join(err, fmt.Errorf("there is no %s", pattern))
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// progress prints what is being done, and for how long, until it is stopped.
func progress(what string) (stop func()) {
	begin, done, ended := time.Now(), make(chan bool), make(chan bool)
	fmt.Print(what)
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Print(".")
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		fmt.Printf(" %.0f s\n", time.Since(begin).Seconds())
	}
}

// moduleRoot returns the folder of the module, from a folder inside of it.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for d := dir; d != filepath.Dir(d); d = filepath.Dir(d) {
		if data, err := os.ReadFile(filepath.Join(d, "go.mod")); err == nil &&
			bytes.HasPrefix(data, []byte("module "+module+"\n")) {
			return d, nil
		}
	}
	return "", errors.New("run this in the source of dango, or bash examples/play from anywhere")
}

func output(name string, args ...string) (string, error) {
	b, err := exec.Command(name, args...).Output()
	return strings.TrimSpace(string(b)), err
}

// handler serves dir. Browsers keep the program, whose name has a hash, and ask again for the rest.
func handler(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keep := "no-cache"
		if strings.HasPrefix(r.URL.Path, "/gallery-") {
			keep = "public, max-age=31536000, immutable"
		}
		w.Header().Set("Cache-Control", keep)
		files.ServeHTTP(w, r)
	})
}
