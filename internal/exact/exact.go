package exact

import (
	"math/big"

	"github.com/dango-physics/dango/collide"
)

// bits is the precision of all numbers. With fewer, sums and products of ordinary coordinates would
// be rounded; with more, tests would be slower.
const bits = 1200

// Num is an immutable number of 1200 bits.
type Num struct{ f *big.Float }

// Of returns x, which must be finite or infinite but not NaN.
func Of(x float64) Num { return Num{new(big.Float).SetPrec(bits).SetFloat64(x)} }

// fresh returns a new number of 1200 bits.
func fresh() *big.Float { return new(big.Float).SetPrec(bits) }

// Add returns a + b.
func (a Num) Add(b Num) Num { return Num{fresh().Add(a.f, b.f)} }

// Sub returns a - b.
func (a Num) Sub(b Num) Num { return Num{fresh().Sub(a.f, b.f)} }

// Mul returns a·b.
func (a Num) Mul(b Num) Num { return Num{fresh().Mul(a.f, b.f)} }

// Div returns a/b.
func (a Num) Div(b Num) Num { return Num{fresh().Quo(a.f, b.f)} }

// Sqrt returns the square root of a, which must not be negative.
func (a Num) Sqrt() Num { return Num{fresh().Sqrt(a.f)} }

// Neg returns -a.
func (a Num) Neg() Num { return Num{fresh().Neg(a.f)} }

// Abs returns |a|.
func (a Num) Abs() Num { return Num{fresh().Abs(a.f)} }

// Sign returns -1, 0 or 1.
func (a Num) Sign() int { return a.f.Sign() }

// Cmp returns -1, 0 or 1 for a < b, a == b and a > b.
func (a Num) Cmp(b Num) int { return a.f.Cmp(b.f) }

// Float returns the float64 nearest to a.
func (a Num) Float() float64 {
	x, _ := a.f.Float64()
	return x
}

// Vec is a vector of three numbers.
type Vec struct{ X, Y, Z Num }

// OfVec returns v as a Vec.
func OfVec(v collide.Vec3) Vec { return Vec{Of(v.X), Of(v.Y), Of(v.Z)} }

// Sub returns a - b.
func (a Vec) Sub(b Vec) Vec { return Vec{a.X.Sub(b.X), a.Y.Sub(b.Y), a.Z.Sub(b.Z)} }

// Neg returns -a.
func (a Vec) Neg() Vec { return Vec{a.X.Neg(), a.Y.Neg(), a.Z.Neg()} }

// Add returns a + b.
func (a Vec) Add(b Vec) Vec { return Vec{a.X.Add(b.X), a.Y.Add(b.Y), a.Z.Add(b.Z)} }

// Scale returns s·a.
func (a Vec) Scale(s Num) Vec { return Vec{a.X.Mul(s), a.Y.Mul(s), a.Z.Mul(s)} }

// Dot returns a·b.
func (a Vec) Dot(b Vec) Num { return a.X.Mul(b.X).Add(a.Y.Mul(b.Y)).Add(a.Z.Mul(b.Z)) }

// Cross returns a×b.
func (a Vec) Cross(b Vec) Vec {
	return Vec{
		a.Y.Mul(b.Z).Sub(a.Z.Mul(b.Y)),
		a.Z.Mul(b.X).Sub(a.X.Mul(b.Z)),
		a.X.Mul(b.Y).Sub(a.Y.Mul(b.X)),
	}
}
