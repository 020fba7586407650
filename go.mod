module github.com/dango-physics/dango

go 1.26

require (
	github.com/ebitengine/oto/v3 v3.5.0
	github.com/hajimehoshi/ebiten/v2 v2.10.4
	github.com/lafriks/go-tiled v0.15.0
	github.com/qmuntal/gltf v0.28.1-0.20260527150304-a48a560f8f1c
	github.com/solarlune/ldtkgo v0.9.3
	github.com/yohamta/donburi v1.15.7
	golang.org/x/image v0.45.0
	golang.org/x/sys v0.47.0
)

require (
	github.com/ebitengine/gomobile v0.0.0-20260820040257-d11f821a26a6 // indirect
	github.com/ebitengine/hideconsole v1.0.0 // indirect
	github.com/ebitengine/purego v0.11.0 // indirect
	github.com/jfreymuth/pulse v0.1.3 // indirect
	github.com/tidwall/gjson v1.6.4 // indirect
	github.com/tidwall/match v1.0.1 // indirect
	github.com/tidwall/pretty v1.0.2 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/text v0.41.0 // indirect
)
