module github.com/dango-physics/dango

go 1.26

require github.com/yohamta/donburi v1.15.7
