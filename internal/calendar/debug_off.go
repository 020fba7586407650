//go:build !dangodebug

package calendar

// debugState is empty, and the checks do nothing: see debug_on.go.
type debugState struct{}

func (c *Calendar) checkReset(float64)              { _ = c.debug }
func (c *Calendar) checkPush(float64, int32, int32) {}
func (c *Calendar) checkPop(*Event)                 {}
