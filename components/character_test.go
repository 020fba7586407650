package components_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/components"
)

func ExampleCharacterControllerData_OnGround() {
	control := components.NewCharacterController()
	control.State.Ground = components.OnGround // physics sets it
	if control.OnGround() {
		fmt.Println(control.State.Ground)
	}
	// Output: OnGround
}

func TestDefaultsOfACharacterAreValid(t *testing.T) {
	for _, unit := range []float64{1, 50, 0.01} {
		d := components.NewCharacterController().Scaled(unit)
		if err := d.Validate(); err != nil {
			t.Error(err)
		}
	}
	d := components.NewCharacterController()
	if d.MaxSlopeAngle != math.Pi/4 || d.StepHeight != 0.4 || d.SnapLength != 0.1 {
		t.Errorf("defaults %+v", d)
	}
}

func TestInvalidSettingsOfACharacterAreNamed(t *testing.T) {
	nan := math.NaN()
	for field, change := range map[string]func(d *components.CharacterControllerData){
		"DesiredVelocity":      func(d *components.CharacterControllerData) { d.DesiredVelocity.Y = nan },
		"State.Velocity":       func(d *components.CharacterControllerData) { d.State.Velocity.Y = 1e10 },
		"State.GroundNormal":   func(d *components.CharacterControllerData) { d.State.GroundNormal.X = nan },
		"State.GroundPoint":    func(d *components.CharacterControllerData) { d.State.GroundPoint.X = nan },
		"State.GroundVelocity": func(d *components.CharacterControllerData) { d.State.GroundVelocity.X = nan },
		"State.Position":       func(d *components.CharacterControllerData) { d.State.Position.Z = math.Inf(1) },
		"State.Walk":           func(d *components.CharacterControllerData) { d.State.Walk.Z = nan },
		"State.LastVelocity":   func(d *components.CharacterControllerData) { d.State.LastVelocity.Z = nan },
		"State.SinceGround":    func(d *components.CharacterControllerData) { d.State.SinceGround = nan },
		"State.JumpWish":       func(d *components.CharacterControllerData) { d.State.JumpWish = nan },
		"State.StandHeight":    func(d *components.CharacterControllerData) { d.State.StandHeight = -1 },
		"State.Climbed":        func(d *components.CharacterControllerData) { d.State.Climbed = nan },
		"Up":                   func(d *components.CharacterControllerData) { d.Up.X = nan },
		"Mode":                 func(d *components.CharacterControllerData) { d.Mode = 2 },
		"PlatformOnLeave":      func(d *components.CharacterControllerData) { d.PlatformOnLeave = 3 },
		"GravityScale":         func(d *components.CharacterControllerData) { d.GravityScale = -1 },
		"MaxFallSpeed":         func(d *components.CharacterControllerData) { d.MaxFallSpeed = nan },
		"Acceleration":         func(d *components.CharacterControllerData) { d.Acceleration = -1 },
		"AirAcceleration":      func(d *components.CharacterControllerData) { d.AirAcceleration = nan },
		"JumpHeight":           func(d *components.CharacterControllerData) { d.JumpHeight = -1 },
		"CoyoteTime":           func(d *components.CharacterControllerData) { d.CoyoteTime = nan },
		"JumpBuffer":           func(d *components.CharacterControllerData) { d.JumpBuffer = 1e10 },
		"MaxSlopeAngle":        func(d *components.CharacterControllerData) { d.MaxSlopeAngle = 45 },
		"WallMinSlideAngle":    func(d *components.CharacterControllerData) { d.WallMinSlideAngle = -0.1 },
		"StepHeight":           func(d *components.CharacterControllerData) { d.StepHeight = math.Inf(1) },
		"SnapLength":           func(d *components.CharacterControllerData) { d.SnapLength = -1 },
		"CrouchHeight":         func(d *components.CharacterControllerData) { d.CrouchHeight = nan },
		"Mass":                 func(d *components.CharacterControllerData) { d.Mass = 0 },
		"MaxPushForce":         func(d *components.CharacterControllerData) { d.MaxPushForce = -1 },
		"RecoverySpeed":        func(d *components.CharacterControllerData) { d.RecoverySpeed = nan },
	} {
		d := components.NewCharacterController()
		change(&d)
		var f *components.FieldError
		if err := d.Validate(); !errors.As(err, &f) || f.Component != "CharacterController" || f.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
