package grow

import "slices"

// Resize returns list with n elements, which may have any values.
func Resize[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n, n+n/4)
	}
	return list[:n]
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
