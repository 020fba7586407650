//go:build !amd64 || purego

package systems

const canPrefetch = false

func prefetch([]pointer) {}
