package components_test

import (
	"fmt"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// A flipper of a pinball table, which rotates up by 0.8 rad as long as its button is pressed.
func ExampleCreateFlipper2D() {
	w := donburi.NewWorld()
	pivot, tip := collide.Vec3{X: -0.1}, collide.Vec3{X: -0.02, Y: -0.03}
	flipper := components.CreateFlipper2D(w, pivot, tip, 0.01, 0.8, 60)
	components.Motor.Get(flipper).On = true // the button is pressed
	fmt.Println(components.Motor.Get(flipper).High, components.Body.Get(flipper).Kind == components.Kinematic)
	// Output: 0.8 true
}

func ExampleMotorData_Validate() {
	motor := components.MotorData{High: 1, Speed: -2}
	fmt.Println(motor.Validate())
	// Output: Motor.Speed -2 is negative or not finite
}
