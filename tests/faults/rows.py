# SPDX-License-Identifier: MIT
"""What a row of the table is, and how the rows are run, counted and written down."""

import random
import re
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from scene import Fault, Scene, shared_memory

ROWS = []


class Skip(Exception):
    """Why a row cannot be tried here."""


@dataclass
class Row:
    """A line of the table; `run(row, draw)` injects it once, and raises Fault."""
    group: str
    injected: str
    seen: tuple       # the lines on standard error, * is anything; none: () or "" among them
    status: tuple
    log: str          # what is in it
    run: object
    few: int = 2      # tries in CI; with --each N as many
    most: int = 1     # lines at most
    tries: int = 0
    met: int = 0      # where the fault was met
    faults: list = field(default_factory=list)
    skipped: str = ""

    def name(self):
        return f"{self.group}: {self.injected}"

    def check_lines(self, scene, wrapped=False):
        """As the row has them; a terminal breaks them where it ends."""
        silent = not self.seen or "" in self.seen
        scene.check_said(0 if silent else 1, self.most)
        for line in scene.lines():
            known = [pattern(one) for one in self.seen if one]
            if not any(re.match(one.rsplit(".*", 1)[0] if wrapped else one + "$", line) for one in known):
                raise Fault(f"said in other words: {line!r}")

    def judge(self, scene, files=(), met=True):
        """Status, what was said, log, and what is left."""
        if not met:
            scene.check_left(files)
            return
        if scene.status not in self.status:
            raise Fault(f"status {scene.status}, not one of {self.status}; said: {scene.lines()}")
        self.check_lines(scene)
        if scene.status in (1, 2, 3) and not scene.lines() and "" in self.seen:
            raise Fault(f"status {scene.status}, and nothing says why")
        scene.check_log()
        scene.check_left(files)
        self.met += 1


def pattern(text):
    """Of a line: the program says its name first, * is anything."""
    return "tuibench: " + ".*".join(re.escape(part) for part in text.split("*"))


def row(group, injected, seen, status, log, **more):
    """Decorates the function that injects."""
    def add(run):
        ROWS.append(Row(group, injected, tuple(seen), tuple(status), log, run, **more))
        return run
    return add


def once(one, seed):
    """One try; nothing, or what was wrong."""
    try:
        one.run(one, random.Random(seed))
    except Fault as fault:
        return f"seed {seed}: {fault}"
    except Skip as skip:
        one.skipped = str(skip)
    except Exception:  # what the row itself trips over is told with its name; the others go on
        return f"seed {seed}: {traceback.format_exc()}"
    return None


# A try may come too early or too late; so many for each that is to be met.
TRIES = 10
# Faults of one row, after which it is tried no more.
MANY = 5


def run_all(rows, each, seed, workers=4):
    """
    The tries of all rows, four at a time, each with a seed of its own that repeats it: a few of each
    row, or until `each` have met the fault.
    """
    begin, before = time.monotonic(), shared_memory()

    def several(one):
        for i in range(TRIES * each or one.few):
            if one.skipped or len(one.faults) == MANY or (each and one.met >= each):
                break
            one.tries += 1
            found = once(one, f"{seed}-{i}")
            if found:
                one.faults.append(found)
        return one
    with ThreadPoolExecutor(workers) as pool:
        for one in pool.map(several, rows):
            if one.skipped:
                print(f"skipped: {one.name()}: {one.skipped}", flush=True)
            for fault in one.faults:
                print(f"FAULT: {one.name()}: {fault}", file=sys.stderr, flush=True)
            if each and not one.skipped:
                print(f"{one.met} met in {one.tries} tries: {one.name()}", flush=True)
    tries = sum(one.tries for one in rows)
    # That of another test's session goes with it.
    until = time.monotonic() + 20
    stays = shared_memory() - before
    while stays and time.monotonic() < until:
        time.sleep(0.1)
        stays &= shared_memory()
    if stays:
        print(f"FAULT: in /dev/shm stays: {sorted(stays)}", file=sys.stderr, flush=True)
    faults = sum(len(one.faults) for one in rows) + len(stays)
    print(f"{len(rows)} rows, {tries} tries, {sum(one.met for one in rows)} met the fault, {faults} faults, "
          f"{sum(bool(one.skipped) for one in rows)} skipped, {time.monotonic() - begin:.0f} s, seed {seed}")
    return faults


def cell(text):
    return text.replace("|", "\\|")


def table(rows):
    """As Markdown, a part for each group, in the order in which they begin."""
    lines = []
    group = None
    groups = list(dict.fromkeys(one.group for one in rows))
    for one in sorted(rows, key=lambda one: groups.index(one.group)):
        if one.group != group:
            group = one.group
            lines += ["", f"## {group[0].upper()}{group[1:]}", "",
                      "| injected | what the user sees | status | log |", "|---|---|---|---|"]
        seen = "<br>".join(f"`{cell(text)}`" if text else "nothing" for text in one.seen) or "nothing"
        lines.append(f"| {cell(one.injected)} | {seen} | {', '.join(map(str, one.status))} | {one.log} |")
    return "\n".join(lines) + "\n"


__all__ = ["ROWS", "Row", "Scene", "Skip", "Fault", "row", "run_all", "table", "pattern"]
