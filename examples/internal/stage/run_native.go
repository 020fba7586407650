//go:build !js

package stage

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"
)

// options are the flags of the gallery.
type options struct {
	ticks       int
	png, gif    string
	w, h        int
	every, fade int
	from, slow  int
	debug       int
	gifWidth    int
	panel       bool
	caption     bool
	settings    string // as in the address: seed=7&gravity=4.9
}

// Run parses the command line, the name of an example and flags, and plays it in a window, or
// unattended with -ticks, -png or -gif. Without a name it shows all examples. It ends the program
// after an error.
func Run(examples []Example) {
	var o options
	args, name := os.Args[1:], ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	size := "1280x800"
	flags := flag.NewFlagSet("gallery", flag.ExitOnError)
	flags.IntVar(&o.ticks, "ticks", 0, "play this many ticks unattended, print a summary and end")
	flags.StringVar(&o.png, "png", "", "write the last tick of an unattended run to this `file`")
	flags.StringVar(&o.gif, "gif", "", "write an unattended run to this `file`")
	flags.StringVar(&size, "size", size, "size of the window and of the PNG, `WxH` in pixels")
	flags.IntVar(&o.every, "every", 3, "ticks from one frame of the GIF to the next; 3 makes 20 frames a second")
	flags.IntVar(&o.slow, "slow", 1, "ticks that a step takes in an unattended run, for slow motion")
	flags.IntVar(&o.debug, "debug", 0, "sum of the layers of debugdraw that pictures show")
	flags.IntVar(&o.from, "from", 0, "first tick of the GIF")
	flags.IntVar(&o.fade, "fade", 0, "frames at the end of the GIF that fade into its beginning")
	flags.IntVar(&o.gifWidth, "gifwidth", 640, "width of the GIF in pixels")
	flags.BoolVar(&o.panel, "panel", false, "pictures show the panel, too")
	flags.BoolVar(&o.caption, "caption", true, "pictures have a caption")
	flags.StringVar(&o.settings, "set", "", "values of sliders, such as `seed=7&gravity=4.9`")
	_ = flags.Parse(args)
	if _, err := fmt.Sscanf(size, "%dx%d", &o.w, &o.h); err != nil || o.w < 64 || o.h < 64 || o.w > 8192 || o.h > 8192 {
		fail(fmt.Errorf("-size %q is not like 1280x800", size))
	}
	if o.ticks < 0 || o.every < 1 || o.slow < 1 || o.fade < 0 || o.gifWidth < 64 || o.gifWidth > 4096 {
		fail(errors.New("-ticks, -every, -fade or -gifwidth is out of range"))
	}
	w := newWindow(examples)
	if name != "" && !w.open(name, o.settings) {
		fail(fmt.Errorf("there is no example %q; there are %s", name, strings.Join(w.names(), ", ")))
	}
	if err := w.checkSettings(o.settings); err != nil {
		fail(fmt.Errorf("-set: %w", err))
	}
	if o.ticks == 0 && o.png+o.gif != "" {
		o.ticks = 600
	}
	if o.ticks > 0 && name == "" {
		fail(errors.New("unattended runs need the name of an example: gallery pile -ticks 600"))
	}
	if o.ticks > 0 && o.png+o.gif == "" {
		fmt.Println(unseen(w.game, o.ticks)) // needs no window
		return
	}
	if noDisplay() {
		fail(withoutDisplay(w, o))
		return
	}

	ebiten.SetWindowTitle(w.title())
	ebiten.SetWindowSize(o.w, o.h)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetWindowSizeLimits(320, 240, -1, -1)
	ebiten.SetScreenClearedEveryFrame(false)
	options := &ebiten.RunGameOptions{X11ClassName: "dango", X11InstanceName: "gallery"}
	var err error
	if o.ticks > 0 {
		ebiten.SetTPS(ebiten.SyncWithFPS)
		ebiten.SetVsyncEnabled(false)
		ebiten.SetRunnableOnUnfocused(true)
		r := newRecording(w, o)
		if err = ebiten.RunGameWithOptions(r, options); err == nil {
			err = r.err
		}
	} else {
		err = ebiten.RunGameWithOptions(w, options)
	}
	fail(err)
}

func programName() string {
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
}

// fail ends the program with err, if there is one.
func fail(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", programName(), err)
		os.Exit(1)
	}
}

// unseen plays n ticks without drawing, and returns the summary.
func unseen(game Game, n int) string {
	for range n {
		game.Step(Input{Auto: true})
	}
	return game.Summary()
}
