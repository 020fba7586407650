package main

import (
	"bytes"
	"image"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dango-physics/dango/examples/cradle"
	"github.com/dango-physics/dango/examples/internal/catalog"
	"github.com/dango-physics/dango/examples/internal/stage"
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
	if stopBrowser != nil {
		stopBrowser()
	}
	if built {
		if dir, err := site(); err == nil {
			os.RemoveAll(dir)
		}
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
	{"landscape", 844, 390, true},
}

// Every example starts in a browser, draws and moves, and logs no error: at one of the sizes in
// turn. In the first ones, one for each size, the keys, the mouse or a finger on the panel and in
// the scene do what they should. With DANGO_TEST_CASES=all all of that is tested in each at each
// size. DANGO_SHOTS names a folder for pictures. DANGO_PLAY=10s plays ten seconds more, and logs
// the frames a second.
func TestEveryExampleInTheBrowser(t *testing.T) {
	url := server(t)
	c := newPage(t)
	play, _ := time.ParseDuration(os.Getenv("DANGO_PLAY"))
	c.size(1280, 800, false)
	c.open(url + "/#" + catalog.Entries[0].Name)
	c.wait(started, time.Minute)
	all := len(layouts) * len(catalog.Entries)
	for n, e := range catalog.Entries {
		c.eval(`location.hash = "` + e.Name + `"`)
		for k, l := range layouts {
			if k != n%len(layouts) && slow.Cases(all) < all {
				continue
			}
			t.Run(e.Name+", "+l.name, func(t *testing.T) {
				c.t = t
				c.size(l.w, l.h, l.touch)
				c.wait(`document.title === "dango: `+e.Title+`"`, time.Minute)
				c.testDrawing(l.w, l.h)
				if n < len(layouts) || slow.All() {
					c.testControls(l.w, l.h, l.touch)
				}
				if play > 0 {
					t.Logf("%.0f frames a second", c.framesIn(play))
				}
				keepShot(t, e.Name+"-"+l.name, c.shot(0, 0, l.w, l.h))
				if errors := c.consoleErrors(); len(errors) > 0 {
					t.Errorf("errors in the console: %q", errors)
				}
			})
		}
	}
}

// The gallery's page fits into each size: it doesn't scroll sideways, and each card has a picture,
// a title and a sentence.
func TestTheGalleryFits(t *testing.T) {
	url := server(t)
	c := newPage(t)
	for _, l := range layouts {
		c.size(l.w, l.h, l.touch)
		c.open(url)
		c.wait(`document.querySelectorAll(".card").length === info.entries.length`, time.Minute)
		c.eval(`document.querySelectorAll(".card img").forEach(p => { p.loading = "eager" })`)
		c.wait(`[...document.querySelectorAll(".card img")].every(p => p.naturalWidth > 0)`, time.Minute)
		if wide, _ := c.eval(`document.getElementById("gallery").scrollWidth`).(float64); int(wide) > l.w {
			t.Errorf("%s: the gallery is %.0f wide, the page %d", l.name, wide, l.w)
		}
		bad := c.eval(`[...document.querySelectorAll(".card")].filter(card => card.clientWidth < 150 ||
			[...card.children].some(e => e.scrollWidth > card.clientWidth || e.clientHeight === 0))
			.map(card => card.href).join()`)
		if bad != "" {
			t.Errorf("%s: cards that don't fit: %v", l.name, bad)
		}
		if l.touch { // nothing hovers, so the card in the middle moves
			c.wait(`[...document.querySelectorAll(".card img")].some(p => p.src.endsWith(".gif"))`, time.Minute)
		}
		keepShot(t, "gallery-"+l.name, c.shot(0, 0, l.w, l.h))
	}
	if errors := c.consoleErrors(); len(errors) > 0 {
		t.Errorf("errors in the console: %q", errors)
	}
}

// keepShot writes a picture into the folder that DANGO_SHOTS names.
func keepShot(t *testing.T, name string, data []byte) {
	t.Helper()
	if dir := os.Getenv("DANGO_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sceneSize returns the size of the scene, which is on the left or above the panel.
func sceneSize(w, h int) (sw, sh int) {
	if w < h {
		return w, h * 5 / 8
	}
	return w * 3 / 4, h
}

// autoplays reports whether the example plays by itself: the panel's button for that is lit.
func (c *chrome) autoplays(w, h int) bool {
	c.t.Helper()
	auto := panelButton(c.t, "autoplay", w, h)
	r, g, b, _ := decode(c.t, c.shot(auto.X, auto.Y-11, 1, 1)).At(0, 0).RGBA()
	return r>>8 > 200 && g>>8 > 150 && b>>8 < 120
}

// moves reports whether the scene changes from one frame to the next.
func (c *chrome) moves(w, h int) bool {
	c.t.Helper()
	sw, sh := sceneSize(w, h)
	before := c.shot(0, 0, sw, sh)
	c.frame()
	return !bytes.Equal(before, c.shot(0, 0, sw, sh))
}

// testDrawing waits until the example draws, plays by itself and moves.
func (c *chrome) testDrawing(w, h int) {
	c.t.Helper()
	sw, sh := sceneSize(w, h)
	c.poll("60 colours", time.Minute, func() bool { return colours(c.t, c.shot(0, 0, sw, sh)) >= 60 })
	if !c.autoplays(w, h) {
		c.key("KeyU", "u", 'U')
	}
	c.poll("autoplay", time.Minute, func() bool { return c.autoplays(w, h) })
	c.poll("motion", time.Minute, func() bool { return c.moves(w, h) })
}

// testControls pauses and resumes an example that plays by itself with keys and with its panel, and
// takes over from it by a drag in the scene.
func (c *chrome) testControls(w, h int, touch bool) {
	c.t.Helper()
	pause := panelButton(c.t, "pause", w, h)
	sw, sh := sceneSize(w, h)
	c.key("KeyP", "p", 'P')
	c.poll("pause by a key", time.Minute, func() bool {
		for range 2 {
			if c.moves(w, h) {
				return false
			}
		}
		return true
	})
	c.drag(pause.X, pause.Y, pause.X, pause.Y, touch)
	c.poll("motion after the panel's button", time.Minute, func() bool { return c.moves(w, h) })
	c.drag(sw/2, sh/2, sw/2+40, sh/2+25, touch)
	c.poll("end of autoplay after a drag in the scene", time.Minute, func() bool { return !c.autoplays(w, h) })
}

// panelButton returns the middle of a button that every panel has, in a window of this size.
func panelButton(t *testing.T, label string, w, h int) image.Point {
	t.Helper()
	probe := stage.NewProbe([]stage.Example{{Name: "cradle", New: cradle.New}}, "cradle", 0)
	texts, _ := probe.Texts(0, float64(w), float64(h), 1)
	for _, l := range texts {
		if strings.HasSuffix(l.Text, label) {
			return image.Pt(int(l.Area.X+l.Area.W/2), int(l.Area.Y+l.Area.H/2))
		}
	}
	t.Fatalf("no button %q in a window of %dx%d", label, w, h)
	return image.Point{}
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// colours returns the number of different colours among every third pixel of every third row.
func colours(t *testing.T, data []byte) int {
	t.Helper()
	img := decode(t, data)
	seen := map[[3]uint32]bool{}
	b := img.Bounds()
	for y := 0; y < b.Dy(); y += 3 {
		for x := 0; x < b.Dx(); x += 3 {
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
	c := newPage(t)
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

// The sound of impacts reaches the browser's output after a click on the button.
func TestSoundInTheBrowser(t *testing.T) {
	url := server(t)
	c := newPage(t)
	c.size(1280, 800, false) // where the panel has one page
	c.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `
		const connect = AudioNode.prototype.connect;
		AudioNode.prototype.connect = function(to, ...more) {
			if (to instanceof AudioDestinationNode) connect.call(this, window.heard = this.context.createAnalyser());
			return connect.call(this, to, ...more);
		};
		window.peak = () => {
			const samples = new Float32Array(window.heard?.fftSize ?? 0);
			window.heard?.getFloatTimeDomainData(samples);
			return samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
		}`}, nil)
	c.open(url + "/#cradle")
	c.wait(started, time.Minute)
	sound := panelButton(t, "sound", 1280, 800)
	sound.X -= 60 // in a browser the right half is another button
	c.drag(sound.X, sound.Y, sound.X, sound.Y, false)
	c.wait(`window.peak() > 0.01`, time.Minute)
	if errors := c.consoleErrors(); len(errors) > 0 {
		t.Errorf("errors in the console: %q", errors)
	}
}

// Without the program there is a message with a button, which loads it when the connection is back.
func TestABrokenDownloadCanBeTriedAgain(t *testing.T) {
	url := server(t)
	c := newPage(t)
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

// With 10 Mbit/s the example's picture comes first, with a bar that moves. The program is at most
// 5 MB, which take 4 s; what it takes to start depends on the machine.
func TestASlowDownloadShowsProgress(t *testing.T) {
	url := server(t)
	c := newPage(t)
	c.size(1280, 800, false)
	c.call("Network.emulateNetworkConditions", map[string]any{
		"offline": false, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 1e6 / 8,
	}, nil)
	begin := time.Now()
	c.open(url + "/#cradle")
	c.wait(`document.getElementById("poster")?.naturalWidth > 0`, time.Minute)
	poster := time.Since(begin).Seconds()
	if poster > 6 {
		t.Errorf("the picture came after %.1f s", poster)
	}
	if size, _ := c.eval("info.size").(float64); size > 5e6 {
		t.Errorf("%.0f bytes are loaded", size)
	}
	c.wait(`document.getElementById("bar").value > 0.2`, time.Minute)
	c.wait(`document.getElementById("bar").value >= 1`, time.Minute)
	loaded := time.Since(begin).Seconds()
	c.wait(started, time.Minute)
	c.poll("60 colours", time.Minute, func() bool { return colours(t, c.shot(0, 0, 900, 800)) >= 60 })
	t.Logf("its picture after %.1f s, everything loaded after %.1f s, drawn by the program after %.1f s",
		poster, loaded, time.Since(begin).Seconds())
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
