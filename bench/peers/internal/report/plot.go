package report

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/dango-physics/dango/bench/peers/internal/scenes"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// colors has a color for each engine; others are grey.
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

// second reports whether r is the second mode of its engine in results: pictures draw the first
// hollow or dashed.
func second(results []Result, r Result) bool {
	i := slices.IndexFunc(results, func(o Result) bool { return o.Engine == r.Engine })
	return results[i].Name() != r.Name()
}

// drawn returns the results that are drawn: those of the first two modes of each engine.
func drawn(results []Result) []Result {
	modes := map[string][]string{}
	for _, r := range results {
		if !slices.Contains(modes[r.Engine], r.Mode) {
			modes[r.Engine] = append(modes[r.Engine], r.Mode)
		}
	}
	return slices.DeleteFunc(
		slices.Clone(results), func(r Result) bool { return slices.Index(modes[r.Engine], r.Mode) > 1 },
	)
}

// PlotTime draws the time of a step by engine and scene into file, a PNG.
func PlotTime(results []Result, file string) error {
	results = drawn(results)
	p := newPlot("Time of a step", "", "milliseconds")
	groups := byScene(results)
	var columns []string
	for _, g := range groups {
		columns = append(columns, g[0].Scene)
	}
	low, high := math.Inf(1), 0.0
	for _, name := range names(results) {
		var points plotter.XYs
		var of Result
		for x, group := range groups {
			quoted, _ := figure(group)
			for k, r := range group {
				if r.Name() == name && r.Failure == "" {
					ms := r.milliseconds(quoted)
					low, high = min(low, ms), max(high, ms)
					points = append(
						points, plotter.XY{X: float64(x) + 0.09*(float64(k)-float64(len(group)-1)/2), Y: ms},
					)
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
		switch {
		case of.Engine == "dango" && second(results, of):
			scatter.Shape = draw.PyramidGlyph{}
		case of.Engine == "dango" || second(results, of):
			scatter.Shape = draw.CircleGlyph{}
		default:
			scatter.Shape = draw.RingGlyph{}
		}
		p.Add(scatter)
		p.Legend.Add(name, scatter)
	}
	if high == 0 {
		return errors.New("nothing was measured that could be drawn")
	}
	p.NominalX(columns...)
	p.X.Min, p.X.Max = -0.5, float64(len(columns))-0.5
	logarithmic(&p.Y, low, high)
	return save(p, vg.Length(40+22*len(columns))*vg.Millimeter, file)
}

// PlotEnergy draws how the energy of a scene develops by engine into file, a PNG.
func PlotEnergy(results []Result, scene, file string) error {
	results = drawn(results)
	p := newPlot("Energy of "+scene+", which should stay what it is", "seconds", "energy / energy at the start")
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
	for _, f := range []*font.Font{
		&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font, &p.X.Tick.Label.Font,
		&p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font,
	} {
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
	from, to := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	to = max(to, from+1)
	var ticks plot.ConstantTicks
	for power := from; power <= to; power++ {
		ticks = append(
			ticks, plot.Tick{Value: math.Pow10(power), Label: strconv.FormatFloat(math.Pow10(power), 'g', -1, 64)},
		)
		for digit := 2.0; digit <= 9 && power < to; digit++ {
			ticks = append(ticks, plot.Tick{Value: digit * math.Pow10(power)})
		}
	}
	a.Scale, a.Tick.Marker = plot.LogScale{}, ticks
	a.Min, a.Max = math.Pow10(from), math.Pow10(to)
}

// save writes p to file, a PNG, with the legend right of it.
func save(p *plot.Plot, width vg.Length, file string) error {
	const legend, height, margin, dpi = 42 * vg.Millimeter, 100 * vg.Millimeter, 2 * vg.Millimeter, 144
	l := p.Legend
	l.Top = true
	l.Padding = vg.Millimeter
	p.Legend = plot.NewLegend()

	picture := vgimg.NewWith(vgimg.UseWH(width+legend, height), vgimg.UseDPI(dpi))
	c := draw.New(picture)
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	p.Draw(draw.Crop(c, margin, -legend, margin, -margin))
	l.Draw(draw.Crop(c, width, -margin, margin, -4*margin))

	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if _, err := (vgimg.PngCanvas{Canvas: picture}).WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// LongestElastic returns the elastic scene with the most frames, the first of several; "" if there
// is none.
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
