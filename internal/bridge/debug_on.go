//go:build dangodebug

package bridge

import (
	"fmt"

	"github.com/yohamta/donburi"
)

// checkHandles panics if entities and the bodies and surfaces of the space do not belong to each
// other.
func (b *Bridge) checkHandles(stage string) {
	r := &b.registry
	fail := func(format string, args ...any) {
		panic(fmt.Sprintf("bridge: %s: ", stage) + fmt.Sprintf(format, args...))
	}
	records, bodies, surfaces := 0, 0, 0
	for id := range r.records {
		k := &r.records[id]
		if k.entity == donburi.Null {
			if k.handle != none && k.handle != 0 {
				fail("entity id %d has no record, but handle %d", id, k.handle)
			}
			continue
		}
		records++
		if int(k.entity.Id()) != id {
			fail("the record of entity %v is that of id %d", k.entity, id)
		}
		if k.handle == none {
			continue
		}
		if !b.space.IsAlive(k.handle) {
			fail("entity %v has handle %d, which is not in the space", k.entity, k.handle)
		}
		if e := r.entity(k.handle); e != k.entity {
			fail("entity %v has handle %d, which is that of %v", k.entity, k.handle, e)
		}
		if !k.handle.IsSurface() {
			bodies++
		} else {
			b.eachPart(k.handle.Surface(), func(int32) { surfaces++ })
		}
	}
	if records != r.count {
		fail("%d entities have records, want %d", records, r.count)
	}
	if bodies != b.space.Bodies() || surfaces != b.space.Surfaces() {
		fail("%d entities have bodies and %d surfaces, but the space has %d and %d", bodies, surfaces,
			b.space.Bodies(), b.space.Surfaces())
	}
}
