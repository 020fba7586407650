package scene

import (
	"hash/fnv"
	"runtime"
	"strings"
	"testing"
)

// The hashes are those of the files that the generator wrote with which all engines were compared.
// If one changes on purpose, every engine has to be measured again.
func TestSharedScenesStayTheSame(t *testing.T) {
	for _, c := range []struct {
		kind string
		n    int
		want uint64
	}{
		{"gas", 1, 0x92f0c3946e7559a9},
		{"gas", 28, 0xaae16173b8c5815d},
		{"gas", 300, 0x31c797a2ff477c14},
		{"gas", 1000, 0x6808b7d3b6f41888},
		{"mix", 1, 0x7bb3b8856dd18e80},
		{"mix", 28, 0xcf4f3cb99d1015cf},
		{"mix", 300, 0x28fb6c8ede271e2},
		{"mix", 1000, 0x1fba36b2d10fbd8c},
		{"bullets", 1, 0xb1efdcf5616feccd},
		{"bullets", 28, 0x7c618706d5adaa6a},
		{"bullets", 300, 0xf331a79471dbe631},
		{"bullets", 1000, 0xa6ab531736d905da},
		{"pile", 1, 0xd4a62e22a3c4a946},
		{"pile", 28, 0x548e7ec06ec1b0b3},
		{"pile", 300, 0x71ecb56ed41c6702},
		{"pile", 1000, 0xf91270b1c9728909},
		{"heap", 1, 0x62d9fab351fa8ce9},
		{"heap", 28, 0xceb3db77cf3d0efb},
		{"heap", 300, 0x4c04b7a52a325c27},
		{"heap", 1000, 0x140d8d416749dd1f},
		{"rain", 1, 0x69067c4b669b88d0},
		{"rain", 28, 0x9fa10a3824c3e6e8},
		{"rain", 300, 0x3889a26df196ce5},
		{"rain", 1000, 0x9c05708aa61ceb9e},
	} {
		s, err := Shared(c.kind, c.n)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := s.Write(&text); err != nil {
			t.Fatal(err)
		}
		hash := fnv.New64a()
		hash.Write([]byte(text.String()))
		poured := c.kind == "pile" || c.kind == "heap" || c.kind == "rain"
		// On other processors logarithms may differ.
		if got := hash.Sum64(); got != c.want && (poured || runtime.GOARCH == "amd64") {
			t.Errorf("%s %d: got hash %#x, want %#x", c.kind, c.n, got, c.want)
		}
	}
}

func TestSharedKnowsItsKinds(t *testing.T) {
	if s, err := Shared("soup", 10); err == nil {
		t.Errorf("soup: got %d spheres, want an error", len(s.Spheres))
	}
}
