package grow

import "slices"

// Resize returns list with n elements, which may have any values. A new list has no room for more,
// since many never grow; one that grows gets room for a quarter more at least.
func Resize[T any](list []T, n int) []T {
	return slices.Grow(list[:0], n)[:n]
}

// Extend returns list with at least n elements. New elements are zero.
func Extend[T any](list []T, n int) []T {
	was := len(list)
	if n <= was {
		return list
	}
	list = slices.Grow(list, n-was)[:n]
	clear(list[was:])
	return list
}

// Fill appends value to list until it has n elements.
func Fill[T any](list []T, n int, value T) []T {
	for len(list) < n {
		list = append(list, value)
	}
	return list
}
