package stage

import "github.com/hajimehoshi/ebiten/v2"

// Backdrop caches a picture of the static parts of a scene. It is drawn once for each size of the
// window. The zero value is ready.
type Backdrop struct {
	image *ebiten.Image
	scale float64

	labels []Label
}

// Draw fills c with the picture that draw draws. It calls draw only if the size of c has changed.
func (b *Backdrop) Draw(c *Canvas, draw func(c *Canvas)) {
	if c.Image == nil {
		draw(c)
		return
	}
	size := c.Image.Bounds().Size()
	if b.image == nil || b.image.Bounds().Size() != size || b.scale != c.Scale {
		if b.image != nil {
			b.image.Deallocate()
		}
		b.image, b.scale = ebiten.NewImage(size.X, size.Y), c.Scale
		still := &Canvas{Image: b.image, W: c.W, H: c.H, Scale: c.Scale}
		draw(still)
		still.Flush()
		b.labels = still.Labels
	}
	c.Labels = append(c.Labels, b.labels...)
	c.Flush()
	c.Image.DrawImage(b.image, nil)
}
