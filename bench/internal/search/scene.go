// Package search makes random scenes, runs them through the public API of package systems, has
// package verify check each step, and shrinks what fails.
//
// Read scene.go (what a scene is), run.go (running and checking one), twin.go (two worlds that must
// agree), generate.go, kinds.go, solid.go, parts.go and levels.go (random scenes), shrink.go and
// print.go (what to do with a failure).
package search

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/dango-physics/dango/bench/internal/verify"
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
)

// Thing is an entity. Components that are nil are absent.
type Thing struct {
	ID        int
	Transform components.TransformData
	Velocity  *components.VelocityData        `json:",omitempty"`
	Sphere    *components.SphereColliderData  `json:",omitempty"`
	Plane     *components.PlaneColliderData   `json:",omitempty"`
	Polygon   *components.PolygonColliderData `json:",omitempty"`
	Solid     *Solid                          `json:",omitempty"`
	Mesh      *Mesh                           `json:",omitempty"`
	Walker    *Walker                         `json:",omitempty"`
	Compound  []Placed                        `json:",omitempty"`
	Leader    int                             `json:",omitempty"` // ID of the leader of its KinematicGroup
	Motor     *components.MotorData           `json:",omitempty"`
	Body      *components.BodyData            `json:",omitempty"`
	Material  *components.MaterialData        `json:",omitempty"`
	Spin      *components.AngularVelocityData `json:",omitempty"`
	Force     *components.ForceData           `json:",omitempty"`
	Filter    *components.CollisionFilterData `json:",omitempty"`
	Belt      *components.SurfaceVelocityData `json:",omitempty"`
	Sensor    bool                            `json:",omitempty"`
	Sliding   bool                            `json:",omitempty"`

	// Bad is a key of badFields: that field gets an invalid value.
	Bad string `json:",omitempty"`

	parts    []verify.Part // of the mesh or compound, once they are known, at rotation
	rotation collide.Quat
}

// Stage says when in a step a change is made.
type Stage uint8

// The stages.
const (
	BeforeStep Stage = iota
	AfterBroadphase
	AfterSweep
	AfterResponse
	InContactBegin // in the handler of the first event of the step
	InImpact
	InContactEnd
	stages
)

// Change makes the entity with that ID what Thing says: it creates the entity if there is none, and
// adds, removes and sets components otherwise. If Thing is nil it removes the entity.
type Change struct {
	Step  int
	Stage Stage
	ID    int
	Thing *Thing `json:",omitempty"`
}

// Veto makes two entities ignore each other in a step.
type Veto struct{ Step, A, B int }

// Mode says how a world is stepped.
type Mode uint8

// The modes.
const (
	OneCall Mode = iota // Physics.Step
	Systems             // Broadphase, Sweep, Response
	Inspect             // the same, and the game looks at everything between them
)

// Twin is what is different in the second world of a scene. Results must not differ.
type Twin struct {
	Workers int   `json:",omitempty"` // 0 for no change
	Order   int64 `json:",omitempty"` // not 0: seed of the order in which entities are created
	Sleep   bool  `json:",omitempty"` // NoSleeping is the opposite
	Mode    *Mode `json:",omitempty"`
	Without int   `json:",omitempty"` // not 0: the thing with that ID, which is invalid, is missing
}

// Scene is a world and what happens to it.
type Scene struct {
	Kind    string
	Seed    uint64
	Config  systems.Config
	Mode    Mode
	Steps   int
	Things  []Thing
	Changes []Change `json:",omitempty"`
	Vetoes  []Veto   `json:",omitempty"`
	Twin    *Twin    `json:",omitempty"`
	Oracle  bool     `json:",omitempty"` // steps are compared with verify.Oracle
	Quick   bool     `json:",omitempty"` // too many things for the checks of all pairs
}

// clone returns a deep copy.
func (s *Scene) clone() *Scene {
	text, err := json.Marshal(s)
	c := &Scene{}
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err != nil {
		panic("search: " + err.Error()) // a scene has finite numbers only
	}
	return c
}

// Load reads a scene that Save wrote.
func Load(file string) (*Scene, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s := &Scene{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// Save writes a scene to a file.
func (s *Scene) Save(file string) error {
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
