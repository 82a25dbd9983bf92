#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what it costs a command that its threads and children are watched: its elapsed time with each
way of watching, compared with -s sched=off, which watches no task, in turn. A bare program is not used,
because one started from here would share its cores. Leaves out a way that is not allowed here.

    bench_tasks.py TUIBENCH [PAIRS]
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from terminal import in_turn, report

LIMIT = 120
# The system's Python, not one from the user's PATH.
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
MIXED = ("import os, threading\ndef use():\n sum(i * i for i in range(1000000))\n"
         "ts = [threading.Thread(target=use) for _ in range(3)]\n"
         "pid = os.fork()\n"
         "if pid == 0: use(), os._exit(0)\n"
         "[t.start() for t in ts]\n[t.join() for t in ts]\nos.waitpid(pid, 0)")
STORM = ("import threading\nfor _ in range(5000):\n"
         " t = threading.Thread(target=int)\n t.start()\n t.join()")
UNIT = ("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
        + "".join(f"int f{i}(int n) {{ int s = 0; while (n > {i}) s += n--; return s; }}\n"
                  for i in range(60)))
MAKEFILE = ("all: $(patsubst %.c,%.o,$(wildcard *.c))\n"
            "%.o: %.c\n\tgcc -O1 -c $< -o $@\nclean:\n\trm -f *.o\n")
# By name: the command, and the limit of the ratio of its times with and without watching.
PROGRAMS = {
    "a loop on one core": (["sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"], 1.01),
    "Python, 3 threads and a child": ([PYTHON, "-S", "-c", MIXED], 1.01),
    "5,000 short threads": ([PYTHON, "-S", "-c", STORM], 1.15),
}
WAYS = ("perf", "connector", "polling")


def watched(tuibench, argv, way):
    """Returns the elapsed time in ms; None if the way is not allowed. The way "off" watches no task."""
    # Only perf has records of switches.
    sched = way if way in ("perf", "off") else "own"
    quoted = " ".join("'" + arg + "'" for arg in argv)
    done = subprocess.run([tuibench, "--batch", "--no-log", "--format", "json", "--models",
                           "processes", "--trials", "1", "--warmup", "0", "-s", "sched=" + sched,
                           "--command", quoted],
                          check=True, capture_output=True, text=True, timeout=LIMIT,
                          env={**os.environ, "TUIBENCH_TASKS": way, "TUIBENCH_REPEATS": "0"})
    one = json.loads(done.stdout)["runs"][-1]
    seen = (one.get("command_tasks") or {}).get("seen_by") or "off"
    return one["elapsed_ms"] if seen == way else None


def make_in(folder):
    """Writes a Makefile and 24 files. For each file, gcc starts a compiler and an assembler."""
    for i in range(24):
        with open(f"{folder}/{i}.c", "w", encoding="utf-8") as file:
            file.write(UNIT)
    with open(f"{folder}/Makefile", "w", encoding="utf-8") as file:
        file.write(MAKEFILE)
    return ["sh", "-c", f"cd {folder} && make -s clean && make -sj4"], 1.02


def compare(tuibench, programs, pairs):
    kept = True
    for name, (argv, bound) in programs.items():
        ways = [way for way in WAYS if watched(tuibench, argv, way) is not None]
        turns = {way: lambda way=way: watched(tuibench, argv, way) for way in ways}
        found = in_turn({"off": lambda: watched(tuibench, argv, "off"), **turns}, pairs)
        print(f"{name}: unwatched {statistics.median(found['off']):.0f} ms")
        for way in ways:
            ratios = [a / b for a, b in zip(found[way], found["off"])]
            kept &= report(f"{name}, watched by {way} / unwatched", ratios, bound)
    return kept


def main():
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    with tempfile.TemporaryDirectory() as folder:
        built = {"make -j4": make_in(folder)} if shutil.which("make") and shutil.which("gcc") else {}
        return 0 if compare(sys.argv[1], {**PROGRAMS, **built}, pairs) else 1


if __name__ == "__main__":
    sys.exit(main())
