//go:build !amd64 || purego

package bridge

const canPrefetch = false

func prefetch([]pointer) {}
