package main

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// prediction is where a shot would lead.
type prediction struct {
	Path   []collide.Vec3 // the cue ball's centre: where it lies, each cushion, and the end
	Falls  bool           // it ends over a pocket
	Target donburi.Entity // the first ball that it meets, valid where Meets holds
	Meets  bool
	Object []collide.Vec3 // that ball's centre, as Path
	Sinks  bool           // Object ends over a pocket
	After  []collide.Vec3 // the cue ball after that, two points
}

// maxCushions is how many cushions a prediction follows. Players see two ahead.
const maxCushions = 2

// predict follows a shot with sphere casts. A cast is the very sweep that moves the balls, so the first impact is
// exact; how far balls roll is an estimate, for the length of the lines.
func (s *scene) predict(direction collide.Vec3, power float64) prediction {
	at, ok := s.cueBall()
	if !ok {
		return prediction{}
	}
	s.physics.Sync(s.world)
	reach := stoppingDistance(power * fastestShot)
	p := prediction{Path: []collide.Vec3{at}}
	except := []donburi.Entity{s.cue}
	for bounce := 0; ; bounce++ {
		hit, ok := s.cast(at, direction, reach, except)
		if !ok {
			p.Path = append(p.Path, at.AddScaled(reach, direction))
			return p
		}
		p.Path = append(p.Path, hit.Center)
		what := s.world.Entry(hit.Entity)
		switch {
		case what.HasComponent(pocket):
			p.Falls = true
			return p
		case what.HasComponent(ball):
			p.Meets, p.Target = true, hit.Entity
			p.meet(s, hit, direction, reach-hit.Distance)
			return p
		case bounce == maxCushions:
			return p
		}
		at, reach = hit.Center, (reach-hit.Distance)*cushionBounce
		direction, _ = reflect(direction, hit.Normal, cushionBounce).Normalized()
		except = []donburi.Entity{s.cue, hit.Entity} // a flat cushion isn't met twice in a row
	}
}

// meet adds where the two balls go after the cue ball, coming along direction, has hit another.
func (p *prediction) meet(s *scene, hit systems.CastHit, direction collide.Vec3, reach float64) {
	// Of equal masses, the other ball takes (1+e)/2 of the speed along the line of centres and the cue ball keeps the rest.
	along := direction.Dot(hit.Normal) // negative: the normal looks back
	object := hit.Normal.Scale(along * (1 + ballBounce) / 2)
	cue := direction.Sub(object)

	start := components.Transform.Get(s.world.Entry(hit.Entity)).Position
	p.Object = []collide.Vec3{start}
	if d, ok := object.Normalized(); ok {
		far := reach * object.LengthSquared() // speed falls by |object|, and distance goes with its square
		if next, ok := s.cast(start, d, far, []donburi.Entity{s.cue, hit.Entity}); ok {
			p.Object = append(p.Object, next.Center)
			p.Sinks = s.world.Entry(next.Entity).HasComponent(pocket)
		} else {
			p.Object = append(p.Object, start.AddScaled(far, d))
		}
	}
	if d, ok := cue.Normalized(); ok {
		far := reach * cue.LengthSquared()
		if next, ok := s.cast(hit.Center, d, far, []donburi.Entity{s.cue, hit.Entity}); ok {
			far = next.Distance
		}
		p.After = []collide.Vec3{hit.Center, hit.Center.AddScaled(far, d)}
	}
}

// cast returns what a ball meets on its way, pockets included.
func (s *scene) cast(at, direction collide.Vec3, reach float64, except []donburi.Entity) (systems.CastHit, bool) {
	return s.physics.SphereCast(collide.Sphere{Center: at, Radius: ballRadius}, direction, reach,
		systems.Filter{Except: except, Sensors: true})
}

// reflect returns v after a bounce off a wall.
func reflect(v, normal collide.Vec3, restitution float64) collide.Vec3 {
	return v.AddScaled(-(1+restitution)*v.Dot(normal), normal)
}

// stoppingDistance returns how far a ball rolls that starts at speed, metres: the cloth takes a + k·v from v every second,
// so v dv/dx = -(a + k·v), and x = v/k - a/k²·ln(1 + k·v/a).
func stoppingDistance(speed float64) float64 {
	const a, k = rollingDrag, clothDamping
	return speed/k - a/(k*k)*math.Log1p(k*speed/a)
}
