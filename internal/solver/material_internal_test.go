package solver

import "testing"

// The friction that is one too many gets no ID, and those that are there keep theirs.
func TestTooManyFrictionsAreRefused(t *testing.T) {
	s := Space{}
	friction := func(x float64) Friction {
		return Friction{FrictionCoefficients: FrictionCoefficients{Dynamic: x, Static: x}}
	}
	for k := range MaxFrictions - 1 { // AddFriction would search all of them each time
		s.frictions = append(s.frictions, friction(float64(k)))
	}
	if id, ok := s.AddFriction(friction(-1)); !ok || s.frictions[id] != friction(-1) {
		t.Errorf("the last one: got ID %d, %v", id, ok)
	}
	if id, ok := s.AddFriction(friction(-2)); ok || len(s.frictions) != MaxFrictions {
		t.Errorf("one too many: got ID %d, %v", id, ok)
	}
	if id, ok := s.AddFriction(friction(7)); !ok || id != 7 {
		t.Errorf("one of them: got ID %d, %v; want 7", id, ok)
	}
}

// Without functions to combine them, restitution and frictions combine to the larger values.
func TestMaterialsCombineToTheLargerByDefault(t *testing.T) {
	s := Space{}
	f := FrictionCoefficients{Static: 3, Dynamic: 1, Rolling: 5, Spinning: 2}
	g := FrictionCoefficients{Static: 2, Dynamic: 2, Rolling: 1, Spinning: 4}
	id, _ := s.AddFriction(Friction{FrictionCoefficients: f})
	other, _ := s.AddFriction(Friction{FrictionCoefficients: g})
	a, b := Material{Restitution: 0.25, FrictionID: id}, Material{Restitution: 0.5, FrictionID: other}
	if e := s.restitution(&a, &b, 1); e != 0.5 {
		t.Errorf("restitution: got %v", e)
	}
	if f := s.combineFriction(&a, &b); f != (FrictionCoefficients{Static: 3, Dynamic: 2, Rolling: 5, Spinning: 4}) {
		t.Errorf("friction: got %+v", f)
	}
	if got := s.combineFriction(&a, &Material{}); got != f {
		t.Errorf("friction of one: got %+v", got)
	}
}

// Frictions get their IDs anew after ForgetFrictions, so no earlier result of them may be used.
func TestForgottenFrictionsAreNotCombined(t *testing.T) {
	s := Space{}
	for k := range 3 {
		f := FrictionCoefficients{Static: float64(k + 1), Dynamic: 0.5}
		id, _ := s.AddFriction(Friction{FrictionCoefficients: f})
		m := Material{FrictionID: id}
		for range 2 {
			if got := s.combineFriction(&m, &m); got != f {
				t.Errorf("round %d: got %+v, want %+v", k, got, f)
			}
		}
		s.ForgetFrictions()
	}
}
