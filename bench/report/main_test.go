package main

import (
	"strings"
	"testing"
)

func TestBetweenReplacesOneSection(t *testing.T) {
	const page = "a\n<!-- x:begin -->\nold\n<!-- x:end -->\nb\n<!-- y:begin -->\n<!-- y:end -->\n"
	const want = "a\n<!-- x:begin -->\nnew\n<!-- x:end -->\nb\n<!-- y:begin -->\n<!-- y:end -->\n"
	if got, err := between(page, "x", "new\n"); got != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for _, marker := range []string{"z", ""} {
		if got, err := between(page, marker, "new\n"); err == nil {
			t.Errorf("%q: got %q, want an error", marker, got)
		}
	}
}

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.000", 0.0456: "0.046", 1.236: "1.24", 12.34: "12.3", 123.6: "124", 1234567: "1,234,567",
	} {
		if got := digits(x); got != want {
			t.Errorf("%v: got %q, want %q", x, got, want)
		}
	}
}

func TestNextGoesByOneTwoFive(t *testing.T) {
	n := 100
	for _, want := range []int{
		200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
	} {
		if n = next(n); n != want {
			t.Fatalf("got %d, want %d", n, want)
		}
	}
}

func TestDrawPutsPointsWhereTheyBelong(t *testing.T) {
	svg := draw(
		"Cost & more", "bodies", []line{{"gas", []point{{100, 400}, {1000, 1000}, {10_000, 0}}}, {"empty", nil}},
	)
	for _, part := range []string{
		"Cost &amp; more", `points="80.0,236.0 365.0,50.0 650.0,360.0"`, ">1,000</text>", ">gas</text>",
	} {
		if !strings.Contains(svg, part) {
			t.Errorf("no %q in %s", part, svg)
		}
	}
}
