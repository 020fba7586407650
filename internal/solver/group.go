package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grow"
)

// A kinematic group is kinematic bodies and surfaces that move at one velocity, such as the walls
// of a moving box. What slows or stops one of its members slows or stops all of them by the same
// amount, so that they keep their places relative to each other.

// kinematicGroup is a group. The caller names its members anew before each step.
type kinematicGroup struct {
	codes      []int32 // of the members: ids of bodies and codes of surfaces
	speedScale float64 // least speed scale of its members in the last step, then that of this step; 0 means 1
	driver     bool    // a member is a driver whose contacts were solved in this step
	travelTime float64 // s, for which the group moves at its velocity in this step
}

// ClearGroups removes all members from all groups.
func (s *Space) ClearGroups() {
	for g := range s.groups {
		for _, code := range s.groups[g].codes {
			*s.groupOf(code) = 0
		}
		s.groups[g] = kinematicGroup{codes: s.groups[g].codes[:0], travelTime: s.Seconds}
	}
}

// Join makes a kinematic body or a surface a member of a group, from 1, until ClearGroups. It is
// called after the member has been set. All members must have the same velocity.
func (s *Space) Join(h Handle, group int32) {
	code := int32(h)
	s.groups = grow.Fill(s.groups, int(group)+1, kinematicGroup{travelTime: s.Seconds})
	g := &s.groups[group]
	g.codes = append(g.codes, code)
	*s.groupOf(code) = group
	scale := 0.0
	if code < 0 {
		scale = s.surfaces[surfaceOf(code)].speedScale
	} else if int(code) < len(s.speedScales) {
		scale = s.speedScales[code]
	}
	if scale > 0 && (g.speedScale == 0 || scale < g.speedScale) {
		g.speedScale = scale
	}
}

// TravelTime returns for how long a group has moved in the last step, in seconds at its velocity.
func (s *Space) TravelTime(group int32) float64 {
	if int(group) < len(s.groups) {
		return s.groups[group].travelTime
	}
	return s.Seconds // it has no members
}

// groupOf returns where the group of a body (its id) or a surface (its code) is stored.
func (s *Space) groupOf(code int32) *int32 {
	if code < 0 {
		return &s.surfaces[surfaceOf(code)].group
	}
	return &s.infos[s.index[code]].group
}

// storeGroupScales slows down the groups of which a member pushes into bodies that cannot yield
// fast enough.
func (s *Space) storeGroupScales() {
	for g := range s.groups {
		p := &s.groups[g]
		if !p.driver {
			continue
		}
		p.driver = false
		for _, code := range p.codes {
			s.slowDriver(code, p.speedScale)
		}
		p.travelTime = float64(p.speedScale * s.Seconds)
		if p.speedScale < 1 {
			s.Counts.Blocked++
		}
	}
}

// stopGroup stops all members of a group where they are at time t for the rest of the step, because
// what one of them pushes cannot yield.
func (s *Space) stopGroup(group int32, t float64) {
	if s.subdomain != nil {
		s.subdomain.invalidate()
		return
	}
	p := &s.groups[group]
	if !(p.travelTime < s.Seconds) { // otherwise storeGroupScales has counted it
		s.Counts.Blocked++
	}
	p.travelTime *= t / s.Seconds
	for _, code := range p.codes {
		if code < 0 {
			if k := surfaceOf(code); s.statics.At(k).Moves() {
				s.statics.Stop(k, t)
				s.noteStop(k, t)
				s.surfaces[k].speedScale, s.surfaces[k].blockedInStep = s.stoppedScale(t), s.stepNumber
				s.repredictNearSurface(k, t)
			}
			continue
		}
		s.speedScales = grow.Extend(s.speedScales, len(s.index))
		s.speedScales[code] = s.stoppedScale(t)

		if i := s.index[code]; s.flags[i]&frozen == 0 && s.bodies[i].v != (collide.Vec3{}) {
			s.halt(i, s.at(i, t), t)
			s.repredict(i, t)
		}
	}
}
