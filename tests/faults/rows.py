# SPDX-License-Identifier: MIT
"""A row of the table of faults, and how rows are run, counted and written to the table."""

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
    """A row cannot be tried here; has the reason."""


@dataclass
class Row:
    """A row of the table. `run(row, draw)` injects the fault once. Raises Fault if the result is wrong."""
    group: str
    injected: str
    seen: tuple       # allowed lines on standard error, with * for any text; () or "" among them: no line
    status: tuple
    log: str          # what the log must have
    run: object
    few: int = 2      # tries in CI; with --each N, tries until N have met the fault
    most: int = 1     # most lines on standard error
    tries: int = 0
    met: int = 0      # tries in which the fault happened
    faults: list = field(default_factory=list)
    skipped: str = ""

    def name(self):
        return f"{self.group}: {self.injected}"

    def check_lines(self, scene, wrapped=False):
        """Checks the lines on standard error. If wrapped, a terminal has broken long lines."""
        silent = not self.seen or "" in self.seen
        scene.check_said(0 if silent else 1, self.most)
        for line in scene.lines():
            known = [pattern(one) for one in self.seen if one]
            if not any(re.match(one.rsplit(".*", 1)[0] if wrapped else one + "$", line) for one in known):
                raise Fault(f"said in other words: {line!r}")

    def judge(self, scene, files=(), met=True):
        """Checks status, standard error, log, and what is left. If not met, only what is left."""
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
    """Returns the regular expression of a line: the name of the program, then text with * for any text."""
    return "tuibench: " + ".*".join(re.escape(part) for part in text.split("*"))


def row(group, injected, seen, status, log, **more):
    """Decorates the function that injects the fault of a row."""
    def add(run):
        ROWS.append(Row(group, injected, tuple(seen), tuple(status), log, run, **more))
        return run
    return add


def once(one, seed):
    """Tries a row once. Returns None, or a text that says what was wrong."""
    try:
        one.run(one, random.Random(seed))
    except Fault as fault:
        return f"seed {seed}: {fault}"
    except Skip as skip:
        one.skipped = str(skip)
    except Exception:  # report an error of the row itself, too, and continue with the others
        return f"seed {seed}: {traceback.format_exc()}"
    return None


# A try may come too early or too late, so --each N allows TRIES times N tries.
TRIES = 10
# After this number of faults, a row is not tried again.
MANY = 5


def run_all(rows, each, seed, workers=4):
    """
    Tries all rows, four at a time: each a few times, or until `each` tries have met the fault. Each try
    has its own seed, with which it can be repeated.
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
    # Another test's session may have shared memory, too. It disappears when that session ends.
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
    """Returns the rows as Markdown, with a part for each group, in the order of their first rows."""
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
