//go:build !amd64 || purego

package systems

const canFetch = false

func fetch([]pointer) {}
