package stage

import (
	"strings"
	"syscall/js"
)

// inBrowser says that the program runs in a web page: examples/serve/index.html.
const inBrowser = true

// changed is closed over by the listener of hash changes.
var changed = make(chan string, 16)

// address follows the address of the page, #pile?seed=7.
func (w *window) address() {
	js.Global().Call("addEventListener", "hashchange", js.FuncOf(func(js.Value, []js.Value) any {
		changed <- js.Global().Get("location").Get("hash").String()
		return nil
	}))
	changed <- js.Global().Get("location").Get("hash").String()
}

// follow opens what the address asks for. It reports whether that has changed.
func (w *window) follow() bool {
	select {
	case hash := <-changed:
		if hash = strings.TrimPrefix(hash, "#"); hash != w.shown {
			name, settings, _ := strings.Cut(hash, "?")
			w.open(name, settings)
			w.shown = hash
		}
		return true
	default:
		return false
	}
}

// show puts the settings into the address.
func (w *window) show() {
	hash := w.entry().Name
	if settings := w.settings(); settings != "" {
		hash += "?" + settings
	}
	if hash != w.shown && !w.held {
		w.shown = hash
		js.Global().Get("history").Call("replaceState", nil, "", "#"+hash)
	}
}

// leave opens another example, or the gallery.
func (w *window) leave(name string) { js.Global().Get("location").Set("hash", name) }

// browse does nothing: the page shows the gallery.
func (w *window) browse(Input) {}

// showSource opens the source of an example in another tab.
func showSource(name string) {
	js.Global().Call("open", "https://github.com/dango-physics/dango/tree/main/examples/"+name, "_blank")
}
