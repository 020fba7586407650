package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// flags are how a browser without a screen draws WebGL in software and leaves the network alone.
var flags = []string{
	"--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
	"--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "about:blank",
}

// chrome is a page in a browser that the test drives by the DevTools protocol, over a pipe.
type chrome struct {
	t       *testing.T
	to      *os.File
	session string

	mutex   sync.Mutex
	next    int
	answers map[int]chan json.RawMessage
	errors  []string // of the console
}

// browser is started once for all tests; stopBrowser ends it.
var (
	browser     = sync.OnceValues(startBrowser)
	stopBrowser func()
	errNoChrome = errors.New("needs Chromium or Chrome")
)

func startBrowser() (*chrome, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		path, err = exec.LookPath("google-chrome")
	}
	if err != nil {
		return nil, errNoChrome
	}
	profile, err := os.MkdirTemp("", "dango-chromium-")
	if err != nil {
		return nil, err
	}
	fromUs, to, err1 := os.Pipe()
	from, toUs, err2 := os.Pipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	cmd := exec.Command(path, append([]string{"--user-data-dir=" + profile}, flags...)...)
	cmd.ExtraFiles = []*os.File{fromUs, toUs} // 3 and 4
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	fromUs.Close()
	toUs.Close()
	c := &chrome{to: to, answers: map[int]chan json.RawMessage{}}
	go c.read(from)
	stopBrowser = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		to.Close()
		os.RemoveAll(profile)
	}
	return c, nil
}

// newPage opens an empty page, without cookies and files of other tests. It skips the test if there
// is no browser.
func newPage(t *testing.T) *chrome {
	t.Helper()
	c, err := browser()
	if errors.Is(err, errNoChrome) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.t, c.session = t, ""
	var context struct{ BrowserContextID string }
	c.call("Target.createBrowserContext", nil, &context)
	var target struct{ TargetID string }
	c.call("Target.createTarget", map[string]any{
		"url": "about:blank", "browserContextId": context.BrowserContextID,
	}, &target)
	var session struct{ SessionID string }
	c.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	c.session = session.SessionID
	t.Cleanup(func() {
		c.t, c.session = t, ""
		c.call("Target.disposeBrowserContext", map[string]any{"browserContextId": context.BrowserContextID}, nil)
		c.consoleErrors()
	})
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		c.call(domain+".enable", nil, nil)
	}
	return c
}

// read receives answers and events.
func (c *chrome) read(from *os.File) {
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			ID     int
			Method string
			Params struct {
				Type             string
				Args             []struct{ Value, Description any }
				Entry            struct{ Level, Text, URL string }
				ExceptionDetails struct {
					Text      string
					Exception struct{ Description string }
				}
			}
			Result json.RawMessage
			Error  json.RawMessage
		}
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		c.mutex.Lock()
		switch {
		case m.ID != 0:
			if m.Error != nil {
				c.errors = append(c.errors, string(m.Error))
			}
			c.answers[m.ID] <- m.Result
		case m.Method == "Runtime.consoleAPICalled" && (m.Params.Type == "error" || m.Params.Type == "assert"):
			c.errors = append(c.errors, fmt.Sprint(m.Params.Args))
		case m.Method == "Runtime.exceptionThrown":
			d := m.Params.ExceptionDetails
			c.errors = append(c.errors, d.Text+" "+d.Exception.Description)
		case m.Method == "Log.entryAdded" && m.Params.Entry.Level == "error":
			c.errors = append(c.errors, m.Params.Entry.Text+" "+m.Params.Entry.URL)
		}
		c.mutex.Unlock()
	}
}

// call sends a command and decodes its result.
func (c *chrome) call(method string, params map[string]any, result any) {
	c.t.Helper()
	if params == nil {
		params = map[string]any{}
	}
	c.mutex.Lock()
	c.next++
	id, answer := c.next, make(chan json.RawMessage, 1)
	c.answers[id] = answer
	c.mutex.Unlock()
	message := map[string]any{"id": id, "method": method, "params": params}
	if c.session != "" {
		message["sessionId"] = c.session
	}
	data, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.to.Write(append(data, 0)); err != nil {
		c.t.Fatal(err)
	}
	select {
	case raw := <-answer:
		if result != nil {
			if err := json.Unmarshal(raw, result); err != nil {
				c.t.Fatalf("%s: %v in %s", method, err, raw)
			}
		}
	case <-time.After(time.Minute):
		c.t.Fatalf("%s: no answer in a minute", method)
	}
}

// eval returns the value of an expression in the page.
func (c *chrome) eval(expression string) any {
	c.t.Helper()
	var answer struct{ Result struct{ Value any } }
	c.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &answer)
	return answer.Result.Value
}

// wait waits until an expression is true.
func (c *chrome) wait(expression string, most time.Duration) {
	c.t.Helper()
	c.poll(expression, most, func() bool { return c.eval(expression) == true })
}

// poll waits until a condition holds. what names it.
func (c *chrome) poll(what string, most time.Duration, holds func() bool) {
	c.t.Helper()
	for end := time.Now().Add(most); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("no %s after %v; the page says %q; errors: %q", what, most,
				c.eval("document.body.innerText"), c.consoleErrors())
		}
	}
}

// consoleErrors returns the errors since the last call.
func (c *chrome) consoleErrors() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	errors := c.errors
	c.errors = nil
	return errors
}

// size makes the page this large. With touch it is that of a phone.
func (c *chrome) size(w, h int, touch bool) {
	c.call("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": w, "height": h, "deviceScaleFactor": 1, "mobile": touch,
	}, nil)
	c.call("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": touch}, nil)
}

// open goes to an address.
func (c *chrome) open(url string) {
	c.call("Page.navigate", map[string]any{"url": "about:blank"}, nil) // a new hash alone would not load the page again
	c.call("Page.navigate", map[string]any{"url": url}, nil)
}

// shot returns a PNG of a part of the page.
func (c *chrome) shot(x, y, w, h int) []byte {
	var picture struct{ Data string }
	c.call("Page.captureScreenshot", map[string]any{
		"optimizeForSpeed": true, "clip": map[string]any{"x": x, "y": y, "width": w, "height": h, "scale": 1},
	}, &picture)
	data, err := base64.StdEncoding.DecodeString(picture.Data)
	if err != nil {
		c.t.Fatal(err)
	}
	return data
}

// frame waits until the page has drawn a frame and an example has played a tick: some frames of a
// fast machine have none.
func (c *chrome) frame() {
	c.t.Helper()
	c.call("Runtime.evaluate", map[string]any{"awaitPromise": true, "expression": `new Promise(done => {
			const begin = performance.now();
			const next = () => performance.now() - begin < 40 ? requestAnimationFrame(next) : done();
			requestAnimationFrame(next);
		})`}, nil)
}

// framesIn returns the number of frames a second while the page plays for a time.
func (c *chrome) framesIn(play time.Duration) float64 {
	c.t.Helper()
	var answer struct{ Result struct{ Value float64 } }
	c.call("Runtime.evaluate", map[string]any{"awaitPromise": true, "returnByValue": true, "expression": fmt.Sprintf(
		`new Promise(done => {
			const begin = performance.now();
			let n = 0;
			const next = now => now - begin < %d ? (n++, requestAnimationFrame(next)) : done(n * 1000 / (now - begin));
			requestAnimationFrame(next);
		})`, play.Milliseconds())}, &answer)
	return answer.Result.Value
}

// drag presses the mouse or a finger at one point, moves it to another and releases it.
func (c *chrome) drag(x0, y0, x1, y1 int, touch bool) {
	at := func(kind string, x, y int) {
		if touch {
			points := []map[string]any{{"x": x, "y": y}}
			if kind == "touchEnd" {
				points = []map[string]any{}
			}
			c.call("Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": points}, nil)
		} else {
			c.call("Input.dispatchMouseEvent", map[string]any{
				"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1,
			}, nil)
		}
		c.frame()
	}
	down, move, up := "mousePressed", "mouseMoved", "mouseReleased"
	if touch {
		down, move, up = "touchStart", "touchMove", "touchEnd"
	}
	at(down, x0, y0)
	for i := 1; i <= 2 && (x0 != x1 || y0 != y1); i++ {
		at(move, x0+(x1-x0)*i/2, y0+(y1-y0)*i/2)
	}
	at(up, x1, y1)
}

// key presses a key and releases it.
func (c *chrome) key(code, key string, number int) {
	for _, kind := range []string{"keyDown", "keyUp"} {
		c.call("Input.dispatchKeyEvent", map[string]any{
			"type": kind, "code": code, "key": key, "windowsVirtualKeyCode": number,
		}, nil)
		c.frame()
	}
}
