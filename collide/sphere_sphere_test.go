package collide

import (
	"math"
	"testing"
)

func TestSweepSphereSphere(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	zero, right, left := Vec3{}, Vec3{X: 1}, Vec3{X: -1}
	unit := Sphere{Radius: 1}
	for _, tt := range []struct {
		name    string
		a       Sphere
		va      Vec3
		b       Sphere
		vb      Vec3
		horizon float64
		outcome Outcome
		time    float64
	}{
		{"meets head-on", Sphere{Vec3{X: -11}, 0.5}, right, Sphere{Vec3{}, 0.5}, left, 10, Hit, 5},
		{"lands exactly at the horizon", Sphere{Vec3{X: -11}, 0.5}, right, Sphere{Vec3{}, 0.5}, left, 5, Hit, 5},
		{
			"lands just after the horizon",
			Sphere{Vec3{X: -11}, 0.5},
			right,
			Sphere{Vec3{}, 0.5},
			left,
			math.Nextafter(5, 0), Miss, 0,
		},
		{"follows at the same speed", Sphere{Vec3{X: -11}, 0.5}, right, Sphere{Vec3{}, 0.5}, right, inf, Miss, 0},
		{
			"hits with an infinite horizon",
			Sphere{Vec3{X: -3e9}, 1},
			Vec3{X: 1e-3},
			unit, zero, inf, Hit,
			2.999999998e12,
		},
		{"recedes", Sphere{Vec3{X: -3}, 1}, left, unit, zero, 10, Miss, 0},
		{"passes by", Sphere{Vec3{X: -3, Y: 2.1}, 1}, right, unit, zero, 10, Miss, 0},
		{
			"grazes with the last ulp",
			Sphere{Vec3{X: -3, Y: math.Nextafter(2, 0)}, 1},
			right, unit, zero, 10, Hit,
			2.9999999701976776,
		},
		{"grazes exactly", Sphere{Vec3{X: -3, Y: 2}, 1}, right, unit, zero, 10, Hit, 3},
		{"passes by one ulp away", Sphere{Vec3{X: -3, Y: math.Nextafter(2, 3)}, 1}, right, unit, zero, 10, Miss, 0},
		{"touches and approaches", Sphere{Vec3{X: -2}, 1}, right, unit, zero, 10, Hit, 0},
		{"touches and approaches with horizon 0", Sphere{Vec3{X: -2}, 1}, right, unit, zero, 0, Hit, 0},
		{"touches and recedes", Sphere{Vec3{X: -2}, 1}, left, unit, zero, 10, Miss, 0},
		{"touches and slides along", Sphere{Vec3{X: -2}, 1}, Vec3{Y: 1}, unit, zero, 10, Miss, 0},
		{"touches and rests", Sphere{Vec3{X: -2}, 1}, Vec3{Y: 1}, unit, Vec3{Y: 1}, 10, Miss, 0},
		{
			"touches on a slanted line and approaches",
			Sphere{Vec3{3, 4, 0}, 2},
			left,
			Sphere{Vec3{}, 3},
			zero, 10,
			Hit, 0,
		},
		{"overlaps and approaches", Sphere{left, 1}, right, unit, zero, 10, Overlap, 0},
		{
			"overlaps by an ulp and approaches",
			Sphere{Vec3{X: -math.Nextafter(2, 0)}, 1},
			right, unit, zero, 10,
			Overlap, 0,
		},
		{"overlaps and rests", Sphere{left, 1}, zero, unit, zero, 0, Overlap, 0},
		{"overlaps and recedes", Sphere{left, 1}, left, unit, zero, 10, Miss, 0},
		{"has the same centre", unit, left, unit, zero, 10, Overlap, 0},
		{"comes from 1e8 away", Sphere{Vec3{X: -1e8}, 1}, Vec3{X: 1e8}, unit, zero, 10, Hit, 0.99999998},
		{
			"comes from 1e8 away, slanted",
			Sphere{Vec3{X: -3e7, Y: 4e7}, 5},
			Vec3{X: 3, Y: -4},
			Sphere{Vec3{}, 5},
			zero, inf, Hit, 9999998,
		},
		{
			"grazes at 0.999999 of the radius from 1e6 away",
			Sphere{Vec3{X: -1e6, Y: 0.999999}, 1},
			right,
			Sphere{Vec3{}, 0},
			zero, inf, Hit, 999999.9985857868,
		},
		{
			"closes a gap of 1e-6 at 1e-12 m/s",
			Sphere{Vec3{X: -2 - 1e-6}, 1},
			Vec3{X: 1e-12},
			unit, zero, 2e6, Hit,
			1000000.000139778,
		},
		{"is a point that hits a point", Sphere{Vec3{X: -2}, 0}, right, Sphere{Vec3{}, 0}, zero, 10, Hit, 2},
		{"is a point on a point", Sphere{Vec3{}, 0}, right, Sphere{Vec3{}, 0}, zero, 10, Miss, 0},
		{
			"is tiny and lands on a planet",
			Sphere{Vec3{Y: 6e6 + 1}, 0x1p-20},
			Vec3{Y: -1},
			Sphere{Vec3{}, 6e6},
			zero, 10, Hit, 1 - 0x1p-20,
		},
		{"has a negative radius", Sphere{Vec3{X: -3}, -1}, right, unit, zero, 10, Miss, 0},
		{"has a radius of NaN", Sphere{Vec3{X: -3}, nan}, right, unit, zero, 10, Miss, 0},
		{"has an infinite velocity", Sphere{Vec3{X: -3}, 1}, Vec3{X: inf}, unit, zero, 10, Miss, 0},
		{"has a position of NaN", Sphere{Vec3{X: nan}, 1}, right, unit, zero, 10, Miss, 0},
		{"has a horizon of NaN", Sphere{Vec3{X: -3}, 1}, right, unit, zero, nan, Miss, 0},
		{"has a negative horizon", Sphere{left, 1}, right, unit, zero, -1, Miss, 0},
		{"is outside the range of valid input", Sphere{Vec3{X: -1e200}, 1}, Vec3{X: 1e200}, unit, zero, inf, Miss, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, outcome := SweepSphereSphere(tt.a, tt.va, tt.b, tt.vb, tt.horizon)
			if outcome != tt.outcome || c.Time != tt.time {
				t.Errorf("got %v at %v s, want %v at %v s", outcome, c.Time, tt.outcome, tt.time)
			}
			d, swapped := SweepSphereSphere(tt.b, tt.vb, tt.a, tt.va, tt.horizon)
			if swapped != outcome || d.Time != c.Time || d.Point != c.Point {
				t.Errorf("swapped gives %v %+v, want the equivalent of %v %+v", swapped, d, outcome, c)
			}
			if outcome != Miss && tt.va != tt.vb && d.Normal != c.Normal.Neg() {
				t.Errorf("swapped gives normal %v, want that of %v turned round", d.Normal, c.Normal)
			}
		})
	}
}
