//go:build !js

package catalog

import (
	"flag"
	"fmt"
	"strings"
)

// ParseArgs parses a command line: at most one name of an example, and flags before and after it.
// The name is empty if there is none.
func ParseArgs(flags *flag.FlagSet, args []string) (name string, err error) {
	for len(args) > 0 {
		if len(args[0]) > 1 && args[0][0] == '-' {
			if err := flags.Parse(args); err != nil {
				return "", err
			}
			args = flags.Args()
			continue
		}
		if name != "" {
			return "", fmt.Errorf("there is an example too many: %q after %q", args[0], name)
		}
		name, args = args[0], args[1:]
		if _, ok := Find(name); !ok {
			return "", fmt.Errorf("there is no example %q; there are %s", name, strings.Join(names(), ", "))
		}
	}
	return name, nil
}

// names returns the names of all examples.
func names() (all []string) {
	for _, e := range Entries {
		all = append(all, e.Name)
	}
	return all
}
