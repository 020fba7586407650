// Package stage is what the examples share: a window that stays crisp at any size and pixel
// density, a canvas of smooth shapes and text, the keys that every example has (pause, single step,
// reset, stats), and unattended runs that write a PNG and a GIF.
//
// An example keeps its scene in files that don't import Ebitengine, so that its tests step it
// without a window, and hands the stage a [Game] that shows it.
package stage
