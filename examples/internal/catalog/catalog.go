// Package catalog lists the examples for the gallery and its web page. It imports nothing, so that
// the program that serves the page needs no graphics.
package catalog

// Entry describes an example.
type Entry struct {
	Name     string `json:"name"`     // of its folder, and in the address: #pile
	Title    string `json:"title"`    // above its picture
	Sentence string `json:"sentence"` // what it shows
	Seed     uint64 `json:"seed"`     // where none is given
}

// Entries are all examples, in the order of the gallery.
var Entries = []Entry{
	{"tunnel", "Tunnel", "The same fast balls with naive stepping, with substeps and with dango: who escapes?", 1},
	{"billiards", "Billiards", "Bounce, friction and spin on a pool table, with the path of a shot predicted.", 97},
	{"pile", "Pile", "Thousands of balls are poured, stirred, tilted and shaken, and never overlap.", 4},
	{"drum", "Drum", "A drum turns balls of three sizes, and the small ones gather in the middle.", 1},
	{"gas", "Gas", "Thousands of spheres reach Maxwell's distribution of speeds and keep their energy.", 1},
	{"breakout", "Breakout", "A complete 2D game in less than 400 lines.", 1},
	{"pinball", "Pinball", "Flippers, bumpers, slingshots, a spinner and a ramp, with exact impacts.", 1},
	{"platformer", "Platformer", "A level from Tiled, in 2D: slopes, planks, lifts, a ladder, belts and coins.", 1},
	{"level", "Level", "A glTF level in three dimensions: ramps, stairs, lifts, stars, and balls to kick.", 1},
	{"corridor", "Corridor", "A character slides through corners of every kind and a shaft of its own width.", 1},
	{"cradle", "Cradle", "Newton's cradle, two balls dropped together, a ball in a corner: simultaneous impacts.", 1},
	{"twins", "Twins", "Two worlds with different workers and orders of creation have equal bits.", 1},
	{"swarm", "Swarm", "As many bodies as your machine can move 60 times a second.", 1},
}

// Find returns the entry with this name, or false.
func Find(name string) (Entry, bool) {
	for _, e := range Entries {
		if e.Name == name {
			return e, true
		}
	}
	return Entry{}, false
}
