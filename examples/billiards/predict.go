package billiards

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// prediction is the predicted result of a shot.
type prediction struct {
	Path    []collide.Vec3 // positions of the cue ball's centre, beginning with the present one
	Bounces []collide.Vec3 // positions at impacts with cushions
	Falls   bool           // Path ends over a pocket
	Target  donburi.Entity // the first ball that it hits; valid if Meets is true
	Meets   bool
	Object  []collide.Vec3 // positions of that ball's centre
	Sinks   bool           // Object ends over a pocket
	After   []collide.Vec3 // positions of the cue ball after that
}

// maxCushions is the number of cushions that a prediction follows.
const maxCushions = 2

// predict follows a shot with sphere casts. A cast uses the same sweep as the step, so the first
// impact is exact. The effect of friction and the distances that balls roll are estimates.
func (s *scene) predict(direction collide.Vec3, power float64) prediction {
	at, ok := s.cueBall()
	if !ok {
		return prediction{}
	}
	s.physics.Sync(s.world)
	m := motion{rules: s.rules, at: at, v: direction.Scale(power * s.fastest)}
	m.w = s.tip.spin(m.v)
	p := prediction{Path: []collide.Vec3{at}}
	except := []donburi.Entity{s.cloth, s.cue}
	for bounce := 0; ; bounce++ {
		way, hit, ok := s.follow(&m, except)
		p.Path = append(p.Path, way...)
		if !ok {
			return p
		}
		what := s.world.Entry(hit.Entity)
		switch {
		case what.HasComponent(pocket):
			p.Falls = true
			return p
		case what.HasComponent(ball):
			p.Meets, p.Target = true, hit.Entity
			p.meet(s, hit, m)
			return p
		}
		p.Bounces = append(p.Bounces, hit.Center)
		if bounce == maxCushions {
			return p
		}
		m.cushion(hit.Normal)
		except = []donburi.Entity{s.cloth, s.cue, hit.Entity} // a flat cushion isn't hit twice in a row
	}
}

// meet adds the paths of both balls after the cue ball has hit another one.
func (p *prediction) meet(s *scene, hit systems.CastHit, cue motion) {
	object := motion{rules: s.rules, at: components.Transform.Get(s.world.Entry(hit.Entity)).Position}
	start := object.at
	cue.ball(&object, hit.Normal)
	except := []donburi.Entity{s.cloth, s.cue, hit.Entity}
	way, next, ok := s.follow(&object, except)
	p.Object = append([]collide.Vec3{start}, way...)
	p.Sinks = ok && s.world.Entry(next.Entity).HasComponent(pocket)
	way, _, _ = s.follow(&cue, except)
	p.After = append([]collide.Vec3{hit.Center}, way...)
}

// follow moves m until it hits something or stops, and returns the positions on its path.
func (s *scene) follow(m *motion, except []donburi.Entity) (way []collide.Vec3, hit systems.CastHit, ok bool) {
	// The path of a sliding ball is curved: approximate it by straight pieces.
	const pieces = 8
	seconds := m.slides() / pieces
	for i := 0; i < pieces && seconds > 0; i++ {
		next := m.slide(seconds)
		if hit, ok = s.cast(m.at, next.at, except); ok {
			*m = m.slide(seconds * hit.Distance / m.at.Distance(next.at))
			m.at = hit.Center
			return append(way, m.at), hit, true
		}
		*m = next
		way = append(way, m.at)
	}
	d, moves := m.v.Normalized()
	if !moves {
		return way, hit, false
	}
	far := m.rules.rollingDistance(m.v.Length())
	if hit, ok = s.cast(m.at, m.at.AddScaled(far, d), except); ok {
		m.at, m.v = hit.Center, m.v.Scale(math.Sqrt(max(1-hit.Distance/far, 0))) // rounding may make it negative
		m.w = rolling(m.v).Add(collide.Vec3{Z: m.w.Z})
		return append(way, m.at), hit, true
	}
	return append(way, m.at.AddScaled(far, d)), hit, false
}

// cast returns what a ball hits on its way, including pockets.
func (s *scene) cast(from, to collide.Vec3, except []donburi.Entity) (systems.CastHit, bool) {
	way := to.Sub(from)
	return s.physics.SphereCast(collide.Sphere{Center: from, Radius: ballRadius}, way, way.Length(),
		systems.Filter{Except: except, Sensors: true})
}
