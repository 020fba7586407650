package solver

import (
	"testing"
	"unsafe"
)

func TestSizesOfABody(t *testing.T) {
	if size := unsafe.Sizeof(body{}); size != 64 { // the assembly relies on it
		t.Errorf("a body has %d bytes, want 64", size)
	}
	if size := unsafe.Sizeof(bodyInfo{}); size > 64 {
		t.Errorf("what a step knows of a body has %d bytes, want at most 64", size)
	}
}
