//go:build !js

package stage

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// noDisplay reports whether no window can be opened.
func noDisplay() bool {
	return runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == ""
}

// unattendedTicks is the duration of a run without a display, in ticks: ten seconds.
const unattendedTicks = 600

// withoutDisplay plays unattended inside a virtual display where xvfb-run is installed, and
// otherwise without pictures.
func withoutDisplay(w *window, o options) error {
	args := os.Args[1:]
	if w.game == nil {
		return errors.New("no display (DISPLAY and WAYLAND_DISPLAY are not set): try go run ./examples/serve")
	}
	name := w.entry().Name
	if o.ticks == 0 {
		o.ticks = unattendedTicks
		args = append(args, "-ticks", fmt.Sprint(o.ticks), "-gif", name+".gif", "-png", name+".png")
	}
	tool, err := exec.LookPath("xvfb-run")
	if err != nil {
		fmt.Println(unseen(w.game, o.ticks))
		return errors.New(
			"no display (DISPLAY and WAYLAND_DISPLAY are not set), so no pictures: install xvfb, or run this in a " +
				"desktop session",
		)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("%s: no display, so playing %d ticks unattended under xvfb-run\n", name, o.ticks)
	cmd := exec.Command(tool, append([]string{"-a", "-s", "-screen 0 1280x800x24", self}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
