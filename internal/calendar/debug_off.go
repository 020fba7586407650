//go:build !dangodebug

package calendar

// debugState is empty, and the checks do nothing: see debug_on.go.
type debugState struct{}

func (c *Calendar) checkReset(float64) { _ = c.debug }
func (c *Calendar) checkPush(*Event)   {}
func (c *Calendar) checkPop(*Event)    {}
