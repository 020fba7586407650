package main

import (
	"fmt"
	"strings"

	"github.com/dango-physics/dango/bench/internal/measure"
	"github.com/dango-physics/dango/bench/internal/scene"
)

// sizes measures all kinds of scenes, and the times of stages.
func (r *report) sizes() (map[string]string, error) {
	specs := []string{"gas:1000", "gas:10000", "gas:100000"}
	for _, name := range scene.Names() {
		if name != "gas" {
			specs = append(specs, name)
		}
	}
	var sizes, stages table
	head := []string{"scene", "things", "moving", "impacts a step", "tests a step"}
	for _, w := range r.workers {
		head = append(head, fmt.Sprintf("ms a step (%s)", workerName(w)))
	}
	sizes.head(append(head, "ns an impact", "ns a thing", "bytes a thing", "energy ratio - 1", "overlap", "escaped")...)
	stages.head("scene", "ms a step", "gather", "broadphase", "sweep", "response", "scatter")
	for _, spec := range specs {
		s, err := scene.Named(spec)
		if err != nil {
			return nil, err
		}
		if s.Things() > r.most {
			continue
		}
		var all []measure.Result
		for _, w := range r.workers {
			m, err := r.measure(spec, w)
			if err != nil {
				return nil, err
			}
			all = append(all, m)
		}
		m := all[0]
		name, _, _ := strings.Cut(spec, ":")
		row := []string{name, whole(m.Things), whole(m.Moving), digits(m.Impacts), whole(int(m.Tests))}
		for _, m := range all {
			row = append(row, digits(m.Millis))
		}
		impact, energy := "", "" // empty with too few impacts, and if energy is not conserved
		if m.Impacts >= 1 && m.NsPerImpact > 0 {
			impact = digits(m.NsPerImpact)
		}
		if m.Elastic {
			energy = fmt.Sprintf("%.0e", m.EnergyRatio-1)
		}
		sizes.row(append(
			row, impact, digits(m.NsPerThing()), whole(int(m.DangoBytes)), energy, fmt.Sprintf("%.0e", m.Overlap),
			whole(m.Escaped),
		)...)
		share := func(part float64) string { return fmt.Sprintf("%.0f %%", 100*part/m.RoundMillis) }
		stages.row(name+" "+whole(m.Things), digits(m.RoundMillis),
			share(m.Stages.Gather), share(m.Stages.Broadphase), share(m.Stages.Sweep), share(m.Stages.Response),
			share(m.Stages.Scatter))
	}
	from := "On " + machine() + ".\n\n"
	return map[string]string{"sizes": from + sizes.String(), "stages": from + stages.String()}, nil
}
