//go:build amd64 && !purego

package systems

import (
	"unsafe"

	"github.com/dango-physics/dango/components"
	"golang.org/x/sys/cpu"
)

// hasAVX2 is whether examineFour runs here.
var hasAVX2 = cpu.X86.HasAVX2

// words are what examineFour collects: in which bits anything differs, word by word, and sums of squares. Fourth words of three mean nothing.
type words struct {
	body               components.BodyData
	response           [4]uint64
	radius             [2]uint64 // the first of them
	rotation           [4]uint64
	strayed, turned    [4]uint64 // from where they landed
	position, velocity [4]float64
}

// examineFour is examinePlain, four words at a time. It reads up to 8 bytes after what landed.
//
//go:noescape
func examineFour(e *exam, found *words)

// These are the layouts that it knows.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(components.TransformData{})-56]
	_ = [1]struct{}{}[unsafe.Offsetof(components.TransformData{}.Rotation)-24]
	_ = [1]struct{}{}[unsafe.Sizeof(components.VelocityData{})-24]
	_ = [1]struct{}{}[unsafe.Sizeof(components.BodyData{})-48]
	_ = [1]struct{}{}[unsafe.Offsetof(components.BodyData{}.Mass)-8]
	_ = [1]struct{}{}[unsafe.Sizeof(components.ResponseData{})-24]
)

// examine finds out what there is to know of the rows of e.
func examine(e *exam) findings {
	if !hasAVX2 {
		return examinePlain(e)
	}
	f := findings{}
	w := words{}
	examineFour(e, &w)
	f.differs = w.radius[0]
	if e.has&hasBody != 0 {
		d := &w.body
		f.differs |= bits(&d.Mass) | bits(&d.GravityScale) | bits(&d.LinearDamping) | uint64(d.Kind) | uint64(d.Locked) | uint64(truthsOf(d))
	}
	if e.has&hasResponse != 0 {
		d := (*components.ResponseData)(pointer(&w.response))
		f.differs |= bits(&d.Restitution) | uint64(d.Mode) | uint64(d.Combine)
	}
	f.rotation = (w.rotation[0]|w.rotation[1]|w.rotation[2])<<1 | w.rotation[3]
	f.strays = w.strayed[0] | w.strayed[1] | w.strayed[2] | w.turned[0] | w.turned[1] | w.turned[2]
	x, v := &w.position, &w.velocity
	f.squares = x[0] + x[1] + x[2] + (v[0] + v[1] + v[2])
	return f
}
