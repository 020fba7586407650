// Package scene contains the benchmark scenes: spheres in a box. It reads and writes the text
// format that all compared engines read, creates Donburi worlds of scenes, and measures their
// state.
package scene

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/dango-physics/dango/collide"
)

// Sphere is one ball of a scene.
type Sphere struct {
	Position collide.Vec3 // metres
	Velocity collide.Vec3 // metres per second
	Radius   float64      // metres, > 0
	Mass     float64      // kilograms, > 0
}

// Scene is spheres in the box [-Half.X, Half.X] x [-Half.Y, Half.Y] x [-Half.Z, Half.Z].
type Scene struct {
	Half        collide.Vec3 // metres
	Gravity     collide.Vec3 // m/s²
	Restitution float64      // of every impact, 0 to 1
	Friction    float64      // Coulomb's coefficient of every contact, at rest and sliding, >= 0
	StepSeconds float64
	Steps       int  // how many steps a run takes
	Every       int  // a dump has a frame after every so many steps
	OpenTop     bool // the box has no wall at +Y
	Spheres     []Sphere

	// These are not in the format; Write returns an error for a scene that uses them.
	Flat  bool             // spheres are circles that stay in the plane z = 0, and there are no walls along Z
	Fixed []Sphere         // spheres that never move
	Tiles [][]collide.Vec3 // the corners of polygons that never move
}

// Things returns how many spheres and polygons there are, without the walls.
func (s *Scene) Things() int { return len(s.Spheres) + len(s.Fixed) + len(s.Tiles) }

// maxSpheres is a limit that prevents a wrong number in a file from allocating all memory.
const maxSpheres = 100_000_000

// ReadFile reads a scene from a file.
func ReadFile(name string) (*Scene, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// Read reads a scene: a line `n hx hy hz gx gy gz restitution friction dt steps every opentop`,
// then n lines `x y z vx vy vz radius mass`. An error names the line.
func Read(r io.Reader) (*Scene, error) {
	lines := lineReader{in: bufio.NewScanner(r)}
	head, err := lines.next("n hx hy hz gx gy gz restitution friction dt steps every opentop")
	if err != nil {
		return nil, err
	}
	n := head.whole(0, 1, maxSpheres)
	s := &Scene{
		Half:        collide.Vec3{X: head.positive(1), Y: head.positive(2), Z: head.positive(3)},
		Gravity:     collide.Vec3{X: head.number(4), Y: head.number(5), Z: head.number(6)},
		Restitution: head.number(7),
		Friction:    head.number(8),
		StepSeconds: head.positive(9),
		Steps:       head.whole(10, 0, math.MaxInt32),
		Every:       head.whole(11, 1, math.MaxInt32),
		OpenTop:     head.whole(12, 0, 1) == 1,
	}
	if head.err != nil {
		return nil, head.err
	}
	for range n {
		l, err := lines.next("x y z vx vy vz radius mass")
		if err != nil {
			return nil, fmt.Errorf("%w (sphere %d of %d)", err, len(s.Spheres)+1, n)
		}
		s.Spheres = append(s.Spheres, Sphere{
			Position: collide.Vec3{X: l.number(0), Y: l.number(1), Z: l.number(2)},
			Velocity: collide.Vec3{X: l.number(3), Y: l.number(4), Z: l.number(5)},
			Radius:   l.positive(6),
			Mass:     l.positive(7),
		})
		if l.err != nil {
			return nil, l.err
		}
	}
	if extra, err := lines.next(""); err == nil {
		return nil, fmt.Errorf("line %d: %q after the last of %d spheres", extra.at, strings.Join(extra.fields, " "), n)
	}
	return s, lines.in.Err()
}

// Write writes s in the format that [Read] reads, every number with all its digits.
func (s *Scene) Write(w io.Writer) error {
	if s.Flat || len(s.Fixed)+len(s.Tiles) > 0 {
		return errors.New("the scene has circles or things that never move, and the format has no words for them")
	}
	out := bufio.NewWriter(w)
	open := 0
	if s.OpenTop {
		open = 1
	}
	fmt.Fprintln(out, len(s.Spheres), s.Half.X, s.Half.Y, s.Half.Z, s.Gravity.X, s.Gravity.Y, s.Gravity.Z,
		s.Restitution, s.Friction, s.StepSeconds, s.Steps, s.Every, open)
	for _, b := range s.Spheres {
		fmt.Fprintln(
			out, b.Position.X, b.Position.Y, b.Position.Z, b.Velocity.X, b.Velocity.Y, b.Velocity.Z, b.Radius,
			b.Mass,
		)
	}
	return out.Flush() // a bufio.Writer keeps the first error until here
}

// lineReader returns the lines of a scene file that are not blank.
type lineReader struct {
	in     *bufio.Scanner
	number int // of the last line, from 1
}

// next returns the next line, which has to have the fields that names lists.
func (r *lineReader) next(names string) (*line, error) {
	for r.in.Scan() {
		r.number++
		fields := strings.Fields(r.in.Text())
		if len(fields) == 0 {
			continue
		}
		l := &line{at: r.number, fields: fields, names: strings.Fields(names)}
		if names != "" && len(l.fields) != len(l.names) {
			return nil, fmt.Errorf("line %d: %d fields instead of %d: %s", r.number, len(l.fields), len(l.names), names)
		}
		return l, nil
	}
	if err := r.in.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", r.number+1, err)
	}
	return nil, fmt.Errorf("line %d: the file ends where %q should follow", r.number+1, names)
}

// line is the fields of one line. Its methods keep the first error and go on with zeros.
type line struct {
	at     int // from 1
	fields []string
	names  []string
	err    error
}

func (l *line) fail(i int, reason string) {
	if l.err == nil {
		l.err = fmt.Errorf("line %d: %s %q %s", l.at, l.names[i], l.fields[i], reason)
	}
}

// number returns field i, a finite number.
func (l *line) number(i int) float64 {
	x, err := strconv.ParseFloat(l.fields[i], 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		l.fail(i, "is not a finite number")
		return 0
	}
	return x
}

// positive returns field i, a finite number above zero.
func (l *line) positive(i int) float64 {
	x := l.number(i)
	if x <= 0 {
		l.fail(i, "is not positive")
	}
	return x
}

// whole returns field i, a whole number from least to most.
func (l *line) whole(i, least, most int) int {
	x, err := strconv.Atoi(l.fields[i])
	if err != nil || x < least || x > most {
		l.fail(i, fmt.Sprintf("is not a whole number from %d to %d", least, most))
		return 0
	}
	return x
}
