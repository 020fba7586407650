package slow

import "testing"

func TestSkipsWhereItIsSlow(t *testing.T) {
	race := Target(0)
	if RaceDetector {
		race = Race
	}
	for _, c := range []struct {
		variable string
		want     Target
		ok       bool
	}{
		{"", Short | race, true},
		{"foreign", Short | race | Foreign, true},
		{"emulated", Short | race | Foreign | Emulated, true},
		{"slow", Short | race, false},
	} {
		if got, ok := current(c.variable); got != c.want || ok != c.ok {
			t.Errorf("%q: got %b, %v, want %b, %v", c.variable, got, ok, c.want, c.ok)
		}
	}
}

func TestSkipsOnlyWithShort(t *testing.T) {
	for _, c := range []struct {
		where Target
		here  bool
	}{
		{Short, true},
		{Race, RaceDetector},
		{0, false},
	} {
		skipped := true
		t.Run("", func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			Skip(t, c.where, "this is what is tested")
		})
		if want := testing.Short() && c.here; skipped != want {
			t.Errorf("%b: skipped is %v, want %v", c.where, skipped, want)
		}
	}
}

func TestCasesAreAFractionUnlessAllAreAskedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("-short has a fraction of its own")
	}
	for _, c := range []struct {
		variable string
		n, want  int
	}{
		{"", 1, 1},
		{"", 5, 5},
		{"", 12, 5},
		{"", 1000, 125},
		{"all", 12, 12},
		{"all", 1000, 1000},
	} {
		t.Setenv(CasesVariable, c.variable)
		if got := Cases(c.n); got != c.want {
			t.Errorf("%q: got %d of %d cases, want %d", c.variable, got, c.n, c.want)
		}
		if got := Steps(c.n); got != c.n {
			t.Errorf("%q: got %d of %d steps, want all", c.variable, got, c.n)
		}
	}
}
