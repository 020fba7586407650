package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// rest runs bench/rest, which prints failed checks on the terminal.
func (r *report) rest() (map[string]string, error) {
	program := filepath.Join(r.dir, "rest")
	if err := build(program, "./bench/rest"); err != nil {
		return nil, err
	}
	args := []string{"-v", "all"}
	if r.quick {
		args = []string{"-v", "-seconds", "1", "-more", "1", "pile:1000", "heap:1000"}
	}
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	table, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 { // a check failed
		r.broken = !r.quick // in one second nothing comes to rest
	} else if err != nil {
		return nil, err
	}
	return map[string]string{"rest": "On " + machine() + ", one worker.\n\n" + string(table)}, nil
}
