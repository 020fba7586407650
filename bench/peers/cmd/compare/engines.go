package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dango-physics/dango/bench/peers/internal/scenes"
)

// engine is one engine in one mode.
type engine struct {
	key     string // name for -engines
	name    string // name for tables
	how     string // language and precision
	mode    string // mode for tables
	flat    bool   // for scenes in the plane z = 0
	solid   bool   // for the others
	only    string // the one scene that it runs; "" for all
	workers int    // of dango; 0: the Go runtime's default
	command []string
}

// reference is what every other engine is compared with: dango with one worker.
func reference(build string) engine { return dango(build, 1) }

func dango(build string, workers int) engine {
	mode := fmt.Sprintf("%d workers", workers)
	if workers == 1 {
		mode = "1 worker"
	}
	return engine{
		key: "dango", name: "dango", how: "Go, float64", mode: mode, flat: true, solid: true, workers: workers,
		command: []string{filepath.Join(build, "dango"), fmt.Sprintf("-workers=%d", workers), "-nosleep"},
	}
}

// peers returns the engines that are compared with the reference, in the order of the tables. build
// is the directory of the programs that setup has built.
func peers(build, node string) []engine {
	bullet, cp, box2d := filepath.Join(build, "bullet"), filepath.Join(build, "cp"), filepath.Join(build, "box2d")
	rapier, jolt := filepath.Join(node, "rapier.mjs"), filepath.Join(node, "jolt.mjs")
	const wasm = "WebAssembly, float32"
	// Node compiles all code with the optimizing compiler before the first step.
	inNode := func(file, mode string) []string {
		return []string{"node", "--no-liftoff", "--no-wasm-lazy-compilation", file, mode}
	}
	return []engine{
		dango(build, 2),
		{
			key: "bullet", name: "Bullet", how: "C++, float32", mode: "no CCD", solid: true,
			command: []string{bullet, "plain"},
		},
		{
			key: "bullet", name: "Bullet", how: "C++, float32", mode: "CCD", solid: true,
			command: []string{bullet, "ccd"},
		},
		{
			key: "bullet", name: "Bullet", how: "C++, float32", mode: "CCD, walls are planes", only: "gas10000",
			solid: true, command: []string{bullet, "ccd-planes"},
		},
		{
			key: "rapier", name: "Rapier", how: wasm + " with SIMD", mode: "no CCD", solid: true,
			command: inNode(rapier, "plain"),
		},
		{
			key: "rapier", name: "Rapier", how: wasm + " with SIMD", mode: "CCD", solid: true,
			command: inNode(rapier, "ccd"),
		},
		{
			key: "rapier", name: "Rapier", how: wasm + " with SIMD", mode: "CCD, walls are planes",
			only: "gas10000", solid: true, command: inNode(rapier, "ccd-planes"),
		},
		{key: "jolt", name: "Jolt", how: wasm, mode: "no CCD", solid: true, command: inNode(jolt, "plain")},
		{key: "jolt", name: "Jolt", how: wasm, mode: "CCD", solid: true, command: inNode(jolt, "ccd")},
		{key: "cp", name: "cp", how: "Go, float64", mode: "tree", flat: true, command: []string{cp, "tree"}},
		{key: "cp", name: "cp", how: "Go, float64", mode: "tuned hash", flat: true, command: []string{cp, "hash"}},
		{key: "box2d", name: "Box2D", how: "Go, float64", mode: "CCD", flat: true, command: []string{box2d, "ccd"}},
		{
			key: "box2d", name: "Box2D", how: "Go, float64", mode: "bullets", flat: true,
			command: []string{box2d, "bullets"},
		},
	}
}

// choose returns the engines whose keys are in list, separated by commas; all of them for "".
func choose(all []engine, list string) ([]engine, error) {
	if list == "" {
		return all, nil
	}
	var chosen []engine
	for _, key := range strings.Split(list, ",") {
		if !slices.ContainsFunc(all, func(e engine) bool { return e.key == key }) {
			return nil, fmt.Errorf("-engines %s: no engine %q", list, key)
		}
	}
	for _, e := range all {
		if slices.Contains(strings.Split(list, ","), e.key) {
			chosen = append(chosen, e)
		}
	}
	return chosen, nil
}

// runs reports whether e can run the scene.
func (e engine) runs(n scenes.Name) bool {
	if e.only != "" && e.only != n.String() {
		return false
	}
	if n.Flat() {
		return e.flat
	}
	return e.solid
}

// steps returns the number of steps of a scene: five seconds of an elastic scene, ten seconds of a
// pile, and fewer if the slowest engine would take too long.
func steps(n scenes.Name, quick bool) int {
	most, budget := 300, 1_000_000
	switch {
	case !n.Elastic():
		most = 600
	case n.Flat():
		budget = 300_000
	}
	count := min(most, max(20, budget/n.N))
	if quick {
		count = max(10, count/5)
	}
	return count
}
