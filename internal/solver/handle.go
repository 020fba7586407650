package solver

// Handle names a body or a surface to the users of this package. Inside, and in the entries of the
// log, its value is an int32 called code.
type Handle int32

// BodyHandle returns the handle of the body with an id, which is the id.
func BodyHandle(id int32) Handle { return Handle(id) }

// SurfaceHandle returns the handle of surface k.
func SurfaceHandle(k int32) Handle { return Handle(codeOf(k)) }

// IsSurface reports whether h names a surface, and not a body.
func (h Handle) IsSurface() bool { return int32(h) <= surfaceCode }

// Surface returns the number of the surface that h names.
func (h Handle) Surface() int32 { return surfaceOf(int32(h)) }

// Body returns the id of the body that h names.
func (h Handle) Body() int32 { return int32(h) }

// codeOf returns the code of surface k.
func codeOf(k int32) int32 { return surfaceCode - k }

// surfaceOf returns the surface that a code names.
func surfaceOf(code int32) int32 { return surfaceCode - code }
