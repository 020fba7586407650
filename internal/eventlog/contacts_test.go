package eventlog

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// step is what happens in one step: impacts as "a-b" or, where they bounce, "a/b"; and the
// contacts that end without one.
type step struct {
	log   []Entry
	apart []Pair
}

// apply takes a step, and returns what it says: "+a-b" and "-a-b" for each entry, "<a-b" for each
// contact that parted.
func apply(c *Contacts, s step) (got []string) {
	var l Log
	for _, e := range s.log {
		*l.Add() = e
	}
	c.Reset()
	c.MarkImpacts(&l)
	c.Close(func(_ int, a, b int32) bool { return !slices.Contains(s.apart, Pair{a, b}) }, func(int32, int32) {})
	c.Settle()
	for _, e := range l.Entries() {
		if e.Kind&Begin != 0 {
			got = append(got, fmt.Sprintf("+%d%d", e.A, e.B))
		}
		if e.Kind&End != 0 {
			got = append(got, fmt.Sprintf("-%d%d", e.A, e.B))
		}
	}
	for _, p := range c.Parted() {
		got = append(got, fmt.Sprintf("<%d%d", p.A, p.B))
	}
	return got
}

func impact(a, b int32) Entry { return Entry{A: a, B: b, Kind: Impact} }
func bounce(a, b int32) Entry { return Entry{A: a, B: b, Kind: Impact | Bounce | Begin | End} }

func TestContactsBeginAndEnd(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []step
		want  []string
		open  int
	}{
		{"a bounce begins and ends at once", []step{{log: []Entry{bounce(2, 1)}}}, []string{"+21", "-21"}, 0},
		{"an impact without a bounce begins, and lasts", []step{{log: []Entry{impact(2, 1)}}, {}}, []string{"+21"}, 1},
		{
			"further impacts of a contact begin nothing",
			[]step{{log: []Entry{impact(2, 1), impact(1, 2)}}, {log: []Entry{impact(2, 1)}}},
			[]string{"+21"},
			1,
		},
		{
			"the two are found apart",
			[]step{{log: []Entry{impact(2, 1)}}, {apart: []Pair{{2, 1}}}},
			[]string{"+21", "<21"},
			0,
		},
		{
			"a bounce ends a contact that lasted",
			[]step{{log: []Entry{impact(2, 1)}}, {log: []Entry{bounce(1, 2)}}},
			[]string{"+21", "-12"},
			0,
		},
		{
			"it ends and begins in one step",
			[]step{{log: []Entry{impact(2, 1)}}, {log: []Entry{bounce(2, 1), impact(2, 1)}}},
			[]string{"+21", "-21", "+21"},
			1,
		},
		{
			"it begins and is found apart in one step",
			[]step{{log: []Entry{impact(2, 1)}, apart: []Pair{{2, 1}}}},
			[]string{"+21", "<21"},
			0,
		},
		{"sensors are no contacts", []step{{log: []Entry{{A: 2, B: 1, Kind: Begin | Sensor}}}}, []string{"+21"}, 0},
		{
			"others aren't concerned",
			[]step{{log: []Entry{impact(2, -2), impact(3, 2)}}, {apart: []Pair{{2, -2}}}},
			[]string{"+2-2", "+32", "<2-2"},
			1,
		},
	} {
		var contacts Contacts
		var got []string
		for _, s := range c.steps {
			got = append(got, apply(&contacts, s)...)
		}
		if !slices.Equal(got, c.want) || contacts.Len() != c.open {
			t.Errorf("%s: got %v and %d open, want %v and %d", c.name, got, contacts.Len(), c.want, c.open)
		}
	}
}

// TestContactsAgreeWithASet compares many random steps with the plain way: a set of open
// contacts, searched as a whole.
func TestContactsAgreeWithASet(t *testing.T) {
	r := random(2)
	var c Contacts
	open := map[Pair]bool{} // larger code first
	ordered := func(p Pair) Pair { return Pair{max(p.A, p.B), min(p.A, p.B)} }
	for range 1000 {
		var l Log
		touched := map[Pair]bool{} // and whether the last impact leaves it open
		for range r.IntN(12) {
			e := impact(int32(r.IntN(8)), int32(r.IntN(14)-7))
			if e.A == e.B {
				continue
			}
			if r.IntN(3) == 0 {
				e = bounce(e.A, e.B)
			}
			*l.Add() = e
			touched[ordered(Pair{e.A, e.B})] = e.Kind&Bounce == 0
		}
		for p, opens := range touched {
			if opens {
				open[p] = true
			} else {
				delete(open, p)
			}
		}
		c.Reset()
		c.MarkImpacts(&l)
		c.Close(func(_ int, a, b int32) bool {
			p := ordered(Pair{a, b})
			lasts := r.IntN(4) > 0
			if !open[p] {
				t.Fatalf("%v isn't open", p)
			}
			if !lasts {
				delete(open, p)
			}
			return lasts
		}, func(a, b int32) {
			if open[ordered(Pair{a, b})] {
				t.Fatalf("%d and %d are closed although they last", a, b)
			}
		})
		if a, b := int32(r.IntN(8)), int32(-2-r.IntN(6)); !c.Has(a, b) {
			c.Begin(a, b)
			open[Pair{a, b}] = true
		}
		c.Settle()
		if r.IntN(10) == 0 {
			gone := int32(r.IntN(14) - 7)
			c.Forget(gone, func(a, b int32) { delete(open, ordered(Pair{a, b})) })
			for p := range open {
				if _, ok := p.Other(gone); ok {
					t.Fatalf("%v isn't forgotten with %d", p, gone)
				}
			}
		}
		all := slices.SortedFunc(maps.Keys(open), func(p, q Pair) int {
			if KeyOf(p.A, p.B) < KeyOf(q.A, q.B) {
				return -1
			}
			return 1
		})
		var got []Pair
		for k := range c.Len() {
			got = append(got, ordered(c.Open(k)))
		}
		if !slices.Equal(got, all) {
			t.Fatalf("open are %v, want %v", got, all)
		}
		for code := int32(-9); code < 10; code++ {
			var got, want []int32
			c.Of(code, func(other int32) bool { got = append(got, other); return true })
			for _, p := range all {
				if other, ok := p.Other(code); ok {
					want = append(want, other)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d touches %v, want %v", code, got, want)
			}
		}
	}
}

// TestContactsMayGoWhileTheyAreListed removes, and asks again, from inside of a query.
func TestContactsMayGoWhileTheyAreListed(t *testing.T) {
	var c Contacts
	for b := int32(1); b < 50; b++ {
		c.Begin(0, b)
		c.Begin(b, -b-1)
	}
	c.Settle()
	seen := 0
	c.Of(0, func(other int32) bool {
		seen++
		c.Forget(other, func(int32, int32) {})
		c.Of(other, func(int32) bool { return true })
		return true
	})
	if seen == 0 || seen > 49 {
		t.Errorf("saw %d", seen)
	}
}

// crowd returns n bodies that stand in a row on one floor, each beside the next.
func crowd(n int) *Contacts {
	var c Contacts
	for i := int32(0); i < int32(n); i++ {
		c.Begin(i, -2)
		if i > 0 {
			c.Begin(i, i-1)
		}
	}
	c.Settle()
	return &c
}

// TestAQueryLooksAtTheContactsOfItsCodeOnly counts the entries that a query looks at in worlds of
// different sizes.
func TestAQueryLooksAtTheContactsOfItsCodeOnly(t *testing.T) {
	for _, n := range []int{10, 1000, 100_000} {
		c := crowd(n)
		c.Of(0, func(int32) bool { return true }) // prepares the index
		looked := 0
		c.sides.Each(5, func(int) bool { looked++; return true })
		if looked != 3 {
			t.Errorf("of %d bodies: looked at %d contacts of one that has 3", n, looked)
		}
		var got []int32
		if allocs := testing.AllocsPerRun(10, func() {
			got = got[:0]
			c.Of(5, func(other int32) bool { got = append(got, other); return true })
		}); allocs > 0 || !slices.Equal(got, []int32{4, -2, 6}) {
			t.Errorf("of %d bodies: 5 touches %v, with %v allocations", n, got, allocs)
		}
	}
}

func TestTheIndexIsKeptWhileNoContactComesOrGoes(t *testing.T) {
	c := crowd(20)
	ask := func() { c.Of(3, func(int32) bool { return true }) }
	ask()
	if apply(c, step{log: []Entry{impact(3, -2)}}); c.stale { // it has been known for long
		t.Error("an impact of a contact that is open already makes the index stale")
	}
	if apply(c, step{apart: []Pair{{3, -2}}}); !c.stale {
		t.Error("the end of a contact doesn't make the index stale")
	}
	ask()
	if apply(c, step{log: []Entry{impact(3, -2)}}); !c.stale {
		t.Error("a new contact doesn't make the index stale")
	}
}

func TestWarmContactsAllocateNothing(t *testing.T) {
	c := crowd(200)
	var l Log
	lasts := func(_ int, a, _ int32) bool { return a%7 != 0 }
	closed := func(int32, int32) {}
	step := func() {
		c.Reset()
		l.Reset()
		for i := int32(0); i < 200; i += 7 {
			*l.Add() = impact(i, -2)
		}
		c.MarkImpacts(&l)
		c.Close(lasts, closed)
		c.Settle()
		c.Of(3, func(int32) bool { return true })
	}
	step()
	if n := testing.AllocsPerRun(20, step); n != 0 {
		t.Errorf("got %v allocations", n)
	}
}

// BenchmarkContactsOf asks for the contacts of one body in worlds of different sizes, again and
// after a change.
func BenchmarkContactsOf(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		c := crowd(n)
		sum := int32(0)
		take := func(other int32) bool { sum += other; return true }
		b.Run(fmt.Sprintf("one/of/%d", n), func(b *testing.B) {
			for b.Loop() {
				c.Of(50, take)
			}
		})
		b.Run(fmt.Sprintf("first/of/%d", n), func(b *testing.B) {
			for b.Loop() {
				c.stale = true
				c.Of(50, take)
			}
		})
	}
}
