#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tries many faults, one in each row, and checks exit status, error, recording, and what is left behind.

    test_faults.py TUIBENCH LIBRARY [--each N] [--seed N] [--only TEXT] [--walk N] [--write]

--each: tries each row until the fault has happened in N tries, in at most ten times as many tries.
Without it, tries each row only a few times, as CI does. --walk: takes the first N calls and more of each
function in turn, instead of random calls. --write: writes README.md. Without it, README.md must be equal
to the table.
"""

import argparse
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
import calls
import deaths
import hotplug
import leftovers
import machines
import stalls
import terminals
import times
from rows import ROWS, Skip, run_all, table
from scene import Fault

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "README.md")
BEGIN = "<!-- written by test_faults.py --write -->\n"


def readme(write):
    """Writes the table to README.md, or checks that it is equal."""
    with open(README, encoding="utf-8") as file:
        text = file.read()
    wanted = text.split(BEGIN)[0] + BEGIN + table(ROWS)
    if write:
        with open(README, "w", encoding="utf-8") as file:
            file.write(wanted)
    elif wanted != text:
        sys.exit("tests/faults/README.md is not the table: test_faults.py TUIBENCH LIBRARY --write")


def walk_all(rows, walks, most):
    """Tries all calls one after another. Returns the number of tries and of wrong results."""
    tries = faults = 0
    for one in rows:
        for step in walks[id(one)](most) if id(one) in walks else ():
            tries += 1
            try:
                step()
            except (Fault, Skip) as fault:
                faults += 1
                print(f"FAULT: {one.name()}: {fault}", file=sys.stderr, flush=True)
    print(f"walked: {tries} calls, {faults} faults")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--each", type=int, default=0)
    parser.add_argument("--seed", type=int,
                        default=int(os.environ.get("TUIBENCH_SEED", 1)))
    parser.add_argument("--only", default="")
    parser.add_argument("--walk", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    walks = calls.add_rows(os.path.abspath(options.library))
    machines.add_rows(os.path.abspath(options.library))
    terminals.add_rows(os.path.abspath(options.library))
    readme(options.write)
    if options.write:
        return 0
    rows = [one for one in ROWS if options.only in one.name()]
    print(f"drawn with --seed {options.seed}", file=sys.stderr)
    faults = walk_all(rows, walks, options.walk) if options.walk else run_all(
        rows, options.each, options.seed)
    return 1 if faults or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
