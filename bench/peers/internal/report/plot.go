package report

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/dango-physics/dango/bench/peers/internal/scenes"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colors has a color for each engine; what isn't here is grey.
var colors = map[string]color.RGBA{
	"dango":  {R: 0xd6, G: 0x27, B: 0x28, A: 0xff},
	"Bullet": {R: 0x1f, G: 0x77, B: 0xb4, A: 0xff},
	"Rapier": {R: 0xff, G: 0x7f, B: 0x0e, A: 0xff},
	"Jolt":   {R: 0x2c, G: 0xa0, B: 0x2c, A: 0xff},
	"cp":     {R: 0x94, G: 0x67, B: 0xbd, A: 0xff},
	"Box2D":  {R: 0x8c, G: 0x56, B: 0x4b, A: 0xff},
}

func colorOf(r Result) color.RGBA {
	if c, ok := colors[r.Engine]; ok {
		return c
	}
	return color.RGBA{R: 0x7f, G: 0x7f, B: 0x7f, A: 0xff}
}

// names returns what the engines of results are called, in the order of their first results.
func names(results []Result) []string {
	var names []string
	for _, r := range results {
		if !slices.Contains(names, r.Name()) {
			names = append(names, r.Name())
		}
	}
	return names
}

// second reports whether r is the second mode of its engine in results: pictures draw the first hollow or dashed.
func second(results []Result, r Result) bool {
	i := slices.IndexFunc(results, func(o Result) bool { return o.Engine == r.Engine })
	return results[i].Name() != r.Name()
}

// PlotTime draws the time of a step by engine and scene into file, a PNG or SVG.
func PlotTime(results []Result, file string) error {
	p := newPlot("Time of a step", "", "milliseconds, logarithmic")
	groups := byScene(results)
	var columns []string
	for _, g := range groups {
		columns = append(columns, g[0].Scene)
	}
	all := names(results)
	low, high := math.Inf(1), 0.0
	for k, name := range all {
		var points plotter.XYs
		var of Result
		for x, group := range groups {
			quoted, _ := figure(group)
			for _, r := range group {
				if r.Name() == name && r.Failure == "" {
					ms := r.milliseconds(quoted)
					low, high = min(low, ms), max(high, ms)
					shift := (float64(k)/float64(max(1, len(all)-1)) - 0.5) * 0.6
					points = append(points, plotter.XY{X: float64(x) + shift, Y: ms})
					of = r
				}
			}
		}
		if len(points) == 0 {
			continue
		}
		scatter, err := plotter.NewScatter(points)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		scatter.Color, scatter.Radius = colorOf(of), vg.Points(3.5)
		scatter.Shape = draw.RingGlyph{}
		if of.Engine == "dango" || second(results, of) {
			scatter.Shape = draw.CircleGlyph{}
		}
		if of.Engine == "dango" && second(results, of) {
			scatter.Shape = draw.PyramidGlyph{}
		}
		p.Add(scatter)
		p.Legend.Add(name, scatter)
	}
	if high == 0 {
		return fmt.Errorf("nothing was measured that could be drawn")
	}
	p.NominalX(columns...)
	p.X.Min, p.X.Max = -0.5, float64(len(columns))-0.5
	logarithmic(&p.Y, low, high)
	return save(p, vg.Length(10*len(columns)+15)*vg.Millimeter+60*vg.Millimeter, file)
}

// PlotEnergy draws how the energy of a scene develops by engine into file, a PNG or SVG.
func PlotEnergy(results []Result, scene, file string) error {
	p := newPlot("Energy of "+scene+", which is elastic", "seconds", "energy over energy at the start, logarithmic")
	low, high := 1.0, 1.0
	for _, r := range results {
		if r.Scene != scene || r.Failure != "" || len(r.Energy) == 0 {
			continue
		}
		var points plotter.XYs
		for frame, ratio := range r.Energy {
			ratio = max(ratio, 1e-4)
			if math.IsInf(ratio, 0) || math.IsNaN(ratio) {
				break
			}
			low, high = min(low, ratio), max(high, ratio)
			points = append(points, plotter.XY{X: float64(frame*r.Every) * r.Step, Y: ratio})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Name(), err)
		}
		line.Color, line.Width = colorOf(r), vg.Points(1.5)
		if r.Engine == "dango" {
			line.Width = vg.Points(3)
		} else if !second(results, r) {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		if r.Engine == "dango" && second(results, r) {
			continue // the same bits
		}
		p.Add(line)
		p.Legend.Add(r.Name(), line)
	}
	logarithmic(&p.Y, low/1.5, high*1.5)
	return save(p, 160*vg.Millimeter, file)
}

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	for _, f := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		f.Variant = "Sans"
	}
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = color.Gray{Y: 0xdd}
	p.Add(grid)
	return p
}

// logarithmic makes a a logarithmic axis from low to high, with whole powers of ten as its ends.
func logarithmic(a *plot.Axis, low, high float64) {
	a.Scale = plot.LogScale{}
	a.Tick.Marker = plot.LogTicks{Prec: -1}
	a.Min = math.Pow(10, math.Floor(math.Log10(low)))
	a.Max = math.Pow(10, math.Ceil(math.Log10(high)))
	if a.Min == a.Max {
		a.Max *= 10
	}
}

// save writes p to file with the legend right of it.
func save(p *plot.Plot, width vg.Length, file string) error {
	const legend, height = 42 * vg.Millimeter, 95 * vg.Millimeter
	l := p.Legend
	l.Top = true
	p.Legend = plot.NewLegend()

	format := "png"
	if i := strings.LastIndexByte(file, '.'); i >= 0 {
		format = file[i+1:]
	}
	canvas, err := draw.NewFormattedCanvas(width+legend, height, format)
	if err != nil {
		return err
	}
	c := draw.New(canvas)
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	p.Draw(draw.Crop(c, 0, -legend, 0, -2*vg.Millimeter))
	l.Draw(draw.Crop(c, width, -2*vg.Millimeter, 0, -8*vg.Millimeter))
	return write(canvas, file)
}

// LongestElastic returns the elastic scene with the most frames, the first of several; "" if there is none.
func LongestElastic(results []Result) string {
	var longest Result
	for _, r := range results {
		if len(r.Energy) > len(longest.Energy) && r.Engine == "dango" {
			if name, err := scenes.Parse(r.Scene); err == nil && name.Elastic() {
				longest = r
			}
		}
	}
	return longest.Scene
}

// write writes a picture to file.
func write(picture io.WriterTo, file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if _, err := picture.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
