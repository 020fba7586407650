package main

import "image"

// The tiles, by their place in tiles.png, eight in a row.
const (
	tDirt = iota
	tGrass
	tPebbles
	tUp
	tDown
	tUp1
	tUp2
	tDown1
	tDown2
	tPlank
	tLadder
	tSpikes
	tRight
	tRight2
	tRight3
	tRight4
	tLeft
	tLeft2
	tLeft3
	tLeft4
	tFlower
	tTuft
	tGrassLeft
	tGrassRight
	tCount
)

func tiles() image.Image {
	s := newSheet(128, 48)
	at := func(t int) { s.cell(t%8, t/8, 16, 16) }
	for t := range tCount {
		at(t)
		switch t {
		case tDirt, tPebbles, tGrass, tGrassLeft, tGrassRight:
			s.ground(func(int) int { return 0 }, t)
		case tUp:
			s.ground(func(x int) int { return 15 - x }, t)
		case tDown:
			s.ground(func(x int) int { return x }, t)
		case tUp1:
			s.ground(func(x int) int { return 15 - x/2 }, t)
		case tUp2:
			s.ground(func(x int) int { return 7 - x/2 }, t)
		case tDown1:
			s.ground(func(x int) int { return x / 2 }, t)
		case tDown2:
			s.ground(func(x int) int { return 8 + x/2 }, t)
		case tPlank:
			s.box(0, 0, 15, 4, wood)
			s.box(0, 0, 15, 0, woodLight)
			s.box(0, 4, 15, 4, woodDark)
			s.box(7, 1, 7, 4, woodDark)
			s.box(2, 5, 3, 7, woodDark)
			s.box(12, 5, 13, 7, woodDark)
		case tLadder:
			s.box(2, 0, 4, 15, wood)
			s.box(11, 0, 13, 15, wood)
			s.box(2, 0, 2, 15, woodLight)
			s.box(13, 0, 13, 15, woodDark)
			for y := 2; y < 16; y += 5 {
				s.box(4, y, 11, y+1, woodLight)
				s.box(4, y+1, 11, y+1, woodDark)
			}
		case tSpikes:
			for k := range 4 {
				for y := 4; y < 16; y++ {
					half := (y - 4) / 6
					for x := 4*k + 1 - half; x <= 4*k+2+half; x++ {
						c := uint8(steelLight)
						if x > 4*k+1 {
							c = steel
						}
						if y > 13 {
							c = steelDark
						}
						if x >= 4*k && x < 4*k+4 {
							s.set(x, y, c)
						}
					}
				}
			}
		case tRight, tRight2, tRight3, tRight4, tLeft, tLeft2, tLeft3, tLeft4:
			s.conveyor((t-tRight)%4, t >= tLeft)
		case tFlower:
			s.box(7, 10, 7, 15, grassDark)
			s.disc(14, 16, 7, red, redDark, 0)
			s.box(7, 8, 7, 8, gold)
			s.box(3, 13, 3, 15, grassDark)
			s.disc(6, 23, 5, gold, goldDark, 0)
		case tTuft:
			for _, x := range []int{2, 4, 7, 9, 12} {
				s.box(x, 10+noise(x, 1, 4), x, 15, grass)
				s.box(x+1, 12+noise(x, 2, 3), x+1, 15, grassDark)
			}
		}
	}
	return s
}

// ground draws earth below a line, with grass on top unless it is dirt.
func (s *sheet) ground(top func(x int) int, t int) {
	for x := range 16 {
		for y := max(top(x), 0); y < 16; y++ {
			c := uint8(dirt)
			switch n := noise(x/2+t*7, y/2, 11); {
			case n == 0:
				c = dirtDark
			case n == 1:
				c = dirtLight
			}
			s.set(x, y, c)
		}
		if t == tDirt || t == tPebbles {
			continue
		}
		deep := 4 + noise(x, t, 2)
		for k := range deep {
			c := uint8(grass)
			switch {
			case k == 0:
				c = grassLight
			case k == deep-1:
				c = grassDark
			}
			if y := top(x) + k; y >= 0 && y < 16 {
				s.set(x, y, c)
			}
		}
	}
	if t == tGrassLeft {
		s.box(0, 1, 0, 15, dirtDark)
		s.box(0, 0, 0, 4, grassDark)
	}
	if t == tGrassRight {
		s.box(15, 1, 15, 15, dirtDark)
		s.box(15, 0, 15, 4, grassDark)
	}
	if t == tPebbles {
		s.disc(8, 10, 5, steel, steelDark, 0)
		s.disc(22, 22, 6, steel, steelDark, 0)
	}
}

// conveyor draws a belt. Its ribs move by two pixels from frame to frame.
func (s *sheet) conveyor(frame int, left bool) {
	s.box(0, 0, 15, 15, steelDark)
	s.box(0, 0, 15, 4, ink)
	for x := range 16 {
		k := x - 2*frame
		if left {
			k = x + 2*frame
		}
		if (k+32)%8 < 4 {
			s.box(x, 1, x, 3, gold)
		}
	}
	s.box(0, 5, 15, 5, steelLight)
	s.disc(15, 21, 8, steel, ink, steelLight)
	s.box(7, 10, 8, 11, ink)
}

// sprites draws what moves. Rows of 24 pixels: the hero facing right, and things.
func sprites() image.Image {
	s := newSheet(160, 72)
	for frame := range 9 {
		s.cell(frame, 0, 16, 24)
		s.hero(frame)
	}
	for frame := range 4 { // a coin that turns
		s.cell(frame, 1, 16, 24)
		half := []int{5, 4, 2, 4}[frame]
		for y := 3; y <= 12; y++ {
			for x := -half; x < half; x++ {
				dy := 2*y - 15
				if 100*x*x/(half*half)+dy*dy > 100 {
					continue
				}
				c := uint8(gold)
				if x == -half || dy*dy > 60 {
					c = goldDark
				}
				if x == -half+1 && dy < 4 {
					c = goldLight
				}
				s.set(8+x, y, c)
			}
		}
	}
	for lit := range 2 { // a lantern: not reached, reached
		s.cell(4+lit, 1, 16, 24)
		s.box(7, 6, 8, 23, woodDark)
		s.box(5, 23, 10, 23, woodDark)
		s.box(4, 0, 11, 1, ink)
		fill, light := uint8(steelDark), uint8(steel)
		if lit == 1 {
			fill, light = red, gold
		}
		s.disc(15, 10, 9, fill, ink, light)
	}
	for frame := range 2 { // a flag
		s.cell(6+frame, 1, 16, 24)
		s.box(3, 0, 4, 23, steelLight)
		s.box(4, 1, 4, 23, steel)
		for x := 5; x < 15; x++ {
			up := (x/3 + frame) % 2
			s.box(x, 1+up, x, 9+up, red)
			s.box(x, 9+up, x, 9+up, redDark)
		}
		s.disc(7, 1, 3, gold, goldDark, 0)
	}
	s.cell(8, 1, 16, 24) // a crate
	s.box(0, 0, 15, 15, wood)
	for k := range 16 {
		s.set(k, k, woodDark)
		s.set(15-k, k, woodDark)
	}
	s.box(0, 0, 15, 2, woodLight)
	s.box(0, 13, 15, 15, woodDark)
	s.box(0, 0, 2, 15, wood)
	s.box(13, 0, 15, 15, woodDark)
	s.box(0, 0, 15, 0, woodLight)
	s.cell(9, 1, 16, 24) // a ball
	s.disc(15, 15, 15, red, redDark, pink)
	s.box(2, 7, 13, 8, white)
	s.disc(15, 15, 7, white, whiteDark, 0)
	s.cell(0, 2, 16, 24) // a lift, three cells wide
	s.box(0, 0, 47, 7, steel)
	s.box(0, 0, 47, 1, steelLight)
	s.box(0, 6, 47, 7, steelDark)
	for x := 3; x < 48; x += 10 {
		s.box(x, 3, x+1, 4, ink)
	}
	for x := range 48 {
		if (x/4)%2 == 0 {
			s.box(x, 2, x, 2, gold)
		}
	}
	s.cell(3, 2, 16, 24) // an arrow
	for y := range 7 {
		s.box(1, y, 1+min(y, 6-y)*2, y, white)
	}
	return s
}

// hero draws a skewer of three dumplings. Frames: 0 stands, 1 to 4 run, 5 jumps, 6 falls, 7 and 8
// climb.
func (s *sheet) hero(frame int) {
	bob := []int{0, 0, 1, 0, 1, -1, 0, 0, 0}[frame]
	lean := []int{0, 1, 1, 1, 1, 1, 0, 0, 0}[frame]
	feet := [][2][2]int{ // x and y of two feet
		{{5, 22}, {9, 22}},
		{{3, 21}, {10, 22}},
		{{6, 22}, {8, 22}},
		{{10, 22}, {4, 21}},
		{{8, 22}, {6, 22}},
		{{4, 21}, {9, 20}},
		{{4, 20}, {10, 21}},
		{{5, 22}, {9, 20}},
		{{5, 20}, {9, 22}},
	}[frame]
	for _, f := range feet {
		s.box(f[0]+1, f[1]-2, f[0]+1, f[1], ink)
		s.box(f[0], f[1]+1, f[0]+2, f[1]+1, ink)
	}
	s.box(7+lean, bob, 7+lean, 20, woodLight) // the skewer
	s.set(7+lean, max(bob, 0), wood)
	s.disc(15, 2*17+1, 8, leaf, leafDark, grassLight)
	s.disc(15+lean, 2*(11+bob)+1, 8, white, whiteDark, white)
	s.disc(15+2*lean, 2*(5+bob)+1, 9, pink, pinkDark, white)
	if frame >= 7 {
		s.box(3, 8+4*(frame-7), 4, 10+4*(frame-7), ink)
		s.box(11, 12-4*(frame-7), 12, 14-4*(frame-7), ink)
		return // seen from behind
	}
	eye := 4 + bob
	s.box(7+lean, eye, 7+lean, eye+1, ink)
	s.box(10+lean, eye, 10+lean, eye+1, ink)
	s.set(6+lean, eye+3, blush)
	s.set(11+lean, eye+3, blush)
	s.box(8+lean, eye+3, 9+lean, eye+3, ink)
}

// back draws the sky with hills, which repeats from left to right.
func back() image.Image {
	const w, h = 256, 208
	s := newSheet(w, h)
	for y := range h {
		for x := range w {
			c := uint8(sky0 + min(max((y+noise(x/2, y/2, 6)-20)/36, 0), 3))
			s.set(x, y, c)
		}
	}
	for _, p := range [][3]int{{30, 34, 9}, {48, 30, 13}, {66, 36, 9}, {160, 56, 8}, {176, 52, 12}, {192, 58, 8}, {
		206,
		58, 6,
	}} {
		s.disc(2*p[0], 2*p[1], 2*p[2], cloud, cloud, 0)
	}
	s.box(20, 38, 80, 46, sky0)
	s.box(150, 61, 215, 72, sky1)
	hills := func(base, high, wave, shift int, fill, edge uint8) {
		for x := range w {
			// Parabolas side by side; wave divides the width, so that the picture repeats.
			k := (x + shift) % wave
			top := base - high*4*k*(wave-k)/(wave*wave)
			for y := top; y < h; y++ {
				c := fill
				if y < top+3 {
					c = edge
				} else if noise(x/3, y/3, 17) == 0 {
					c = edge
				}
				s.set(x, y, c)
			}
		}
	}
	hills(150, 50, 128, 20, hill0, sky2)
	hills(160, 36, 64, 0, hill1, hill0)
	hills(182, 40, 128, 84, hill2, grassLight)
	hills(196, 24, 64, 40, hill3, hill2)
	return s
}
