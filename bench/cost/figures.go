package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// figure is the cost of one scene.
type figure struct {
	Scene        string
	Instructions float64 // a step
	Tests        float64 // a step, of a pair for a time of impact
	Impacts      float64 // a step; not a cost, but shows that the scene is the same
	Bytes        float64 // a sphere or polygon, on the heap, without the entities
	Allocations  float64 // a step
}

// figures are the costs of all scenes with one version of Go.
type figures struct {
	Go   string
	Rows []figure
}

// columns are the compared quantities and the allowed increases.
//
// Instructions repeat to 0.1 %. Other processors need up to 1.2 % more, because memmove and
// math.FMA have variants; GODEBUG=cpu.all=off adds as much. A superfluous product in each pair test
// is 1.9 % of a gas. Changes of algorithms show in the number of tests, which repeats exactly.
// Bytes depend on the growth of slices. A step must not allocate; the tolerance is for the Go
// runtime.
var columns = []struct {
	name    string
	value   func(figure) float64
	percent float64
	more    float64 // besides the percentage
}{
	{"instructions", func(f figure) float64 { return f.Instructions }, 1.5, 0},
	{"tests", func(f figure) float64 { return f.Tests }, 3, 1},
	{"bytes", func(f figure) float64 { return f.Bytes }, 10, 16},
	{"allocations", func(f figure) float64 { return f.Allocations }, 0, 0.5},
}

// excess is a cost that has increased by more than allowed.
type excess struct {
	scene, column string
	was, now      float64
}

func (e excess) String() string {
	if e.was < 1 {
		return fmt.Sprintf("%s: %.0f %s, and there was none", e.scene, e.now, e.column)
	}
	return fmt.Sprintf("%s: %.0f %s, %.1f %% more than %.0f", e.scene, e.now, e.column, 100*(e.now/e.was-1), e.was)
}

// worse returns the costs that have increased by more than allowed.
func (now figures) worse(was figures) []excess {
	var worse []excess
	for _, f := range now.Rows {
		before, _ := was.of(f.Scene)
		for _, c := range columns {
			if c.name == "instructions" && minor(now.Go) != minor(was.Go) {
				continue
			}
			if a, b := c.value(before), c.value(f); b > a*(1+c.percent/100)+c.more {
				worse = append(worse, excess{f.Scene, c.name, a, b})
			}
		}
	}
	return worse
}

// of returns the figure of a scene.
func (f figures) of(scene string) (figure, bool) {
	i := slices.IndexFunc(f.Rows, func(r figure) bool { return r.Scene == scene })
	if i < 0 {
		return figure{}, false
	}
	return f.Rows[i], true
}

// minor returns the Go version without its patch, such as go1.26: other compilers generate other
// instructions.
func minor(version string) string {
	return regexp.MustCompile(`^go\d+\.\d+`).FindString(version)
}

const head = `# What a step costs, counted by go run ./bench/cost -renew, compiled by %s for amd64.
# scene, a step: instructions, tests of a pair, impacts; bytes a thing; allocations a step
`

// String returns the text of a file of figures.
func (f figures) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, head, f.Go)
	for _, r := range f.Rows {
		fmt.Fprintf(
			&b, "%s %.0f %.1f %.1f %.0f %.2f\n", r.Scene, r.Instructions, r.Tests, r.Impacts, r.Bytes,
			r.Allocations,
		)
	}
	return b.String()
}

// parse reads a file of figures.
func parse(text string) (figures, error) {
	var f figures
	version := regexp.MustCompile(`compiled by (\S+)`).FindStringSubmatch(text)
	if version == nil {
		return f, fmt.Errorf("it doesn't say which Go compiled what was counted")
	}
	f.Go = version[1]
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		var r figure
		if _, err := fmt.Sscan(
			line, &r.Scene, &r.Instructions, &r.Tests, &r.Impacts, &r.Bytes, &r.Allocations,
		); err != nil {
			return f, fmt.Errorf("%q: %w", strings.TrimSpace(line), err)
		}
		f.Rows = append(f.Rows, r)
	}
	return f, nil
}

// beside returns a table of the figures and the former ones.
func (now figures) beside(was figures) string {
	var b strings.Builder
	if minor(now.Go) != minor(was.Go) {
		fmt.Fprintf(&b, "%s compiled the figures and %s this: instructions are not compared\n", was.Go, now.Go)
	}
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "scene\t")
	for _, c := range columns {
		fmt.Fprintf(table, "%s\twas\t", c.name)
	}
	fmt.Fprintln(table)
	for _, f := range now.Rows {
		before, _ := was.of(f.Scene)
		fmt.Fprintf(table, "%s\t", f.Scene)
		for _, c := range columns {
			fmt.Fprintf(table, "%.0f\t%.0f\t", c.value(f), c.value(before))
		}
		fmt.Fprintln(table)
	}
	table.Flush()
	return b.String()
}

// total returns the number of instructions in a file of callgrind.
func total(profile string) (float64, error) {
	m := regexp.MustCompile(`(?m)^(?:totals|summary): (\d+)`).FindStringSubmatch(profile)
	if m == nil {
		return 0, fmt.Errorf("callgrind counted nothing")
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if n == 0 {
		return 0, fmt.Errorf("callgrind never came into main.measured")
	}
	return n, err
}

// hottest returns the functions with the most instructions in a file of callgrind. Inlined calls
// count, other calls don't.
func hottest(profile string, most int) string {
	names, counts := map[string]string{}, map[string]float64{}
	var in string
	var sum float64
	called := false
	for line := range strings.Lines(profile) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "fn="):
			id, name, named := strings.Cut(strings.TrimPrefix(line, "fn="), " ")
			if named {
				names[id] = name
			}
			in = id
		case strings.HasPrefix(line, "cfn="):
			if id, name, named := strings.Cut(strings.TrimPrefix(line, "cfn="), " "); named {
				names[id] = name
			}
		case strings.HasPrefix(line, "calls="):
			called = true // the next line is what the call cost
		case line != "" && strings.ContainsRune("0123456789+-*", rune(line[0])):
			if fields := strings.Fields(line); !called && len(fields) == 2 {
				n, err := strconv.ParseFloat(fields[1], 64)
				if err == nil {
					counts[in] += n
					sum += n
				}
			}
			called = false
		}
	}
	ids := make([]string, 0, len(counts))
	for id := range counts {
		ids = append(ids, id)
	}
	slices.SortFunc(
		ids, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) },
	)
	var b strings.Builder
	for _, id := range ids[:min(most, len(ids))] {
		fmt.Fprintf(&b, "%8.1f %%  %s\n", 100*counts[id]/sum, short(names[id]))
	}
	return b.String()
}

// short returns the name of a function without the host of its package and without type arguments.
func short(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name[strings.LastIndex(name, "/")+1:]
}
