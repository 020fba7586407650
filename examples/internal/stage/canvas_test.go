package stage

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
)

// The triangles of a shape cover its area once, whichever way its corners run.
func TestShapesAreFilledOnce(t *testing.T) {
	for name, points := range map[string][]Pt{
		"square": {{0, 0}, {4, 0}, {4, 4}, {0, 4}},
		"arrow":  {{0, 0}, {6, 3}, {0, 6}, {2, 3}},
		"comb": {
			{0, 0}, {9, 0}, {9, 5}, {7, 5}, {7, 1}, {5, 1}, {5, 5}, {3, 5}, {3, 1}, {1, 1}, {1, 5}, {0, 5},
		},
		"a point on an edge": {{0, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4}},
	} {
		want := 0.0
		for i, p := range points {
			want += cross(Pt{}, p, points[(i+1)%len(points)]) / 2
		}
		for range 2 {
			var c Canvas
			c.Shape(points, color.NRGBA{A: 100}) // without a rim
			got := 0.0
			for k := 0; k < len(c.indices); k += 3 {
				at := func(n int) Pt {
					v := c.vertices[c.indices[k+n]]
					return Pt{float64(v.DstX), float64(v.DstY)}
				}
				part := cross(at(0), at(1), at(2)) / 2
				if part < 0 {
					t.Errorf("%s: a triangle is turned over", name)
				}
				got += part
			}
			if math.Abs(got-want) > 1e-6 {
				t.Errorf("%s: the triangles have an area of %g, want %g", name, got, want)
			}
			points = slices.Clone(points)
			slices.Reverse(points)
		}
	}
}

// Debug drew the endless planes of a tile over its neighbours.
func TestClipKeepsToItsArea(t *testing.T) {
	c := &Canvas{Image: ebiten.NewImage(100, 80), W: 100, H: 80, Scale: 1}
	full := c.Image
	c.Clip(Rect{10, 20, 30, 40}, func() {
		if got, want := c.Image.Bounds(), image.Rect(10, 20, 40, 60); got != want {
			t.Errorf("it draws onto %v, want %v", got, want)
		}
	})
	if c.Image != full {
		t.Error("the canvas stays clipped")
	}
	blind := &Canvas{W: 100, H: 80, Scale: 1}
	drawn := false
	if blind.Clip(Rect{W: 10, H: 10}, func() { drawn = true }); !drawn {
		t.Error("without an image nothing is drawn")
	}
}
