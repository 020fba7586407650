package scene

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
)

func TestReadReturnsWhatWriteWrote(t *testing.T) {
	for name, want := range map[string]*Scene{
		"gas": Gas(100, 1), "mix": Mix(100, 1), "pile": Pile(100, 0.5, 1),
	} {
		t.Run(name, func(t *testing.T) {
			want.Friction = 0.3
			var file bytes.Buffer
			if err := want.Write(&file); err != nil {
				t.Fatal(err)
			}
			got, err := Read(&file)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestReadTakesEveryFieldFromItsPlace(t *testing.T) {
	got, err := Read(strings.NewReader(
		"1 20 21 22 0.25 -9.81 0.5 0.75 0.3 0.016666666666666666 600 60 1\n1 2 3 4 5 6 7 8\n\n",
	))
	want := &Scene{
		Half: collide.Vec3{X: 20, Y: 21, Z: 22}, Gravity: collide.Vec3{X: 0.25, Y: -9.81, Z: 0.5},
		Restitution: 0.75, Friction: 0.3, StepSeconds: 1.0 / 60, Steps: 600, Every: 60, OpenTop: true,
		Spheres: []Sphere{
			{Position: collide.Vec3{X: 1, Y: 2, Z: 3}, Velocity: collide.Vec3{X: 4, Y: 5, Z: 6}, Radius: 7, Mass: 8},
		},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestReadSaysWhatIsWrongAndWhere(t *testing.T) {
	const head = "2 9 9 9 0 0 0 1 0 0.1 300 30 0\n"
	for _, c := range []struct{ name, file, want string }{
		{"an empty file", "", "line 1: the file ends where \"n hx hy"},
		{"a short first line", "2 9 9 9\n", "line 1: 4 fields instead of 13: n hx hy hz"},
		{
			"a count that isn't one", "two 9 9 9 0 0 0 1 0 0.1 300 30 0\n",
			"line 1: n \"two\" is not a whole number from 1 to 100000000",
		},
		{"no spheres", "0 9 9 9 0 0 0 1 0 0.1 300 30 0\n", "line 1: n \"0\" is not a whole number"},
		{"a box without width", "2 9 0 9 0 0 0 1 0 0.1 300 30 0\n", "line 1: hy \"0\" is not positive"},
		{"time that stands still", "2 9 9 9 0 0 0 1 0 0 300 30 0\n", "line 1: dt \"0\" is not positive"},
		{
			"a dump every no steps", "2 9 9 9 0 0 0 1 0 0.1 300 0 0\n",
			"line 1: every \"0\" is not a whole number from 1",
		},
		{
			"a third kind of top", "2 9 9 9 0 0 0 1 0 0.1 300 30 2\n",
			"line 1: opentop \"2\" is not a whole number from 0 to 1",
		},
		{
			"a missing sphere", head + "0 0 0 0 0 0 1 1\n",
			"line 3: the file ends where \"x y z vx vy vz radius mass\" should follow (sphere 2 of 2)",
		},
		{"a short sphere", head + "0 0 0 0 0 1 1\n", "line 2: 7 fields instead of 8: x y z"},
		{"a blank line counts", head + "\n0 0 0 0 0 0 1 x\n", "line 3: mass \"x\" is not a finite number"},
		{"a position of NaN", head + "0 NaN 0 0 0 0 1 1\n", "line 2: y \"NaN\" is not a finite number"},
		{"a speed beyond float64", head + "0 0 0 1e999 0 0 1 1\n", "line 2: vx \"1e999\" is not a finite number"},
		{"a negative radius", head + "0 0 0 0 0 0 -1 1\n", "line 2: radius \"-1\" is not positive"},
		{
			"a sphere too many", head + strings.Repeat("0 0 0 0 0 0 1 1\n", 3),
			"line 4: \"0 0 0 0 0 0 1 1\" after the last of 2 spheres",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Read(strings.NewReader(c.file))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, %v, want an error that starts with %q", s, err, c.want)
			}
		})
	}
}
