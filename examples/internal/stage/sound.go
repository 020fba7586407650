package stage

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/ebitengine/oto/v3"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

const (
	sampleRate  = 48_000 // 1/s
	loudest     = 8      // impacts of a step that are heard
	mostVoices  = 32     // at the same time
	middlePitch = 900.0  // Hz, of a sphere of middle size
	ringing     = 0.035  // seconds in which a voice falls to 1/e
	quietest    = 0.02   // part of the loudest impact of the last seconds that is still heard
	forgetting  = 0.997  // what is left of the loudest impact after a step
)

// voice is the sound of one impact: a sine that fades away.
type voice struct {
	begin   int64   // sample
	x, y    float64 // y is the sound, x is a quarter of a turn ahead
	c, s    float64 // turn and fading of one sample
	samples int     // left
}

// mixer plays impacts. The goroutine of the sound device reads it.
type mixer struct {
	mutex  sync.Mutex
	voices []voice
	now    int64 // samples that were read

	// The loudness and pitch of an impact depend on those before it, because every example has
	// other units.
	strongest float64 // N·s
	size      float64 // mean of the logarithms of the radii
	heard     int     // radii in the mean, at most 200
}

// strike is an impact that is to be heard.
type strike struct {
	seconds, impulse, radius float64
}

// play adds the sounds of the loudest impacts of a step. The step takes slow ticks.
func (m *mixer) play(strikes []strike, slow int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	slices.SortFunc(strikes, func(a, b strike) int { return cmp.Compare(b.impulse, a.impulse) })
	m.strongest *= forgetting
	for _, k := range strikes[:min(loudest, len(strikes))] {
		m.strongest = max(m.strongest, k.impulse)
		m.heard = min(m.heard+1, 200)
		m.size += (math.Log(k.radius) - m.size) / float64(m.heard)
		part := k.impulse / m.strongest
		if !(part > quietest) || len(m.voices) >= mostVoices {
			continue
		}
		turn := 2 * math.Pi / sampleRate * middlePitch * min(max(math.Exp(m.size-math.Log(k.radius)), 0.2), 5)
		fade := math.Exp(-1 / (ringing * sampleRate))
		m.voices = append(m.voices, voice{
			begin: m.now + int64(k.seconds*float64(slow)*sampleRate),
			x:     math.Pow(part, 0.7), c: fade * math.Cos(turn), s: fade * math.Sin(turn),
			samples: 7 * ringing * sampleRate,
		})
	}
}

// Read fills p with samples, numbers of 32 bits from -1 to 1.
func (m *mixer) Read(p []byte) (int, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	n := len(p) / 4 * 4
	for at := 0; at < n; at += 4 {
		sum := 0.0
		for i := range m.voices {
			v := &m.voices[i]
			if v.begin > m.now || v.samples <= 0 {
				continue
			}
			v.x, v.y = v.c*v.x-v.s*v.y, v.s*v.x+v.c*v.y
			v.samples--
			sum += v.y
		}
		sum *= 0.5
		binary.LittleEndian.PutUint32(p[at:], math.Float32bits(float32(sum/(1+math.Abs(sum)))))
		m.now++
	}
	m.voices = slices.DeleteFunc(m.voices, func(v voice) bool { return v.samples <= 0 })
	return n, nil
}

// sound is the switch for the sound. The device is opened when it is first switched on.
type sound struct {
	on     bool
	failed bool                            // there is no device
	flight map[donburi.Entity]collide.Vec3 // velocities of characters after the last step
	mixer  mixer
	device *oto.Context
	player *oto.Player
}

// toggle switches the sound on or off.
func (s *sound) toggle() {
	if s.failed {
		return
	}
	s.on = !s.on
	if s.device == nil {
		device, _, err := oto.NewContext(&oto.NewContextOptions{
			SampleRate: sampleRate, ChannelCount: 1, Format: oto.FormatFloat32LE, ApplicationName: "dango",
		})
		if err != nil {
			s.on, s.failed = false, true
			return
		}
		s.device = device
		s.player = device.NewPlayer(&s.mixer)
		s.player.SetBufferSize(sampleRate / 20 * 4)
		s.player.Play()
	}
}

// label is the text of the switch.
func (s *sound) label() string {
	if s.failed {
		return "no sound"
	}
	return "sound"
}

// listen plays the impacts of the last step, if the sound is on. A step takes slow ticks.
func (s *sound) listen(p Panel, slow int) {
	if !s.on {
		return
	}
	if s.device != nil && s.device.Err() != nil { // tests have no device
		s.on, s.failed = false, true
		return
	}
	impacts := slices.Values(p.Impacts)
	if p.Impacts == nil {
		impacts = p.Physics.Impacts()
	}
	var strikes []strike
	for i := range impacts {
		if !p.World.Valid(i.A) {
			continue
		}
		switch a := p.World.Entry(i.A); {
		case a.HasComponent(components.SphereCollider):
			strikes = append(strikes, strike{i.Time, i.Impulse, components.SphereCollider.Get(a).Radius})
		case a.HasComponent(components.ShapeCollider):
			size := components.ShapeCollider.Get(a).Shape.Bounds().Size() // it is dynamic, and so no compound
			strikes = append(strikes, strike{i.Time, i.Impulse, max(size.X, size.Y) / 2})
		}
	}
	s.mixer.play(append(strikes, s.landings(p.World)...), slow)
}

// characters are what walks.
var characters = donburi.NewQuery(filter.Contains(components.CharacterController, components.CapsuleCollider))

// landings returns the impacts of characters that landed in the last step: physics reports none,
// since a character has no mass while it moves.
func (s *sound) landings(w donburi.World) (strikes []strike) {
	if s.flight == nil {
		s.flight = map[donburi.Entity]collide.Vec3{}
	}
	characters.Each(w, func(e *donburi.Entry) {
		c := components.CharacterController.Get(e)
		if c.State.Landed {
			speed := c.State.GroundVelocity.Sub(s.flight[e.Entity()]).Dot(c.State.GroundNormal)
			strikes = append(strikes, strike{impulse: c.Mass * speed, radius: components.CapsuleCollider.Get(e).Radius})
		}
		s.flight[e.Entity()] = c.State.Velocity
	})
	return strikes
}
