package catalog

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"testing"
)

// Flags after the name were ignored by serve, and those after a second name by the gallery.
func TestFlagsMayFollowTheName(t *testing.T) {
	for line, want := range map[string]string{
		"":                  " 0",
		"pile":              "pile 0",
		"-n 5":              " 5",
		"pile -n 5":         "pile 5",
		"-n 5 pile":         "pile 5",
		"-n 4 pile -n 5":    "pile 5",
		"pile foo -n 5":     "too many",
		"pile -n 5 drum":    "too many",
		"foo":               "no example",
		"pile -":            "too many",
		"-":                 "no example",
		"pile -n five":      "invalid value",
		"pile -- drum":      "too many",
		"pile -n 5 -m drum": "not defined",
	} {
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		n := flags.Int("n", 0, "")
		name, err := ParseArgs(flags, strings.Fields(line))
		got := fmt.Sprint(name, " ", *n)
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
