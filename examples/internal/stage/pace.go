package stage

import "slices"

// Adapt returns the number of bodies, of now n, with which steps keep up.
func (in Input) Adapt(n, least, most int) int {
	if in.Pace == 0 {
		return n
	}
	return min(max(int(float64(n)*in.Pace), least), most)
}

// pace measures how long ticks take, and finds by which factor the number of bodies should change
// so that they take three quarters of 1/60 s. It measures for a second and a half, leaves out the
// first third, in which the last change still shows, and takes the median, because other programs
// delay single ticks.
type pace struct {
	loads []float64 // of the ticks since the last factor
	sum   float64
}

const (
	paceTicks = 90
	paceGoal  = 0.75
	paceLow   = 0.6 // from here to paceHigh the number stays, so that it doesn't swing
	paceHigh  = 0.9
)

// add notes the part of 1/60 s that a tick has taken. It returns a factor, or 0 if the number of
// bodies should stay.
func (p *pace) add(load float64) float64 {
	p.loads = append(p.loads, load)
	p.sum += load
	if n := len(p.loads); n < paceTicks && (n < 9 || p.sum < paceTicks) {
		return 0
	}
	late := p.loads[len(p.loads)/3:]
	slices.Sort(late)
	median := late[len(late)/2]
	*p = pace{loads: p.loads[:0]}
	if median > paceLow && median < paceHigh {
		return 0
	}
	return min(max(paceGoal/median, 0.5), 1.5)
}
