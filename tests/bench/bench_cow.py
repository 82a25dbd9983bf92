#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares a write to the parent's memory with the same write in a bare program, in turn: CPU time of the
writer and page faults for each write, in a process after fork and in a thread.

    bench_cow.py TUIBENCH BARE [PAIRS]
"""

import json
import subprocess
import sys
from statistics import median

from terminal import in_turn, report

MIB = 64
MOST = 1.10
# A thread needs only 0.3 ms. Take the least of several runs, because other programs only add time.
RUNS = {"threads": 15, "processes": 3}


def ours(tuibench, model, percent, pages):
    done = subprocess.run([tuibench, "--batch", "--no-log", "--format", "json", "cow",
                           "--models", model, "-s", f"ballast={MIB}M", "-s", "ballast-pages=" + pages,
                           "-s", f"touch.size={percent}", "--trials", str(RUNS[model]),
                           "--warmup", "0"],
                          check=True, capture_output=True, text=True, timeout=120)
    runs = json.loads(done.stdout)["runs"]
    return (min(one["step_ns"] for one in runs),
            min(one["step_faults"] / one["steps"] for one in runs))


def bare(program, model, percent, pages):
    found = []
    for _ in range(RUNS[model]):
        done = subprocess.run([program, model, str(MIB), str(percent), pages], check=True,
                              capture_output=True, text=True, timeout=120)
        found.append([float(figure) for figure in done.stdout.split()])
    return min(one[0] for one in found), min(one[1] for one in found)


def main():
    tuibench, program = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 31
    kept = True
    for model, percent, pages in (("processes", 100, "small"), ("processes", 25, "small"),
                                  ("processes", 100, "huge"), ("threads", 100, "small")):
        found = in_turn({"ours": lambda: ours(tuibench, model, percent, pages),
                         "bare": lambda: bare(program, model, percent, pages)}, pairs)
        ns, faults = ({name: [one[i] for one in list_] for name, list_ in found.items()}
                      for i in (0, 1))
        what = f"{model}, {percent} % of {MIB} MiB in {pages} pages"
        print(f"  {what}: a write {median(ns['ours']):.1f} ns, bare {median(ns['bare']):.1f} ns; "
              f"faults {median(faults['ours']):.4f}, bare {median(faults['bare']):.4f}")
        ratios = [a / b for a, b in zip(ns["ours"], ns["bare"])]
        kept &= report(f"{what}: tuibench / bare", ratios, MOST)
        kept &= report(f"{what}: bare / tuibench", [1 / ratio for ratio in ratios], MOST)
        kept &= abs(median(faults["ours"]) - median(faults["bare"])) < 0.01
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
