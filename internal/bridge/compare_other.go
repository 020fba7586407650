//go:build !amd64 || purego

package bridge

const hasAVX2 = false

func rowsDiffer(*table, int, int, int, *profile, *restingRows) bool { panic("no AVX2") }
