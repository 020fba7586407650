//go:build !dangodebug

package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/calendar"
)

// debugState is empty, and the checks do nothing: see debug_on.go.
type debugState struct{}

// pairEnergy is what checkImpact compares: see debug_on.go.
type pairEnergy struct{}

func (s *Space) checkGameChanges()                         {}
func (s *Space) checkPairs()                               { _ = s.debug }
func (s *Space) checkPredictions()                         {}
func (s *Space) checkContacts()                            {}
func (s *Space) checkEvent(*calendar.Event)                {}
func (s *Space) checkCell(int32, float64)                  {}
func (s *Space) checkCells(string, float64)                {}
func (s *Space) noteReplaced()                             {}
func (s *Space) notePushed(int32)                          {}
func (s *Space) checkFinish()                              {}
func (s *Space) checkGroup(float64)                        {}
func (s *Space) energyOf(int32, int32, float64) pairEnergy { return pairEnergy{} }

func (s *Space) checkImpact(pairEnergy, int32, int32, collide.Vec3, collide.Vec3, float64, float64) {}
