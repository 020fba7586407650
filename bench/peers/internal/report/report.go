// Package report turns measured runs into the tables and pictures of docs/benchmarks.md.
package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dango-physics/dango/bench/internal/check"
	"github.com/dango-physics/dango/bench/peers/internal/runner"
	"github.com/dango-physics/dango/bench/peers/internal/scenes"
)

// Result is the result of one engine in one mode on one scene: a row of a table.
type Result struct {
	Engine  string // name for tables
	Version string
	How     string // language and precision
	Mode    string
	Scene   string

	Lines   []runner.Line // one a run
	Before  []runner.Line // of dango with one worker, right before each run
	After   []runner.Line // and right after
	Failure string        // why there is no figure; "" if there is one

	Step   float64   // seconds
	Every  int       // steps between frames
	Energy []float64 // over energy at the start, by frame; none where that was 0
	Worst  check.Worst
}

// Name returns what the engine is called in pictures.
func (r Result) Name() string { return r.Engine + ", " + r.Mode }

// Bounds of the verdicts. A run is exact if all errors are rounding errors. Errors of 1 % are not
// visible in a game, and possible with single precision. A sphere is at rest if its speed is less
// than a hundredth of the speed that gravity adds in a step.
const (
	exact  = 1e-9
	near   = 0.01
	atRest = 0.01 * 9.81 / 60 // m/s
)

// Verdict returns the result of the checks in a few words.
func (r Result) Verdict() string {
	if r.Failure != "" {
		return r.Failure
	}
	name, err := scenes.Parse(r.Scene)
	if err != nil {
		return err.Error()
	}
	w := r.Worst
	moves := !name.Elastic() && w.Fastest > atRest
	drift := 0.0
	if name.Elastic() {
		drift = w.Drift
	}
	worst := max(w.Overlap, w.Sunk, drift)
	switch {
	case w.NaN+w.Escaped == 0 && !moves && worst <= exact:
		return "exact"
	case w.NaN+w.Escaped == 0 && !moves && worst <= near:
		return "within 1 %"
	}
	var wrong []string
	for _, c := range []struct {
		is   bool
		text string
	}{
		{w.NaN > 0, "not numbers"},
		{drift > near, "energy"},
		{w.Overlap > near, "overlaps"},
		{w.Escaped > 0, "escapes"},
		{w.Escaped == 0 && w.Sunk > near, "walls"},
		{moves, "not at rest"},
	} {
		if c.is {
			wrong = append(wrong, c.text)
		}
	}
	return strings.Join(wrong, ", ")
}

// quoted returns the figure that lines are compared by.
type quoted func(runner.Line) float64

// figure picks the median of the later half of the steps, or that of all steps where some runner
// prints no other.
func figure(results []Result) (quoted, string) {
	for _, r := range results {
		for _, lines := range [][]runner.Line{r.Lines, r.Before, r.After} {
			if slices.ContainsFunc(lines, func(l runner.Line) bool { return l.Later == 0 }) {
				return func(l runner.Line) float64 { return l.Median }, "median of all steps"
			}
		}
	}
	return func(l runner.Line) float64 { return l.Later }, "median of the later half of the steps"
}

// milliseconds returns the time of a step: the median of the runs.
func (r Result) milliseconds(of quoted) float64 {
	var ms []float64
	for _, l := range r.Lines {
		ms = append(ms, of(l))
	}
	return runner.Median(ms)
}

// ratio returns how many times the time of dango right before and after the run takes: the median
// of the runs.
func (r Result) ratio(of quoted) float64 {
	var ratios []float64
	for i, l := range r.Lines {
		if i < len(r.Before) && i < len(r.After) {
			ratios = append(ratios, 2*of(l)/(of(r.Before[i])+of(r.After[i])))
		}
	}
	return runner.Median(ratios)
}

// Tables returns one table a scene, in the order of their first results.
func Tables(results []Result) string {
	var out strings.Builder
	for _, group := range byScene(results) {
		name, err := scenes.Parse(group[0].Scene)
		if err != nil {
			continue // made of parsed names
		}
		of, what := figure(group)
		fmt.Fprintf(
			&out, "### %s %d\n\n%s%s; ", name.Kind, name.N, strings.ToUpper(name.Describe()[:1]),
			name.Describe()[1:],
		)
		steps := 0
		for _, r := range group {
			for _, l := range r.Lines {
				steps = l.Steps
			}
		}
		fmt.Fprintf(&out, "%d steps. Time: %s.\n\n", steps, what)
		kept := "energy at the end"
		if !name.Elastic() {
			kept = "fastest at the end, m/s"
		}
		fmt.Fprintf(
			&out,
			"| engine | mode | ms a step | times dango's | %s | deepest overlap / radius | in a wall / radius | "+
				"escaped | verdict |\n",
			kept,
		)
		out.WriteString("|---|---|--:|--:|--:|--:|--:|--:|---|\n")
		for _, r := range group {
			out.WriteString(r.row(of, name))
		}
		out.WriteString("\n")
	}
	return out.String()
}

// row returns a line of a table.
func (r Result) row(of quoted, name scenes.Name) string {
	engine := r.Engine
	if r.Version != "" {
		engine += " " + r.Version
	}
	cells := []string{engine + ", " + r.How, r.Mode}
	if r.Failure != "" {
		cells = append(cells, "", "", "", "", "", "", r.Verdict())
		return "| " + strings.Join(cells, " | ") + " |\n"
	}
	ms := Digits(r.milliseconds(of))
	times := ""
	if ratio := r.ratio(of); ratio > 0 {
		times = Digits(ratio)
	} else { // the reference: the range of its own runs is the noise of the machine
		low, high := of(r.Lines[0]), of(r.Lines[0])
		for _, l := range r.Lines {
			low, high = min(low, of(l)), max(high, of(l))
		}
		times = "1"
		if len(r.Lines) > 1 {
			ms += fmt.Sprintf(" (%s to %s)", Digits(low), Digits(high))
		}
	}
	kept := Energy(r.Worst.Ratio)
	if !name.Elastic() {
		kept = Digits(r.Worst.Fastest)
	}
	cells = append(
		cells, ms, times, kept, Digits(r.Worst.Overlap), Digits(r.Worst.Sunk), strconv.Itoa(r.Worst.Escaped),
		r.Verdict(),
	)
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// byScene groups results, in the order of their first ones.
func byScene(results []Result) [][]Result {
	var groups [][]Result
	for _, r := range results {
		i := slices.IndexFunc(groups, func(g []Result) bool { return g[0].Scene == r.Scene })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// Digits formats a number with three significant digits or more, or in exponential notation if it
// is far from 1.
func Digits(x float64) string {
	switch a := math.Abs(x); {
	case x == 0:
		return "0"
	case a < 0.001 || a >= 1e6:
		return strconv.FormatFloat(x, 'e', 0, 64)
	case a < 100:
		return strconv.FormatFloat(x, 'f', 2-int(math.Floor(math.Log10(a))), 64)
	default:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
}

// Energy formats a ratio of energies, as the difference from 1 if it is close to 1.
func Energy(ratio float64) string {
	switch d := ratio - 1; {
	case d == 0:
		return "1"
	case d > 0 && d < 0.001:
		return fmt.Sprintf("1 + %.0e", d)
	case d < 0 && d > -0.001:
		return fmt.Sprintf("1 - %.0e", -d)
	case math.Abs(d) < 0.1:
		return strconv.FormatFloat(ratio, 'f', 3, 64)
	default:
		return Digits(ratio)
	}
}

// The markers between which [Insert] keeps what was measured.
const (
	Begin = "<!-- peers:begin -->"
	End   = "<!-- peers:end -->"
)

// Insert returns page with text between the markers. A page without markers is an error, unless it
// is empty.
func Insert(page, text string) (string, error) {
	if page == "" {
		page = "# Benchmarks\n\n" + Begin + "\n" + End + "\n"
	}
	begin, end := strings.Index(page, Begin), strings.Index(page, End)
	if begin < 0 || end < begin {
		return "", fmt.Errorf("no line %s with a line %s after it", Begin, End)
	}
	return page[:begin+len(Begin)] + "\n" + strings.TrimSpace(text) + "\n" + page[end:], nil
}
