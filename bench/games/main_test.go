package main

import (
	"io"
	"testing"
)

func TestAllScenesRunWithoutErrors(t *testing.T) {
	if err := run(io.Discard, 12, 20, nil); err != nil {
		t.Error(err)
	}
	if err := run(io.Discard, 12, 20, []string{"lift", "lfit"}); err == nil {
		t.Error("lfit: no error")
	}
}
