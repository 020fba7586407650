//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime returns how long this process has run on processors, which does not depend on
// what else the machine does.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // only for arguments that are wrong
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
