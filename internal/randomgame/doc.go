// Package randomgame makes random games for tests: entities with all components, and changes to
// them that a game may make at any time, whether they make sense or not.
//
// Files: game.go (the world and its entities), change.go (what the game changes), invalid.go
// (values that are errors).
package randomgame
