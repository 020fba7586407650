//go:build !js

package stage

import "os"

// writeFile writes a picture to a file.
func writeFile(name string, data []byte) error { return os.WriteFile(name, data, 0o644) }
