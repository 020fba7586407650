package stage

import (
	"fmt"
	"path"
	"syscall/js"
)

// writeFile sends a picture to the server of the page, examples/serve, because a page cannot write
// files.
func writeFile(name string, data []byte) error {
	body := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(body, data)
	done := make(chan error, 1)
	answered := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if args[0].Get("ok").Bool() {
			done <- nil
		} else {
			done <- fmt.Errorf("the server did not take %s", name)
		}
		return nil
	})
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- fmt.Errorf("sending %s: %s", name, args[0].Call("toString").String())
		return nil
	})
	defer answered.Release()
	defer failed.Release()
	js.Global().Call(
		"fetch", "/files/"+path.Base(name), map[string]any{"method": "POST", "body": body},
	).Call("then", answered, failed)
	return <-done
}
