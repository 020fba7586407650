// Package eventlog records what happened in a step: impacts, and when contacts and sensor
// overlaps began and ended.
//
// Nothing here knows where a body is. Things are named by codes: the id of a body, at least 0, or
// a negative number for a surface. Whether two things still touch is asked of the caller.
//
// Read log.go first: the entries, their order, and how the logs of the subdomains of a parallel
// step become one. contacts.go keeps the list of contacts that are open between steps, and marks
// the entries that begin or end one. adjacency.go finds all list entries of one code without a
// search through the whole list.
package eventlog
