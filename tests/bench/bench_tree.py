#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares trees with a bare program that grows the same trees, with and without a screen. Also compares
what the front end costs beside 5,000 living threads with htop at the same rate.

    bench_tree.py TUIBENCH BARE [PAIRS [batches]]

With "batches", measures only the processes without a screen.
"""

import csv
import os
import signal
import subprocess
import sys
import tempfile
import time

from terminal import Terminal, report

# Model, trees, options, limit of the median ratio, and limit of the ratio of the two fastest runs.
# Trees have lanes only with -s sched=perf.
LANES = ["-s", "sched=perf"]
GROUPS = [("threads", ["5000", "50x99", "20x3x82"], [], 1.10, 1.05),
          ("threads", ["20x3x82"], LANES, 1.10, 1.10),
          ("processes", ["20x3x82"], [], 1.15, 1.15),
          ("processes", ["20x3x82"], LANES, 1.10, 1.10)]
# 500 processes without a screen, on one core and on all: options, core of the bare program, limit.
BATCHES = [(["-s", "pin=0"], "0", 1.05), (["-s", "pin=0", "-s", "sched=off"], "0", 1.05),
           ([], None, 1.05), (["-s", "sched=off"], None, 1.05)]
SECONDS = 5
# 5,000 leaves whose work never ends. They are stopped as soon as all of them exist, so that they stay
# and leave the cores to the programs that look at them. They are on one core, so that this program gets
# a core to stop them.
HELD = ["--tree", "5000", "-s", "all-alive=yes", "-s", "cpu.size=4000000000", "-s", "pin=0",
        "--trials", "1", "--warmup", "0", "--no-log"]


def ours(tuibench, model, tree, folder, more=(), screen=True):
    log = os.path.join(folder, "log.csv")
    if os.path.exists(log):
        os.unlink(log)
    line = [tuibench, "--models", model, "--tree", tree, "--trials", "1", "--warmup", "0",
            "--log", log, *more]
    if screen:
        status = Terminal([*line, "--exit"]).wait(120)
    else:
        status = subprocess.run([*line, "--batch"], capture_output=True, timeout=120,
                                check=False).returncode
    assert status == 0, status
    with open(log, encoding="utf-8", newline="") as file:
        ends = [row for row in csv.DictReader(file) if row["record"] == "end"]
    assert len(ends) == 1 and ends[0]["status"] == "ok", ends
    return int(ends[0]["elapsed_ns"]) / 1e6


def bare(program, model, tree, core=None):
    pinned = ["taskset", "-c", core] if core else []
    return float(subprocess.run([*pinned, program, model, tree], check=True, capture_output=True,
                                timeout=120).stdout)


def recordings(tuibench):
    """Checks how many bytes a run of 5,000 threads takes with slices of the kernel's records. A thread has
    one row and two to three slices. 100 of the 190 bytes of a row are commas, because there are 130
    columns."""
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        for tree in ["5000", "20x3x82"]:
            ours(tuibench, "threads", tree, folder, ["-s", "sched=perf"])
            size = os.path.getsize(os.path.join(folder, "log.csv"))
            kept &= report(f"{tree} of threads: the recording / 4 MB", [size / 4e6], 1)
    return kept


def pairs_of(tuibench, program, model, tree, pairs, folder, more, screen=True, core=None):
    ratios, least = [], [float("inf"), float("inf")]
    for i in range(pairs):
        if i % 2:
            b = bare(program, model, tree, core)
            a = ours(tuibench, model, tree, folder, more, screen)
        else:
            a = ours(tuibench, model, tree, folder, more, screen)
            b = bare(program, model, tree, core)
        ratios.append(a / b)
        least = [min(least[0], a), min(least[1], b)]
    return ratios, least[0] / least[1]


def elapsed(tuibench, program, pairs):
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        for model, trees, more, middle, fastest in GROUPS:
            for tree in trees:
                what = " ".join([tree, "of", model, *more])
                ratios, least = pairs_of(tuibench, program, model, tree, pairs, folder, more)
                kept &= report(f"{what}: with the screen / bare", ratios, middle)
                kept &= report(f"{what}: the fastest of each", [least], fastest)
    return kept


def batches(tuibench, program, pairs):
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        for more, core, most in BATCHES:
            ratios, _ = pairs_of(tuibench, program, "processes", "500", pairs, folder, more,
                                 screen=False, core=core)
            what = " ".join(["500 of processes", *more])
            kept &= report(f"{what}: without a screen / bare", ratios, most)
    return kept


def threads_of(pid):
    """Returns 0 if the process has ended. One that measures the clock ends before the run."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("Threads:")), 0)
    except (FileNotFoundError, ProcessLookupError):
        return 0


def stop_workers(pid):
    """Stops the process group of the runner as soon as all workers exist. The front end is not in it."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            children = [int(child) for child in file.read().split()]
        for child in children:
            if threads_of(child) > 5000:
                os.killpg(child, signal.SIGSTOP)
                return
        time.sleep(0.02)
    raise AssertionError("5,000 threads never stood")


def share(terminal):
    """Returns the CPU time over SECONDS, as a share of one core."""
    terminal.pump(1.5)
    before = terminal.cpu_seconds()
    terminal.pump(SECONDS)
    return (terminal.cpu_seconds() - before) / SECONDS


def leave(terminal):
    terminal.send(b"q")
    terminal.wait(20)


def ours_beside(tuibench):
    terminal = Terminal([tuibench, *HELD])
    try:
        stop_workers(terminal.pid)
        return share(terminal)
    finally:
        leave(terminal)


def htop_beside(tuibench):
    """Returns the share of htop, beside the 5,000 threads of a tuibench without a screen."""
    held = subprocess.Popen([tuibench, "--batch", *HELD], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    try:
        stop_workers(held.pid)
        terminal = Terminal(["htop", "-d", "1"])
        used = share(terminal)
        leave(terminal)
        return used
    finally:
        held.terminate()
        held.wait(20)


def beside(tuibench, pairs):
    ratios = []
    for _ in range(pairs):
        a, b = ours_beside(tuibench), htop_beside(tuibench)
        print(f"  beside 5,000 threads: tuibench {a:.2%}, htop {b:.2%} of a core", flush=True)
        ratios.append(a / b)
    return report("CPU beside 5,000 threads: tuibench / htop -d 1", ratios, 0.25)


def main():
    tuibench, program = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 21
    kept = batches(tuibench, program, pairs)
    if sys.argv[4:] == ["batches"]:
        return 0 if kept else 1
    kept &= elapsed(tuibench, program, pairs)
    kept &= recordings(tuibench)
    kept &= beside(tuibench, 3)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
