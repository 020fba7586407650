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
func withoutDisplay(game Game, o options) error {
	args := os.Args[1:]
	if o.ticks == 0 {
		o.ticks = unattendedTicks
		args = append(args, "-ticks", fmt.Sprint(o.ticks), "-gif", programName()+".gif", "-png", programName()+".png")
	}
	tool, err := exec.LookPath("xvfb-run")
	if err != nil {
		fmt.Println(unseen(game, o.ticks))
		return errors.New(
			"no display (DISPLAY and WAYLAND_DISPLAY are not set), so no pictures: install xvfb, or run this in a " +
				"desktop session",
		)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("%s: no display, so playing %d ticks unattended under xvfb-run\n", programName(), o.ticks)
	cmd := exec.Command(tool, append([]string{"-a", "-s", "-screen 0 1280x800x24", self}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
