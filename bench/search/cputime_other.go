//go:build !unix

package main

import "time"

// began is when the program began.
var began = time.Now()

// processorTime returns the time since the program began, where the system doesn't tell more.
func processorTime() time.Duration { return time.Since(began) }
