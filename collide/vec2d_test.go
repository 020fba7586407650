package collide_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
)

func ExampleVec2() {
	from, to := collide.Vec2(100, 50), collide.Vec2(130, 90)
	fmt.Println(to.Sub(from), from.Distance(to))
	// Output: {30 40 0} 50
}

func ExamplePolar2D() {
	v := collide.Polar2D(300, -math.Pi/3) // 300 pixels a second, 60 degrees upwards if Y points down
	fmt.Printf("%.1f %.1f\n", v.X, v.Y)
	// Output: 150.0 -259.8
}

func ExampleVec3_Angle2D() {
	fmt.Printf("%.1f degrees\n", collide.Vec2(0, 5).Angle2D()*180/math.Pi)
	// Output: 90.0 degrees
}

func ExampleVec3_Rotated2D() {
	v := collide.Vec2(2, 0).Rotated2D(math.Pi / 6)
	fmt.Printf("%.3f %.3f\n", v.X, v.Y)
	// Output: 1.732 1.000
}

func ExampleVec3_Perp2D() {
	v := collide.Vec2(3, 4)
	fmt.Println(v.Perp2D(), v.Dot(v.Perp2D()))
	// Output: {-4 3 0} 0
}

func ExampleVec3_Cross2D() {
	velocity, target := collide.Vec2(1, 0), collide.Vec2(5, -2)
	fmt.Println("turn left:", velocity.Cross2D(target) < 0) // on a screen whose Y points down
	// Output: turn left: true
}

func ExampleRotation2D() {
	turned := collide.Rotation2D(math.Pi / 2).Rotate(collide.Vec2(10, 0))
	fmt.Printf("%.0f %.0f\n", turned.X, turned.Y)
	// Output: 0 10
}

func ExampleQuat_Angle2D() {
	fmt.Printf("%.2f\n", collide.Rotation2D(0.75).Angle2D())
	// Output: 0.75
}

func TestAnglesOfThePlaneAreConsistent(t *testing.T) {
	for k := -40; k <= 40; k++ {
		angle := float64(k) * 0.25
		same := func(what string, got float64) {
			t.Helper()
			if math.Abs(math.Remainder(got-angle, 2*math.Pi)) > 1e-14 {
				t.Errorf("%s of %v: got %v", what, angle, got)
			}
		}
		same("rotation", collide.Rotation2D(angle).Angle2D())
		same("vector", collide.Polar2D(3, angle).Angle2D())
		v, want := collide.Vec2(0.5, 2).Rotated2D(angle), 0.5*math.Cos(angle)-2*math.Sin(angle)
		if math.Abs(v.X-want) > 1e-14 {
			t.Errorf("turned by %v: got X %v, want %v", angle, v.X, want)
		}
	}
	if got := (collide.Quat{}).Angle2D(); got != 0 {
		t.Errorf("the zero rotation: got %v, want 0", got)
	}
	if got := collide.Vec2(1, 2).Perp2D().Cross2D(collide.Vec2(1, 2)); got != -5 {
		t.Errorf("cross product with the vector that a quarter turn makes: got %v, want -5", got)
	}
}
