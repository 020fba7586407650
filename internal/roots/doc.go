// Package roots finds the first root of a polynomial whose coefficients are known with an error
// bound, for times of impact that no quadratic gives: of rotating shapes and of parabolas.
//
// Polynomials are in Bernstein form on the interval 0 to 1. Their values lie between the smallest
// and the largest coefficient, so coefficients without a negative one prove that there is no root.
// One change of sign among them means one root (Descartes' rule of signs); with more, the interval
// is halved (de Casteljau's algorithm), which makes the coefficients approach the values. The
// method is that of Lane and Riesenfeld (Bounds on a polynomial, 1981), with a bound for rounding.
//
// Only sums, and products that are rounded by themselves, are used, so results have the same bits
// on all platforms. Nothing allocates.
//
// Read poly.go (arithmetic with error bounds), then first.go (the search).
package roots
