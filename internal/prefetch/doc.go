// Package prefetch loads memory into the caches before it is read. It changes no result.
package prefetch
