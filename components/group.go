package components

import "github.com/yohamta/donburi"

// KinematicGroupData makes an entity with a collider a member of a kinematic group: things that
// move as one, such as the walls of a moving box, or the tiles of a lift.
//
// The Velocity of the leader moves the whole group, and its [AngularVelocity] rotates it about the
// leader's Pivot, for which the leader needs a [Transform]. Spheres can't be members of a group
// that rotates; a [ShapeCollider] with a sphere can. If one member is slowed down or stopped by
// what it pushes, all are, by the same amount. So members keep their places relative to each other,
// up to the rounding of their positions.
type KinematicGroupData struct {
	// Leader is the entity whose Velocity moves the group. If it has a collider, it is a member
	// without having this component; a sphere or crate that leads must be kinematic. A leader may
	// also have no collider; if it has a Transform, physics then moves it along. It may name
	// itself, so all parts of a group may have the same value, but no other leader.
	Leader donburi.Entity
}

// KinematicGroup is the component type of [KinematicGroupData], for every kind of collider. Members
// are kinematic, also spheres and whatever their [Body] says. They need no [Velocity], and one that
// they have is neither read nor written.
//
// A Leader that has been removed, has no valid Velocity, has an invalid [Transform] or
// [AngularVelocity], or rotates and has no Transform, is an error of each member that follows it.
// They stay where they are until it is corrected. One that leads itself and has no Velocity stands.
var KinematicGroup = donburi.NewComponentType[KinematicGroupData]()

// Validate returns an error if Leader names no entity, or nil. Whether that entity exists is
// checked in each step.
func (d *KinematicGroupData) Validate() error {
	if d.Leader != donburi.Null {
		return nil
	}
	return check(false, "KinematicGroup", "Leader", d.Leader, "names no entity")
}
