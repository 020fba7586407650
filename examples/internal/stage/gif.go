//go:build !js

package stage

import (
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"slices"
)

// animation makes a GIF of frames. The palette is computed from all frames, colours are not
// dithered, and a frame contains only the changed area. That keeps the file small.
type animation struct {
	delay  int // ticks of 1/60 s a frame
	rect   image.Rectangle
	last   []uint8 // the latest frame, RGBA
	frames [][]change

	palette color.Palette // entry 0 is transparent
	nearest []uint8       // palette index by the upper six bits of each channel; 0 if not yet computed
}

// change is a pixel that differs from the frame before. Keeping only changes, hundreds of frames
// fit in memory until the palette is known.
type change struct {
	at  int32
	rgb [3]uint8
}

// add appends a frame.
func (a *animation) add(frame *image.RGBA) {
	var changes []change
	for i := 0; i < len(frame.Pix); i += 4 {
		if rgb := [3]uint8(frame.Pix[i : i+3]); a.last == nil || rgb != [3]uint8(a.last[i:i+3]) {
			changes = append(changes, change{int32(i / 4), rgb})
		}
	}
	a.frames = append(a.frames, changes)
	a.rect = frame.Rect
	a.last = append(a.last[:0], frame.Pix...)
}

// loop lets the last n frames fade into the first n, which it leaves out, so that the animation
// begins again without a jump.
func (a *animation) loop(n int) {
	if n == 0 || len(a.frames) < 2*n+1 {
		return
	}
	looped := animation{delay: a.delay}
	frame := image.NewRGBA(a.rect)
	var head [][]uint8
	for i, changes := range a.frames {
		for _, c := range changes {
			copy(frame.Pix[4*c.at:], []uint8{c.rgb[0], c.rgb[1], c.rgb[2], 255})
		}
		if i < n {
			head = append(head, slices.Clone(frame.Pix))
			continue
		}
		k := i - (len(a.frames) - n)
		if k < 0 {
			looped.add(frame)
			continue
		}
		mixed := image.NewRGBA(a.rect)
		for j, x := range frame.Pix {
			mixed.Pix[j] = uint8((int(x)*(n-k) + int(head[k][j])*(k+1)) / (n + 1))
		}
		looped.add(mixed)
	}
	*a = looped
}

// encode returns the GIF of all frames.
func (a *animation) encode() *gif.GIF {
	a.palette = makePalette(a.frames)
	a.nearest = make([]uint8, 1<<18)
	g := &gif.GIF{}
	w := a.rect.Dx()
	shown := make([]uint8, w*a.rect.Dy()) // palette indices; 0: nothing yet
	for n, changes := range a.frames {
		pix := make([]uint8, len(shown))
		box := image.Rectangle{}
		for _, c := range changes {
			if p := a.index(c.rgb); p != shown[c.at] {
				pix[c.at], shown[c.at] = p, p
				x, y := int(c.at)%w, int(c.at)/w
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
		// GIF times are in hundredths of a second. Rounding the end of each frame prevents that
		// errors add up.
		delay := (n+1)*a.delay*100/60 - n*a.delay*100/60
		if box.Empty() && n > 0 {
			g.Delay[len(g.Delay)-1] += delay
			continue
		}
		full := &image.Paletted{Pix: pix, Stride: w, Rect: a.rect, Palette: a.palette}
		g.Image = append(g.Image, full.SubImage(box).(*image.Paletted))
		g.Delay = append(g.Delay, delay)
		g.Disposal = append(g.Disposal, gif.DisposalNone)
	}
	return g
}

// index returns the index of the nearest colour of the palette. Colours with the same upper six
// bits of each channel get the same index.
func (a *animation) index(rgb [3]uint8) uint8 {
	key := int(rgb[0]>>2)<<12 | int(rgb[1]>>2)<<6 | int(rgb[2]>>2)
	if a.nearest[key] == 0 {
		a.nearest[key] = uint8(1 + a.palette[1:].Index(color.RGBA{rgb[0], rgb[1], rgb[2], 255}))
	}
	return a.nearest[key]
}

// bin is a colour of a histogram.
type bin struct {
	rgb   [3]uint8
	count int
}

// makePalette returns a transparent colour and 255 others: the most frequent colours, and for the
// rest, such as the smooth edges of shapes, a median cut.
func makePalette(frames [][]change) color.Palette {
	const exact = 64
	counts := make(map[[3]uint8]int)
	for n, f := range frames {
		weight := 1
		if n == 0 {
			weight += len(frames) / 4 // colours that stay are visible all the time, but counted only in this frame
		}
		for _, c := range f {
			counts[c.rgb] += weight
		}
	}
	bins := make([]bin, 0, len(counts))
	for rgb, n := range counts {
		bins = append(bins, bin{rgb, n})
	}
	slices.SortFunc(bins, func(a, b bin) int { // equal ones by colour, because a map has no order
		return cmp.Or(b.count-a.count, slices.Compare(a.rgb[:], b.rgb[:]))
	})
	palette := color.Palette{color.RGBA{}}
	for _, b := range bins[:min(exact, len(bins))] {
		palette = append(palette, color.RGBA{b.rgb[0], b.rgb[1], b.rgb[2], 255})
	}
	for _, box := range medianCut(bins[min(exact, len(bins)):], 256-len(palette)) {
		palette = append(palette, mean(box))
	}
	return palette
}

// medianCut splits bins into at most n boxes, always halving the one with the widest side.
func medianCut(bins []bin, n int) [][]bin {
	if len(bins) == 0 {
		return nil
	}
	boxes := [][]bin{bins}
	for len(boxes) < n {
		best, channel, most := -1, 0, 0
		for i, box := range boxes {
			for ch := range 3 {
				lo, hi := box[0].rgb[ch], box[0].rgb[ch]
				for _, b := range box {
					lo, hi = min(lo, b.rgb[ch]), max(hi, b.rgb[ch])
				}
				if d := int(hi - lo); d > most {
					best, channel, most = i, ch, d
				}
			}
		}
		if best < 0 {
			break // every box holds one colour
		}
		box := boxes[best]
		slices.SortFunc(box, func(a, b bin) int {
			return cmp.Or(int(a.rgb[channel])-int(b.rgb[channel]), slices.Compare(a.rgb[:], b.rgb[:]))
		})
		// Cut at the middle of the side, and between two different values.
		middle := (int(box[0].rgb[channel]) + int(box[len(box)-1].rgb[channel]) + 1) / 2
		at, _ := slices.BinarySearchFunc(
			box, middle, func(b bin, m int) int { return cmp.Or(int(b.rgb[channel])-m, 0) },
		)
		boxes[best] = box[:at:at]
		boxes = append(boxes, box[at:])
	}
	return boxes
}

// mean returns the average colour of a box.
func mean(box []bin) color.RGBA {
	var sum [3]int
	n := 0
	for _, b := range box {
		for ch := range 3 {
			sum[ch] += int(b.rgb[ch]) * b.count
		}
		n += b.count
	}
	return color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255}
}
