// Package runner is shared by the runners of the engines written in Go: command line, measurement
// of time, dump and line of JSON. The formats are those of package
// [github.com/dango-physics/dango/bench/internal/scene].
package runner

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/dango-physics/dango/bench/internal/scene"
)

// Motion is the position and the velocity of a circle.
type Motion struct{ X, Y, VX, VY float64 }

// Engine is a scene that an engine can step.
type Engine interface {
	Step()
	Motion(i int) Motion // of circle i, in scene order
}

// Line is what a runner prints.
type Line struct {
	Engine  string  `json:"engine"`
	Version string  `json:"version"`
	Mode    string  `json:"mode"`
	Scene   string  `json:"scene"`
	N       int     `json:"n"`
	Steps   int     `json:"steps"`
	Median  float64 `json:"ms_per_step_median"`
	Later   float64 `json:"ms_per_step_later"` // median of the later half of the steps; not every runner prints it
	Mean    float64 `json:"ms_per_step_mean"`
	Total   float64 `json:"ms_total"`
}

// Main runs the scene of the command line `MODE SCENE DUMP` through an engine that the module at
// path provides. It reads scenes in the plane z = 0 only.
func Main(engine, path string, modes []string, build func(mode string, s *scene.Scene) Engine) {
	if len(os.Args) != 4 || !slices.Contains(modes, os.Args[1]) {
		fmt.Fprintf(os.Stderr, "Usage: %s %s SCENE DUMP\n", engine, strings.Join(modes, "|"))
		os.Exit(2)
	}
	mode, file, dump := os.Args[1], os.Args[2], os.Args[3]
	line := Line{
		Engine: engine, Version: version(path), Mode: mode,
		Scene: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)),
	}
	if err := run(&line, file, dump, func(s *scene.Scene) Engine { return build(mode, s) }); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", engine, err)
		os.Exit(1)
	}
	text, err := json.Marshal(line)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", engine, err)
		os.Exit(1)
	}
	fmt.Println(string(text))
}

// version returns the version of the module at path that this program was built with.
func version(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return strings.TrimPrefix(m.Version, "v")
			}
		}
	}
	return ""
}

// run steps the scene in file, writes the dump, and sets the times of line.
func run(line *Line, file, dump string, build func(*scene.Scene) Engine) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	s, err := scene.Read(in)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for i, b := range s.Spheres {
		if b.Position.Z != 0 || b.Velocity.Z != 0 {
			return fmt.Errorf("%s: sphere %d isn't in the plane z = 0", file, i)
		}
	}
	out, err := os.Create(dump)
	if err != nil {
		return err
	}
	defer out.Close()
	frames := bufio.NewWriterSize(out, 1<<20)

	engine := build(s)
	writeFrame(frames, engine, len(s.Spheres))
	var times []float64
	for step := 1; step <= s.Steps; step++ {
		start := time.Now()
		engine.Step()
		times = append(times, float64(time.Since(start).Nanoseconds())/1e6)
		if step%s.Every == 0 {
			writeFrame(frames, engine, len(s.Spheres))
		}
	}
	if err := frames.Flush(); err != nil { // a bufio.Writer keeps the first error until here
		return err
	}
	line.N, line.Steps = len(s.Spheres), len(times)
	for _, t := range times {
		line.Total += t
	}
	line.Mean = line.Total / float64(max(1, len(times)))
	line.Median, line.Later = Median(times), Median(times[len(times)/2:])
	return out.Close()
}

func writeFrame(out *bufio.Writer, engine Engine, n int) {
	var b []byte
	for i := range n {
		m := engine.Motion(i)
		b = b[:0]
		for _, x := range [6]float64{m.X, m.Y, 0, m.VX, m.VY, 0} {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		out.Write(b)
	}
}

// Median returns the median of x, 0 if x is empty.
func Median(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(x))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
