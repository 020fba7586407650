package systems_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// flatFloor returns a flat mesh of n·n cells of the given size around the origin at height 0, of
// jittered triangles: inner vertices are moved by up to 40 % of a cell, so that some triangles are
// thin.
func flatFloor(n int, cell float64, seed uint64, put func(collide.Vec3) collide.Vec3) *collide.Mesh {
	r := rand.New(rand.NewPCG(seed, 3))
	var flat, vertices []collide.Vec3
	for i := range n + 1 {
		for j := range n + 1 {
			p := vec(float64(i)-float64(n)/2, 0, float64(j)-float64(n)/2).Scale(cell)
			if i > 0 && j > 0 && i < n && j < n {
				p.X += 0.8 * cell * (r.Float64() - 0.5)
				p.Z += 0.8 * cell * (r.Float64() - 0.5)
			}
			flat = append(flat, p)
			vertices = append(vertices, put(p))
		}
	}
	facesUp := func(a, b, c uint32) bool { return flat[b].Sub(flat[a]).Cross(flat[c].Sub(flat[a])).Y > 0 }
	var indices []uint32
	for i := range uint32(n) {
		for j := range uint32(n) {
			a := i*uint32(n+1) + j
			b, c, d := a+1, a+uint32(n+1), a+uint32(n+2)
			random := r.IntN(2) == 0 // but a cell with a reflex corner has one diagonal only
			if !facesUp(a, b, d) || !facesUp(a, d, c) || random && facesUp(a, b, c) && facesUp(d, c, b) {
				indices = append(indices, a, b, c, d, c, b)
			} else {
				indices = append(indices, a, b, d, a, d, c)
			}
		}
	}
	m, err := collide.NewMesh(vertices, indices, collide.MeshOptions{})
	if err != nil {
		panic(err)
	}
	return m
}

func same(p collide.Vec3) collide.Vec3 { return p }

// roll rolls a ball on a floor and returns position, velocity and angular velocity after some
// steps, and the number of impacts.
func roll(
	t *testing.T, floor func(w donburi.World), radius float64, v, spin collide.Vec3, friction float64, steps int,
) (x, u, spun collide.Vec3, impacts int) {
	w := donburi.NewWorld()
	floor(w)
	e := components.CreateBall(w, vec(0.03, radius, 0.02), radius, components.AngularVelocity)
	components.Velocity.Get(e).Linear = v
	components.AngularVelocity.Get(e).Angular = spin
	components.Material.Get(e).Friction = friction
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	for range steps {
		p.Step(w)
		expectNoErrors(t, p)
		impacts += p.Stats().Impacts
	}
	return components.Transform.Get(e).Position, components.Velocity.Get(e).Linear,
		components.AngularVelocity.Get(e).Angular, impacts
}

func TestAFlatMeshIsAPlaneToABall(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	mesh := flatFloor(120, 0.5, 1, same)
	onMesh := func(w donburi.World) { components.CreateMesh(w, collide.Vec3{}, mesh) }
	onPlane := func(w donburi.World) { components.CreatePlane(w, collide.Vec3{}, vec(0, 1, 0)) }
	r := rand.New(rand.NewPCG(7, 7))
	for k := range slow.Cases(40) {
		angle := r.Float64() * 2 * math.Pi
		v := vec(math.Cos(angle), 0, math.Sin(angle)).Scale(0.5 + 9*r.Float64())
		friction := float64(r.IntN(3)) * 0.3
		spin := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(10)
		if friction == 0 {
			spin = collide.Vec3{}
		}
		radius := 0.1 + 0.5*r.Float64()
		x, u, s, n := roll(t, onMesh, radius, v, spin, friction, 120)
		xp, up, sp, np := roll(t, onPlane, radius, v, spin, friction, 120)
		if x.Distance(xp) > 1e-9 || u.Distance(up) > 1e-9 || s.Distance(sp) > 1e-9 || n != np {
			t.Fatalf("run %d, %v m/s, friction %v: on the mesh %v %v %v with %d impacts, on a plane %v %v %v with %d",
				k, v, friction, x, u, s, n, xp, up, sp, np)
		}
	}
}

// floors are surfaces whose top is the plane y = 0, for at least 60 m around the origin.
func floors(seed uint64) map[string]func(w donburi.World) {
	r := rand.New(rand.NewPCG(seed, 4))
	rows := func(put func(x, z, sizeX, sizeZ float64)) {
		for z := -66.0; z < 66; {
			sizeZ := 0.5 + 4*r.Float64()
			for x := -66.0; x < 66; {
				sizeX := 0.5 + 4*r.Float64()
				put(x, z, sizeX, sizeZ)
				x += sizeX
			}
			z += sizeZ
		}
	}
	hull := func(sizeX, sizeZ float64) *collide.Hull {
		h, err := collide.NewHull([]collide.Vec3{
			{}, {X: sizeX}, {Z: sizeZ}, {X: sizeX, Z: sizeZ}, {X: sizeX / 2, Y: -1, Z: sizeZ / 2},
		})
		if err != nil {
			panic(err)
		}
		return h
	}
	return map[string]func(w donburi.World){
		"boxes": func(w donburi.World) {
			rows(func(x, z, sizeX, sizeZ float64) {
				components.CreateBox(w, vec(x+sizeX/2, -1, z+sizeZ/2), vec(sizeX/2, 1, sizeZ/2))
			})
		},
		"hulls": func(w donburi.World) {
			rows(func(x, z, sizeX, sizeZ float64) { components.CreateHull(w, vec(x, 0, z), hull(sizeX, sizeZ)) })
		},
		"a compound": func(w donburi.World) {
			var parts []components.ShapePart
			rows(func(x, z, sizeX, sizeZ float64) {
				if r.IntN(2) == 0 {
					parts = append(parts, components.ShapePart{Shape: hull(sizeX, sizeZ), Position: vec(x, 5, z)})
					return
				}
				parts = append(parts, components.ShapePart{
					Shape: collide.Box{Half: vec(sizeX/2, 1, sizeZ/2)}, Position: vec(x+sizeX/2, 4, z+sizeZ/2),
				})
			})
			components.CreateCompound(w, vec(0, -5, 0), parts)
		},
		"neighbouring meshes": func(w donburi.World) {
			mesh := flatFloor(22, 1, seed, same)
			for i := range 6 {
				for j := range 6 {
					components.CreateMesh(w, vec(float64(22*i)-55, 0, float64(22*j)-55), mesh)
				}
			}
		},
		"turned meshes": func(w donburi.World) {
			mesh := flatFloor(22, 1, seed, same)
			for i := range 6 {
				for j := range 6 {
					e := components.CreateMesh(w, vec(float64(22*i)-55, 0, float64(22*j)-55), mesh)
					components.Transform.Get(e).Rotation = collide.RotationBy(vec(0, float64(r.IntN(4))*math.Pi/2, 0))
				}
			}
		},
		"a height field": func(w donburi.World) {
			f, err := collide.NewHeightField(vec(-66, 0, -66), 0.75, 1.1, 177, make([]float64, 177*177))
			if err != nil {
				panic(err)
			}
			components.CreateHeightField(w, collide.Vec3{}, f)
		},
		"boxes, meshes and tiles": func(w donburi.World) {
			mesh := flatFloor(3, 1, seed, same)
			for i := range 44 {
				for j := range 44 {
					x, z := float64(3*i)-64.5, float64(3*j)-64.5
					switch r.IntN(3) {
					case 0:
						components.CreateBox(w, vec(x, -1, z), vec(1.5, 1, 1.5))
					case 1:
						components.CreateMesh(w, vec(x, 0, z), mesh)
					default:
						components.CreatePolygon(w, []collide.Vec3{
							vec(x-1.5, 0, z-1.5), vec(x-1.5, 0, z+1.5), vec(x+1.5, 0, z+1.5), vec(x+1.5, 0, z-1.5),
						})
					}
				}
			}
		},
	}
}

func TestFloorsOfAnyShapesAreAPlaneToABall(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	onPlane := func(w donburi.World) { components.CreatePlane(w, collide.Vec3{}, vec(0, 1, 0)) }
	for name, floor := range floors(5) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, 7))
			for k := range slow.Cases(12) {
				angle := r.Float64() * 2 * math.Pi
				v := vec(math.Cos(angle), 0, math.Sin(angle)).Scale(0.5 + 19*r.Float64())
				friction := float64(r.IntN(3)) * 0.3
				spin := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(10)
				if friction == 0 {
					spin = collide.Vec3{}
				}
				radius := 0.1 + 0.5*r.Float64()
				x, u, s, n := roll(t, floor, radius, v, spin, friction, 180)
				xp, up, sp, np := roll(t, onPlane, radius, v, spin, friction, 180)
				if x.Distance(xp) > 1e-9 || u.Distance(up) > 1e-9 || s.Distance(sp) > 1e-9 || n != np {
					t.Errorf("run %d, %v m/s, radius %v, friction %v: got %v %v %v with %d impacts, "+
						"on a plane %v %v %v with %d", k, v, radius, friction, x, u, s, n, xp, up, sp, np)
				}
			}
		})
	}
}

// soup is triangles: three corners each.
type soup []collide.Vec3

// mesh returns the triangles as a mesh.
func (s soup) mesh() *collide.Mesh {
	indices := make([]uint32, len(s))
	for i := range indices {
		indices[i] = uint32(i)
	}
	m, err := collide.NewMesh(s, indices, collide.MeshOptions{})
	if err != nil {
		panic(err)
	}
	return m
}

// polygons creates the triangles as one-sided polygons.
func (s soup) polygons(w donburi.World, at collide.Vec3) {
	for i := 0; i < len(s); i += 3 {
		e := components.CreatePolygon(w, []collide.Vec3{s[i], s[i+1], s[i+2]})
		components.PolygonCollider.Get(e).OneSided = true
		components.Transform.Get(e).Position = at
	}
}

// quad returns two triangles.
func quad(a, b, c, d collide.Vec3) soup { return soup{a, b, c, a, c, d} }

// terrains are surfaces of triangles on which balls roll.
func terrains() map[string]soup {
	r := rand.New(rand.NewPCG(3, 9))
	heights := map[[2]int]float64{}
	for x := range 13 {
		for z := range 13 {
			heights[[2]int{x, z}] = r.Float64()
		}
	}
	var hills, stairs, pipe, ball soup
	at := func(x, z int) collide.Vec3 { return vec(float64(x)-6, heights[[2]int{x, z}], float64(z)-6) }
	for x := range 12 {
		for z := range 12 {
			hills = append(hills, quad(at(x, z), at(x, z+1), at(x+1, z+1), at(x+1, z))...)
		}
	}
	for k := range 12 {
		x, y := float64(k)-6, -0.2*float64(k)+2
		stairs = append(stairs, quad(vec(x, y, -6), vec(x, y, 6), vec(x+1, y, 6), vec(x+1, y, -6))...)
		stairs = append(stairs, quad(vec(x+1, y, -6), vec(x+1, y, 6), vec(x+1, y-0.2, 6), vec(x+1, y-0.2, -6))...)
	}
	arc := func(k int, z float64) collide.Vec3 {
		a := math.Pi * (1 + float64(k)/24)
		return vec(4*math.Cos(a), 4+4*math.Sin(a), z)
	}
	for k := range 24 {
		for z := -6.0; z < 6; z += 2 {
			pipe = append(pipe, quad(arc(k, z), arc(k, z+2), arc(k+1, z+2), arc(k+1, z))...)
		}
	}
	on := func(i, j int) collide.Vec3 {
		a, b := 2*math.Pi*float64(i)/16, math.Pi*float64(j)/8
		return vec(math.Cos(a)*math.Sin(b), math.Cos(b), -math.Sin(a)*math.Sin(b)).Scale(5).Add(vec(0, -4, 0))
	}
	for i := range 16 {
		for j := range 8 {
			q := quad(on(i, j), on(i, j+1), on(i+1, j+1), on(i+1, j))
			if j > 0 {
				ball = append(ball, q[3:]...)
			}
			if j < 7 {
				ball = append(ball, q[:3]...)
			}
		}
	}
	var saddle soup
	bent := func(x, z int) collide.Vec3 {
		a, b := float64(x)-6, float64(z)-6
		return vec(a, 0.06*(a*a-b*b), b)
	}
	for x := range 12 {
		for z := range 12 {
			saddle = append(saddle, quad(bent(x, z), bent(x, z+1), bent(x+1, z+1), bent(x+1, z))...)
		}
	}
	return map[string]soup{
		"hills": hills, "stairs": stairs, "a half-pipe": pipe, "a faceted ball": ball, "a saddle": saddle,
	}
}

// A mesh does what its triangles do as polygons of their own, whose edges are found in another way.
// On hills, a saddle and a faceted ball it may not: a ball on a convex edge has its contact with
// one of two triangles, which may not be the one with which it has it among polygons. So it begins
// to slide on the next face a step earlier or later.
func TestAMeshDoesWhatItsTrianglesDoAsPolygons(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for name, s := range terrains() {
		if name == "hills" || name == "a faceted ball" || name == "a saddle" {
			continue
		}
		for _, material := range []components.MaterialData{{}, {Friction: 0.5}, {Restitution: 0.6, Friction: 0.3}} {
			at := vec(0.3, -0.2, 0.1)
			onMesh, onPolygons := donburi.NewWorld(), donburi.NewWorld()
			components.CreateMesh(onMesh, at, s.mesh())
			s.polygons(onPolygons, at)
			r := rand.New(rand.NewPCG(11, 5))
			var balls [2][]*donburi.Entry
			for range 25 {
				x := vec(6*r.Float64()-3, 2.5+3*r.Float64(), 6*r.Float64()-3)
				v, radius := vec(r.Float64()-0.5, -r.Float64(), r.Float64()-0.5).Scale(6), 0.1+0.3*r.Float64()
				for k, w := range []donburi.World{onMesh, onPolygons} {
					e := components.CreateBall(w, x, radius, components.AngularVelocity, components.CollisionFilter)
					components.Velocity.Get(e).Linear = v
					components.Material.SetValue(e, material)
					components.CollisionFilter.SetValue(e, components.CollisionFilterData{Layers: 2, Mask: 1})
					balls[k] = append(balls[k], e)
				}
			}
			p := [2]*systems.Physics{onEarth(), onEarth()}
			impacts := 0
			for n := range 120 {
				p[0].Step(onMesh)
				p[1].Step(onPolygons)
				impacts += p[0].Stats().Impacts
				for k := range balls[0] {
					a, b := position(balls[0][k]), position(balls[1][k])
					if !a.IsFinite() {
						t.Fatalf("%s: ball %d is at %v", name, k, a)
					}
					if a.Distance(b) > 1e-7 && a.Y > -8 {
						t.Errorf("%s, %v: after %d steps ball %d is at %v moving at %v, on polygons at %v moving at %v",
							name, material, n+1, k, a, velocity(balls[0][k]), b, velocity(balls[1][k]))
						balls[0] = append(balls[0][:k:k], balls[0][k+1:]...)
						balls[1] = append(balls[1][:k:k], balls[1][k+1:]...)
						break
					}
				}
			}
			expectNoErrors(t, p[0])
			if impacts < 25 {
				t.Errorf("%s: got %d impacts, too few to show anything", name, impacts)
			}
		}
	}
}

// On any terrain, balls never get into it, and never gain energy. Balls that rolled over edges of
// faces with friction gained up to 1e-5 of it.
func TestBallsOnATerrainNeverSinkNorGainEnergy(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for name, s := range terrains() {
		for _, material := range []components.MaterialData{
			{}, {Friction: 0.5}, {Restitution: 1}, {Restitution: 0.6, Friction: 0.3},
		} {
			w := donburi.NewWorld()
			mesh := s.mesh()
			floor := components.CreateMesh(w, vec(0.3, -0.2, 0.1), mesh)
			components.Transform.Get(floor).Rotation = collide.RotationBy(vec(0.05, 0.7, -0.04))
			r := rand.New(rand.NewPCG(12, 5))
			var balls []*donburi.Entry
			for range 25 {
				x := vec(6*r.Float64()-3, 2.5+3*r.Float64(), 6*r.Float64()-3)
				e := components.CreateBall(w, x, 0.1+0.3*r.Float64(), components.AngularVelocity,
					components.CollisionFilter)
				components.Velocity.Get(e).Linear = vec(r.Float64()-0.5, -r.Float64(), r.Float64()-0.5).Scale(6)
				components.Material.SetValue(e, material)
				components.CollisionFilter.SetValue(e, components.CollisionFilterData{Layers: 2, Mask: 1})
				balls = append(balls, e)
			}
			p := onEarth()
			const slack = 1e-10
			energy := func(e *donburi.Entry) float64 {
				radius := components.SphereCollider.Get(e).Radius
				spin := components.AngularVelocity.Get(e).Angular
				return velocity(e).LengthSquared()/2 + 9.81*position(e).Y + 0.2*radius*radius*spin.LengthSquared()
			}
			p.Sync(w)
			balls = slices.DeleteFunc(balls, func(e *donburi.Entry) bool { // begins inside
				shape := collide.Sphere{Center: position(e), Radius: components.SphereCollider.Get(e).Radius}
				d, _ := p.Distance(shape, floor.Entity())
				if d < 0 {
					w.Remove(e.Entity())
				}
				return d < 0
			})
			last := make([]float64, len(balls))
			for k, e := range balls {
				last[k] = energy(e)
			}
			for n := range slow.Steps(150) {
				p.Step(w)
				expectNoErrors(t, p)
				for k, e := range balls {
					if now := energy(e); now > last[k]+slack*(10+last[k]) {
						t.Errorf("%s, %v: in step %d the energy of ball %d grows from %v to %v J/kg", name, material,
							n+1, k, last[k], now)
					}
					last[k] = energy(e)
					radius := components.SphereCollider.Get(e).Radius
					d, _ := p.Distance(collide.Sphere{Center: position(e), Radius: radius}, floor.Entity())
					if d < -1e-9*radius && position(e).Y > -6 {
						t.Errorf("%s, %v: after step %d ball %d is %v m inside", name, material, n+1, k, -d)
					}
				}
			}
		}
	}
}
