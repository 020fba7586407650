// Package slow marks the tests that take too long on slow targets, each with the reason why it may
// be left out there.
//
// slow.go has the targets, [Skip], and how many random cases and steps a test runs: [Cases] and
// [Steps]. race_on.go and race_off.go say whether the race detector is on.
package slow
