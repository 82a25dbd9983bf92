#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the wall time of `mixed`, with screen and lanes and with each source of slices, with a bare
program that does the same work.

    bench_mixed.py TUIBENCH BARE [PAIRS]
"""

import csv
import os
import subprocess
import sys
import tempfile

from terminal import Terminal, report

CPU_SIZE, IO_SIZE = 223092870, 64 << 20
BOUND = 1.015
SOURCES = ["own", "auto"]  # auto: the kernel's records, if they may be read


def elapsed_in(log):
    with open(log, encoding="utf-8", newline="") as file:
        ends = [row for row in csv.DictReader(file) if row["record"] == "end"]
    assert len(ends) == 1 and ends[0]["status"] == "ok", ends
    return int(ends[0]["elapsed_ns"]) / 1e6


def ours(tuibench, model, folder, io_file, sched):
    log = os.path.join(folder, "log.csv")
    if os.path.exists(log):
        os.unlink(log)
    terminal = Terminal([tuibench, "--models", model, "--trials", "1", "--warmup", "0",
                         "--exit", "--log", log, "-s", "sched=" + sched,
                         "-s", f"cpu.size={CPU_SIZE}", "-s", f"io.size={IO_SIZE}",
                         "-s", "io-file=" + io_file])
    status = terminal.wait(120)
    assert status == 0, status
    return elapsed_in(log)


def bare(program, model, io_file):
    args = [program, model, "6", "2", str(CPU_SIZE), str(IO_SIZE), io_file]
    return float(subprocess.run(args, check=True, capture_output=True, timeout=120).stdout)


def ratios_of(tuibench, program, model, pairs, folder, io_file):
    """Returns the ratios for each source. Each source runs in turn with the bare program."""
    ratios = {sched: [] for sched in SOURCES}
    for i in range(pairs):
        turns = ["bare", *SOURCES]
        times = {}
        for turn in turns[i % 3:] + turns[:i % 3]:
            times[turn] = bare(program, model, io_file) if turn == "bare" else \
                ours(tuibench, model, folder, io_file, turn)
        for sched in SOURCES:
            ratios[sched].append(times[sched] / times["bare"])
    return ratios


def main():
    tuibench, program = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 11
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        io_file = os.path.join(folder, "io")
        with open(io_file, "wb") as file:
            file.write(os.urandom(IO_SIZE))
        for model in ("threads", "processes"):
            for sched, ratios in ratios_of(tuibench, program, model, pairs, folder,
                                           io_file).items():
                kept &= report(f"mixed, {model}, -s sched={sched}: with the screen / bare", ratios,
                               BOUND)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
