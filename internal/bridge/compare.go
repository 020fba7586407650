package bridge

import (
	"unsafe"

	"github.com/dango-physics/dango/components"
)

// differs reports whether a row of a range differs from a profile or from sizes in the components
// that seldom change: collider, Body, Material, CollisionFilter and SurfaceVelocity. It goes
// through one column after the other and collects the bits that differ, because a branch for each
// row would take longer. Shapes of surfaces are compared in readSurfaces.
func (b *Bridge) differs(t *table, from, to int, is *profile, z *rowSizes) bool {
	differs := uint64(0)
	if t.has&hasSphere != 0 {
		for i, c := range t.cols[colSphere][from:to] {
			differs |= bits(&(*components.SphereColliderData)(c).Radius) ^ bits(&z.radius[i&(blockRows-1)])
		}
	}
	if t.has&hasBody != 0 {
		differs |= differBodies(t.cols[colBody][from:to], &is.body, z)
	}
	if t.has&hasMaterial != 0 {
		differs |= differMaterials(t.cols[colMaterial][from:to], &is.material)
	}
	if t.has&hasFilter != 0 {
		layers, mask, disabled := is.filter.Layers, is.filter.Mask, boolean(&is.filter.Disabled)
		for _, c := range t.cols[colFilter][from:to] {
			f := (*components.CollisionFilterData)(c)
			differs |= uint64(f.Layers^layers) | uint64(f.Mask^mask) | uint64(boolean(&f.Disabled)^disabled)
		}
	}
	if t.has&hasSurfaceVelocity != 0 {
		for _, c := range t.cols[colSurfaceVelocity][from:to] {
			if !(*components.SurfaceVelocityData)(c).Linear.SameBits(is.surfaceVelocity) {
				return true
			}
		}
	}
	return differs != 0
}

// differBodies returns 0 if every Body has the fields of is, and the mass of its row in z.
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

var _ = [1]struct{}{}[unsafe.Offsetof(components.BodyData{}.NeverSleep)-unsafe.Offsetof(components.BodyData{}.Kind)-3]

// differMaterials returns 0 if every Material has the fields of is.
func differMaterials(column []pointer, is *components.MaterialData) uint64 {
	restitution, friction, static := bits(&is.Restitution), bits(&is.Friction), bits(&is.StaticFriction)
	rolling, spinning, rules := bits(&is.RollingResistance), bits(&is.SpinningResistance), rulesOf(is)
	differs, rulesDiffer := uint64(0), uint16(0)
	for _, c := range column {
		d := (*components.MaterialData)(c)
		differs |= (bits(&d.Restitution) ^ restitution) | (bits(&d.Friction) ^ friction)
		differs |= (bits(&d.StaticFriction) ^ static)
		differs |= (bits(&d.RollingResistance) ^ rolling) | (bits(&d.SpinningResistance) ^ spinning)
		rulesDiffer |= rulesOf(d) ^ rules
	}
	return differs | uint64(rulesDiffer)
}

// rulesOf returns the two combine rules, which are adjacent bytes.
func rulesOf(d *components.MaterialData) uint16 { return *(*uint16)(pointer(&d.RestitutionCombine)) }

var _ = [1]struct{}{}[unsafe.Offsetof(components.MaterialData{}.FrictionCombine)-
	unsafe.Offsetof(components.MaterialData{}.RestitutionCombine)-1]

// rowDiffers is differs for a single row, which is compared with its own record.
func (b *Bridge) rowDiffers(t *table, row int, k *record) bool {
	is := &b.registry.profiles.list[k.profile]
	if is.has != t.has {
		return true
	}
	if t.has&hasSphere != 0 && get[components.SphereColliderData](t.cols[colSphere], row).Radius != k.radius {
		return true
	}
	if t.has&hasBody != 0 {
		body := *get[components.BodyData](t.cols[colBody], row)
		if body.Mass != k.mass {
			return true
		}
		if body.Mass = 0; body != is.body {
			return true
		}
	}
	return t.has&hasMaterial != 0 && *get[components.MaterialData](t.cols[colMaterial], row) != is.material ||
		t.has&hasFilter != 0 && *get[components.CollisionFilterData](t.cols[colFilter], row) != is.filter ||
		t.has&hasSurfaceVelocity != 0 &&
			get[components.SurfaceVelocityData](t.cols[colSurfaceVelocity], row).Linear != is.surfaceVelocity
}

// boolean returns 1 for true and 0 for false, without a branch.
func boolean(b *bool) uint8 { return *(*uint8)(pointer(b)) }

// bits is math.Float64bits of a number in memory, so that the compiler loads an integer.
func bits(x *float64) uint64 { return *(*uint64)(pointer(x)) }
