package bridge

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// withMaterial are the components of a sphere that moves and has a Material.
var withMaterial = []donburi.IComponentType{
	components.Transform, components.SphereCollider, components.Velocity, components.Material,
}

// staleCache describes a row cache that is valid for the next Read and disagrees with a record, or
// returns "".
func (b *Bridge) staleCache() string {
	r := &b.registry
	r.learn(b.world)
	for i := range r.tables {
		t := &r.tables[i]
		t.read(b.world.StorageAccessor(), everything, r.direct)
		for row := 0; row < len(t.ents); {
			ents := b.parallel.blockOf(t, row)
			c := b.cache(t, row)
			row += len(ents)
			if c == nil || !c.matches(ents, r.generation) {
				continue
			}
			for k, e := range ents {
				m := r.find(e)
				if m == nil || m.profile != c.profile || m.handle != c.handles[k] {
					return fmt.Sprintf("%v is %+v, and in a cache of profile %d", e, m, c.profile)
				}
				if m.flags&unchanged == 0 || !b.space.IsAt(m.handle.Body(), &c.positions[k]) {
					return fmt.Sprintf("%v is %+v, and in a cache", e, m)
				}
				s, radius, mass := &r.profiles.list[c.profile], c.sizes.radius[k], c.sizes.mass[k]
				if s.has&hasBody != 0 && m.mass != mass || m.radius != radius {
					return fmt.Sprintf("%v is %+v, and has radius %v and mass %v in its cache", e, m, radius, mass)
				}
			}
		}
	}
	return ""
}

// An entity leaves its table and comes back. In between another one was in its row.
func TestWhoComesBackIntoItsRowIsReadAnew(t *testing.T) {
	for _, lost := range []donburi.IComponentType{components.Material, components.SphereCollider} {
		t.Run(lost.Name(), func(t *testing.T) {
			w := donburi.NewWorld()
			var all []*donburi.Entry
			for i := range blockRows + 1 {
				e := w.Entry(w.Create(withMaterial...))
				components.Transform.Get(e).Position = collide.Vec3{X: float64(10 * i), Y: 100}
				components.Velocity.Get(e).Linear = collide.Vec3{Y: -1}
				components.SphereCollider.Get(e).Radius = 1
				components.Material.Get(e).Restitution = 1
				all = append(all, e)
			}
			last, gone := all[blockRows], all[5]
			components.Material.Get(last).Restitution = 0.5 // of another style
			p := newStepper(Settings{})
			p.step(w)
			p.step(w)
			gone.RemoveComponent(lost) // the last comes into its row
			p.step(w)
			gone.AddComponent(lost)
			components.Material.Get(gone).Restitution = 1
			components.SphereCollider.Get(gone).Radius = 1
			last.Remove() // and it is in its row again
			floor := w.Entry(w.Create(components.Transform, components.PlaneCollider))
			components.PlaneCollider.Get(floor).Normal = collide.Vec3{Y: 1}
			components.Transform.Get(floor).Position.Y = 98.5
			for range 60 {
				p.step(w)
				if wrong := p.staleCache(); wrong != "" {
					t.Fatal(wrong)
				}
			}
			if got, want := *components.Velocity.Get(gone), *components.Velocity.Get(all[4]); got != want {
				t.Errorf("it moves at %v after the floor, and the others at %v", got, want)
			}
		})
	}
}

// A change that the game reverts before the next step has no effect, though the space has read it
// in between.
func TestWhatIsTakenBackHasNotBeen(t *testing.T) {
	for name, read := range map[string]func(p *stepper, w donburi.World){
		"in Sync":       func(p *stepper, w donburi.World) { p.sync(w) },
		"in Broadphase": func(p *stepper, w donburi.World) { p.broadphase(w, false) },
	} {
		w, entries := crowd(100, 1)
		v, untouched := crowd(100, 1)
		p, q := newStepper(Settings{}), newStepper(Settings{})
		for range 3 {
			p.step(w)
			q.step(v)
		}
		velocity, position := components.Velocity.Get(entries[7]), components.Transform.Get(entries[8])
		was, before := *velocity, *position
		velocity.Linear.X++
		position.Position.Y += 0.5
		read(p, w)
		*velocity, *position = was, before
		if name == "in Broadphase" { // which reads the world anew; Step would complete the step that is begun
			read(p, w)
		}
		for range 3 {
			p.step(w)
			q.step(v)
		}
		for i := range entries {
			got, want := *components.Transform.Get(entries[i]), *components.Transform.Get(untouched[i])
			if got != want {
				t.Errorf("%s: ball %d: got %v, want %v", name, i, got, want)
			}
		}
	}
}

// A sleeping sphere is woken while it is in another row than the one its cache describes, and is
// back in its row before the next step.
func TestWhoIsWokenInAnotherRowIsReadAnew(t *testing.T) {
	w := donburi.NewWorld()
	var all []*donburi.Entry
	for i := range blockRows + 1 {
		e := w.Entry(w.Create(withMaterial...))
		components.Transform.Get(e).Position = collide.Vec3{X: float64(10 * i), Y: 1}
		components.SphereCollider.Get(e).Radius = 1
		all = append(all, e)
	}
	woken := all[blockRows]
	components.Transform.Get(woken).Position = collide.Vec3{Y: 1, Z: 2} // it touches the first
	floor := w.Entry(w.Create(components.Transform, components.PlaneCollider))
	components.PlaneCollider.Get(floor).Normal = collide.Vec3{Y: 1}
	p := newStepper(gravity(-10))
	for range 100 {
		p.step(w)
	}
	if !p.asleep(woken.Entity()) || !p.asleep(all[0].Entity()) {
		t.Fatal("they don't sleep")
	}
	components.Velocity.Get(all[0]).Linear.Y = 1
	p.broadphase(w, false)
	p.sweep(w)
	all[5].RemoveComponent(components.Material) // the last comes into its row
	p.respond(w, false)
	all[5].AddComponent(components.Material)
	woken.RemoveComponent(components.Material) // and all are in their rows again
	woken.AddComponent(components.Material)
	if p.asleep(woken.Entity()) {
		t.Fatal("it sleeps on")
	}
	if wrong := p.staleCache(); wrong != "" {
		t.Error(wrong)
	}
	floor.Remove()
	for range 10 {
		p.step(w)
	}
	if v := components.Velocity.Get(woken).Linear; v.Y > -1 {
		t.Errorf("without a floor it moves at %v, and doesn't fall", v)
	}
}

// Between the systems of a step the game rotates a sphere that was unchanged.
func TestWhatIsSpunWithinAStepIsReadAnew(t *testing.T) {
	w, entries := spinningCrowd(10)
	for _, e := range entries {
		components.Velocity.Get(e).Linear, components.AngularVelocity.Get(e).Angular = collide.Vec3{}, collide.Vec3{}
	}
	p := newStepper(Settings{})
	for range 3 {
		p.step(w)
	}
	p.broadphase(w, false)
	components.AngularVelocity.Get(entries[3]).Angular.X = 1
	p.respond(w, false)
	if wrong := p.staleCache(); wrong != "" {
		t.Error(wrong)
	}
	was := components.Transform.Get(entries[3]).Rotation
	p.step(w)
	if components.Transform.Get(entries[3]).Rotation == was {
		t.Error("it doesn't turn")
	}
}

// Between the systems of a step an entity is in another table, and comes to rest there.
func TestWhoComesToRestInAnotherTableIsReadAnew(t *testing.T) {
	w, tag := donburi.NewWorld(), donburi.NewTag()
	var all []*donburi.Entry
	for i := range blockRows {
		e := w.Entry(w.Create(withMaterial...))
		components.Transform.Get(e).Position = collide.Vec3{X: float64(10 * i), Y: 100}
		components.SphereCollider.Get(e).Radius = 1
		components.Velocity.Get(e).Linear.Y = 0.01
		all = append(all, e)
	}
	last := all[blockRows-1] // it leaves the last row and comes back without moving others
	components.Transform.Get(last).Position.Y = 1.5
	components.Velocity.Get(last).Linear.Y = -1
	floor := w.Entry(w.Create(components.Transform, components.PlaneCollider))
	components.PlaneCollider.Get(floor).Normal = collide.Vec3{Y: 1}
	p := newStepper(Settings{})
	for range 60 {
		p.broadphase(w, false)
		last.AddComponent(tag)
		p.respond(w, false)
		last.RemoveComponent(tag)
		if wrong := p.staleCache(); wrong != "" {
			t.Error(wrong)
			break
		}
	}
	at := *components.Transform.Get(last)
	components.Velocity.Get(last).Linear.Y = 1
	p.step(w)
	p.step(w)
	*components.Transform.Get(last) = at // back to where it lay
	components.Velocity.Get(last).Linear = collide.Vec3{}
	components.Material.Get(all[0]).Restitution = 0.5 // so that its block isn't read by its cache
	p.step(w)
	if got := *components.Transform.Get(last); got != at {
		t.Errorf("it was put to %v, and is at %v", at, got)
	}
}
