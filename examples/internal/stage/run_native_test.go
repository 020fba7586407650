//go:build !js

package stage

import (
	"strings"
	"testing"
)

// A size with letters behind it was accepted, and a GIF without a row panicked.
func TestTheCommandLineIsChecked(t *testing.T) {
	for line, want := range map[string]string{
		"":                                 "",
		"pile -size 640x400":               "",
		"-ticks 5 pile":                    "",
		"pile -size 640x400abc":            "-size",
		"pile -size 640":                   "-size",
		"pile -size 640x-400":              "-size",
		"pile -size 0x640":                 "-size",
		"pile -size 8192x64 -gifwidth 64":  "",
		"pile -size 8192x64 -gif a.gif":    "pixels high",
		"pile -size 640x64 -gif a.gif":     "",
		"pile -gif a.gif -gifwidth 101":    "pixels high",
		"pile -gif a.gif -gifwidth 103":    "",
		"pile -slow 0":                     "out of range",
		"pile foo -ticks 5":                "foo",
		"foo":                              "no example",
		"-set seed=7":                      "name of an example",
		"-ticks 5":                         "name of an example",
		"pile -set seed=7 -size 1024x1024": "",
	} {
		_, _, err := parseArgs(strings.Fields(line))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in the error", line, err, want)
		}
	}
}
