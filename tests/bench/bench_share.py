#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares an increment by two workers that count together, in each of the five ways, with a bare program
that does the same, in turn. If one of the two workers was without a core for a tenth of the time, the
run measures one worker alone. tuibench reports no rate for such a run, and it is left out for the bare
program, too. Both then try again.

    bench_share.py TUIBENCH BARE [PAIRS]
"""

import json
import subprocess
import sys
from statistics import median

from terminal import in_turn, report

# By way: a number of increments that take 5 to 50 ms, and the limit of the ratio. The time of a lock
# depends on which worker gets it: with a spinlock, times of the bare program alone differ by a factor
# of two.
WAYS = {"mutex": (1000000, 1.5), "spinlock": (1000000, 2), "atomic": (2000000, 1.15),
        "false": (4000000, 1.5), "line": (20000000, 1.15)}
TRIES = 60


def until_together(once):
    for _ in range(TRIES):
        ns = once()
        if ns is not None:
            return ns
    return float("nan")


def ours(tuibench, model, way, total):
    done = subprocess.run([tuibench, "--batch", "--no-log", "--format", "json", "share",
                           "-s", "via=" + way, "-m", model, "-s", "workers=2", "-s",
                           f"share.size={total}", "--trials", "1", "--warmup", "0"],
                          check=True, capture_output=True, text=True, timeout=120)
    rate = json.loads(done.stdout)["runs"][0]["steps_per_s"]
    return 1e9 / rate if rate else None


def bare(program, model, way, total):
    done = subprocess.run([program, model, way, str(total)], check=True, capture_output=True,
                          text=True, timeout=120)
    ns, used = map(float, done.stdout.split())
    return ns if used >= 90 or (way == "mutex" and used >= 60) else None


def compare(tuibench, program, model, way, pairs):
    total, most = WAYS[way]
    found = in_turn({"ours": lambda: until_together(lambda: ours(tuibench, model, way, total)),
                     "bare": lambda: until_together(lambda: bare(program, model, way, total))},
                    pairs)
    known = [(a, b) for a, b in zip(found["ours"], found["bare"]) if a == a and b == b]
    if not known:
        print(f"  {way}, {model}: the two had no cores together in {pairs * TRIES} tries")
        return True
    a, b = zip(*known)
    print(f"  {way}, {model}: {median(a):.2f} ns, bare {median(b):.2f} ns, {len(known)} pairs")
    return report(f"{way}, {model}: tuibench / bare", [x / y for x, y in known], most)


def main():
    tuibench, program = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 11
    kept = [compare(tuibench, program, model, way, pairs)
            for way in WAYS for model in ("threads", "processes")]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
