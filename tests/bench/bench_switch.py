#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares a round trip by pipe with `perf bench sched pipe`, in turn: threads and processes, both on one
core and each on its own core. Compares means over all round trips, and also prints the median. perf
leaves the choice between two cores to the kernel, which wakes a reader on the core of its writer, so
nearly all round trips are on one core. So this program pins perf's tasks to one core each as soon as
they exist, and also prints the time without that. Takes the least of three runs in each turn, because
other programs only add time.

    bench_switch.py TUIBENCH [PAIRS]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from statistics import median

from terminal import in_turn, report

TRIPS, RUNS = 10000, 3
MOST = 1.10
CPUS = sorted(os.sched_getaffinity(0))


def ours(tuibench, model, cpus):
    done = subprocess.run([tuibench, "--batch", "--no-log", "--format", "json", "switch",
                           "-s", "via=pipe", "--models", model, "-s",
                           "pin=" + "+".join(map(str, cpus)), "-s", f"token.size={TRIPS}",
                           "--trials", "1", "--warmup", "0"],
                          check=True, capture_output=True, text=True, timeout=120)
    trips = json.loads(done.stdout)["runs"][0]["operations"]
    assert trips["n"] == TRIPS, trips
    return trips["mean"] / 1000, trips["p50"] / 1000


def tasks_of(pid, model):
    """Returns the two tasks that hand over: all threads but the first one, or a process and its child."""
    if model == "threads":
        return [int(tid) for tid in os.listdir(f"/proc/{pid}/task") if int(tid) != pid]
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return [pid, *map(int, file.read().split())]


def part(perf, model, cpus):
    tasks = []
    while perf.poll() is None and len(tasks) < 2:
        time.sleep(0.001)
        tasks = tasks_of(perf.pid, model)
    for tid, cpu in zip(tasks, cpus):
        os.sched_setaffinity(tid, {cpu})


def theirs(model, cpus, parts):
    """Returns µs for each round trip. With `parts`, pins each task to its own core."""
    args = ["perf", "bench", "sched", "pipe", "-l", str(TRIPS)]
    with subprocess.Popen(args + (["-T"] if model == "threads" else []), stdout=subprocess.PIPE,
                          text=True, preexec_fn=lambda: os.sched_setaffinity(0, cpus)) as perf:
        if parts:
            part(perf, model, cpus)
        said = perf.communicate(timeout=120)[0]
    return float(re.search(r"([\d.]+) usecs/op", said).group(1))


def least(run):
    return min(run() for _ in range(RUNS))


def compare(tuibench, model, cpus, pairs):
    turns = {"ours": lambda: least(lambda: ours(tuibench, model, cpus)),
             "perf": lambda: least(lambda: theirs(model, cpus, len(cpus) > 1))}
    if len(cpus) > 1:
        turns["free"] = lambda: theirs(model, cpus, False)
    found = in_turn(turns, pairs)
    means = [mean for mean, _ in found["ours"]]
    p50 = median(p50 for _, p50 in found["ours"])
    where = f"{model} on {'one core' if len(cpus) == 1 else 'a core each'}"
    free = f", where the kernel chooses {median(found['free']):.2f} us" if "free" in found else ""
    print(f"  {where}: mean {median(means):.2f} us, p50 {p50:.2f} us; "
          f"perf {median(found['perf']):.2f} us{free}")
    ratios = [a / b for a, b in zip(means, found["perf"])]
    kept = report(f"{where}: tuibench / perf", ratios, MOST)
    return report(f"{where}: perf / tuibench", [1 / ratio for ratio in ratios], MOST) and kept


def main():
    tuibench = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 31
    kept = True
    if not shutil.which("perf"):
        print("skipped: perf is not installed")
        return 77
    for cpus in ([CPUS[:1], CPUS[:2]] if len(CPUS) > 1 else [CPUS]):
        for model in ("threads", "processes"):
            kept &= compare(tuibench, model, cpus, pairs)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
