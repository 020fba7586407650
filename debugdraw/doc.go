// Package debugdraw draws what physics knows of a world, with Ebitengine: colliders, contacts and
// normals, paths within the step, grid cells, sleep and islands. One line adds it to a game, as a
// renderer of Donburi's ecs:
//
//	game.AddRenderer(ecs.LayerDefault, debugdraw.New(physics).Draw)
//
// It draws worlds in the plane z = 0 as they are on the screen, through Drawer.GeoM, and worlds in
// three dimensions through a [Camera].
//
// The package is for development. It draws lines, reads the world through public methods, and
// changes no result. It is the only package of the library that imports Ebitengine; programs that
// don't import it don't depend on Ebitengine.
//
// # Files
//
// drawer.go has [Drawer] and its layers, camera.go projects points, canvas.go collects lines, and
// shapes.go and solids.go draw the colliders.
package debugdraw
