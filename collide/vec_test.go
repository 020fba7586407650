package collide

import (
	"math"
	"testing"
)

func TestComponents(t *testing.T) {
	v, negative := Vec3{1, -2, 3}, math.Copysign(0, -1)
	if v.Component(0) != 1 || v.Component(1) != -2 || v.Component(2) != 3 {
		t.Errorf("components of %v: %v, %v, %v", v, v.Component(0), v.Component(1), v.Component(2))
	}
	if got, want := v.MulElem(Vec3{4, 5, -6}), (Vec3{4, -10, -18}); got != want {
		t.Errorf("MulElem: got %v, want %v", got, want)
	}
	if got := v.SumAbs(); got != 6 {
		t.Errorf("SumAbs: got %v, want 6", got)
	}
	if got := v.MaxAbs(); got != 3 {
		t.Errorf("MaxAbs: got %v, want 3", got)
	}
	if !v.SameBits(v) || v.SameBits(Vec3{1, -2, 4}) || v.SameBits(Vec3{0, -2, 3}) || v.SameBits(Vec3{1, 2, 3}) {
		t.Error("SameBits compares something else than bits")
	}
	if (Vec3{Y: negative}).SameBits(Vec3{}) || !(Vec3{Z: math.NaN()}).SameBits(Vec3{Z: math.NaN()}) {
		t.Error("SameBits ignores the sign of a zero, or distinguishes a NaN from itself")
	}
}
