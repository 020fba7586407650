// Package stage is shared by the examples: a window that is sharp at any size and pixel density, a
// panel of buttons, sliders and times beside the scene, a canvas for smooth shapes and text, slow
// motion, dragging of bodies, sound, the gallery, and unattended runs that write a PNG and a GIF.
//
// An example keeps its scene in files that don't import Ebitengine, so that tests can step it
// without a window. Its drawing implements [Game].
package stage
