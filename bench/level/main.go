// Level measures a level of a million triangles on one core: the time and memory to build its mesh,
// how many rays, spheres and capsules are cast in it a second, by package collide and in a world,
// how long characters take, and how long a step of a thousand rolling spheres does. The last is
// measured on all cores, too.
//
//	go run ./bench/level                # the level of seed 12
//	go run ./bench/level -seed 3
//	go run ./bench/level -only walk,roll
//	go run ./bench/level -file FILE     # a level from a file
//
// The file is little-endian: "LVL1"; seven uint32, the numbers of vertices, triangles, characters,
// directions of a character, rays, sphere casts and spheres; then
// vertices: 3 float64 each; triangles: 3 uint32 each, counter-clockwise from the front; characters:
// the centre of a capsule (3 float64) and its directions (2 float64 each); rays and sphere casts:
// origin and translation (6 float64 each); spheres: centre (3 float64 each). All spheres have a
// radius of 0.3 m.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// castRadius is the radius of sphere casts, metres.
const castRadius = 0.3

func main() {
	seed := flag.Uint64("seed", 12, "seed of the level")
	file := flag.String("file", "", "read a level from this file")
	dump := flag.String("dump", "", "write the positions of the characters into this file, one frame a second")
	rounds := flag.Int("rounds", 5, "how often everything is measured; the medians are printed")
	only := flag.String("only", "build,casts,walk,world,roll", "what is measured")
	flag.Parse()
	measures := func(part string) bool { return slices.Contains(strings.Split(*only, ","), part) }
	l := generate(*seed)
	if *file != "" {
		var err error
		l, err = read(*file)
		check(err)
	}
	var build []float64
	var m *collide.Mesh
	for n := 0; n == 0 || n < *rounds && measures("build"); n++ {
		start := time.Now()
		var err error
		m, err = collide.NewMesh(l.vertices, l.indices, collide.MeshOptions{SkipDegenerate: true})
		check(err)
		build = append(build, time.Since(start).Seconds())
	}
	fmt.Printf("triangles       %d\n", m.Triangles())
	fmt.Printf("build           %.2f s\n", median(build))
	fmt.Printf("memory          %.1f bytes a triangle\n", float64(m.Bytes())/float64(m.Triangles()))
	if measures("build") {
		fmt.Printf("T-junctions     %d\n", len(m.TJunctions()))
	}
	if measures("casts") {
		casts(m, l, *rounds)
	}
	if measures("walk") {
		walkAll(m, l, *rounds, *dump)
	}
	if measures("world") {
		queries(m, l, *rounds)
	}
	if measures("roll") {
		for _, workers := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
			roll(m, l.spheres, workers).print(len(l.spheres), workers)
		}
	}
}

// check ends the program if there is an error.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "level:", err)
		os.Exit(1)
	}
}

// casts prints how many casts a second package collide makes.
func casts(m *collide.Mesh, l *level, rounds int) {
	var rays, batches, spheres, capsules []float64
	var hits [3]int
	batch := make([]collide.Ray, len(l.rays))
	for i, c := range l.rays {
		batch[i] = collide.Ray{Origin: c.from, Direction: c.by}
	}
	var contacts []collide.MeshContact
	for range rounds {
		hits = [3]int{}
		start := time.Now()
		contacts = collide.RayCastMeshBatch(batch, m, 1, contacts)
		batches = append(batches, float64(len(batch))/time.Since(start).Seconds())
		rays = append(rays, perSecond(l.rays, func(c cast) {
			if _, o := collide.RayCastMesh(collide.Ray{Origin: c.from, Direction: c.by}, m, 1); o == collide.Hit {
				hits[0]++
			}
		}))
		spheres = append(spheres, perSecond(l.casts, func(c cast) {
			ball := collide.Sphere{Center: c.from, Radius: castRadius}
			if _, o := collide.SweepSphereMesh(ball, c.by, m, collide.Vec3{}, 1); o == collide.Hit {
				hits[1]++
			}
		}))
		capsules = append(capsules, perSecond(l.casts[:len(l.casts)/10], func(c cast) {
			body := collide.Capsule{A: c.from, B: c.from.Add(collide.Vec3{Y: 1.2}), Radius: castRadius}
			if _, o := collide.SweepMesh(body, c.by, m, collide.Vec3{}, 1); o == collide.Hit {
				hits[2]++
			}
		}))
	}
	fmt.Printf("rays            %.0f a second, %d of %d hit\n", median(rays), hits[0], len(l.rays))
	fmt.Printf("in a batch      %.0f a second\n", median(batches))
	fmt.Printf("sphere casts    %.0f a second, %d of %d hit\n", median(spheres), hits[1], len(l.casts))
	fmt.Printf("capsule casts   %.0f a second, %d of %d hit\n", median(capsules), hits[2], len(l.casts)/10)
}

// walkAll prints how long the characters of the level take.
func walkAll(m *collide.Mesh, l *level, rounds int, dump string) {
	var walks []float64
	var walked walkResult
	for range rounds {
		walked = walk(l, m)
		walks = append(walks, walked.perTick)
	}
	if dump != "" {
		check(walked.write(dump))
	}
	fmt.Printf("characters      %.2f ms a tick, %d of %d up the stairs, %d in the air last, %.1f casts a tick each\n",
		median(walks), walked.climbed, climbers, walked.fell, walked.casts)
	fmt.Printf("standing        %.2f µs a character and tick\n", walked.standing)
}

// perSecond returns how many of the casts f does in a second.
func perSecond(casts []cast, f func(cast)) float64 {
	start := time.Now()
	for _, c := range casts {
		f(c)
	}
	return float64(len(casts)) / time.Since(start).Seconds()
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// queries prints how many casts a second physics makes in a world that has the level.
func queries(m *collide.Mesh, l *level, rounds int) {
	w := donburi.NewWorld()
	components.CreateMesh(w, vec{}, m)
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)
	batch := make([]systems.CastQuery, len(l.rays))
	for i, c := range l.rays {
		batch[i] = systems.CastQuery{Sphere: collide.Sphere{Center: c.from}, Direction: c.by, Distance: c.by.Length()}
	}
	var rays, batches, spheres, capsules []float64
	var hits []systems.CastHit
	for range rounds {
		rays = append(rays, perSecond(l.rays, func(c cast) {
			p.RayCast(c.from, c.by, c.by.Length(), systems.Filter{})
		}))
		start := time.Now()
		hits = p.CastBatch(batch, systems.Filter{}, hits)
		batches = append(batches, float64(len(batch))/time.Since(start).Seconds())
		spheres = append(spheres, perSecond(l.casts, func(c cast) {
			p.SphereCast(collide.Sphere{Center: c.from, Radius: castRadius}, c.by, c.by.Length(), systems.Filter{})
		}))
		capsules = append(capsules, perSecond(l.casts[:len(l.casts)/10], func(c cast) {
			body := collide.Capsule{A: c.from, B: c.from.Add(vec{Y: 1.2}), Radius: castRadius}
			p.CapsuleCast(body, c.by, c.by.Length(), systems.Filter{})
		}))
	}
	fmt.Printf("in a world      %.0f rays, %.0f in a batch, %.0f sphere casts, %.0f capsule casts a second\n",
		median(rays), median(batches), median(spheres), median(capsules))
}
