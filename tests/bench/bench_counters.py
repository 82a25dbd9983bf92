#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what a group of counters for each worker costs: CPU time of the model, and elapsed time, with
counters and without, in turn. If the processor's counters are not available, measures the kernel's.

    bench_counters.py TUIBENCH [PAIRS]
"""

import json
import os
import subprocess
import sys

from terminal import report

BOUND = 1.01
SETS = {
    "cpu and mem": ["-w", "cpu=4,mem=4", "-s", "cpu.size=20M",
                    "-s", "mem.size=16M"],
    "short ones": ["-w", "cpu=8", "-s", "cpu.size=9200000"],
}


def ask(tuibench, wish, model, args):
    """Returns which counters the session had, and its run."""
    env = {**os.environ, "TUIBENCH_COUNTERS": wish}
    if not wish:
        del env["TUIBENCH_COUNTERS"]
    done = subprocess.run([tuibench, "--batch", "--no-log", "--format", "json", "--models", model,
                           "-s", "sched=own", "--trials", "1", "--warmup", "0", *args],
                          check=True, capture_output=True, text=True, timeout=120, env=env)
    result = json.loads(done.stdout)
    return result["counters"], result["runs"][0]


def wish_of(tuibench, args):
    """Returns the wish for the processor's counters, or for the kernel's if there are none."""
    for wish in ("", "software"):
        said, one = ask(tuibench, wish, "threads", args)
        if one["cycles"] is not None:
            return wish
    sys.exit(f"nothing is counted here: {said}")


def run(tuibench, wish, model, args):
    one = ask(tuibench, wish, model, args)[1]
    return one["cpu_ms"], one["elapsed_ms"]


def main():
    tuibench = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 21
    kept = True
    for name, args in SETS.items():
        wish = wish_of(tuibench, args)
        for model in ("threads", "processes"):
            found = []
            for i in range(pairs):
                order = (wish, "off") if i % 2 else ("off", wish)
                figures = {which: run(tuibench, which, model, args) for which in order}
                found.append((figures[wish], figures["off"]))
            kept &= report(f"{name}, {model}, CPU time: counted / not",
                           [one[0] / other[0] for one, other in found], BOUND)
            report(f"{name}, {model}, elapsed: counted / not",
                   [one[1] / other[1] for one, other in found], BOUND)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
