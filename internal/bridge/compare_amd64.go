//go:build amd64 && !purego

package bridge

import (
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"golang.org/x/sys/cpu"
)

// hasAVX2 reports whether the processor can run rowsDiffer.
var hasAVX2 = cpu.X86.HasAVX2

// rowsDiffer is cachedRowsDiffer for rowsDifferColumns, 16 or 32 bytes at a time. While it compares
// a row it starts to load the components of the row that is following rows further on, unless
// following is 0. The table has at least from+n+following rows, and n is not 0.
//
//go:noescape
func rowsDiffer(t *table, from, n, following int, is *profile, c *restingRows) bool

// rowsDiffer reads components with these layouts.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(components.TransformData{})-56]
	_ = [1]struct{}{}[unsafe.Offsetof(components.TransformData{}.Position)]
	_ = [1]struct{}{}[unsafe.Offsetof(components.TransformData{}.Rotation)-24]
	_ = [1]struct{}{}[unsafe.Offsetof(collide.Quat{}.W)-24]
	_ = [1]struct{}{}[unsafe.Sizeof(components.VelocityData{})-24]
	_ = [1]struct{}{}[unsafe.Sizeof(components.SphereColliderData{})-8]
	_ = [1]struct{}{}[unsafe.Sizeof(components.BodyData{})-32]
	_ = [1]struct{}{}[unsafe.Offsetof(components.BodyData{}.NeverSleep)-3]
	_ = [1]struct{}{}[unsafe.Offsetof(components.BodyData{}.Mass)-8]
	_ = [1]struct{}{}[unsafe.Sizeof(components.MaterialData{})-48]
	_ = [1]struct{}{}[unsafe.Offsetof(components.MaterialData{}.RestitutionCombine)-40]
	_ = [1]struct{}{}[unsafe.Offsetof(components.MaterialData{}.FrictionCombine)-41]
)
