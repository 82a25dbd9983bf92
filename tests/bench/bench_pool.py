#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the time of a task that is handed to a pool, and of a task for which a thread or process is
created, with a bare program that does the same, in turn. Then computes the length of a task from which
the pool saves less than 3 % of the CPU time, from both programs' costs of creation.

    bench_pool.py TUIBENCH BARE [PAIRS]
"""

import json
import subprocess
import sys
from statistics import median

from terminal import in_turn, report

TASKS, TERMS = 1000, 5000
# The runs are short. Take the least of several, because other programs only add time.
RUNS = 5
# The limits of the ratios. A task created for one piece also reports its CPU time, faults and cores.
MOST = {"pool": 1.15, "threads": 1.3, "prefork": 1.15, "processes": 1.4}


def ours(tuibench, model):
    done = subprocess.run([tuibench, "--batch", "--no-log", "--format", "json", "pool", "-m",
                           model, "-s", f"size={TERMS}", "-s", "tasks=" + str(TASKS), "-w", "fp=2",
                           "--trials", str(RUNS), "--warmup", "0"],
                          check=True, capture_output=True, text=True, timeout=120)
    runs = json.loads(done.stdout)["runs"]
    assert all(one["tasks"] == TASKS for one in runs)
    return (min(1e6 * one["elapsed_ms"] / TASKS for one in runs),
            min(1e6 * one["cpu_ms"] / TASKS for one in runs))


def bare(program, model):
    found = []
    for _ in range(RUNS):
        done = subprocess.run([program, model, str(TASKS), str(TERMS)], check=True,
                              capture_output=True, text=True, timeout=120)
        elapsed, cpu, tasks = done.stdout.split()
        assert int(tasks) == TASKS
        found.append((float(elapsed), float(cpu)))
    return min(one[0] for one in found), min(one[1] for one in found)


def main():
    tuibench, program = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 11
    kept, cpu = True, {}
    for model, most in MOST.items():
        found = in_turn({"ours": lambda: ours(tuibench, model),
                         "bare": lambda: bare(program, model)}, pairs)
        for i, what in enumerate(("elapsed", "CPU time")):
            a, b = ([one[i] for one in found[name]] for name in ("ours", "bare"))
            print(f"  {model}, {what} of a task: {median(a) / 1e3:.2f} us, "
                  f"bare {median(b) / 1e3:.2f} us")
            kept &= report(f"{model}, {what}: tuibench / bare",
                           [x / y for x, y in zip(a, b)], most)
            cpu[model] = median(a), median(b)
    for pool, each in (("pool", "threads"), ("prefork", "processes")):
        length = [(cpu[each][i] - cpu[pool][i]) / 0.03 / 1e6 for i in (0, 1)]
        print(f"  {each} by {pool}: less than 3 % of the CPU time from {length[0]:.2f} ms on, "
              f"bare {length[1]:.2f} ms")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
