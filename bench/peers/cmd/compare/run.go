package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/dango-physics/dango/bench/internal/check"
	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/bench/peers/internal/report"
	"github.com/dango-physics/dango/bench/peers/internal/runner"
	"github.com/dango-physics/dango/bench/peers/internal/scenes"
)

// bench runs engines on scenes.
type bench struct {
	dir     string // for scene files and dumps
	timeout time.Duration
	rounds  int
	steps   int // of every scene; 0: as many as its kind and size call for
	quick   bool

	runs, disturbed int
}

// undisturbed is the fraction of a core that an undisturbed run gets. With less, other load has
// lengthened long steps more than short ones.
const undisturbed = 0.9

// scene runs the peers on one scene, dango before and after each of them, and returns the rows of
// the table: dango's first.
func (b *bench) scene(ctx context.Context, name scenes.Name, dango engine, peers []engine) ([]report.Result, error) {
	count := b.steps
	if count == 0 {
		count = steps(name, b.quick)
	}
	s := name.Make(count)
	file := filepath.Join(b.dir, name.String()+".txt")
	if err := write(s, file); err != nil {
		return nil, err
	}
	defer os.Remove(file)

	var results []report.Result
	own := newResult(dango, name, s)
	b.once(ctx, &own, dango, s, file)
	for _, p := range peers {
		if !p.runs(name) {
			continue
		}
		r := newResult(p, name, s)
		for range b.rounds {
			ownRuns := len(own.Lines)
			b.once(ctx, &r, p, s, file)
			b.once(ctx, &own, dango, s, file)
			if r.Failure != "" || own.Failure != "" {
				break
			}
			r.Before = append(r.Before, own.Lines[ownRuns-1])
			r.After = append(r.After, own.Lines[ownRuns])
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		results = append(results, r)
		if own.Failure != "" {
			break
		}
	}
	return append([]report.Result{own}, results...), nil
}

func newResult(e engine, name scenes.Name, s *scene.Scene) report.Result {
	return report.Result{
		Engine: e.name, How: e.how, Mode: e.mode, Scene: name.String(), Step: s.StepSeconds, Every: s.Every,
	}
}

// once runs e once and adds the result to r. Only the first dump is checked; the others are from
// the same program and scene.
func (b *bench) once(ctx context.Context, r *report.Result, e engine, s *scene.Scene, file string) {
	dump := filepath.Join(b.dir, "dump.bin")
	defer os.Remove(dump)
	fmt.Fprintf(os.Stderr, "%-14s %-22s ", r.Scene, r.Name())
	line, share, err := b.run(ctx, e, file, dump)
	if err == nil && len(r.Lines) == 0 {
		err = judge(r, s, dump)
	}
	if err != nil {
		r.Failure = err.Error()
		fmt.Fprintln(os.Stderr, r.Failure)
		return
	}
	r.Version = line.Version
	r.Lines = append(r.Lines, line)
	fmt.Fprintf(os.Stderr, "%s ms a step, %.1f s", report.Digits(line.Median), line.Total/1000)
	b.runs++
	if share < undisturbed {
		b.disturbed++
		fmt.Fprintf(os.Stderr, ", disturbed: it had %.0f %% of a core", 100*share)
	}
	fmt.Fprintln(os.Stderr)
}

// run starts e and returns the line that it prints, and the fraction of a core that it used. Errors
// are a few words for the table.
func (b *bench) run(ctx context.Context, e engine, file, dump string) (line runner.Line, share float64, err error) {
	timed, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	args := append(append([]string{}, e.command[1:]...), file, dump)
	cmd := exec.CommandContext(timed, e.command[0], args...)
	cmd.WaitDelay = time.Second
	if e.workers > 0 {
		cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", e.workers))
	}
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	start := time.Now()
	err = cmd.Run()
	wall := time.Since(start)
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return line, 0, errors.New("not installed: bash bench/peers/setup")
	case ctx.Err() != nil:
		return line, 0, ctx.Err()
	case timed.Err() != nil:
		return line, 0, fmt.Errorf("stopped after %v", b.timeout)
	case err != nil:
		return line, 0, errors.New(reason(complaints.String(), err))
	}
	share = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds() / wall.Seconds()
	return line, share, parse(out.String(), &line)
}

// parse reads the last line that a runner printed.
func parse(out string, line *runner.Line) error {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), line); err != nil || line.Steps == 0 {
		return fmt.Errorf("printed no figures: %.60q", lines[len(lines)-1])
	}
	return nil
}

// reason returns the reason of a failure, from the output of the program.
func reason(complaints string, err error) string {
	lower := strings.ToLower(complaints)
	for _, sign := range []string{"(oom)", "out of memory", "bad_alloc", "cannot enlarge memory"} {
		if strings.Contains(lower, sign) {
			return "out of memory"
		}
	}
	if strings.Contains(lower, "cannot find package") || strings.Contains(lower, "err_module_not_found") {
		return "not installed: bash bench/peers/setup"
	}
	for _, l := range strings.Split(complaints, "\n") {
		for _, sign := range []string{"Error: ", "panic: ", "fatal error: "} {
			if strings.Contains(l, sign) {
				return fmt.Sprintf("crashed: %.80s", strings.TrimSpace(l))
			}
		}
	}
	lines := strings.Split(strings.TrimSpace(complaints), "\n")
	return strings.TrimSpace(fmt.Sprintf("failed: %v %.80s", err, lines[len(lines)-1]))
}

// judge checks the dump of a run.
func judge(r *report.Result, s *scene.Scene, dump string) error {
	f, err := os.Open(dump)
	if err != nil {
		return err
	}
	defer f.Close()
	frames, err := check.Dump(s, bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return err
	}
	if want := 1 + s.Steps/s.Every; len(frames) != want {
		return fmt.Errorf("wrote %d frames instead of %d", len(frames), want)
	}
	r.Worst = check.Summary(frames)
	for _, frame := range frames {
		if frames[0].Energy > 0 {
			r.Energy = append(r.Energy, frame.Energy/frames[0].Energy)
		}
	}
	return nil
}

func write(s *scene.Scene, file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := s.Write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
