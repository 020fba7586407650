package collide

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSlide(t *testing.T) {
	up, left := Vec3{Y: 1}, Vec3{X: -1}
	for _, tt := range []struct {
		name     string
		v        Vec3
		contacts []SlideContact
		want     Vec3
		result   SlideResult
	}{
		{"nothing in the way", Vec3{1, 2, 3}, nil, Vec3{1, 2, 3}, SlideResult{0, Free}},
		{"leaves the floor", Vec3{1, 2, 3}, []SlideContact{{Normal: up}}, Vec3{1, 2, 3}, SlideResult{0, Free}},
		{"runs along the floor", Vec3{1, 0, 3}, []SlideContact{{Normal: up}}, Vec3{1, 0, 3}, SlideResult{1, Free}},
		{"presses on the floor", Vec3{1, -2, 3}, []SlideContact{{Normal: up}}, Vec3{1, 0, 3}, SlideResult{1, OnPlane}},
		{"falls straight on the floor", Vec3{0, -2, 0}, []SlideContact{{Normal: up}}, Vec3{}, SlideResult{1, OnPlane}},
		{
			"is carried by a lift",
			Vec3{1, -2, 3},
			[]SlideContact{{up, Vec3{Y: 1}}},
			Vec3{1, 1, 3},
			SlideResult{1, OnPlane},
		},
		{
			"runs into a corner of floor and wall",
			Vec3{1, -2, 3},
			[]SlideContact{{Normal: up}, {Normal: left}},
			Vec3{0, 0, 3},
			SlideResult{3, OnCrease},
		},
		{
			"leaves the wall for the floor",
			Vec3{-1, -2, 3},
			[]SlideContact{{Normal: up}, {Normal: left}},
			Vec3{-1, 0, 3},
			SlideResult{1, OnPlane},
		},
		{
			"is stuck in a corner", Vec3{1, -2, 3}, []SlideContact{
				{Normal: up},
				{Normal: left},
				{Normal: Vec3{Z: -1}},
			}, Vec3{}, SlideResult{7, Stuck},
		},
		{
			"has the same contact twice",
			Vec3{1, -2, 3},
			[]SlideContact{{Normal: up}, {Normal: up}},
			Vec3{1, 0, 3},
			SlideResult{3, OnPlane},
		},
		{
			"moves between floor and ceiling",
			Vec3{1, -2, 3},
			[]SlideContact{{Normal: up}, {Normal: Vec3{Y: -1}}},
			Vec3{1, 0, 3},
			SlideResult{3, OnPlane},
		},
		{
			"is crushed",
			Vec3{1, -2, 3},
			[]SlideContact{{up, Vec3{Y: 1}}, {Vec3{Y: -1}, Vec3{Y: -2}}},
			Vec3{1, -0.5, 3},
			SlideResult{3, Crushed},
		},
		{
			"ignores a bad normal",
			Vec3{1, -2, 3},
			[]SlideContact{{Normal: Vec3{Y: math.NaN()}}, {Normal: Vec3{}}},
			Vec3{1, -2, 3},
			SlideResult{0, Free},
		},
		{"has a NaN in v", Vec3{X: math.NaN()}, nil, Vec3{}, SlideResult{0, Stuck}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, result := Slide(tt.v, tt.contacts)
			if got.Distance(tt.want) > 4*slideTolerance || result != tt.result {
				t.Errorf("got %v %+v, want %v %+v", got, result, tt.want, tt.result)
			}
		})
	}
}

func TestSlideInAnAcuteWedgeFollowsTheCrease(t *testing.T) {
	for _, degrees := range []float64{10, 1, 0.01, 1e-6} {
		half := degrees / 2 * math.Pi / 180
		// The wedge opens towards +X and its crease runs along Z.
		walls := []SlideContact{
			{Normal: Vec3{X: math.Sin(half), Y: math.Cos(half)}},
			{Normal: Vec3{X: math.Sin(half), Y: -math.Cos(half)}},
		}
		got, result := Slide(Vec3{-3, 1e-9, 2}, walls)
		if got.Distance(Vec3{Z: 2}) > 1e-15 || result != (SlideResult{3, OnCrease}) {
			t.Errorf("in a wedge of %v degrees got %v %+v, want {0 0 2} in the crease", degrees, got, result)
		}
	}
}

func TestSlideInARoundShaftKeepsTheAxialComponent(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		axis, _ := Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Normalized()
		x, _ := axis.Cross(Vec3{rng.NormFloat64(), rng.NormFloat64(), 1}).Normalized()
		y := axis.Cross(x)
		planes := make([]SlideContact, 64)
		for i := range planes {
			angle := 2 * math.Pi * float64(i) / 64
			planes[i].Normal, _ = x.Scale(math.Cos(angle)).Add(y.Scale(math.Sin(angle))).Normalized()
		}
		rng.Shuffle(64, func(i, j int) { planes[i], planes[j] = planes[j], planes[i] })
		v := Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		want := axis.Scale(axis.Dot(v))
		got, result := Slide(v, planes)
		if got.Distance(want) > 1e-14*v.Length() || result.Active != math.MaxUint64 {
			t.Fatalf("sliding %v along %v gave %v %+v, want %v", v, axis, got, result, want)
		}
	}
}
