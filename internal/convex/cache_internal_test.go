package convex

import (
	"testing"

	"github.com/dango-physics/dango/collide"
)

// A hundred boulders that a game had made one by one from the same corners took four times as long
// as if they had shared a hull: they found the axes of their pair with the floor again and again.
func TestEqualShapesShareAPair(t *testing.T) {
	floor := NewBox(collide.Box{Half: collide.Vec3{X: 9, Y: 1, Z: 9}})
	turned := collide.RotationAround(collide.Vec3{Y: 1}, 1)
	hull := func(height float64) collide.Shape {
		h, err := collide.NewHull([]collide.Vec3{{}, {X: 1}, {Z: 1}, {Y: height}})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	box := func(z float64) collide.Shape { return collide.Box{Half: collide.Vec3{X: 1, Y: 1, Z: z}} }
	capsule := func(radius float64) collide.Shape { return collide.Capsule{B: collide.Vec3{Y: 1}, Radius: radius} }
	for _, tt := range []struct {
		name        string
		first, next collide.Shape
		turn        collide.Quat
		want        bool
	}{
		{"equal hulls", hull(1), hull(1), collide.Quat{}, true},
		{"equal hulls, turned", hull(1), hull(1), turned, true},
		{"other hulls", hull(1), hull(2), collide.Quat{}, false},
		{"equal boxes", box(2), box(2), turned, true},
		{"other boxes", box(2), box(3), turned, false},
		{"equal capsules", capsule(1), capsule(1), turned, true},
		{"other capsules", capsule(1), capsule(2), turned, false},
	} {
		var cache Cache
		for _, flipped := range []bool{false, true} {
			pair := func(shape collide.Shape) Pair {
				s, err := New(shape, tt.turn)
				if err != nil {
					t.Fatal(err)
				}
				if flipped {
					return *cache.Pair(floor, s, 3)
				}
				return *cache.Pair(s, floor, 3)
			}
			first, next := pair(tt.first), pair(tt.next)
			if shared := first.a == next.a && first.b == next.b; shared != tt.want {
				t.Errorf("%s, floor first %v: the pair is shared: %v", tt.name, flipped, shared)
			}
		}
	}
}

// In a heap of 500 hulls, pairs with one slot replaced each other in each step, and all their axes
// were found again.
func TestTwoPairsWithOneSlotAreBothKept(t *testing.T) {
	floor := NewBox(collide.Box{Half: collide.Vec3{X: 9, Y: 1, Z: 9}})
	small := NewBox(collide.Box{Half: collide.Vec3{X: 1, Y: 1, Z: 1}})
	large := NewBox(collide.Box{Half: collide.Vec3{X: 2, Y: 1, Z: 1}})
	var cache Cache
	first, next := cache.Pair(small, floor, 5), cache.Pair(large, floor, 5)
	for range 4 {
		if cache.Pair(small, floor, 5) != first || cache.Pair(large, floor, 5) != next ||
			first.a != small || next.a != large {
			t.Fatal("one has replaced the other")
		}
	}
}
