package stage

import "errors"

// writeFile fails, because a page can't write files.
func writeFile(string, []byte) error { return errors.New("a web page can't write files") }
