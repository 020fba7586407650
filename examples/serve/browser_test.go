package main

import (
	"bytes"
	"image/png"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dango-physics/dango/internal/slow"
)

// chromium is how a browser without a screen draws WebGL in software and leaves the network alone.
var chromium = []string{
	"--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
	"--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
}

// Every example plays in a real browser and sends what it drew.
func TestBrowser(t *testing.T) {
	slow.Skip(t, slow.Short, "the tests of each example play the same without a browser")
	browser, err := exec.LookPath("chromium")
	if err != nil {
		browser, err = exec.LookPath("google-chrome")
	}
	if err != nil {
		t.Skip("needs Chromium or Chrome")
	}
	for _, name := range []string{"billiards", "corridor", "cradle", "pile"} {
		t.Run(name, func(t *testing.T) {
			dir, out := t.TempDir(), t.TempDir()
			if err := build(dir, name); err != nil {
				t.Fatal(err)
			}
			done := make(chan string, 1)
			server := httptest.NewServer(handler(dir, out, func(text string) { done <- text }))
			defer server.Close()
			// not t.TempDir: the browser writes into it while it ends
			profile, err := os.MkdirTemp("", "dango-chromium-")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(profile)
			cmd := exec.Command(browser, append(chromium, "--user-data-dir="+profile,
				server.URL+"/?args=-ticks+60+-size+640x400+-png+a.png")...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Wait()
			defer cmd.Process.Kill()
			select {
			case text := <-done:
				if !strings.Contains(text, "60 ticks") || strings.Contains(text, "error") {
					t.Fatalf("the page said %q", text)
				}
			case <-time.After(2 * time.Minute):
				t.Fatal("the page didn't come to its end in two minutes")
			}
			data, err := os.ReadFile(filepath.Join(out, "a.png"))
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			seen := map[[3]uint32]bool{}
			for y := range img.Bounds().Dy() {
				for x := range img.Bounds().Dx() {
					r, g, b, _ := img.At(x, y).RGBA()
					seen[[3]uint32{r, g, b}] = true
				}
			}
			if b := img.Bounds(); b.Dx() != 640 || b.Dy() != 400 || len(seen) < 100 {
				t.Errorf("a picture of %v with %d colours, want 640x400 and at least 100", b, len(seen))
			}
		})
	}
}

// Strangers can't write outside the folder, or at all where none is given.
func TestHandlerGuardsFiles(t *testing.T) {
	out := t.TempDir()
	for _, c := range []struct {
		path, out string
		want      int
	}{
		{"/files/a.png", out, 200},
		{"/files/a.png", "", 403},
		{"/files/.hidden", out, 403},
		{"/files/..%2fa.png", out, 403},
	} {
		w := httptest.NewRecorder()
		handler(t.TempDir(), c.out, func(string) {}).ServeHTTP(
			w, httptest.NewRequest("POST", c.path, strings.NewReader("x")),
		)
		if w.Code != c.want {
			t.Errorf("POST %s with -out %q: %d, want %d", c.path, c.out, w.Code, c.want)
		}
	}
}
