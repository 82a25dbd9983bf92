#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the times of programs under --command with those of hyperfine -N, in turn. Without hyperfine,
says so in one line and is skipped.

    bench_command.py TUIBENCH [PAIRS]
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile

from terminal import report

BOUND = 1.03
LIMIT = 300
# By name: the command, its runs in each turn, and whether its ratio decides. For a program of 1 ms, the
# noise of one call is a third of the time, so its ratio does not decide.
PROGRAMS = {
    "sleep 0.05": ("sleep 0.05", 5, True),
    "a loop on one core": ("sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'", 3, True),
    "true": ("true", 40, False),
}
MODELS = ("fork+exec", "vfork+exec", "posix_spawn", "processes")


def ours(tuibench, model, command, runs):
    """Returns the times of the runs and their mean CPU time, in ms."""
    done = subprocess.run([tuibench, "--batch", "--no-log", "--format", "json", "--models", model,
                           "--trials", str(runs), "--warmup", "1", "--command", command],
                          check=True, capture_output=True, text=True, timeout=LIMIT)
    counted = [one for one in json.loads(done.stdout)["runs"] if one["trial"] > 0]
    return ([one["elapsed_ms"] for one in counted],
            statistics.mean(one["cpu_ms"] for one in counted))


def theirs(command, runs):
    with tempfile.NamedTemporaryFile("r") as file:
        subprocess.run(["hyperfine", "-N", "--style", "none", "--warmup", "1", "--runs", str(runs),
                        "--export-json", file.name, command], check=True, capture_output=True,
                       timeout=LIMIT)
        said = json.load(file)["results"][0]
    return [1000 * one for one in said["times"]], 1000 * (said["user"] + said["system"])


def agree(what, ours_theirs):
    """Whether the median ratio, in either direction, is at most BOUND."""
    ratios = [a / b for a, b in ours_theirs]
    longer = statistics.median(ratios) >= 1
    print("  {}: ours {:.3f} ms, hyperfine's {:.3f} ms".format(
        what, *(statistics.median(one) for one in zip(*ours_theirs))))
    return report(f"{what}: " + ("ours / hyperfine's" if longer else "hyperfine's / ours"),
                  ratios if longer else [1 / ratio for ratio in ratios], BOUND)


def compare(tuibench, model, command, runs, pairs):
    """Returns three lists: medians, means and CPU times, each as a pair (ours, theirs) for each turn."""
    turns = []
    for i in range(pairs):
        mine = ours(tuibench, model, command, runs) if i % 2 else None
        other = theirs(command, runs)
        mine = mine or ours(tuibench, model, command, runs)
        turns.append([(statistics.median(mine[0]), statistics.median(other[0])),
                      (statistics.mean(mine[0]), statistics.mean(other[0])), (mine[1], other[1])])
    return zip(*turns)


def main():
    tuibench = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 21
    kept = True
    if not shutil.which("hyperfine"):
        print("skipped: hyperfine is not installed (apt-get install hyperfine)")
        return 77
    for name, (command, runs, decides) in PROGRAMS.items():
        for model in MODELS:
            medians, means, cpu = compare(tuibench, model, command, runs, pairs)
            within = agree(f"{name}, {model}, median", medians)
            agree(f"{name}, {model}, mean", means)
            agree(f"{name}, {model}, CPU time", cpu)
            kept &= within or not decides
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
