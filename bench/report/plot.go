package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// line is one line of a plot, its points from left to right.
type line struct {
	name   string
	points []point
}

type point struct{ x, y float64 }

// colours can be distinguished by the colour-blind, and on white and black.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7"}

// draw returns an SVG of lines over a logarithmic x axis and a y axis from zero.
func draw(title, x string, lines []line) string {
	const (
		width, height         = 760, 420
		left, right           = 80, 110
		top, bottom           = 50, 60
		plotWidth, plotHeight = width - left - right, height - top - bottom
	)
	lo, hi, highest := math.Inf(1), math.Inf(-1), 0.0
	for _, l := range lines {
		for _, p := range l.points {
			lo, hi, highest = min(lo, p.x), max(hi, p.x), max(highest, p.y)
		}
	}
	if !(lo < hi) {
		lo, hi = lo/2, hi*2
	}
	step := tick(highest / 5)
	highest = math.Ceil(highest/step) * step
	px := func(x float64) float64 { return left + plotWidth*math.Log(x/lo)/math.Log(hi/lo) }
	py := func(y float64) float64 { return top + plotHeight*(1-y/highest) }

	var b strings.Builder
	text := func(x, y float64, anchor, s string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(s))
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" `+
		`font-family="sans-serif" font-size="14" fill="#333">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	text(left, 28, "start", title)
	text(left+plotWidth/2, height-14, "middle", x)
	for v := 0.0; v <= highest*1.001; v += step {
		fmt.Fprintf(&b, `<path d="M%d %.1fh%d" stroke="#ddd"/>`+"\n", left, py(v), plotWidth)
		text(left-8, py(v)+5, "end", whole(int(v)))
	}
	for v := math.Pow(10, math.Ceil(math.Log10(lo)-1e-9)); v <= hi*1.001; v *= 10 {
		fmt.Fprintf(&b, `<path d="M%.1f %dv%d" stroke="#ddd"/>`+"\n", px(v), top, plotHeight)
		text(px(v), height-bottom+20, "middle", whole(int(v+0.5)))
	}
	for i, l := range lines {
		if len(l.points) == 0 {
			continue
		}
		colour := colours[i%len(colours)]
		var path []string
		for _, p := range l.points {
			path = append(path, fmt.Sprintf("%.1f,%.1f", px(p.x), py(p.y)))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n",
			strings.Join(path, " "), colour)
		for _, p := range l.points {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", px(p.x), py(p.y), colour)
		}
		last := l.points[len(l.points)-1]
		text(px(last.x), py(last.y)-12, "middle", l.name) // above the point, where no other line is
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// tick returns the round number, 1, 2 or 5 times a power of ten, that is at least x.
func tick(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x {
			return m * power
		}
	}
	return 10 * power
}
