package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"time"

	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/collide"
)

func main() {
	mu := flag.Float64("mu", 0.3, "")
	secs := flag.Float64("secs", 10, "")
	every := flag.Int("every", 60, "")
	prof := flag.String("prof", "", "")
	from := flag.Int("from", 0, "")
	flag.Parse()
	f, _ := os.Open(flag.Arg(0))
	sc, err := scene.Read(f)
	if err != nil {
		panic(err)
	}
	sc.Friction = *mu
	w := scene.Options{Workers: 1}.NewWorld(sc)
	n := len(sc.Spheres)
	last := make([]collide.Vec3, n)
	var times []float64
	worst := 0.0
	for step := 1; step <= int(*secs*60); step++ {
		if *prof != "" && step == *from {
			f, _ := os.Create(*prof)
			pprof.StartCPUProfile(f)
			defer pprof.StopCPUProfile()
		}
		t := time.Now()
		w.Step()
		times = append(times, time.Since(t).Seconds()*1e3)
		if step%*every != 0 && *every > 10 && n > 2000 {
			continue
		}
		r := sc.MeasureNear(w)
		worst = max(worst, r.Overlap, r.Sunk)
		if step%*every != 0 {
			continue
		}
		fast, moved, ke, pe := 0.0, 0.0, 0.0, 0.0
		for i := range n {
			x, v := w.Motion(i)
			fast = max(fast, v.Length())
			moved = max(moved, x.Distance(last[i]))
			last[i] = x
			ke += v.LengthSquared() / 2
			pe += x.Y * 9.81
		}
		slices.Sort(times)
		st := w.Physics.Stats()
		fmt.Printf("t=%4.1f fast=%.2e ke=%.2e pe=%.6e moved=%.1e pen=%.1e worst=%.1e impacts=%d spent=%d rounds=%d ms=%.2f (g%v b%v s%v r%v)\n", float64(step)/60, fast, ke, pe, moved, max(r.Overlap, r.Sunk), worst, st.Impacts, st.SpentBudgets, 0, times[len(times)/2], st.Gather, st.Broadphase, st.Sweep, st.Response)
		times = times[:0]
	}
}
