//go:build !js

package stage

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/dango-physics/dango/examples/internal/catalog"
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
	name, o, err := parseArgs(os.Args[1:])
	fail(err)
	w := newWindow(examples)
	w.open(name, o.settings)
	if err := w.checkSettings(o.settings); err != nil {
		fail(fmt.Errorf("-set: %w", err))
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
	ebiten.SetWindowSizeLimits(480, 320, -1, -1)
	ebiten.SetScreenClearedEveryFrame(false)
	options := &ebiten.RunGameOptions{X11ClassName: "dango", X11InstanceName: "gallery"}
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

// parseArgs parses the command line.
func parseArgs(args []string) (name string, o options, err error) {
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
	if name, err = catalog.ParseArgs(flags, args); err != nil {
		return name, o, err
	}
	var errs [2]error
	wide, high, _ := strings.Cut(size, "x")
	o.w, errs[0] = strconv.Atoi(wide)
	o.h, errs[1] = strconv.Atoi(high)
	if errors.Join(errs[:]...) != nil || min(o.w, o.h) < 64 || max(o.w, o.h) > 8192 {
		return name, o, fmt.Errorf("-size %q is not like 1280x800, from 64 to 8192 pixels each", size)
	}
	if o.ticks < 0 || o.every < 1 || o.slow < 1 || o.fade < 0 || o.gifWidth < 64 || o.gifWidth > 4096 {
		return name, o, errors.New("-ticks, -every, -slow, -fade or -gifwidth is out of range")
	}
	if rows := o.gifWidth * o.h / o.w; o.gif != "" && rows < 64 {
		return name, o, fmt.Errorf("with -size %s, a GIF of -gifwidth %d is %d pixels high, and not at least 64",
			size, o.gifWidth, rows)
	}
	if o.ticks == 0 && o.png+o.gif != "" {
		o.ticks = 600
	}
	if name == "" && (o.ticks > 0 || o.settings != "") {
		return name, o, errors.New("unattended runs and -set need the name of an example: gallery pile -ticks 600")
	}
	return name, o, nil
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
