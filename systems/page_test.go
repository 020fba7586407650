package systems

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// misremembered says what a page that the next step would go by says wrongly of a member.
func (p *Physics) misremembered() string {
	for i := range p.members.tables {
		t := &p.members.tables[i]
		for from := 0; from < len(t.ents); from += blockRows {
			ents := t.ents[from:min(from+blockRows, len(t.ents))]
			g := p.page(t, from)
			if g == nil || !g.recalls(ents, p.members.round) {
				continue
			}
			for k, e := range ents {
				m := p.members.find(e)
				if m == nil || m.style != g.style || m.code != g.ids[k] || m.kind != components.Dynamic || m.marks&still != 0 || (m.marks&bends != 0) != g.bends {
					return fmt.Sprintf("%v is %+v, and on a page of style %d", e, m, g.style)
				}
				if s := &p.members.styles.list[g.style]; s.has&hasBody != 0 && m.mass != g.mass[k] || m.radius != g.radius[k] {
					return fmt.Sprintf("%v is %+v, and has radius %v and mass %v on its page", e, m, g.radius[k], g.mass[k])
				}
			}
		}
	}
	return ""
}

// An entity leaves its table and comes back, and in between another was in its row.
func TestWhoComesBackIntoItsRowIsReadAnew(t *testing.T) {
	for _, lost := range []donburi.IComponentType{components.Response, components.SphereCollider} {
		t.Run(lost.Name(), func(t *testing.T) {
			w := donburi.NewWorld()
			var all []*donburi.Entry
			for i := range blockRows + 1 {
				e := w.Entry(w.Create(components.Transform, components.SphereCollider, components.Velocity, components.Response))
				components.Transform.Get(e).Position = collide.Vec3{X: float64(10 * i), Y: 100}
				components.Velocity.Get(e).Linear = collide.Vec3{Y: -1}
				components.SphereCollider.Get(e).Radius = 1
				components.Response.SetValue(e, components.Bounce(1))
				all = append(all, e)
			}
			last, gone := all[blockRows], all[5]
			components.Response.SetValue(last, components.Bounce(0.5)) // of another style
			p := NewPhysics(Config{})
			p.Step(w)
			p.Step(w)
			gone.RemoveComponent(lost) // the last comes into its row
			p.Step(w)
			gone.AddComponent(lost)
			components.Response.SetValue(gone, components.Bounce(1))
			components.SphereCollider.Get(gone).Radius = 1
			last.Remove() // and it is in its row again
			floor := w.Entry(w.Create(components.Transform, components.PlaneCollider))
			components.PlaneCollider.Get(floor).Normal = collide.Vec3{Y: 1}
			components.Transform.Get(floor).Position.Y = 98.5
			for range 60 {
				p.Step(w)
				if wrong := p.misremembered(); wrong != "" {
					t.Fatal(wrong)
				}
			}
			if got, want := *components.Velocity.Get(gone), *components.Velocity.Get(all[4]); got != want {
				t.Errorf("it moves at %v after the floor, and the others at %v", got, want)
			}
		})
	}
}

// What the game changes and takes back before the next step has no effect, though the space was told in between.
func TestWhatIsTakenBackHasNotBeen(t *testing.T) {
	for name, look := range map[string]func(p *Physics, w donburi.World){
		"in Sync":       func(p *Physics, w donburi.World) { p.Sync(w) },
		"in Broadphase": func(p *Physics, w donburi.World) { p.Broadphase(ecs.NewECS(w)) },
	} {
		w, entries := crowd(100, 1)
		v, untouched := crowd(100, 1)
		p, q := NewPhysics(Config{}), NewPhysics(Config{})
		for range 3 {
			p.Step(w)
			q.Step(v)
		}
		velocity, position := components.Velocity.Get(entries[7]), components.Transform.Get(entries[8])
		was, place := *velocity, *position
		velocity.Linear.X++
		position.Position.Y += 0.5
		look(p, w)
		*velocity, *position = was, place
		for range 3 {
			p.Step(w)
			q.Step(v)
		}
		for i := range entries {
			if got, want := *components.Transform.Get(entries[i]), *components.Transform.Get(untouched[i]); got != want {
				t.Errorf("%s: ball %d: got %v, want %v", name, i, got, want)
			}
		}
	}
}
