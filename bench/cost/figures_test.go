package main

import (
	"strings"
	"testing"
)

func TestFiguresReadWhatTheyWrote(t *testing.T) {
	want := figures{
		Go: "go1.26.8",
		Rows: []figure{
			{"gas:1000", 15935210, 51163.6, 898.1, 907, 0},
			{"pile:200", 10328248, 30895.7, 691, 1967, 0.31},
		},
	}
	got, err := parse(want.String())
	if err != nil || got.Go != want.Go || len(got.Rows) != 2 || got.Rows[0] != want.Rows[0] ||
		got.Rows[1] != want.Rows[1] {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, broken := range []string{
		"", strings.Replace(want.String(), "898.1", "many", 1), strings.Replace(want.String(), " 0.31", "", 1),
	} {
		if got, err := parse(broken); err == nil {
			t.Errorf("got %+v from %q, want an error", got, broken)
		}
	}
}

func TestWorseIsMoreThanItsShare(t *testing.T) {
	was := figure{"gas:1000", 1e6, 1000, 100, 800, 0}
	for _, c := range []struct {
		name string
		now  figure
		goes string
		want string // the column, "" for none
	}{
		{"the same", was, "go1.26.8", ""},
		{"less of everything", figure{"gas:1000", 9e5, 900, 100, 700, 0}, "go1.26.8", ""},
		{"within the noise", figure{"gas:1000", 1.014e6, 1030, 100, 890, 0.4}, "go1.26.8", ""},
		{"more instructions", figure{"gas:1000", 1.016e6, 1000, 100, 800, 0}, "go1.26.8", "instructions"},
		{
			"more instructions, another patch of Go",
			figure{"gas:1000", 1.016e6, 1000, 100, 800, 0},
			"go1.26.9",
			"instructions",
		},
		{"more instructions, another Go", figure{"gas:1000", 1.5e6, 1000, 100, 800, 0}, "go1.27.0", ""},
		{"more tests, another Go", figure{"gas:1000", 1e6, 1040, 100, 800, 0}, "go1.27.0", "tests"},
		{"more memory", figure{"gas:1000", 1e6, 1000, 100, 900, 0}, "go1.26.8", "bytes"},
		{"an allocation", figure{"gas:1000", 1e6, 1000, 100, 800, 1}, "go1.26.8", "allocations"},
	} {
		got := figures{c.goes, []figure{c.now}}.worse(figures{"go1.26.8", []figure{was}})
		if c.want == "" && len(got) == 0 || len(got) == 1 && got[0].column == c.want {
			continue
		}
		t.Errorf("%s: got %v, want %q", c.name, got, c.want)
	}
}

// What a call costs belongs to the function that was called, and a name may first stand where it is
// called.
func TestHottestReadsCallgrind(t *testing.T) {
	const profile = `events: Ir
fn=(1) main.measured
10 20
cfn=(2) solver.reach
calls=3 5
11 900
fn=(2)
5 600
+1 150
* 150
fn=(3) grid.Near
7 80
totals: 1000
`
	if got, err := total(profile); got != 1000 || err != nil {
		t.Errorf("got %v, %v, want 1000", got, err)
	}
	if got, want := strings.Fields(hottest(profile, 2)), "90.0 % solver.reach 8.0 % "+
		"grid.Near"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, empty := range []string{"", "events: Ir\nsummary: 0\n"} {
		if got, err := total(empty); err == nil {
			t.Errorf("got %v from %q, want an error", got, empty)
		}
	}
}
