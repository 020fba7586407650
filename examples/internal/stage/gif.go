package stage

import (
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"slices"
)

// animation turns frames into a GIF. Its palette comes from the first frames and its colours are never dithered, so flat
// surfaces stay flat; a frame holds only what changed. Both keep the file small.
type animation struct {
	delay   int           // ticks of 1/60 s a frame
	waiting []*image.RGBA // frames that the palette is still to be made from
	palette color.Palette // entry 0 is see-through
	nearest []uint8       // palette index by the upper six bits of each channel, 0 where not asked yet
	shown   []uint8       // what a viewer sees after the last frame
	g       gif.GIF
	ticks   int // that g covers
}

// paletteFrames is how many frames the palette is made from: at 20 a second the first two seconds, in which
// an example shows all it has.
const paletteFrames = 40

// add appends a copy of frame.
func (a *animation) add(frame *image.RGBA) {
	if a.palette != nil {
		a.append(frame)
		return
	}
	a.waiting = append(a.waiting, &image.RGBA{Pix: slices.Clone(frame.Pix), Stride: frame.Stride, Rect: frame.Rect})
	if len(a.waiting) == paletteFrames {
		a.drain()
	}
}

// encode returns the GIF of all frames.
func (a *animation) encode() *gif.GIF {
	a.drain()
	return &a.g
}

// drain makes the palette and appends the frames that waited for it.
func (a *animation) drain() {
	if a.palette == nil {
		a.palette = makePalette(a.waiting)
		a.nearest = make([]uint8, 1<<18)
	}
	for _, f := range a.waiting {
		a.append(f)
	}
	a.waiting = nil
}

func (a *animation) append(frame *image.RGBA) {
	w, h := frame.Rect.Dx(), frame.Rect.Dy()
	if a.shown == nil {
		a.shown = make([]uint8, w*h) // 0: nothing shown yet
	}
	pix := make([]uint8, w*h)
	box := image.Rectangle{}
	for y := range h {
		for x := range w {
			i := y*w + x
			p := a.index(frame.Pix[4*i], frame.Pix[4*i+1], frame.Pix[4*i+2])
			if p != a.shown[i] {
				pix[i], a.shown[i] = p, p
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	// A GIF counts in hundredths of a second: round the end of each frame, so that errors don't add up.
	before := a.ticks * 100 / 60
	a.ticks += a.delay
	delay := a.ticks*100/60 - before
	if box.Empty() && len(a.g.Image) > 0 {
		a.g.Delay[len(a.g.Delay)-1] += delay
		return
	}
	full := &image.Paletted{Pix: pix, Stride: w, Rect: image.Rect(0, 0, w, h), Palette: a.palette}
	a.g.Image = append(a.g.Image, full.SubImage(box).(*image.Paletted))
	a.g.Delay = append(a.g.Delay, delay)
	a.g.Disposal = append(a.g.Disposal, gif.DisposalNone)
}

// index returns the palette's nearest colour. Colours that agree in six bits a channel get the same one.
func (a *animation) index(r, g, b uint8) uint8 {
	key := int(r>>2)<<12 | int(g>>2)<<6 | int(b>>2)
	if a.nearest[key] == 0 {
		a.nearest[key] = uint8(1 + a.palette[1:].Index(color.RGBA{r, g, b, 255}))
	}
	return a.nearest[key]
}

// bin is a colour of a histogram.
type bin struct {
	rgb   [3]uint8
	count int
}

// makePalette returns a see-through colour and 255 others: those that fill most of the frames as they are, and
// for the rest, such as the smooth rims of shapes, a median cut.
func makePalette(frames []*image.RGBA) color.Palette {
	const exact = 64
	counts := make(map[[3]uint8]int)
	for _, f := range frames {
		for i := 0; i < len(f.Pix); i += 4 {
			counts[[3]uint8(f.Pix[i:i+3])]++
		}
	}
	bins := make([]bin, 0, len(counts))
	for rgb, n := range counts {
		bins = append(bins, bin{rgb, n})
	}
	slices.SortFunc(bins, func(a, b bin) int { // by colour where equal: a map has no order
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
		at, _ := slices.BinarySearchFunc(box, middle, func(b bin, m int) int { return cmp.Or(int(b.rgb[channel])-m, 0) })
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
