package collide

// Outcome is the result of a sweep or a ray cast.
type Outcome uint8

// Outcomes of a sweep. The zero value is Miss.
const (
	Miss    Outcome = iota // no contact by the horizon, or the shapes separate
	Hit                    // the first contact was found
	Overlap                // overlapping at time 0, and not separating
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

// Contact describes where and when shape A touches shape B in a sweep of A against B.
type Contact struct {
	Time    float64 // seconds from the start of the sweep
	Point   Vec3    // point of contact at that time
	Normal  Vec3    // unit length, from B's surface towards A
	CenterA Vec3    // A's centre at that time
	CenterB Vec3    // B's centre at that time; for other shapes than spheres and boxes, a reference point
}
