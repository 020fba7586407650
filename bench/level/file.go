package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/dango-physics/dango/collide"
)

var errFormat = errors.New("the file doesn't begin with LVL1")

// read reads a level from a file. See the head of main.go for the format.
func read(name string) (*level, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	var magic [4]byte
	if _, err := io.ReadFull(in, magic[:]); err != nil {
		return nil, err
	}
	if string(magic[:]) != "LVL1" {
		return nil, errFormat
	}
	var n struct{ Vertices, Triangles, Characters, Directions, Rays, Casts, Spheres uint32 }
	if err := binary.Read(in, binary.LittleEndian, &n); err != nil {
		return nil, err
	}
	l := &level{
		vertices: make([]collide.Vec3, n.Vertices), indices: make([]uint32, 3*n.Triangles),
		rays: make([]cast, n.Rays), casts: make([]cast, n.Casts), spheres: make([]collide.Vec3, n.Spheres),
	}
	read := func(x any) { err = errors.Join(err, binary.Read(in, binary.LittleEndian, x)) }
	read(l.vertices)
	read(l.indices)
	for range n.Characters {
		var center collide.Vec3
		ways := make([][2]float64, n.Directions)
		read(&center)
		read(ways)
		w := walker{center: center}
		for _, d := range ways {
			w.ways = append(w.ways, collide.Vec3{X: d[0], Z: d[1]})
		}
		l.walkers = append(l.walkers, w)
	}
	for _, casts := range [][]cast{l.rays, l.casts} {
		for i := range casts {
			var x [2]collide.Vec3
			read(&x)
			casts[i] = cast{x[0], x[1]}
		}
	}
	read(l.spheres)
	return l, err
}
