#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the creation of a task on one core with a bare program that does the same, in turn: fork and
pthread_create, until the call returns, until the task runs, and until it is joined. Compares the
medians of the sessions.

    bench_creation.py TUIBENCH BARE [PAIRS]
"""

import json
import os
import subprocess
import sys

from terminal import report

CREATIONS = 500
CPU = str(max(os.sched_getaffinity(0)))
SPANS = ["to_caller", "to_task", "joined"]
# The limit for the median ratio, and for its inverse.
MOST = 1.05


def ours(tuibench, primitive):
    done = subprocess.run([tuibench, "--batch", "--no-log", "--format", "json", "creation",
                           "--models", primitive, "-s", "pin=" + CPU, "--trials", "1", "--warmup", "0",
                           "-w", "null=" + str(CREATIONS)],
                          check=True, capture_output=True, text=True, timeout=120)
    place = json.loads(done.stdout)["runs"][0]["latency"]["same_core"]
    assert place["share"] == 1, place
    return [place[span]["p50"] for span in SPANS]


def bare(program, primitive):
    done = subprocess.run([program, primitive, CPU, str(CREATIONS)], check=True,
                          capture_output=True, text=True, timeout=120)
    return [int(figure) for figure in done.stdout.split()]


def pairs_of(tuibench, program, primitive, pairs):
    found = []
    for i in range(pairs):
        if i % 2:
            b = bare(program, primitive)
            a = ours(tuibench, primitive)
        else:
            a = ours(tuibench, primitive)
            b = bare(program, primitive)
        found.append((a, b))
    return found


def main():
    tuibench, program = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 31
    kept = True
    for primitive in ("fork", "pthread_create"):
        found = pairs_of(tuibench, program, primitive, pairs)
        for i, span in enumerate(SPANS):
            ratios = [a[i] / b[i] for a, b in found]
            middle = [sorted(one[side][i] for one in found)[pairs // 2] / 1000 for side in (0, 1)]
            print(f"  {primitive} {span}: {middle[0]:.1f} us, bare {middle[1]:.1f} us")
            kept &= report(f"{primitive} {span} on one core: tuibench / bare", ratios, MOST)
            kept &= report(f"{primitive} {span} on one core: bare / tuibench",
                           [1 / ratio for ratio in ratios], MOST)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
