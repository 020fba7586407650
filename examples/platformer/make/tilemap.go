package main

import (
	"fmt"
	"strings"
)

// tileset returns tiles.tsx.
func tileset() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.0" name="tiles" tilewidth="16" tileheight="16" tilecount="%d" columns="8">
 <image source="tiles.png" width="128" height="48"/>
`, tCount)
	shape := func(id int, points string) {
		fmt.Fprintf(&b, ` <tile id="%d">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="0"><polygon points="%s"/></object></objectgroup>
 </tile>
`, id, points)
	}
	class := func(id int, class string) { fmt.Fprintf(&b, " <tile id=\"%d\" class=\"%s\"/>\n", id, class) }
	for _, id := range []int{tDirt, tGrass, tPebbles} {
		class(id, "solid")
	}
	shape(tUp, "0,16 16,0 16,16")
	shape(tDown, "0,0 16,16 0,16")
	shape(tUp1, "0,16 16,8 16,16")
	shape(tUp2, "0,8 16,0 16,16 0,16")
	shape(tDown1, "0,0 16,8 16,16 0,16")
	shape(tDown2, "0,8 16,16 0,16")
	class(tPlank, "oneway")
	for _, t := range []struct {
		id   int
		name string
	}{{tLadder, "ladder"}, {tSpikes, "spikes"}} {
		fmt.Fprintf(&b, ` <tile id="%d" class="%s">
  <properties><property name="collider" value="trigger"/></properties>
 </tile>
`, t.id, t.name)
	}
	for _, t := range []struct{ id, speed int }{{tRight, 40}, {tLeft, -40}} {
		fmt.Fprintf(&b, ` <tile id="%d" class="conveyor">
  <properties>
   <property name="collider" value="solid"/>
   <property name="friction" type="float" value="1"/>
   <property name="surfaceVelocityX" type="float" value="%d"/>
  </properties>
  <animation>
`, t.id, t.speed)
		for k := range 4 {
			fmt.Fprintf(&b, "   <frame tileid=\"%d\" duration=\"50\"/>\n", t.id+k)
		}
		b.WriteString("  </animation>\n </tile>\n")
	}
	for _, id := range []int{tGrassLeft, tGrassRight} {
		class(id, "solid")
	}
	b.WriteString("</tileset>\n")
	return b.String()
}

// letters are the tiles that a letter of level.txt stands for.
var letters = map[byte]int{
	'/': tUp, '\\': tDown, '1': tUp1, '2': tUp2, '3': tDown1, '4': tDown2, '=': tPlank, 'H': tLadder, '^': tSpikes,
	'>': tRight, '<': tLeft,
}

// tileMap returns level.tmx.
func tileMap(rows []string) string {
	w, h := len(rows[0]), len(rows)
	at := func(x, y int) byte {
		if x < 0 || x >= w || y < 0 || y >= h {
			return '#'
		}
		return rows[y][x]
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.11.0" orientation="orthogonal" renderorder="right-down" width="%d" height="%d" `+
		`tilewidth="16" tileheight="16" infinite="0" nextlayerid="5" nextobjectid="100">
 <tileset firstgid="1" source="tiles.tsx"/>
`, w, h)
	layer := func(id int, name, properties string, tile func(x, y int) int) {
		fmt.Fprintf(&b, " <layer id=\"%d\" name=\"%s\" width=\"%d\" height=\"%d\">\n%s  <data encoding=\"csv\">\n", id,
			name, w, h, properties)
		for y := range h {
			for x := range w {
				fmt.Fprint(&b, tile(x, y)+1)
				if x+1 < w || y+1 < h {
					b.WriteByte(',')
				}
			}
			b.WriteByte('\n')
		}
		b.WriteString("  </data>\n </layer>\n")
	}
	layer(1, "Plants", "  <properties><property name=\"collider\" value=\"none\"/></properties>\n", func(x, y int) int {
		if at(x, y) != '.' || at(x, y+1) != '#' {
			return -1
		}
		switch noise(x, y, 6) {
		case 0:
			return tFlower
		case 1, 2:
			return tTuft
		}
		return -1
	})
	layer(2, "Ground", "", func(x, y int) int {
		if t, ok := letters[at(x, y)]; ok {
			return t
		}
		if at(x, y) != '#' {
			return -1
		}
		above := at(x, y-1)
		if above == '#' || strings.IndexByte("/\\1234", above) >= 0 || y == 0 {
			if noise(x, y, 12) == 0 {
				return tPebbles
			}
			return tDirt
		}
		open := func(c byte) bool { return strings.IndexByte("#/\\1234<>", c) < 0 }
		switch {
		case open(at(x-1, y)):
			return tGrassLeft
		case open(at(x+1, y)):
			return tGrassRight
		}
		return tGrass
	})
	id := 0
	object := func(name, class string, x, y, width, height float64, more string) {
		id++
		fmt.Fprintf(&b, "  <object id=\"%d\" name=\"%s\" class=\"%s\" x=\"%g\" y=\"%g\"", id, name, class, 16*x, 16*y)
		if width > 0 {
			fmt.Fprintf(&b, " width=\"%g\" height=\"%g\"", 16*width, 16*height)
		}
		fmt.Fprintf(&b, ">%s</object>\n", more)
	}
	properties := func(pairs ...any) string {
		var p strings.Builder
		p.WriteString("<properties>")
		for i := 0; i < len(pairs); i += 2 {
			kind := ""
			switch pairs[i+1].(type) {
			case float64:
				kind = ` type="float"`
			case bool:
				kind = ` type="bool"`
			}
			fmt.Fprintf(&p, `<property name="%v"%s value="%v"/>`, pairs[i], kind, pairs[i+1])
		}
		return p.String() + "</properties>"
	}
	b.WriteString(" <objectgroup id=\"3\" name=\"Things\">\n")
	trigger := properties("collider", "trigger")
	for y := range h {
		for x := range w {
			fx, fy := float64(x), float64(y)
			switch at(x, y) {
			case 'S':
				object("start", "spawn", fx+0.5, fy+1, 0, 0, "<point/>")
			case 'o':
				object("", "coin", fx+0.1875, fy+0.1875, 0.625, 0.625, trigger+"<ellipse/>")
			case 'K':
				object("", "checkpoint", fx, fy-0.5, 1, 1.5, trigger)
			case 'G':
				object("goal", "goal", fx, fy-0.5, 1, 1.5, trigger)
			case 'b':
				object("", "ball", fx, fy, 1, 1, "<ellipse/>")
			case 'c':
				object("", "crate", fx, fy, 1, 1, "")
			}
		}
	}
	lift := func(x, y, dx, dy, seconds float64) {
		object("", "lift", x, y, 3, 0.5, properties(
			"collider", "solid", "kinematic", true, "friction", 1.0, "dx", 16*dx, "dy", 16*dy, "seconds", seconds))
	}
	lift(37.5, 10, 6, 0, 7)
	lift(112.5, 10, 0, -5, 8)
	hint := func(x, width float64, text string) {
		object("", "hint", x, 0, width, 16, properties("text", text))
	}
	hint(2, 6, "Run: arrow keys or A and D, left stick, or left thumb")
	hint(8, 12, "Jump: space, W, gamepad button or the disc on the right. Hold it to jump higher")
	hint(34, 13, "Wait for the lift, and ride it")
	hint(47, 13, "Planks let you through from below. Arrow down drops through them")
	hint(60, 4, "Climb the ladder: arrow up, or W")
	hint(71, 10, "This belt runs against you: jump")
	hint(89, 10, "Kick the ball down the slope")
	hint(102, 9, "Crates can be pushed, and climbed")
	hint(111, 6, "The last lift. The flag is at the top")
	b.WriteString(" </objectgroup>\n</map>\n")
	return b.String()
}
