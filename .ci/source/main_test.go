package main

import (
	"slices"
	"strings"
	"testing"
)

func TestLongLinesAreFound(t *testing.T) {
	long := func(n int) string { return strings.Repeat("é ", n/2) }
	for _, c := range []struct {
		name, line string
		want       bool
	}{
		{"a comment of 100 columns", "// " + long(97)[:len(long(97))-1] + "é", false},
		{"a comment of 101 columns", "// " + long(98), true},
		{"a comment that is indented", "\t\t// " + long(90), true},
		{"code of 120 columns", "x := " + long(115)[:len(long(115))-1] + "é", false},
		{"code of 121 columns", "x := " + long(116), true},
		{"code with a comment", "x := 1 // " + long(112), true},
		{"an address", "// https://" + strings.Repeat("x", 200), false},
		{"a directive", "//go:build " + long(200), false},
	} {
		if got := longLines([]byte("package p\n" + c.line + "\n")); len(got) > 0 != c.want {
			t.Errorf("%s: got %v, want a finding: %v", c.name, got, c.want)
		}
	}
}

func TestTermsAreFoundInNamesAndComments(t *testing.T) {
	const text = `package p

import "strings"

// A whirl turns. The rest is held still.
type seatOf struct{ held int }

func f(cutter string) bool {
	a, ok, Still := strings.Cut(cutter, "still")
	tie2 := a
	/* one
	   nap */
	return tie2 == "" && Still && ok
}
`
	terms := newTerms("whirl=solverSpin nap", "seat=solverBody tie", "held still cut ok", "p:ok q:Still")
	got, err := terms.check("p/p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []finding{
		{5, `comment: "whirl" is a private term, say solverSpin`},
		{6, `seatOf: "seat" is a private term, say solverBody`},
		{6, `held: "held" is a private term`},
		{9, `Still: "still" is a private term`},
		{10, `tie2: "tie" is a private term`},
		{12, `comment: "nap" is a private term`},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCamelTakesNamesApart(t *testing.T) {
	for name, want := range map[string][]string{
		"mayHold":      {"may", "hold"},
		"Hold":         {"hold"},
		"AABBSeat":     {"aabb", "seat"},
		"tie_up2x":     {"tie", "up", "x"},
		"TestNoJamIDs": {"test", "no", "jam", "i", "ds"},
	} {
		if got := camel(name); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
