// Report measures the tables of docs/benchmarks.md, writes them between the markers of each
// section, and draws the plot:
//
//	go run ./bench/report                          # everything; ten minutes on an idle machine
//	go run ./bench/report -only growth -most 10000 # one section, and nothing larger
//
// Every scene runs in a process of its own, so that the heap of one does not influence the next.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/dango-physics/dango/bench/internal/measure"
)

const (
	page = "docs/benchmarks.md"
	plot = "docs/pictures/benchmarks-growth.svg"
)

// report is one run of this command.
type report struct {
	dir     string // temporary, for programs
	program string // bench/sizes
	workers []int
	most    int // things in a scene
	quick   bool
	drawing string // the plot
	broken  bool   // a scene failed a check of rest
}

const usage = `Usage: go run ./bench/report [flags]

Measures the tables of docs/benchmarks.md, except those of other engines, and replaces them in that
page. Draws the plot into docs/pictures. Takes ten minutes on an idle machine. Run it from the root of
the repository. The sections are growth (with memory), sizes (with stages), rest and wasm; the last
one needs node and chromium.
`

func main() {
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage, "\n")
		flag.PrintDefaults()
	}
	only := flag.String("only", "growth,sizes,rest,wasm", "`sections` to measure")
	most := flag.Int("most", 1_000_000, "leave out scenes with more than this `number` of spheres and polygons")
	workers := flag.String("workers", "1,0", "`numbers` of workers to measure with, 0 for as many as there are "+
		"processors; shares are those of the first")
	quick := flag.Bool("quick", false, "measure few steps, and print the tables instead of writing them: to try "+
		"this command")
	flag.Parse()
	if flag.NArg() > 0 || *most < 100 {
		if flag.NArg() == 0 {
			fmt.Fprintf(os.Stderr, "report: -most %d: 100 or more\n", *most)
		}
		flag.Usage()
		os.Exit(2)
	}
	r := report{most: *most, quick: *quick}
	err := r.run(strings.Split(*only, ","), strings.Split(*workers, ","))
	if err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func (r *report) run(only, workers []string) error {
	for _, w := range workers {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 {
			return fmt.Errorf("-workers: %q is not a number of workers", w)
		}
		r.workers = append(r.workers, n)
	}
	sections := map[string]func() (map[string]string, error){
		"growth": r.growth, "sizes": r.sizes, "rest": r.rest, "wasm": r.wasm,
	}
	for _, name := range only {
		if sections[name] == nil {
			return fmt.Errorf("-only: there is no section %q", name)
		}
	}

	var err error
	if r.dir, err = os.MkdirTemp("", "dango-report-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.dir)
	r.program = filepath.Join(r.dir, "sizes")
	if err := build(r.program, "./bench/sizes"); err != nil {
		return err
	}
	for _, name := range only {
		texts, err := sections[name]() // the text between each pair of markers
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for marker, text := range texts {
			if strings.Count("\n"+text, "\n|") < 3 { // head, line, row
				return fmt.Errorf("%s: no scene of %s is that small", name, marker)
			}
		}
		if r.quick {
			for marker, text := range texts {
				fmt.Printf("%s\n\n%s\n", marker, text)
			}
			continue
		}
		old, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		renewed := string(old)
		for marker, text := range texts {
			if renewed, err = between(renewed, marker, text); err != nil {
				return fmt.Errorf("%s: %w", page, err)
			}
		}
		if err := os.WriteFile(page, []byte(renewed), 0o644); err != nil {
			return err
		}
		if name == "growth" {
			if err := os.WriteFile(plot, []byte(r.drawing), 0o644); err != nil {
				return err
			}
		}
	}
	if r.broken {
		return errors.New("something didn't come to rest as it must, see above; the table is written")
	}
	return nil
}

// between returns page with text between the lines of the marker.
func between(page, marker, text string) (string, error) {
	begin, end := "<!-- "+marker+":begin -->\n", "<!-- "+marker+":end -->\n"
	before, rest, ok := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("no lines %q and %q", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + text + end + after, nil
}

// build compiles a program to file. env may set another platform.
func build(file, source string, env ...string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-o", file, source)
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false"), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	return nil
}

// arguments returns the arguments of bench/sizes for one scene.
func (r *report) arguments(spec string, workers int) []string {
	args := []string{"-json", "-workers", strconv.Itoa(workers)}
	if r.quick {
		args = append(args, "-steps", "16", "-warm", "20")
	}
	return append(args, spec)
}

// measure runs one scene in a process of its own.
func (r *report) measure(spec string, workers int) (measure.Result, error) {
	fmt.Fprintf(os.Stderr, "%s, %s\n", spec, workerName(workers))
	return result(exec.Command(r.program, r.arguments(spec, workers)...))
}

// result runs cmd and reads the line that bench/sizes prints.
func result(cmd *exec.Cmd) (measure.Result, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	line, err := cmd.Output()
	if err != nil {
		return measure.Result{}, fmt.Errorf("%w\n%s", err, &stderr)
	}
	var m measure.Result
	err = json.Unmarshal(line, &m)
	return m, err
}

// machine describes the machine and the version of Go.
func machine() string {
	cpu := "an unnamed processor"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		of := func(key string) string {
			_, rest, _ := strings.Cut(string(text), "\n"+key+"\t")
			line, _, _ := strings.Cut(rest, "\n")
			return strings.TrimLeft(line, " \t:")
		}
		if name := of("model name"); name != "" {
			// Virtual machines hide the rest of the name.
			cpu = fmt.Sprintf("%s (family %s, model %s)", name, of("cpu family"), of("model"))
		}
	}
	return fmt.Sprintf(
		"%s, %d cores, %s, %s/%s", cpu, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH,
	)
}

// table is a Markdown table.
type table struct{ strings.Builder }

func (t *table) head(names ...string) {
	t.row(names...)
	t.WriteString("|---" + strings.Repeat("|---:", len(names)-1) + "|\n")
}

func (t *table) row(cells ...string) { t.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

// digits returns x with three significant digits, or all before the point.
func digits(x float64) string {
	switch {
	case x >= 100:
		return whole(int(x + 0.5))
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case x >= 1:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// whole returns n with commas between thousands.
func whole(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
