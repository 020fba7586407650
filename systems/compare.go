package systems

import (
	"unsafe"

	"github.com/dango-physics/dango/components"
)

// differs reports whether any row of a range differs from a profile or from these rowSizes, in what seldom changes: its collider,
// Body, Response, CollisionFilter, Friction and SurfaceVelocity. It goes through one column after the other, and collects the
// differing bits instead of branching for each row. The shapes of planes and polygons are compared elsewhere.
func (p *Physics) differs(t *table, from, to int, is *profile, z *rowSizes) bool {
	differs := uint64(0)
	if t.has&hasSphere != 0 {
		for i, c := range t.cols[colSphere][from:to] {
			differs |= bits(&(*components.SphereColliderData)(c).Radius) ^ bits(&z.radius[i&(blockRows-1)])
		}
	}
	if t.has&hasBody != 0 {
		differs |= differBodies(t.cols[colBody][from:to], &is.body, z)
	}
	if t.has&hasResponse != 0 {
		differs |= differResponses(t.cols[colResponse][from:to], &is.response)
	}
	if t.has&hasFilter != 0 {
		layers, mask := is.filter.Layers, is.filter.Mask
		for _, c := range t.cols[colFilter][from:to] {
			f := (*components.CollisionFilterData)(c)
			differs |= uint64(f.Layers^layers) | uint64(f.Mask^mask)
		}
	}
	if t.has&hasFriction != 0 {
		differs |= differFrictions(t.cols[colFriction][from:to], &is.friction)
	}
	if t.has&hasSurfaceVelocity != 0 {
		for _, c := range t.cols[colSurfaceVelocity][from:to] {
			if !same((*components.SurfaceVelocityData)(c).Linear, is.surfaceVelocity) {
				return true
			}
		}
	}
	return differs != 0
}

// differBodies returns something other than 0 if any Body differs from is, or its mass from its size.
func differBodies(column []pointer, is *components.BodyData, z *rowSizes) uint64 {
	gravity, damping, small := bits(&is.GravityScale), bits(&is.LinearDamping), smallFieldsOf(is)
	differs, smallDiffer := uint64(0), uint32(0)
	for i, c := range column {
		d := (*components.BodyData)(c)
		differs |= bits(&d.Mass) ^ bits(&z.mass[i&(blockRows-1)])
		differs |= bits(&d.GravityScale) ^ gravity
		differs |= bits(&d.LinearDamping) ^ damping
		smallDiffer |= smallFieldsOf(d) ^ small
	}
	return differs | uint64(smallDiffer)
}

// smallFieldsOf returns Kind, Locked, Weightless and NeverSleep, which are adjacent bytes.
func smallFieldsOf(d *components.BodyData) uint32 { return *(*uint32)(pointer(&d.Kind)) }

var _ = [1]struct{}{}[unsafe.Offsetof(components.BodyData{}.Mass)-unsafe.Offsetof(components.BodyData{}.Kind)-8]

// differResponses returns something other than 0 if any Response differs from is.
func differResponses(column []pointer, is *components.ResponseData) uint64 {
	restitution, mode, combine := bits(&is.Restitution), uint8(is.Mode), uint8(is.Combine)
	differs, smallDiffer := uint64(0), uint8(0)
	for _, c := range column {
		r := (*components.ResponseData)(c)
		differs |= bits(&r.Restitution) ^ restitution
		smallDiffer |= (uint8(r.Mode) ^ mode) | (uint8(r.Combine) ^ combine)
	}
	return differs | uint64(smallDiffer)
}

// differFrictions returns something other than 0 if any Friction differs from is.
func differFrictions(column []pointer, is *components.FrictionData) uint64 {
	dynamic, static, rolling, spinning := bits(&is.Dynamic), bits(&is.Static), bits(&is.Rolling), bits(&is.Spinning)
	differs, combine := uint64(0), is.Combine
	for _, c := range column {
		f := (*components.FrictionData)(c)
		differs |= (bits(&f.Dynamic) ^ dynamic) | (bits(&f.Static) ^ static) | (bits(&f.Rolling) ^ rolling) | (bits(&f.Spinning) ^ spinning)
		differs |= uint64(f.Combine ^ combine)
	}
	return differs
}

// rowDiffers is differs for one row and its record, whatever its profile.
func (p *Physics) rowDiffers(t *table, row int, k *record) bool {
	is := &p.registry.profiles.list[k.profile]
	if is.has != t.has || t.has&hasSphere != 0 && get[components.SphereColliderData](t.cols[colSphere], row).Radius != k.radius {
		return true
	}
	if t.has&hasBody != 0 {
		b := *get[components.BodyData](t.cols[colBody], row)
		if b.Mass != k.mass {
			return true
		}
		if b.Mass = 0; b != is.body {
			return true
		}
	}
	return t.has&hasResponse != 0 && *get[components.ResponseData](t.cols[colResponse], row) != is.response ||
		t.has&hasFilter != 0 && *get[components.CollisionFilterData](t.cols[colFilter], row) != is.filter ||
		t.has&hasFriction != 0 && *get[components.FrictionData](t.cols[colFriction], row) != is.friction ||
		t.has&hasSurfaceVelocity != 0 && get[components.SurfaceVelocityData](t.cols[colSurfaceVelocity], row).Linear != is.surfaceVelocity
}

// bits is math.Float64bits of a number in memory. The compiler then loads an integer.
func bits(x *float64) uint64 { return *(*uint64)(pointer(x)) }
