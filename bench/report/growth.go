package main

import (
	"fmt"
	"math"

	"github.com/dango-physics/dango/bench/internal/measure"
)

// grown are the scenes that are measured at all sizes, with their largest size.
var grown = []struct {
	name string
	most int
}{{"gas", 1_000_000}, {"gas2d", 100_000}}

// growth measures the time of an impact and the memory of a body in scenes of 100 to 1,000,000, and
// draws the plot.
func (r *report) growth() (map[string]string, error) {
	var lines []line
	var growth, memory table
	head := []string{"gas of", "impacts a step", "tests an impact"}
	for _, w := range r.workers {
		head = append(
			head, fmt.Sprintf("ms a step (%s)", workerName(w)), fmt.Sprintf("ns an impact (%s)", workerName(w)),
		)
	}
	growth.head(head...)
	memory.head("gas of", "bytes a body in dango", "bytes a body in Donburi")
	for _, g := range grown {
		drawn := line{name: g.name}
		for n := 100; n <= min(g.most, r.most); n = next(n) {
			var all []measure.Result
			for _, w := range r.workers {
				if w != r.workers[0] && g.name != "gas" {
					continue
				}
				m, err := r.measure(fmt.Sprintf("%s:%d", g.name, n), w)
				if err != nil {
					return nil, err
				}
				all = append(all, m)
			}
			m := all[0]
			drawn.points = append(drawn.points, point{float64(n), m.NsPerImpact})
			if g.name != "gas" {
				continue
			}
			row := []string{whole(n), whole(int(m.Impacts)), digits(m.Tests / m.Impacts)}
			for _, m := range all {
				row = append(row, digits(m.Millis), digits(m.NsPerImpact))
			}
			growth.row(row...)
			memory.row(whole(n), whole(int(m.DangoBytes)), whole(int(m.EntityBytes)))
		}
		lines = append(lines, drawn)
	}
	r.drawing = draw("Cost of an impact, nanoseconds, "+workerName(r.workers[0]), "bodies", lines)
	from := "On " + machine() + ".\n\n"
	return map[string]string{"growth": from + growth.String(), "memory": memory.String()}, nil
}

// next returns the size after n in 100, 200, 500, 1000 and so on.
func next(n int) int {
	power := int(math.Pow10(int(math.Log10(float64(n) + 0.5))))
	switch n / power {
	case 1:
		return 2 * power
	case 2:
		return 5 * power
	}
	return 10 * power
}

func workerName(n int) string {
	switch n {
	case 0:
		return "all cores"
	case 1:
		return "1 worker"
	}
	return fmt.Sprintf("%d workers", n)
}
