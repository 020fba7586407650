package stage

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// read returns the next samples of a mixer.
func (m *mixer) read(t *testing.T, n int) []float64 {
	t.Helper()
	p := make([]byte, 4*n)
	if k, err := m.Read(p); k != len(p) || err != nil {
		t.Fatalf("Read: %d, %v", k, err)
	}
	samples := make([]float64, n)
	for i := range samples {
		samples[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(p[4*i:])))
	}
	return samples
}

// crossings counts how often the samples change their sign.
func crossings(samples []float64) (n int) {
	for i := range samples[1:] {
		if samples[i]*samples[i+1] < 0 {
			n++
		}
	}
	return n
}

func TestImpactsSoundAtTheirTime(t *testing.T) {
	var m mixer
	m.play([]strike{{seconds: 0.01, impulse: 1, radius: 0.1}}, 2)
	samples := m.read(t, sampleRate/2)
	for i, x := range samples {
		if heard := x != 0; heard != (i >= 960 && i < 960+int(7*ringing*sampleRate)) {
			t.Fatalf("sample %d is %g", i, x)
		}
	}
	if len(m.voices) != 0 {
		t.Error("a voice that has faded away is kept")
	}
}

func TestSmallSpheresSoundHigher(t *testing.T) {
	var m mixer
	pitch := func(radius float64) int {
		m.voices = nil
		m.play([]strike{{impulse: 1, radius: radius}}, 1)
		return crossings(m.read(t, sampleRate/20))
	}
	if middle, small, large := pitch(1), pitch(0.6), pitch(1.7); small <= middle || large >= middle {
		t.Errorf("a sphere of radius 1 crosses zero %d times, one of 0.6 %d, one of 1.7 %d", middle, small, large)
	}
}

func TestStrongImpactsAreLouderAndNeverTooLoud(t *testing.T) {
	peak := func(impulses ...float64) float64 {
		m := mixer{strongest: 10}
		var strikes []strike
		for _, j := range impulses {
			strikes = append(strikes, strike{impulse: j, radius: 1})
		}
		for range 100 {
			m.play(strikes, 1)
		}
		most := 0.0
		for _, x := range m.read(t, sampleRate/20) {
			most = max(most, math.Abs(x))
		}
		return most
	}
	if weak, strong := peak(1), peak(9); weak <= 0 || weak >= strong || strong >= 1 {
		t.Errorf("a weak impact has a peak of %g, a strong one of %g", weak, strong)
	}
	if all := peak(9, 9, 9, 9, 9, 9, 9, 9, 9, 9); all >= 1 {
		t.Errorf("many impacts have a peak of %g", all)
	}
	if none := peak(0.1); none != 0 {
		t.Errorf("an impact of a hundredth has a peak of %g", none)
	}
}

// A character that lands is as loud as its weight and its speed say, and a crate that falls on a
// floor is heard, too.
func TestCharactersAndCratesAreHeard(t *testing.T) {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -10}})
	components.CreatePlane(world, collide.Vec3{}, collide.Vec3{Y: 1})
	components.CreateCharacter(world, collide.Vec3{Y: 2}, 0.3, 1.8)
	s := sound{on: true}
	play := func() (strongest float64) {
		for range 60 {
			physics.Step(world)
			s.listen(Panel{Physics: physics, World: world}, 1)
		}
		return s.mixer.strongest
	}
	// 70 kg that have fallen 1.1 m, at 4.7 m/s.
	if got := play(); got < 250 || got > 330 {
		t.Errorf("the character lands with %.0f N·s, want about 300", got)
	}
	s = sound{on: true}
	components.CreateCrate(world, collide.Vec3{X: 5, Y: 2}, collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5})
	if got := play(); got < 4 || got > 6 {
		t.Errorf("the crate of 1 kg lands with %.1f N·s, want about 5", got)
	}
}
