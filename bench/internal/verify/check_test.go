package verify

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const dt = 1.0 / 60

// sphere returns a sphere of 1 kg and a radius of 0.5 m that moves freely.
func sphere(id int, x, v V) Thing {
	return Thing{
		ID: id, Mass: 1, Radius: 0.5, Restitution: 1, Layers: 1, Mask: ^uint32(0),
		Start: State{Position: x, Velocity: v}, End: State{Position: x.Add(v.Scale(dt)), Velocity: v},
	}
}

// cube returns a cube with sides of 1 m.
func cube() *Solid {
	var corners []V
	for k := range 8 {
		corners = append(corners, V{float64(k&1) - 0.5, float64(k>>1&1) - 0.5, float64(k>>2) - 0.5})
	}
	return NewSolid(corners, 0)
}

// turnedCube returns the cube after a rotation about Z, rad.
func turnedCube(angle float64) *Solid {
	sin, cos := math.Sincos(angle / 2)
	var corners []V
	for _, p := range cube().Points {
		corners = append(corners, p.Turn(V{0, 0, sin}, cos))
	}
	return NewSolid(corners, 0)
}

// convex returns a body of 1 kg that rests and has the shape of a solid.
func convex(id int, x V, o *Solid) Thing {
	t := sphere(id, x, V{})
	t.Shape, t.Solid, t.Radius = Convex, o, o.HalfWidth()
	return t
}

// right is a step computed by hand in which all is right: ball 1 hits ball 2 of the same mass, and
// stops. Ball 3 falls freely, 4 is a floor, 5 a sensor that ball 6 leaves, 7 a moving wall. Balls 8
// and 9 rest against each other, 10 and 11 hit each other at an angle and spin, 12 is inside 13.
// The cube 14 and the capsule 15 touch nothing. Ball 17 is above the mesh 16, and ball 19 beside
// the compound 18, which is a group with the sheet 20. The character 21 walks on the mesh. The cube
// 22 yields to load, and rotates freely.
func right() *Step {
	s := &Step{Seconds: dt, LengthUnit: 1}
	one, two := sphere(1, V{}, V{20, 0, 0}), sphere(2, V{1.1, 0, 0}, V{})
	at := (1.1 - 1) / 20
	one.End = State{Position: V{20 * at, 0, 0}}
	two.End = State{Position: V{1.1 + 20*(dt-at), 0, 0}, Velocity: V{20, 0, 0}}
	three := sphere(3, V{0, 5, 0}, V{1, 0, 0})
	three.Acceleration = V{0, -10, 0}
	three.End = State{Position: V{dt, 5 - 5*dt*dt, 0}, Velocity: V{1, -10 * dt, 0}}
	floor := Thing{
		ID: 4, Shape: Plane, Kind: Static, Normal: V{0, 1, 0}, OneSided: true, Layers: 1, Mask: ^uint32(0),
		Start: State{Position: V{0, -5, 0}}, End: State{Position: V{0, -5, 0}},
	}
	sensor := sphere(5, V{20, 0, 0}, V{})
	sensor.Sensor, sensor.Kind = true, Static
	six := sphere(6, V{20.95, 0, 0}, V{10, 0, 0})
	wall := Thing{
		ID: 7, Shape: Polygon, Kind: Kinematic, Corners: []V{{0, -1, -1}, {0, 1, -1}, {0, 1, 1}, {0, -1, 1}},
		Layers: 4, Mask: ^uint32(0), Start: State{Position: V{30, 0, 0}, Velocity: V{1, 0, 0}},
		End: State{Position: V{30 + dt, 0, 0}, Velocity: V{1, 0, 0}},
	}
	eight, nine := sphere(8, V{40, 0, 0}, V{}), sphere(9, V{41, 0, 0}, V{})
	ten, eleven := sphere(10, V{50, 0, 0}, V{24, 0, 0}), sphere(11, V{51, 0.6, 0}, V{})
	for _, t := range []*Thing{&ten, &eleven} {
		t.Inertia, t.Friction = 0.1, 0.1
	}
	hit := 0.2 / 24 // the distance along X is sqrt(1-0.36) = 0.8 then
	n := V{-0.8, -0.6, 0}
	j, f := 24*0.8, 2.4*0.8 // normal impulse, and friction at 0.1 of it, which doesn't end the slip
	side := V{-0.6, 0.8, 0}
	ten.End.Velocity = ten.Start.Velocity.Add(n.Scale(j)).Add(side.Scale(f))
	eleven.End.Velocity = n.Scale(-j).Add(side.Scale(-f))
	spin := n.Scale(-0.5).Cross(side.Scale(f)).Scale(1 / 0.1)
	ten.End.Angular, eleven.End.Angular = spin, spin
	ten.End.Position = V{50.2, 0, 0}.Add(ten.End.Velocity.Scale(dt - hit))
	eleven.End.Position = V{51, 0.6, 0}.Add(eleven.End.Velocity.Scale(dt - hit))
	twelve, thirteen := sphere(12, V{60, 0, 0}, V{}), sphere(13, V{60.9, 0, 0}, V{})
	twelve.End.Position[0] -= 0.01
	thirteen.End.Position[0] += 0.01
	fourteen := convex(14, V{70, 0, 0}, cube())
	fifteen := convex(15, V{72, 0, 0}, NewSolid([]V{{0, -1, 0}, {0, 1, 0}}, 0.5))
	mesh := Thing{ID: 16, Shape: Parts, Kind: Static, Layers: 1, Mask: ^uint32(0)}
	mesh.Start.Position = V{80, 0, 0}
	mesh.Parts = []Part{
		NewPart([]V{{-1, 0, -1}, {-1, 0, 1}, {1, 0, -1}}, 0), NewPart([]V{{1, 0, 1}, {1, 0, -1}, {-1, 0, 1}}, 0),
	}
	mesh.End, mesh.Closed = mesh.Start, true
	compound, sheet := mesh, wall
	compound.ID, sheet.ID, compound.Closed = 18, 20, false
	compound.Parts = []Part{NewPart([]V{{0, -1, 0}, {0, 1, 0}}, 0.5), NewPart([]V{{0, 2, 0}}, 0.5)}
	for _, t := range []*Thing{&compound, &sheet} {
		t.Kind, t.Group, t.Start.Velocity = Kinematic, 18, V{0, 0, 1}
		t.Start.Position = V{90 + float64(t.ID-18), 0, 0}
		t.End = State{Position: t.Start.Position.Add(V{0, 0, dt}), Velocity: V{0, 0, 1}}
	}
	s.Things = []Thing{
		one, two, three, floor, sensor, six, wall, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen,
		mesh, sphere(17, V{80.2, 2, 0.2}, V{0, -10, 0}), compound, sphere(19, V{88, 0, 0}, V{10, 0, 0}), sheet,
		convex(21, V{79.5, 0.5, -0.4}, NewSolid([]V{{0, -0.25, 0}, {0, 0.25, 0}}, 0.25)),
		convex(22, V{100, 0, 0}, cube()),
	}
	walker, rotor := &s.Things[20], &s.Things[21]
	rotor.Kind, rotor.Yields, rotor.Inertia, rotor.Swing = Kinematic, true, 1, rotor.Solid.Reach
	rotor.Start.Angular, rotor.End.Angular, rotor.EndSolid = V{0, 0, 2}, V{0, 0, 2}, turnedCube(2*dt)
	walker.Character, walker.Kind, walker.End.Position = true, Kinematic, V{79.5, 0.5, -0.3}
	s.Impacts = []Impact{
		{1, 2, at, V{0.6, 0, 0}, V{-1, 0, 0}, 20, 20},
		{10, 11, hit, V{50.6, 0.3, 0}, n, 24 * 0.8, j},
	}
	s.Begins = []Contact{{A: 1, B: 2, Time: at}, {A: 8, B: 9}, {A: 10, B: 11, Time: hit}, {A: 6, B: 5, Sensor: true}}
	s.Ends = []Contact{{A: 1, B: 2, Time: at}, {A: 10, B: 11, Time: hit}, {A: 6, B: 5, Sensor: true, Time: 0.005}}
	s.Touching = [][2]int{{8, 9}, {9, 8}}
	return s
}

func TestAStepInWhichAllIsRightPasses(t *testing.T) {
	s := right()
	for _, f := range NewChecker().Check(s) {
		t.Error(f)
	}
}

// wrongs are faults that each check must find. The key is the check, and in brackets a case.
var wrongs = map[string]func(s *Step){
	"finite":          func(s *Step) { s.Things[2].End.Velocity[1] = math.NaN() },
	"finite (impact)": func(s *Step) { s.Impacts[0].Impulse = math.Inf(1) },
	"overlap":         func(s *Step) { s.Things[1].End.Position[0] = 1.09 },
	"overlap (plane)": func(s *Step) { s.Things[2].End.Position[1] = -4.50001 },
	"overlap (polygon)": func(s *Step) {
		s.Things[2].Start.Position, s.Things[2].End.Position = V{29, 0, 0}, V{29.6, 0, 0}
	},
	"tunnel": func(s *Step) { s.Things[2].Start.Position, s.Things[2].End.Position = V{39, 0, 0}, V{42, 0, 0} },
	"tunnel (polygon)": func(s *Step) {
		s.Things[2].Start.Position, s.Things[2].End.Position = V{29, 0, 0}, V{31, 0, 0}
	},
	"tunnel (two-sided plane)": func(s *Step) {
		s.Things[3].OneSided = false
		s.Things[2].End.Position[1] = -6
		s.Impacts = append(s.Impacts, Impact{3, 4, 0.01, V{dt, -7, 0}, V{0, 1, 0}, 1, 1})
	},
	"overlap (solids)":           func(s *Step) { s.Things[13].End.Position[0] = 71.01 },
	"overlap (solid and sphere)": func(s *Step) { s.Things[13].End.Position = V{40, 0.99, 0} },
	"overlap (solid and plane)":  func(s *Step) { s.Things[13].End.Position[1] = -4.51 },
	"overlap (solid and polygon)": func(s *Step) {
		s.Things[13].Start.Position, s.Things[13].End.Position = V{29, 0, 0}, V{29.6, 0, 0}
	},
	"tunnel (solid and polygon)": func(s *Step) {
		s.Things[13].Start.Position, s.Things[13].End.Position = V{29, 0.2, 0}, V{31, 0.1, 0}
	},
	"tunnel (solid and one-sided polygon)": func(s *Step) {
		s.Things[6].OneSided = true // its front is at smaller X
		s.Things[6].Corners = []V{{0, -1, 1}, {0, 1, 1}, {0, 1, -1}, {0, -1, -1}}
		s.Things[13].Start.Position, s.Things[13].End.Position = V{29, 0.2, 0}, V{31, 0.1, 0}
	},
	"tunnel (solids)": func(s *Step) { s.Things[13].End.Position[0] = 74 },
	"tunnel (solid and sphere)": func(s *Step) {
		s.Things[13].Start.Position, s.Things[13].End.Position = V{40, 2, 0}, V{40, -2, 0}
	},
	"overlap (mesh)": func(s *Step) {
		s.Things[16].Start.Position, s.Things[16].End.Position = V{80, 0.6, 0}, V{80, 0.49, 0}
	},
	"overlap (edge of a mesh)": func(s *Step) {
		s.Things[16].Start.Position, s.Things[16].End.Position = V{81.45, 0.6, 0}, V{81.45, 0.1, 0}
	},
	"tunnel (mesh)": func(s *Step) { s.Things[16].End.Position = V{80.2, -2, 0.2} },
	"impact place (mesh)": func(s *Step) {
		s.Impacts = append(s.Impacts, Impact{17, 16, 0.016, V{80.2, 1, 0.2}, V{0, 1, 0}, 1, 1})
	},
	"overlap (compound)": func(s *Step) { s.Things[18].End.Position = V{90, 2.9, 0} },
	"tunnel (compound)": func(s *Step) {
		s.Things[18].Start.Position, s.Things[18].End.Position = V{88, 0, 0}, V{92, 0, 0}
	},
	"driven (compound)": func(s *Step) { s.Things[17].End.Position[0] += 1e-6 },
	"character through": func(s *Step) { s.Things[20].End.Position = V{79.5, -3, -0.5} },
	"character overlap": func(s *Step) { s.Things[20].End.Position = V{79.5, 0.499, -0.4} },
	"character overlap (crushed by nothing that moves)": func(s *Step) {
		s.Things[20].End.Position, s.Things[20].Crushed = V{79.5, 0.499, -0.4}, true
	},
	"character overlap (ball)": func(s *Step) { s.Things[20].End.Position = V{80, 2, 0} },
	"group":                    func(s *Step) { s.Things[17].End.Position[0] += 1e-6 },
	"momentum (solids)":        func(s *Step) { s.Things[14].End.Velocity[1] = 1e-9 },
	"free motion (solid)":      func(s *Step) { s.Things[14].End.Velocity[1] = 1e-9 },
	"deeper overlap":           func(s *Step) { s.Things[11].End.Position[0] = 60.1 },
	"driven":                   func(s *Step) { s.Things[6].End.Position[0] = 30.1 },
	"driven (rotation)":        func(s *Step) { s.Things[21].EndSolid = turnedCube(3 * dt) },
	"energy (rotation)":        func(s *Step) { s.Things[21].End.Angular[2] = 2.000001 },
	"energy (given to what yields)": func(s *Step) { // it hits the cube, which turns faster, and keeps its speed
		s.Things[18].Start.Position, s.Things[18].End.Position = V{98.7, 0.4, 0}, V{98.9, 0.4, 0}
		s.Impacts = append(s.Impacts, Impact{19, 22, 0.016, V{99.4, 0.4, 0}, V{-1, 0, 0}, 10, 1})
		s.Things[21].End.Angular[2], s.Things[21].Inertia = 4, 100
	},
	"driven (velocity)": func(s *Step) { s.Things[6].End.Velocity[0] = 2 },
	"driven (static)":   func(s *Step) { s.Things[3].End.Position[0] = 1e-9 },
	"path":              func(s *Step) { s.Things[2].End.Position[0] += 1e-6 },
	"path (first)": func(s *Step) {
		s.Impacts[0].Time -= 0.001
	},
	"path (last)":           func(s *Step) { s.Things[1].End.Position[0] += 1e-6 },
	"free motion":           func(s *Step) { s.Things[2].End.Velocity[0] += 1e-9 },
	"free motion (angular)": func(s *Step) { s.Things[2].Inertia, s.Things[2].Start.Angular[0] = 1, 1 },
	"approach speed":        func(s *Step) { s.Impacts[0].Approach = 20.001 },
	"restitution": func(s *Step) {
		s.Things[0].Restitution, s.Things[1].Restitution = 0.5, 0.5
	},
	"impulse": func(s *Step) { s.Impacts[0].Impulse = 19.99 },
	"friction": func(s *Step) {
		s.Things[9].Friction, s.Things[10].Friction = 0.05, 0.05
	},
	"energy": func(s *Step) { s.Things[1].End.Velocity[0] = 20.000001 },
	"energy (spin)": func(s *Step) {
		s.Things[9].End.Angular = s.Things[9].End.Angular.Scale(5)
	},
	"elastic energy": func(s *Step) { s.Things[1].End.Velocity[0] = 19.999999 },
	"momentum": func(s *Step) {
		s.Things[0].End.Velocity[1] = 1e-9
	},
	"angular momentum": func(s *Step) { s.Things[9].End.Angular[2] = 0 },
	"driven energy": func(s *Step) {
		s.Things[2].Start.Position, s.Things[2].End.Position = V{29.5, 0, 0}, V{29.4, 0, 0}
		s.Things[2].Acceleration = V{}
		s.Things[2].Start.Velocity, s.Things[2].End.Velocity = V{1, 0, 0}, V{-9, 0, 0}
		s.Impacts = append(s.Impacts, Impact{3, 7, 0.02, V{30, 0, 0}, V{-1, 0, 0}, 1, 1})
	},
	"impact order":        func(s *Step) { s.Impacts[0], s.Impacts[1] = s.Impacts[1], s.Impacts[0] },
	"impact order (late)": func(s *Step) { s.Impacts[1].Time = 0.1 },
	"impact normal":       func(s *Step) { s.Impacts[0].Normal = V{-2, 0, 0} },
	"negative impulse":    func(s *Step) { s.Impacts[0].Impulse = -10 },
	"negative approach":   func(s *Step) { s.Impacts[0].Approach = -10 },
	"impact of two that don't collide": func(s *Step) {
		s.Things[0].Mask = 2
	},
	"impact of two that don't collide (veto)": func(s *Step) { s.Vetoes = [][2]int{{2, 1}} },
	"impact place": func(s *Step) {
		s.Impacts = append(s.Impacts, Impact{3, 4, 0.016, V{dt, -4.9, 0}, V{0, 1, 0}, 1, 1})
	},
	"impact place at 0": func(s *Step) {
		s.Impacts = slices.Insert(s.Impacts, 0, Impact{8, 9, 0, V{40.4, 0, 0}, V{-1, 0, 0}, 1, 1})
	},
	"contact of something gone":    func(s *Step) { s.Begins[1].A = 77 },
	"contact time":                 func(s *Step) { s.Begins[0].Time = -1 },
	"contact time (end)":           func(s *Step) { s.Ends[0].Time = 1 },
	"unbalanced contact":           func(s *Step) { s.Begins = append(s.Begins, Contact{A: 8, B: 9}) },
	"unbalanced contact (end)":     func(s *Step) { s.Ends = append(s.Ends, Contact{A: 1, B: 3}) },
	"touching":                     func(s *Step) { s.Touching = nil },
	"touching (without a contact)": func(s *Step) { s.Touching = append(s.Touching, [2]int{1, 2}) },
	"contact open at a distance":   func(s *Step) { s.Begins = append(s.Begins, Contact{A: 3, B: 4}) },
	"sensor":                       func(s *Step) { s.Ends = s.Ends[:2] },
	"sensor (inside without a contact)": func(s *Step) {
		s.Things[5].Start.Position, s.Things[5].End.Position = V{20.5, 0, 0}, V{20.6, 0, 0}
	},
	"sensor time": func(s *Step) { s.Ends[2].Time = 0.006 },
}

func TestEachCheckFindsItsFault(t *testing.T) {
	for name, spoil := range wrongs {
		check, _, _ := strings.Cut(name, " (")
		s := right()
		spoil(s)
		found := NewChecker().Check(s)
		if !slices.ContainsFunc(found, func(f Failure) bool { return f.Check == check && f.Limit == "" }) {
			t.Errorf("%s: got %v", name, found)
		}
	}
}

func TestEveryCheckHasAFaultThatItFinds(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	names, uses := 0, regexp.MustCompile(`c\.fail\(\s*"([^"]+)"|check :?= "([^"]+)"`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range uses.FindAllStringSubmatch(string(text), -1) {
			names++
			name := m[1] + m[2]
			found := false
			for wrong := range wrongs {
				check, _, _ := strings.Cut(wrong, " (")
				found = found || check == name
			}
			if !found {
				t.Errorf("%s: no fault for the check %q", file, name)
			}
		}
	}
	if names < 30 {
		t.Errorf("checks: got %d, want all", names)
	}
}

func TestEachLimitIsAHeading(t *testing.T) {
	text, err := os.ReadFile("../../../docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range Limits() {
		if !strings.Contains(string(text), "- **"+limit+".**") {
			t.Errorf("docs/limits.md has no limit %q", limit)
		}
	}
}

func TestAOneSidedPolygonStopsFromTheFrontOnly(t *testing.T) {
	step := func(from, to V) *Step {
		b := sphere(1, from, to.Sub(from).Scale(1/dt))
		wall := Thing{
			ID: 2, Shape: Polygon, Kind: Static, OneSided: true, Layers: 1, Mask: 1,
			Corners: []V{{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}}, // its front is up
		}
		return &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{b, wall}}
	}
	for _, c := range []struct {
		name     string
		from, to V
		want     int
	}{
		{"from the front", V{0, 2, 0}, V{0, -2, 0}, 1},
		{"from the front, into it", V{0, 2, 0}, V{0, 0.1, 0}, 1},
		{"from behind", V{0, -2, 0}, V{0, 2, 0}, 0},
		{"from behind, into it", V{0, -2, 0}, V{0, 0.1, 0}, 0},
		{"over its edge", V{1.4, 2, 0}, V{1.4, -2, 0}, 0},
		{"over its edge, into it", V{1.4, 2, 0}, V{1.4, 0.1, 0}, 0},
		{"past it", V{3, 2, 0}, V{3, -2, 0}, 0},
	} {
		if got := NewChecker().Check(step(c.from, c.to)); len(got) != c.want {
			t.Errorf("%s: got %v, want %d failures", c.name, got, c.want)
		}
	}
}

// A ball that touches the edge of a one-sided polygon from its front, and rises from it, passes it.
// How deep it is in the polygon at the end of the step doesn't matter.
func TestAOneSidedPolygonStopsWhatIsWhollyInFrontOfIt(t *testing.T) {
	upright := cube()
	tilted := turnedCube(math.Pi / 4) // its lowest edge is at -sqrt(0.5)
	capsule := NewSolid([]V{{0, -0.5, 0}, {0, 0.5, 0}}, 0.5)
	for _, c := range []struct {
		name     string
		solid    *Solid
		from, to V
		want     int
	}{
		{"a cube lands", upright, V{0, 1, 0}, V{0, 0.4, 0}, 1},
		{"a cube goes through", upright, V{0, 1, 0}, V{0, -2, 0}, 1},
		{"a cube lands on the edge", upright, V{1.4, 1, 0}, V{1.4, 0.4, 0}, 1},
		{"a cube sinks in as it slides", upright, V{0, 0.5, 0}, V{0.3, 0.5 - 1e-6, 0}, 1},
		{"a cube slides off", upright, V{1.4, 0.5, 0}, V{1.6, 0.5, 0}, 0},
		{"a cube falls past it", upright, V{1.6, 1, 0}, V{1.6, -2, 0}, 0},
		{"a cube comes from behind", upright, V{0, -1, 0}, V{0, 2, 0}, 0},
		{"a cube ends halfway from behind", upright, V{0, -1, 0}, V{0, 0.3, 0}, 0},
		{"a cube comes from the side, a bit too low", upright, V{2, 0.499, 0}, V{1, 0.499, 0}, 0},
		{"a cube comes from the side, above it", upright, V{2, 0.5, 0}, V{1, 0.5, 0}, 0},
		{"a cube that was put there falls", upright, V{0, 0.2, 0}, V{0, 0.1, 0}, 0},
		{"a tilted cube lands", tilted, V{0, 1, 0}, V{0, 0.6, 0}, 1},
		{"a tilted cube falls onto the edge", tilted, V{1.2, 1, 0}, V{1.2, 0.3, 0}, 0},
		{"a capsule lands", capsule, V{0, 2, 0}, V{0, 0.9, 0}, 1},
		{"a capsule falls onto the edge", capsule, V{1.2, 2, 0}, V{1.2, 0.5, 0}, 0},
	} {
		wall := Thing{
			ID: 2, Shape: Polygon, Kind: Static, OneSided: true, Layers: 1, Mask: 1,
			Corners: []V{{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}}, // its front is up
		}
		b := convex(1, c.from, c.solid)
		b.Start.Velocity = c.to.Sub(c.from).Scale(1 / dt)
		b.End = State{Position: c.to, Velocity: b.Start.Velocity}
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{b, wall}}
		if got := NewChecker().Check(s); len(got) != c.want {
			t.Errorf("%s: got %v, want %d failures", c.name, got, c.want)
		}
	}
}

// A cube that has come from behind goes on through a one-sided polygon, and is stopped once it has
// left it.
func TestASolidPassesAOneSidedPolygonUntilItHasLeftIt(t *testing.T) {
	wall := Thing{
		ID: 2, Shape: Polygon, Kind: Static, OneSided: true, Layers: 1, Mask: 1,
		Corners: []V{{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}}, // its front is up
	}
	c, ways := NewChecker(), []float64{-0.6, 0.2, 0.1, 0.3, 0.51, 0.4}
	for k, y := range ways[1:] {
		b := convex(1, V{0, ways[k], 0}, cube())
		b.Start.Velocity = V{0, (y - ways[k]) / dt, 0}
		b.End = State{Position: V{0, y, 0}, Velocity: b.Start.Velocity}
		got := c.Check(&Step{Seconds: dt, LengthUnit: 1, Things: []Thing{b, wall}})
		if bad := len(got) > 0; bad != (k == len(ways)-2) {
			t.Errorf("to %v: got %v", y, got)
		}
	}
}

func TestABallThatRisesOverTheEdgeOfAOneSidedPolygonPassesIt(t *testing.T) {
	wall := Thing{
		ID: 2, Shape: Polygon, Kind: Static, OneSided: true, Layers: 1, Mask: 1,
		Corners: []V{{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}}, // its front is up
	}
	for _, speed := range []float64{1, 1e-5, 1e-6, 1e-7} {
		b := sphere(1, V{1.4, 0.3, 0}, V{-speed, speed / 100, 0})
		for _, f := range NewChecker().Check(&Step{Seconds: dt, LengthUnit: 1, Things: []Thing{b, wall}}) {
			t.Errorf("at %v m/s: %v", speed, f)
		}
	}
}

// The ball comes from behind, and is halfway through at the end of the step. The polygon has been
// stopped on its way, so its path is not known.
func TestABallMayBeHalfwayThroughAOneSidedPolygonThatWasStopped(t *testing.T) {
	b := sphere(1, V{0, -2, 0}, V{0, 2.1 / dt, 0})
	wall := Thing{
		ID: 2, Shape: Polygon, Kind: Kinematic, OneSided: true, Layers: 1, Mask: 1,
		Corners: []V{{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}}, // its front is up
		Start:   State{Velocity: V{0, 1, 0}}, End: State{Position: V{0, dt / 2, 0}, Velocity: V{0, 1, 0}},
	}
	s := &Step{Seconds: dt, LengthUnit: 1, Blocked: 1, Things: []Thing{b, wall}}
	for _, f := range NewChecker().Check(s) {
		t.Error(f)
	}
	s.Things[0] = sphere(1, V{0, 2, 0}, V{0, -1.9 / dt, 0})
	if got := NewChecker().Check(s); len(got) != 1 {
		t.Errorf("from the front: got %v, want an overlap", got)
	}
}

// What a game has put into the front of a one-sided polygon is moved out. It does not pass.
func TestWhatIsMovedOutOfAOneSidedPolygonDoesNotPassIt(t *testing.T) {
	wall := Thing{
		ID: 2, Shape: Polygon, Kind: Static, OneSided: true, Layers: 1, Mask: 1,
		Corners: []V{{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}}, // its front is up
	}
	c := NewChecker()
	for k := range 3 {
		b := sphere(1, V{0, 0.3 + 0.01*float64(k), 0}, V{})
		b.Acceleration, b.End.Position[1] = V{0, -10, 0}, b.Start.Position[1]+0.01
		if got := c.Check(&Step{Seconds: dt, LengthUnit: 1, Things: []Thing{b, wall}}); len(got) > 0 {
			t.Errorf("step %d: got %v", k, got)
		}
	}
}

func TestTurnIsARotation(t *testing.T) {
	h := math.Sqrt(0.5)
	if got := (V{1, 2, 3}).Turn(V{0, 0, h}, h); got.Sub(V{-2, 1, 3}).Length() > 1e-15 {
		t.Errorf("a quarter turn about Z: got %v", got)
	}
}

// A character takes its part of the impulse of a ball when the step is over: the ball may part from
// it at any speed up to that of a bounce, but not faster, and not to the side.
func TestABallGivesACharacterUpToAllOfItsImpulse(t *testing.T) {
	for _, c := range []struct {
		name string
		v    V
		want string
	}{
		{"a bounce", V{-100, 0, 0}, ""},
		{"half of it", V{0, 0, 0}, ""},
		{"all of it", V{100, 0, 0}, ""},
		{"faster than a bounce", V{-101, 0, 0}, "restitution"},
		{"faster than before", V{101, 0, 0}, "restitution"},
		{"to the side", V{0, 1, 0}, "friction"},
	} {
		b, o := sphere(1, V{}, V{100, 0, 0}), sphere(2, V{1.8, 0, 0}, V{})
		o.Kind, o.Character = Kinematic, true
		b.End = State{Position: V{0.8 - 100*(dt-0.008), 0, 0}, Velocity: c.v}
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{b, o}}
		s.Impacts = []Impact{{1, 2, 0.008, V{1.3, 0, 0}, V{-1, 0, 0}, 100, 200}}
		s.Begins, s.Ends = []Contact{{A: 1, B: 2, Time: 0.008}}, []Contact{{A: 1, B: 2, Time: 0.008}}
		found := NewChecker().Check(s)
		if bad := len(found) > 0; bad != (c.want != "") || bad && !slices.ContainsFunc(found, func(f Failure) bool {
			return f.Check == c.want
		}) {
			t.Errorf("%s: got %v, want %q", c.name, found, c.want)
		}
	}
}

// Characters move one after the other: one may end in another one that something crushes later.
func TestACharacterMayEndInOneThatSomethingCrushes(t *testing.T) {
	for _, crushed := range []bool{false, true} {
		a, b, press := sphere(1, V{}, V{}), sphere(2, V{1, 0, 0}, V{}), sphere(3, V{2, 0, 0}, V{-0.001 / dt, 0, 0})
		for _, o := range []*Thing{&a, &b, &press} {
			o.Kind, o.Character = Kinematic, o.ID < 3
		}
		a.End.Position, b.Crushed = V{0.001, 0, 0}, crushed
		found := NewChecker().Check(&Step{Seconds: dt, LengthUnit: 1, Things: []Thing{a, b, press}})
		if bad := len(found) > 0; bad == crushed {
			t.Errorf("crushed %v: got %v", crushed, found)
		}
	}
}

// What impacts make faster than 1e9 m/s is slowed down to that when the step ends.
func TestOnlyWhatIsHitByMuchEnergyIsPastTheRange(t *testing.T) {
	for _, tt := range []struct{ heavy, end float64 }{{100, maxSpeed}, {2, maxSpeed}, {100, 0.99 * maxSpeed}} {
		const v = 4e8
		a, b := sphere(1, V{}, V{v, 0, 0}), sphere(2, V{1.5, 0, 0}, V{-v, 0, 0})
		a.Mass, b.Mass = tt.heavy, 1
		a.End = State{Position: V{v * dt, 0, 0}, Velocity: V{v, 0, 0}}
		b.End = State{Position: V{1.5 + maxSpeed*dt, 0, 0}, Velocity: V{tt.end, 0, 0}}
		found := NewChecker().Check(&Step{Seconds: dt, LengthUnit: 1, Things: []Thing{a, b}, Impacts: []Impact{
			{A: 1, B: 2, Time: 1e-12, Point: V{0.5, 0, 0}, Normal: V{-1, 0, 0}, Approach: 2 * v, Impulse: 1},
		}})
		want := ""
		if tt.heavy == 100 && tt.end == maxSpeed {
			want = limitRange
		}
		if len(found) == 0 || slices.ContainsFunc(found, func(f Failure) bool { return f.Limit != want }) {
			t.Errorf("hit by %v kg, at %v m/s: got %v, want the limit %q", tt.heavy, tt.end, found, want)
		}
	}
}

// Ball 1 is in the floor and moves out of it, and pushes ball 2 ahead. The game changes ball 1
// within the step, so its path isn't known.
func TestABodyIsPushedByOneThatTheGameChanges(t *testing.T) {
	step := func(distance float64) *Step {
		one, two := sphere(1, V{0, 0.3, 0}, V{0, 5, 0}), sphere(2, V{0, 0.3 + distance, 0}, V{})
		one.End = one.Start
		one.Changed = true
		two.End.Position[1] += 0.01
		floor := Thing{
			ID: 3, Shape: Plane, Kind: Static, Normal: V{0, 1, 0}, OneSided: true, Layers: 1, Mask: ^uint32(0),
		}
		return &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{one, two, floor}}
	}
	path := func(s *Step) bool {
		return slices.ContainsFunc(NewChecker().Check(s), func(f Failure) bool { return f.Check == "path" })
	}
	if path(step(1.3)) {
		t.Error("the push fails")
	}
	if !path(step(3)) {
		t.Error("a motion far from the changed ball doesn't fail")
	}
}
