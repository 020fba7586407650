package collide

// Outcome says how a sweep ended.
type Outcome uint8

// How a sweep can end. The zero value is Miss.
const (
	Miss    Outcome = iota // no touch before the horizon, or the two are moving apart
	Hit                    // the first touch was found
	Overlap                // already interpenetrating at time zero, and not moving apart
)

// String returns the outcome's name.
func (o Outcome) String() string {
	switch o {
	case Miss:
		return "Miss"
	case Hit:
		return "Hit"
	case Overlap:
		return "Overlap"
	}
	return "Outcome(?)"
}

// Contact is where and when two shapes touch, as a sweep of a first shape A against a second shape B
// found it.
type Contact struct {
	Time    float64 // seconds from the start of the sweep
	Point   Vec3    // where they touch, at that time
	Normal  Vec3    // unit length, out of B's surface and towards A
	CenterA Vec3    // A's centre at that time
	CenterB Vec3    // B's centre at that time; for a plane, segment or polygon, that of its reference point
}
