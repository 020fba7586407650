package eventlog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// randomEntry returns an entry that has much in common with others.
func randomEntry(r *rand.Rand) Entry {
	return Entry{
		Time: float64(r.IntN(4)), Round: uint16(r.IntN(3)), Key: uint32(r.IntN(3)),
		A: int32(r.IntN(4)), B: int32(r.IntN(8) - 5), Kind: Impact, Approach: r.Float64(),
	}
}

func TestEntriesAreOrderedByTimeThenRoundThenKeyThenPair(t *testing.T) {
	ordered := []Entry{
		{Time: 0, Round: 2, Key: 2, A: 9, B: 8},
		{Time: 1, Round: 0, Key: 2, A: 9, B: 8},
		{Time: 1, Round: 1, Key: 1, A: 9, B: 8},
		{Time: 1, Round: 1, Key: 2, A: 3, B: 1},
		{Time: 1, Round: 1, Key: 2, A: 2, B: 3}, // the pair's larger code comes first, then the other
		{Time: 1, Round: 1, Key: 2, A: 3, B: -3},
		{Time: 1, Round: 1, Key: 2, A: 3, B: -2}, // codes of surfaces are compared as unsigned numbers
		{Time: 1, Round: 1, Key: 2, A: 0, B: 4},
	}
	for i := range ordered {
		for j := range ordered {
			want := 0
			if i != j {
				want = 2*min(max(i-j, 0), 1) - 1
			}
			if got := ordered[i].Compare(&ordered[j]); got != want {
				t.Errorf("%+v against %+v: got %d, want %d", ordered[i], ordered[j], got, want)
			}
		}
	}
}

func TestKeysDontDependOnTheOrderOfTwoThings(t *testing.T) {
	seen := map[PairKey][2]int32{}
	for a := int32(0); a < 20; a++ {
		for b := int32(-20); b < a; b++ {
			k := KeyOf(a, b)
			if k != KeyOf(b, a) {
				t.Fatalf("%d and %d have another key than %d and %d", a, b, b, a)
			}
			if other, ok := seen[k]; ok {
				t.Fatalf("%d and %d have the key of %v", a, b, other)
			}
			seen[k] = [2]int32{a, b}
		}
	}
}

// TestRunsAreMergedLikeOneSortedLog compares a log of several runs with one that is sorted as a
// whole.
func TestRunsAreMergedLikeOneSortedLog(t *testing.T) {
	r := random(1)
	var l Log
	for round := range 500 {
		l.Reset()
		var want []Entry
		for range r.IntN(4) { // what is logged before the runs
			e := randomEntry(r)
			e.Time = -1
			*l.Add() = e
		}
		l.Sort()
		want = append(want, l.Entries()...)
		var middle []Entry
		for range r.IntN(5) {
			var run Log
			for range r.IntN(6) {
				*run.Add() = randomEntry(r)
			}
			run.Sort()
			middle = append(middle, run.entries...)
			l.AddRun(&run)
		}
		slices.SortStableFunc(middle, func(a, b Entry) int { return a.Compare(&b) })
		want = append(want, middle...)
		for range r.IntN(3) { // and after them
			e := randomEntry(r)
			*l.Add() = e
			want = append(want, e)
		}
		if l.Len() != len(want) {
			t.Fatalf("round %d: %d entries, want %d", round, l.Len(), len(want))
		}
		var each []Entry
		l.Each(func(e *Entry) { each = append(each, *e) })
		if !slices.Equal(each, want) {
			t.Fatalf("round %d: each gives\n%v, want\n%v", round, each, want)
		}
		for range 2 { // merging leaves a log that is merged
			if got := l.Entries(); !slices.Equal(got, want) {
				t.Fatalf("round %d: got\n%v, want\n%v", round, got, want)
			}
		}
	}
}

func TestEachLetsEntriesBeChanged(t *testing.T) {
	var l, run Log
	l.Add().A = 1
	run.Add().A = 2
	l.AddRun(&run)
	l.Each(func(e *Entry) { e.B = 10 * e.A })
	if got := l.Entries(); len(got) != 2 || got[0].B != 10 || got[1].B != 20 {
		t.Errorf("got %v", got)
	}
	if run.entries[0].B != 0 {
		t.Error("the run that was copied from has changed, too")
	}
}

func TestAWarmLogAllocatesNothing(t *testing.T) {
	var l Log
	var runs [3]Log
	for k := range runs {
		for n := range 50 {
			runs[k].Add().Time = float64(n)
		}
	}
	step := func() {
		l.Reset()
		l.Add().Time = -1
		l.Sort()
		for k := range runs {
			l.AddRun(&runs[k])
		}
		l.Entries()
	}
	step()
	step() // merging swaps two buffers
	if n := testing.AllocsPerRun(20, step); n != 0 {
		t.Errorf("got %v allocations", n)
	}
}

func ExampleLog() {
	var step, left, right Log
	left.Add().Time = 0.1
	left.Add().Time = 0.4
	right.Add().Time = 0.2
	step.AddRun(&left) // each subdomain of a parallel step has logged what happened in it
	step.AddRun(&right)
	for _, e := range step.Entries() {
		fmt.Println(e.Time)
	}
	// Output:
	// 0.1
	// 0.2
	// 0.4
}
