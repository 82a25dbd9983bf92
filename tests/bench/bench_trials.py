#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what a trial costs the front end in a long session and in a short one: its CPU time for each of
1,500 trials with that for each of 150, in turn, without a screen and with one. The cost of a trial grows
only with the logarithm of their number.

    bench_trials.py TUIBENCH [PAIRS]
"""

import resource
import subprocess
import sys

from terminal import Terminal, in_turn, report

LIMIT = 600
FEW, MANY, BOUND = 150, 1500, 1.3


def session(trials):
    return ["-m", "threads,processes", "-w", "null=1", "-n", str(trials), "--warmup", "0", "--no-log"]


def children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def batch(tuibench, trials):
    """Returns the CPU time of a session. It includes the runners, whose time is the same for each trial."""
    before = children_s()
    subprocess.run([tuibench, "--batch", *session(trials)], check=True, capture_output=True, timeout=LIMIT)
    return (children_s() - before) / trials


def screen(tuibench, trials):
    before = children_s()
    status = Terminal([tuibench, "--exit", *session(trials)]).wait(LIMIT)
    if status:
        raise SystemExit(f"with a screen: status {status}")
    return (children_s() - before) / trials


def main():
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    kept = True
    for name, run in ("without a screen", batch), ("on a screen", screen):
        found = in_turn({trials: lambda trials=trials, run=run: run(sys.argv[1], trials)
                         for trials in (FEW, MANY)}, pairs)
        ratios = [a / b for a, b in zip(found[MANY], found[FEW])]
        kept &= report(f"a trial of {MANY}, {name} / of {FEW}", ratios, BOUND)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
