#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks how often a verdict names a winner: for two equal models, and for two sizes of work that differ
by 3 %.

    bench_aa.py TUIBENCH [SAME [SLOWER]]

Compares threads with threads SAME times, with 6 to 20 pairs. At most 5 % of the comparisons may name a
winner. Compares one size with 1.03 times that size SLOWER times, with 20 pairs. At least 95 % of these
must name the smaller size. A rate fails only if its whole 95 % interval (Clopper & Pearson, 1934) is
on the wrong side of the bound. The second part needs a quiet machine, so the number of sessions that
other programs disturbed is printed, too.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import time

SIZE = 3000000  # 10 to 20 ms of one core, as most cores are
LONGER = 10000000  # size for the second part, whose single worker leaves the other cores free
SLOWER = 1.03
SECONDS = 280   # for each of the two parts, so that both end within 10 minutes


def tail(n, k, p):
    """The probability of at least k successes in n trials, each with the probability p."""
    return sum(math.comb(n, i) * p ** i * (1 - p) ** (n - i) for i in range(k, n + 1))


def bisect(below):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return low


def interval(k, n):
    low = bisect(lambda p: tail(n, k, p) < 0.025) if k else 0.0
    high = bisect(lambda p: 1 - tail(n, k + 1, p) > 0.025) if k < n else 1.0
    return low, high


def session(tuibench, pairs, args):
    """Returns the result, and whether other programs used the cores meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        out = subprocess.run(
            [tuibench, "--batch", "--format", "json", "--no-log",
             "--trials", str(pairs), "--warmup", "0"] + args,
            check=True, capture_output=True, timeout=120,
            env=dict(os.environ, XDG_STATE_HOME=folder)).stdout
    result = json.loads(out)
    return result, any(w["kind"] in ("busy", "steal") for w in result["warnings"])


def compare_equals(tuibench, pairs):
    result, disturbed = session(tuibench, pairs, [
        "--models", "threads,threads", "-w", "cpu=2", "-s", f"cpu.size={SIZE}"])
    found = [c for c in result["comparisons"] if c["metric"] == "elapsed_ms"]
    assert len(found) == 1 and found[0]["pairs"] == pairs, found
    return found[0]["verdict"], disturbed


# The largest rank sum that rejects at 5 %, two-sided, for 20 pairs, from a table of the signed-rank
# test. So 52 of the 210 Walsh averages are outside the interval on each side.
PAIRS, CRITICAL = 20, 52


def compare_sizes(tuibench):
    """Computes the interval of tuibench's test here, because tuibench does not compare two sizes."""
    sizes = (LONGER, round(LONGER * SLOWER))
    result, disturbed = session(tuibench, PAIRS, [
        "--models", "threads", "-w", "cpu=1", "-s", "size=" + ",".join(map(str, sizes))])
    times = [[run["elapsed_ms"] for run in sorted(result["runs"], key=lambda run: run["trial"])
              if run["variables"]["size"] in (size, str(size))] for size in sizes]
    assert [len(one) for one in times] == [PAIRS, PAIRS], times
    logs = [math.log(b / a) for a, b in zip(*times)]
    walsh = sorted((x + y) / 2 for i, x in enumerate(logs) for y in logs[i:])
    low, high = walsh[CRITICAL], walsh[-1 - CRITICAL]
    return "a" if low > 0 else "b" if high < 0 else "none", disturbed


def count(name, sessions, run):
    """Counts the verdicts. Returns the counts by name, and the number of comparisons."""
    end = time.monotonic() + SECONDS
    names = {"a": 0, "b": 0, "none": 0}
    done = beside = 0
    while done < sessions and time.monotonic() < end:
        verdict, disturbed = run(done)
        names[verdict] += 1
        beside += disturbed
        done += 1
    print(f"{name}: {done} comparisons, {names['a']} for the first, {names['b']} for the second, "
          f"{names['none']} for neither; {beside} beside other programs", flush=True)
    return names, done


def report(text, k, n, kept):
    low, high = interval(k, n)
    print(f"{text}: {k} of {n}, {100 * k / n:.1f} % (95 % interval {100 * low:.1f} to "
          f"{100 * high:.1f}): {'ok' if kept(low, high) else 'FAIL'}", flush=True)
    return kept(low, high)


def main():
    tuibench = sys.argv[1]
    same = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    slower = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    names, n = count("threads against threads", same,
                     lambda i: compare_equals(tuibench, 6 + i % 15))
    kept = report("a winner of equals, at most 5 %", names["a"] + names["b"], n,
                  lambda low, high: low <= 0.05)
    names, n = count("a work of 1.03 times the size", slower, lambda i: compare_sizes(tuibench))
    kept &= report("3 % found at 20 pairs, at least 95 %", names["a"], n,
                   lambda low, high: high >= 0.95)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
