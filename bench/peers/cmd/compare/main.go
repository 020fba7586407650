// Compare runs every engine in turn on the same scenes, dango before and after each of them, checks
// the runs, and prints the tables of docs/benchmarks.md. README.md of bench/peers explains them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/dango-physics/dango/bench/peers/internal/report"
	"github.com/dango-physics/dango/bench/peers/internal/scenes"
)

const usage = `Usage: bash bench/peers/run [flags]

Runs every engine on the same scenes, prints the tables, and writes them and the pictures into docs.
`

// What is run without -scenes: about seven minutes, and about a minute.
const (
	usual = "gas1000,gas10000,gas100000,pile1000,mix1000,bullets1000,disc1000,disc5000"
	quick = "gas1000,pile1000,bullets1000,disc1000"
)

func main() {
	var b bench
	var o options
	flag.StringVar(&o.scenes, "scenes", "", "the scenes, as in `gas1000,disc500`: gas, mix, bullets, pile or "+
		"disc, and how many spheres")
	flag.StringVar(&o.engines, "engines", "", "what to compare with, of `dango,bullet,rapier,jolt,cp,box2d`; "+
		"dango is dango with two workers")
	flag.BoolVar(&b.quick, "quick", false, "a look that takes a minute: small scenes, a fifth of their steps")
	flag.IntVar(&b.steps, "steps", 0, "`number` of steps of every scene, instead of the usual one")
	flag.IntVar(&b.rounds, "rounds", 1, "how `often` each engine runs; the medians count")
	flag.DurationVar(&b.timeout, "timeout", 10*time.Minute, "`time` after which a run is stopped")
	flag.BoolVar(&o.write, "write", false, "write into docs, which otherwise only a run of everything does")
	flag.StringVar(&o.from, "from", "", "measure nothing, and write what an earlier run kept in `results.json`")
	flag.StringVar(&o.root, "root", "../..", "`folder` of the repository")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage, "\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 || b.rounds < 1 || b.steps < 0 {
		flag.Usage()
		os.Exit(2)
	}
	// The started programs end with this one.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := compare(ctx, &b, o); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

type options struct {
	scenes, engines string
	write           bool
	from, root      string
}

// kept is saved by a run, so that its results can be written again without measuring.
type kept struct {
	Machine string
	Results []report.Result
}

func compare(ctx context.Context, b *bench, o options) error {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	home := filepath.Join(root, "bench", "peers")
	build := filepath.Join(home, ".build")
	b.dir = filepath.Join(build, "run")
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	whole := o.scenes == "" && o.engines == "" && !b.quick && b.steps == 0

	var k kept
	if o.from != "" {
		text, err := os.ReadFile(o.from)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, &k); err != nil {
			return fmt.Errorf("%s: %w", o.from, err)
		}
	} else {
		k.Machine = machine(root)
		if k.Results, err = measure(ctx, b, o, root, build, home); err != nil {
			return err
		}
		k.Machine += b.noise()
		text, err := json.Marshal(k)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(b.dir, "results.json"), text, 0o644); err != nil {
			return err
		}
	}
	docs := filepath.Join(root, "docs")
	if !o.write && (!whole || o.from != "") {
		docs = filepath.Join(b.dir, "docs")
	}
	return publish(k, docs)
}

// measure builds dango and the runners written in Go, and runs the scenes.
func measure(ctx context.Context, b *bench, o options, root, build, home string) ([]report.Result, error) {
	list := o.scenes
	if list == "" {
		list = usual
		if b.quick {
			list = quick
		}
	}
	var wanted []scenes.Name
	for _, text := range strings.Split(list, ",") {
		name, err := scenes.Parse(text)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, name)
	}
	engines, err := choose(peers(build, filepath.Join(home, "node")), o.engines)
	if err != nil {
		return nil, err
	}
	for _, args := range [][]string{
		{root, "build", "-o", filepath.Join(build, "dango"), "./bench/scene"},
		{home, "build", "-o", build + string(filepath.Separator), "./cmd/cp", "./cmd/box2d"},
	} {
		cmd := exec.Command("go", args[1:]...)
		cmd.Dir = args[0]
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	var results []report.Result
	for _, name := range wanted {
		rows, err := b.scene(ctx, name, reference(build), engines)
		if err != nil {
			return nil, err
		}
		results = append(results, rows...)
	}
	return results, nil
}

// noise describes the other load of the machine.
func (b *bench) noise() string {
	if b.disturbed == 0 {
		return fmt.Sprintf(" All %d runs had a core to themselves.", b.runs)
	}
	return fmt.Sprintf(
		" **Of %d runs %d had to share their core with other work, so the times mean little.**", b.runs,
		b.disturbed,
	)
}

// publish prints the tables and writes them and the pictures into the folder docs.
func publish(k kept, docs string) error {
	pictures := filepath.Join(docs, "pictures")
	if err := os.MkdirAll(pictures, 0o755); err != nil {
		return err
	}
	text := k.Machine + "\n\n" + report.Tables(k.Results)
	if err := report.PlotTime(k.Results, filepath.Join(pictures, "benchmarks-time.png")); err != nil {
		return err
	}
	text += "![Time of a step by engine and scene](pictures/benchmarks-time.png)\n"
	if scene := report.LongestElastic(k.Results); scene != "" {
		if err := report.PlotEnergy(k.Results, scene, filepath.Join(pictures, "benchmarks-energy.png")); err != nil {
			return err
		}
		text += "\n![Energy by engine](pictures/benchmarks-energy.png)\n"
	}
	fmt.Print(text)

	file := filepath.Join(docs, "benchmarks.md")
	page, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	whole, err := report.Insert(string(page), text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := os.WriteFile(file, []byte(whole), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "\nwrote %s and the pictures beside it\n", file)
	return nil
}

// machine describes in a sentence what was measured, where and when.
func machine(root string) string {
	processor := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		of := func(key string) string {
			if m := regexp.MustCompile(`(?m)^` + key + `\s*: (.*)$`).FindSubmatch(text); m != nil {
				return strings.TrimSpace(string(m[1]))
			}
			return ""
		}
		if name := of("model name"); name != "" {
			// virtual machines hide the rest of the name
			processor = fmt.Sprintf("%s (family %s, model %s)", name, of("cpu family"), of("model"))
		}
	}
	load := ""
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = ", load before the start " + strings.Fields(string(text))[0]
	}
	return fmt.Sprintf("Measured on %s at commit %s: %s, %d cores, %s, Node %s%s.", time.Now().Format("2 January 2006"),
		output(root, "git", "rev-parse", "--short", "HEAD"), processor, runtime.NumCPU(), runtime.Version(),
		strings.TrimPrefix(output(root, "node", "--version"), "v"), load)
}

// output returns what a command prints, "unknown" if it fails.
func output(dir, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}
