package main

import (
	"bytes"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dango-physics/dango/examples/internal/catalog"
	"github.com/dango-physics/dango/internal/slow"
)

// site builds the page once.
var site = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "dango-site-")
	if err == nil {
		err = build(dir)
	}
	return dir, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := site(); err == nil && built {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

var built bool

// server serves the page and returns its address.
func server(t *testing.T) string {
	t.Helper()
	slow.Skip(t, slow.Short, "it builds the examples for a browser")
	built = true
	dir, err := site()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler(dir))
	t.Cleanup(s.Close)
	return s.URL
}

// started is true when an example runs in the page.
const started = `document.querySelector("canvas") !== null && state === "running"`

// layouts are a desktop's window, a small one, and a phone both ways.
var layouts = []struct {
	name  string
	w, h  int
	touch bool
}{
	{"desktop", 1280, 800, false},
	{"small", 640, 360, false},
	{"portrait", 400, 800, true},
	{"landscape", 800, 400, true},
}

// Every example starts in a browser, draws, answers to the mouse, to keys and to a finger, and logs
// no error: in a desktop's window and in one of the other layouts in turn, or in each of them if
// all cases are asked for. DANGO_SHOTS names a folder for pictures of it.
func TestEveryExampleInTheBrowser(t *testing.T) {
	url := server(t)
	c := newChrome(t)
	all, others := len(layouts)*len(catalog.Entries), len(layouts)-1
	for k, l := range layouts {
		c.size(l.w, l.h, l.touch)
		c.open(url + "/#" + catalog.Entries[0].Name)
		c.wait(started, time.Minute)
		for n, e := range catalog.Entries {
			if k > 0 && n%others != k-1 && slow.Cases(all) < all {
				continue
			}
			t.Run(e.Name+", "+l.name, func(t *testing.T) {
				c.t = t
				c.eval(`location.hash = "` + e.Name + `"`)
				c.wait(`document.title === "dango: `+e.Title+`"`, time.Minute)
				var first, moved []byte
				c.poll("60 colours", time.Minute, func() bool {
					first = c.shot()
					return colours(t, first) >= 60
				})
				// The middle of the scene, which is on the left or above the panel.
				x, y := l.w*3/8, l.h*3/8
				if l.w < l.h {
					x, y = l.w/2, l.h*5/16
				}
				c.drag(x, y, x+40, y+25, l.touch)
				c.key("KeyL", "l", 'L')
				c.poll("another picture", time.Minute, func() bool {
					moved = c.shot()
					return !bytes.Equal(first, moved)
				})
				c.key("KeyP", "p", 'P')
				if dir := os.Getenv("DANGO_SHOTS"); dir != "" {
					name := filepath.Join(dir, e.Name+"-"+l.name+".png")
					if err := os.WriteFile(name, moved, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if errors := c.consoleErrors(); len(errors) > 0 {
					t.Errorf("errors in the console: %q", errors)
				}
			})
		}
	}
}

// colours returns the number of different colours of a picture.
func colours(t *testing.T, data []byte) int {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[3]uint32]bool{}
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	return len(seen)
}

// The address takes a seed and values of sliders, follows a slider, and leads from one example to
// another without loading the page again.
func TestTheAddressHasTheSettings(t *testing.T) {
	url := server(t)
	c := newChrome(t)
	c.size(1280, 800, false)
	c.open(url)
	c.wait(`document.querySelectorAll(".card").length === info.entries.length`, time.Minute)
	if c.eval(`document.querySelector("canvas") !== null`) == true {
		t.Error("the gallery loads the program before an example is chosen")
	}
	c.eval(`document.querySelector('.card[href="#pile"]').click()`)
	c.wait(started, time.Minute)
	c.eval(`window.stays = true; location.hash = "pile?seed=7&nonsense=3"`)
	c.wait(`location.hash === "#pile?seed=7"`, time.Minute) // the program has read it
	c.eval(`location.hash = "cradle"`)
	c.wait(`document.title === "dango: Cradle"`, time.Minute)
	c.eval(`location.hash = ""`)
	c.wait(`!document.getElementById("gallery").hidden`, time.Minute)
	if c.eval("window.stays") != true {
		t.Error("the page was loaded again")
	}
	if errors := c.consoleErrors(); len(errors) > 0 {
		t.Errorf("errors in the console: %q", errors)
	}
}

// Without the program there is a message with a button, which loads it when the connection is back.
func TestABrokenDownloadCanBeTriedAgain(t *testing.T) {
	url := server(t)
	c := newChrome(t)
	c.size(1280, 800, false)
	c.call("Network.setBlockedURLs", map[string]any{"urls": []string{"*gallery-*"}}, nil)
	c.open(url + "/#cradle")
	c.wait(`state === "failed"`, time.Minute)
	text, _ := c.eval(`document.getElementById("note").innerText`).(string)
	if !strings.Contains(text, "download failed") {
		t.Errorf("the message is %q", text)
	}
	c.call("Network.setBlockedURLs", map[string]any{"urls": []string{}}, nil)
	c.eval(`document.getElementById("retry").click()`)
	c.wait(started, time.Minute)
}

// With 10 Mbit/s there is a picture, and a bar that moves, and the example runs within a minute.
func TestASlowDownloadShowsProgress(t *testing.T) {
	url := server(t)
	c := newChrome(t)
	c.size(1280, 800, false)
	c.call("Network.emulateNetworkConditions", map[string]any{
		"offline": false, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 1e6 / 8,
	}, nil)
	begin := time.Now()
	c.open(url + "/#cradle")
	c.wait(`document.getElementById("poster")?.naturalWidth > 0`, time.Minute)
	picture := time.Since(begin).Seconds()
	c.wait(`document.getElementById("bar").value > 0.2`, time.Minute)
	c.wait(`document.getElementById("bar").value >= 1`, time.Minute)
	loaded := time.Since(begin).Seconds()
	c.wait(started, time.Minute)
	t.Logf("a picture after %.1f s, everything is loaded after %.1f s, and the example runs after %.1f s",
		picture, loaded, time.Since(begin).Seconds())
}

// Browsers keep the program, whose name changes with its content, and ask again for the page.
func TestCacheHeaders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"gallery-0123456789ab.bin", "index.html"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ path, want string }{
		{"/gallery-0123456789ab.bin", "immutable"},
		{"/", "no-cache"},
	} {
		w := httptest.NewRecorder()
		handler(dir).ServeHTTP(w, httptest.NewRequest("GET", c.path, nil))
		if got := w.Header().Get("Cache-Control"); !strings.Contains(got, c.want) {
			t.Errorf("%s: Cache-Control is %q, want %s", c.path, got, c.want)
		}
	}
}
