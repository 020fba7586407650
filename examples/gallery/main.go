// Gallery plays the examples, in a window or as a web page:
//
//	go run ./examples/gallery                  # all of them
//	go run ./examples/gallery pile             # one
//	go run ./examples/gallery pile -ticks 600  # unattended, without a window
package main

import (
	"github.com/dango-physics/dango/examples/billiards"
	"github.com/dango-physics/dango/examples/breakout"
	"github.com/dango-physics/dango/examples/corridor"
	"github.com/dango-physics/dango/examples/cradle"
	"github.com/dango-physics/dango/examples/drum"
	"github.com/dango-physics/dango/examples/gas"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/dango-physics/dango/examples/level"
	"github.com/dango-physics/dango/examples/pile"
	"github.com/dango-physics/dango/examples/pinball"
	"github.com/dango-physics/dango/examples/platformer"
	"github.com/dango-physics/dango/examples/swarm"
	"github.com/dango-physics/dango/examples/tunnel"
	"github.com/dango-physics/dango/examples/twins"
)

// examples are in the order of package catalog.
var examples = []stage.Example{
	{Name: "tunnel", New: tunnel.New},
	{Name: "billiards", New: billiards.New},
	{Name: "pile", New: pile.New},
	{Name: "drum", New: drum.New},
	{Name: "gas", New: gas.New},
	{Name: "breakout", New: breakout.New},
	{Name: "pinball", New: pinball.New},
	{Name: "platformer", New: platformer.New},
	{Name: "level", New: level.New},
	{Name: "corridor", New: corridor.New},
	{Name: "cradle", New: cradle.New},
	{Name: "twins", New: twins.New},
	{Name: "swarm", New: swarm.New},
}

func main() { stage.Run(examples) }
