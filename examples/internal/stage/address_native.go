//go:build !js

package stage

// inBrowser says that the program runs in a web page.
const inBrowser = false

func (w *window) follow() bool { return w.title() != w.shown }
func (w *window) show()        { w.shown = w.title() }
func showSource(string)        {}

// leave opens another example, or the gallery.
func (w *window) leave(name string) { w.open(name, "") }
