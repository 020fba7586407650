module github.com/dango-physics/dango/bench/peers

go 1.26

require (
	github.com/ByteArena/box2d v1.0.2
	github.com/dango-physics/dango v0.0.0
	github.com/jakecoffman/cp/v2 v2.0.2
)

require (
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/yohamta/donburi v1.15.7 // indirect
)

replace github.com/dango-physics/dango => ../..
