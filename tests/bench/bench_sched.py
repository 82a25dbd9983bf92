#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what it costs that workers note when they are on a core: CPU time of the model and elapsed time
with -s sched=own, compared with -s sched=off, in turn. Does so for sets that share the cores, and for a
single worker of each kind.

    bench_sched.py TUIBENCH [PAIRS]
"""

import json
import subprocess
import sys

from terminal import report

BOUND = 1.01
SETS = {
    "mixed": ["-w", "cpu=6,io=2", "-s", "cpu.size=50M", "-s", "io.size=64M"],
    "cpu": ["-w", "cpu=1"],
    "cpu -s alloc=400": ["-w", "cpu=1", "-s", "alloc=400", "-s", "cpu.size=10M"],
    "fp": ["-w", "fp=1"],
    "mem": ["-w", "mem=1"],
    "mem of 64K": ["-w", "mem=64", "-s", "mem.size=64K"],
    "io": ["-w", "io=1", "-s", "io.size=256M"],
    "write": ["-w", "write=1"],
}


def run(tuibench, sched, model, args):
    done = subprocess.run([tuibench, "--batch", "--no-log", "--format", "json", "-s", "sched=" + sched,
                           "--models", model, "--trials", "1", "--warmup", "0", *args],
                          check=True, capture_output=True, text=True, timeout=120)
    one = json.loads(done.stdout)["runs"][0]
    return one["cpu_ms"], one["elapsed_ms"]


def main():
    tuibench = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 21
    kept = True
    for name, args in SETS.items():
        for model in ("threads", "processes"):
            found = []
            for i in range(pairs):
                order = ("own", "off") if i % 2 else ("off", "own")
                figures = {sched: run(tuibench, sched, model, args) for sched in order}
                found.append((figures["own"], figures["off"]))
            kept &= report(f"{name}, {model}, CPU time: -s sched=own / off",
                           [own[0] / off[0] for own, off in found], BOUND)
            report(f"{name}, {model}, elapsed: -s sched=own / off",
                   [own[1] / off[1] for own, off in found], BOUND)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
