package measure

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever a scene is like, its run can be written as JSON, is exact, and has the sums that it
// should.
func TestRunMeasuresEveryScene(t *testing.T) {
	for _, spec := range []string{"gas:50", "gas2d:50", "sparse:20", "still:30", "level:60", "pile:27"} {
		r, err := Run(spec, Options{Workers: 1, Steps: 20, Warm: 20})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Exact(); err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
		s := r.Stages
		if sum := s.Gather + s.Broadphase + s.Sweep + s.Response + s.Scatter; !(r.Millis > 0) || sum > r.RoundMillis {
			t.Errorf("%s: stages of %v ms in a step of %v ms", spec, sum, r.RoundMillis)
		}
		if r.Steps != 20 || r.Moving > r.Things || strings.HasPrefix(spec, "gas") &&
			!(r.Impacts > 0 && r.NsPerImpact > 0 && r.Tests >= r.Pairs) {
			t.Errorf("%s: got %+v", spec, r)
		}
	}
	if r, err := Run("steam", Options{}); err == nil {
		t.Errorf("got %+v, want an error", r)
	}
}

func TestExactNamesWhatWasNotKept(t *testing.T) {
	for _, c := range []struct {
		r    Result
		want string // "" for nothing
	}{
		{Result{Elastic: true, EnergyRatio: 1 + 1e-10, Overlap: 1e-10}, ""},
		{Result{EnergyRatio: 0}, ""},
		{Result{Elastic: true, EnergyRatio: 1 + 1e-8}, "the energy ended at 1.00000001"},
		{Result{Overlap: 0.25}, "overlaps by 0.25 of a radius"},
		{Result{Escaped: 3}, "3 spheres left"},
	} {
		err := c.r.Exact()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: got %v, want %q", c.r, err, c.want)
		}
	}
}
