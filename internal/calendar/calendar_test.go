package calendar_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/internal/calendar"
)

// plain is the simplest calendar: a list that is searched for the earliest event.
type plain struct {
	list  []waiting
	began bool
	now   float64
	round int32
}

// push adds an event to a calendar.
func push(c *calendar.Calendar, e calendar.Event) {
	c.Push(e.Time, e.A, e.B, e.StampA, e.StampB, e.Key)
}

type waiting struct {
	calendar.Event
	round int32
}

func (p *plain) push(e calendar.Event) {
	w := waiting{Event: e}
	if p.began && e.Time <= p.now {
		w.round = p.round + 1
	}
	p.list = append(p.list, w)
}

func (p *plain) pop() (waiting, bool) {
	if len(p.list) == 0 {
		return waiting{}, false
	}
	first := 0
	for i, e := range p.list {
		f := p.list[first]
		if cmp.Or(cmp.Compare(e.Time, f.Time), cmp.Compare(e.round, f.round), cmp.Compare(e.Key, f.Key)) < 0 {
			first = i
		}
	}
	e := p.list[first]
	p.list = slices.Delete(p.list, first, first+1)
	p.began, p.now, p.round = true, e.Time, e.round
	return e, true
}

// agree pops from both and compares time, round and key. Events in which all three are equal may
// come in any order.
func agree(t *testing.T, c *calendar.Calendar, p *plain) (calendar.Event, bool) {
	t.Helper()
	got, ok := pop(c)
	want, wantOK := p.pop()
	if ok != wantOK || got.Time != want.Time || got.Key != want.Key || ok && c.Round() != want.round {
		t.Fatalf("Pop() = %v %v, want %v %v", got, ok, want, wantOK)
	}
	return got, ok
}

func TestEventsComeInOrder(t *testing.T) {
	cases := []struct {
		name   string
		events int
		expect int
		time   func(r *rand.Rand) float64
	}{
		{"evenly distributed", 3000, 1000, func(r *rand.Rand) float64 { return r.Float64() }},
		{"more than expected", 3000, 3, func(r *rand.Rand) float64 { return r.Float64() }},
		{"far fewer than expected", 5, 100000, func(r *rand.Rand) float64 { return r.Float64() }},
		{"all at the same time", 1000, 1000, func(*rand.Rand) float64 { return 0.25 }},
		{"at four times", 1000, 1000, func(r *rand.Rand) float64 { return float64(r.IntN(4)) / 3 }},
		{"at the start and at the end", 1000, 100, func(r *rand.Rand) float64 { return float64(r.IntN(2)) }},
		{"in a few buckets", 2000, 16, func(r *rand.Rand) float64 { return 0.5 + r.Float64()/100 }},
		{"an ulp apart", 1000, 16, func(r *rand.Rand) float64 {
			return math.Float64frombits(math.Float64bits(0.5) + uint64(r.IntN(20)) - 10)
		}},
		{"nearly zero and minus zero", 500, 16, func(r *rand.Rand) float64 {
			return []float64{0, math.Copysign(0, -1), 5e-324, 1e-300}[r.IntN(4)]
		}},
	}
	for _, test := range cases {
		for _, duration := range []float64{1, 1.0 / 60, 1e-9, 1000} {
			t.Run(test.name, func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, 2))
				var c calendar.Calendar
				for range 2 { // the second time with used memory
					var p plain
					c.Reset(duration, test.expect)
					for i := range test.events {
						e := calendar.Event{Time: min(test.time(r)*duration, duration), Key: r.Uint32N(5)}
						e.A, e.B, e.StampA, e.StampB = int32(i), -int32(i), uint32(i), uint32(i)*3
						push(&c, e)
						p.push(e)
					}
					listed := 0
					c.All(func(e calendar.Event) bool {
						if e.B != -e.A || e.StampA*3 != e.StampB {
							t.Fatalf("All yields %v, which was not pushed", e)
						}
						listed++
						return true
					})
					if listed != test.events {
						t.Fatalf("All yields %d events, want %d", listed, test.events)
					}
					seen := map[int32]bool{}
					for range test.events {
						e, _ := agree(t, &c, &p)
						if seen[e.A] || e.B != -e.A || e.StampA != uint32(e.A) || e.StampB != 3*e.StampA {
							t.Fatalf("Pop returns %v, which was not pushed or was returned before", e)
						}
						seen[e.A] = true
					}
					for range 3 {
						agree(t, &c, &p)
					}
				}
			})
		}
	}
}

// TestEventsAreAddedBetweenPops uses the calendar as a step does: an event causes new events, most
// of them later, some at the same time.
func TestEventsAreAddedBetweenPops(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var c calendar.Calendar
	for round := range 40 {
		duration := math.Pow(10, 6*r.Float64()-4)
		c.Reset(duration, r.IntN(300))
		var p plain
		now, left := 0.0, 1500
		push := func(at float64) {
			e := calendar.Event{Time: at, Key: r.Uint32N(3)}
			push(&c, e)
			p.push(e)
		}
		for range 50 {
			push(duration * r.Float64())
		}
		for {
			e, ok := agree(t, &c, &p)
			if !ok && left > 0 { // an empty calendar accepts new events
				push(duration)
				left -= 50
				continue
			}
			if !ok {
				break
			}
			if e.Time < now && round%2 == 0 {
				t.Fatalf("an event at %v after one at %v", e.Time, now)
			}
			now = e.Time
			for k := r.IntN(3); k > 0 && left > 0; k-- {
				left--
				switch {
				case r.IntN(4) == 0:
					push(now)
				case r.IntN(10) == 0 && round%2 == 1:
					push(now * r.Float64()) // in the past: returned next
				default:
					push(now + (duration-now)*r.Float64())
				}
			}
		}
	}
}

// TestManyEventsInOneBucket would take minutes if buckets were searched instead of sorted by a
// heap.
func TestManyEventsInOneBucket(t *testing.T) {
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	r := rand.New(rand.NewPCG(5, 6))
	var c calendar.Calendar
	c.Reset(1, 10)
	want := make([]float64, n)
	for i := range want {
		want[i] = 0.3 + 1e-9*r.Float64()
		push(&c, calendar.Event{Time: want[i]})
	}
	slices.Sort(want)
	for i := range want {
		if e, ok := pop(&c); !ok || e.Time != want[i] {
			t.Fatalf("event %d is at %v, want %v", i, e.Time, want[i])
		}
	}
	if _, ok := pop(&c); ok {
		t.Error("Pop returns more events than were pushed")
	}
}

func TestAllStopsWhenYieldReturnsFalse(t *testing.T) {
	var c calendar.Calendar
	c.Reset(1, 0)
	for i := range 40 {
		push(&c, calendar.Event{Time: float64(i) / 40})
	}
	for stop := 1; stop <= 40; stop++ {
		n := 0
		c.All(func(calendar.Event) bool { n++; return n < stop })
		if n != stop {
			t.Fatalf("All yields %d events, want %d", n, stop)
		}
	}
}

// FuzzCalendar interprets bytes as pushes and pops.
func FuzzCalendar(f *testing.F) {
	f.Add([]byte{1, 2, 3, 0, 0, 200, 7, 0, 255, 255, 0})
	f.Add([]byte{128, 128, 128, 0, 128, 0, 0, 0})
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) > 2000 {
			return
		}
		var c calendar.Calendar
		c.Reset(1, len(ops)/3)
		var p plain
		for _, op := range ops {
			if op == 0 {
				agree(t, &c, &p)
				continue
			}
			e := calendar.Event{Time: float64(op>>2) / 63, Key: uint32(op & 3)}
			push(&c, e)
			p.push(e)
		}
		for len(p.list) > 0 {
			agree(t, &c, &p)
		}
		agree(t, &c, &p)
	})
}

func pop(c *calendar.Calendar) (calendar.Event, bool) {
	if e := c.Pop(); e != nil {
		return *e, true
	}
	return calendar.Event{}, false
}

// TestVeryManyEventsComeInOrder fills many blocks, and pushes more events between pops.
func TestVeryManyEventsComeInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var c calendar.Calendar
	for round := range 2 { // the second time with used memory
		const n = 100000
		c.Reset(1, n/4)
		for k := range n {
			push(&c, calendar.Event{Time: float64(r.IntN(n)) / n, Key: uint32(r.IntN(4)), A: int32(k)})
		}
		seen, last, more := make([]bool, 2*n), calendar.Event{Time: -1}, n
		for e := c.Pop(); e != nil; e = c.Pop() {
			if e.Time < last.Time || e.Time == last.Time && e.Key < last.Key {
				t.Fatalf("round %d: %v comes after %v", round, *e, last)
			}
			if seen[e.A] {
				t.Fatalf("round %d: event %d is returned twice", round, e.A)
			}
			seen[e.A], last = true, *e
			if last.A < n && r.IntN(4) == 0 {
				later := min(1, last.Time+float64((1-last.Time)*r.Float64())+1e-9)
				push(&c, calendar.Event{Time: later, A: int32(more)})
				more++
			}
		}
		for k := range more {
			if !seen[k] {
				t.Fatalf("round %d: event %d of %d was not returned", round, k, more)
			}
		}
	}
}

// TestASpanEndsAtTheSameEventInAllCalendars processes a step in spans and pushes events in between.
// Calendars with different numbers of buckets agree on the events of a span.
func TestASpanEndsAtTheSameEventInAllCalendars(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for round := range 40 {
		events := 2000 >> (round % 8)
		searched := round > 0
		if !searched {
			events = 40000 // too many to search in the plain calendar
		}
		duration := math.Pow(10, 6*r.Float64()-4)
		spans := 1 << r.IntN(5)
		var small, large calendar.Calendar
		var p plain
		small.Reset(duration, 1)
		large.Reset(duration, 5000)
		push := func(at float64) {
			e := calendar.Event{Time: at, Key: r.Uint32()}
			push(&small, e)
			push(&large, e)
			if searched {
				p.push(e)
			}
		}
		for range events {
			push(duration * r.Float64())
		}
		for k := range spans { // around the ends of spans, where rounding decides
			end := duration * float64(k+1) / float64(spans)
			push(end)
			push(math.Nextafter(end, 0))
			push(min(duration, math.Nextafter(end, math.Inf(1))))
		}
		for k := range spans {
			small.Until(k+1, spans)
			large.Until(k+1, spans)
			end := duration * float64(k+1) / float64(spans)
			for {
				e, ok := pop(&small)
				f, okLarge := pop(&large)
				if ok != okLarge || ok && (f.Time != e.Time || f.Key != e.Key || small.Round() != large.Round()) {
					t.Fatalf("span %d of %d: small: %v %v, large: %v %v", k+1, spans, e, ok, f, okLarge)
				}
				if !ok {
					break
				}
				want, _ := p.pop()
				if searched && (want.Time != e.Time || want.Key != e.Key || want.round != small.Round()) {
					t.Fatalf("span %d of %d: got %v, want %v", k+1, spans, e, want)
				}
				if e.Time > end*(1+1e-15) {
					t.Fatalf("span %d of %d ends at %v and contains an event at %v", k+1, spans, end, e.Time)
				}
				if r.IntN(3) == 0 {
					push(e.Time + (duration-e.Time)*r.Float64())
				}
			}
			if len(p.list) > 0 && k+1 < spans {
				push(end + (duration-end)*r.Float64())
			}
		}
		if len(p.list) > 0 {
			t.Fatalf("%d events were not returned", len(p.list))
		}
	}
}

// TestVoidEventsAreDroppedBeforeTheyAreDue marks half of the events as void before the first one is
// due. All others must come in order, and few of the void ones.
func TestVoidEventsAreDroppedBeforeTheyAreDue(t *testing.T) {
	const n = 4000
	r := rand.New(rand.NewPCG(3, 4))
	c := calendar.Calendar{Paths: make([]calendar.PathID, 1)}
	c.Reset(1, n)
	for range n {
		c.Push(r.Float64(), 0, 0, uint32(r.IntN(2)), 0, 0)
	}
	last, valid, void := 0.0, 0, 0
	for e := c.Pop(); e != nil; e = c.Pop() {
		if e.Time < last {
			t.Fatalf("an event at %v comes after one at %v", e.Time, last)
		}
		if last = e.Time; e.StampA == 1 {
			void++
		} else {
			valid++
		}
	}
	if valid < n/2-200 || valid > n/2+200 || void > n/100 {
		t.Errorf("%d valid and %d void events of %d, want about half of them and hardly any", valid, void, n)
	}
}
