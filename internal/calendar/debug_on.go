//go:build dangodebug

package calendar

import "fmt"

// debugState is what the checks remember.
type debugState struct {
	duration float64
	last     Event // that Pop returned; next is its round
}

// checkReset notes a new step of that duration.
func (c *Calendar) checkReset(duration float64) {
	if !(duration > 0) {
		panic(fmt.Sprintf("calendar: Reset: the duration is %v, want > 0", duration))
	}
	c.debug = debugState{duration: duration, last: Event{Time: -1}}
}

// checkPush panics if an event is not within the step. One in the past is returned next.
func (c *Calendar) checkPush(time float64, a, b int32) {
	if !(time >= 0 && time <= c.debug.duration) {
		panic(fmt.Sprintf("calendar: Push: the event of %d and %d is at %v s, want within a step of %v s",
			a, b, time, c.debug.duration))
	}
	if time < c.debug.last.Time {
		c.debug.last = Event{Time: -1}
	}
}

// checkPop panics if an event is not in order after the one before it.
func (c *Calendar) checkPop(e *Event) {
	next := *e
	next.next = c.round
	if c.before(&next, &c.debug.last) {
		panic(fmt.Sprintf("calendar: Pop: the event at %v s, round %d, key %d comes after that at %v s, round %d, "+
			"key %d: want times, "+
			"rounds and keys in order", next.Time, next.next, next.Key, c.debug.last.Time, c.debug.last.next,
			c.debug.last.Key))
	}
	c.debug.last = next
}
