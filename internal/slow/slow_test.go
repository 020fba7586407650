package slow

import "testing"

func TestSkipsWhereItIsSlow(t *testing.T) {
	race := Target(0)
	if raceEnabled {
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
		{Race, raceEnabled},
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
