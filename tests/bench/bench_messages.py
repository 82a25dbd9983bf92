#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares groups of senders and receivers with hackbench, in turn: the same groups, messages and bytes,
as threads and as processes, by pipe and by socketpair. Both are timed from the release of all tasks to
the last join. tuibench checks each message, hackbench does not.

    bench_messages.py TUIBENCH [PAIRS]
"""

import csv
import io
import shutil
import subprocess
import sys
from statistics import median

from terminal import in_turn, report

GROUPS, SIDE, EACH = 2, 5, 5000
MESSAGES = GROUPS * SIDE * SIDE * EACH
MOST = 1.10


def ours(tuibench, model, via):
    """Returns millions of messages a second. The log has the time when all workers were released."""
    done = subprocess.run([tuibench, "--batch", "--log", "-", "messages", "-s", "via=" + via,
                           "--models", model, "-s", f"group={SIDE}x{SIDE}",
                           "-w", "message=" + str(2 * SIDE * GROUPS), "-s", f"message.size={EACH}",
                           "--trials", "1", "--warmup", "0"],
                          check=True, capture_output=True, text=True, timeout=120)
    end = next(row for row in csv.DictReader(io.StringIO(done.stdout)) if row["record"] == "end")
    assert (end["status"], int(end["messages"])) == ("ok", MESSAGES), end
    return MESSAGES / (int(end["elapsed_ns"]) - int(end["go_ns"])) * 1e3


def theirs(model, via):
    args = ["hackbench", "-g", str(GROUPS), "-f", str(SIDE), "-l", str(EACH), "-s", "100",
            "-T" if model == "threads" else "-P"]
    said = subprocess.run(args + (["-p"] if via == "pipe" else []), check=True,
                          capture_output=True, text=True, timeout=120).stdout
    return MESSAGES / float(said.split("Time:")[1]) / 1e6


def main():
    tuibench = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 31
    kept = True
    if not shutil.which("hackbench"):
        print("skipped: hackbench is not installed")
        return 77
    for via in ("pipe", "socketpair"):
        for model in ("threads", "processes"):
            found = in_turn({"ours": lambda: ours(tuibench, model, via),
                             "hackbench": lambda: theirs(model, via)}, pairs)
            ratios = [a / b for a, b in zip(found["ours"], found["hackbench"])]
            print(f"  {model}, {via}: {median(found['ours']):.2f} million messages a second, "
                  f"hackbench {median(found['hackbench']):.2f}")
            kept &= report(f"{model}, {via}: tuibench / hackbench", ratios, MOST)
            kept &= report(f"{model}, {via}: hackbench / tuibench",
                           [1 / ratio for ratio in ratios], MOST)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
