#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what the front end itself costs:

  - its CPU time and memory compared with htop at the same rate, both in a terminal of 120x36 and with
    the same eight workers. This is repeated with runs of a second instead of a tenth, because each run
    has a cost of its own, and with two programs;
  - the CPU time that the recording adds;
  - the time until the first frame, and until a key has an effect;
  - the longest time for which the screen stands still while trees of 5,000 tasks run.

htop reads every process of the machine. So on a machine with few processes, sleeping ones are started
until there are as many as on a desktop.

    bench_front.py TUIBENCH BARE [PAIRS]

With TUIBENCH_BEFORE=PATH, where PATH is another build, also compares the CPU time of three sessions
with that build, in turn. This part does not need htop.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time

from terminal import Terminal, in_turn, report

SECONDS = 6
PROCESSES = 250
HTOP = ["htop", "-d", "1"]
TRIALS = ["--trials", "50", "--warmup", "0"]
WORK = [*TRIALS, "--no-log"]
LONG = [*WORK, "-w", "cpu=8", "-s", "cpu.size=2400000000"]
# Both compress tuibench itself, for about half a second.
PROGRAMS = ["-c", f"gzip -c {sys.argv[1]}", "-c", f"bzip2 -c {sys.argv[1]}"]
TREES = [*WORK, "--tree", "20x3x82", "-m", "threads,processes"]
FRAME = b"\x1b[?2026h"
SESSIONS = {"runs of a tenth of a second": ["-n", "200"],
            "runs of a second": ["-n", "50", "-w", "cpu=6", "-w", "io=2", "-s", "cpu.size=20M"],
            "two programs": ["-n", "50", *PROGRAMS]}


def share(terminal):
    """Returns the CPU time over SECONDS as a share of one core, and the resident memory after that."""
    terminal.pump(1.5)
    begin, cpu = time.monotonic(), terminal.cpu_seconds()
    terminal.pump(SECONDS)
    return (terminal.cpu_seconds() - cpu) / (time.monotonic() - begin), terminal.rss_kib()


@contextlib.contextmanager
def processes_of_a_desktop():
    missing = PROCESSES - sum(name.isdigit() for name in os.listdir("/proc"))
    sleeping = [subprocess.Popen(["sleep", "infinity"]) for _ in range(missing)]
    try:
        yield
    finally:
        for process in sleeping:
            process.kill()
            process.wait()


def ours(tuibench, work=WORK):
    terminal = Terminal([tuibench, *work])
    result = share(terminal)
    terminal.send(b"q")
    assert terminal.wait(10) == 0
    return result


def recorded(tuibench, work=TRIALS, name="log.csv"):
    with tempfile.TemporaryDirectory() as folder:
        return ours(tuibench, [*work, "--log", f"{folder}/{name}"])


def compare_with(before, tuibench, pairs):
    """Compares the CPU time of each session with that of another build, in turn."""
    kept = True
    for name, work in SESSIONS.items():
        shares = in_turn({path: lambda path=path: recorded(path, work, "log.csv.zst")[0]
                          for path in (before, tuibench)}, pairs)
        for path in (before, tuibench):
            show(f"CPU, {name}, {path}", shares[path], "% of a core", 100, 100)
        kept &= report(f"CPU, {name}: tuibench / before",
                       [x / y for x, y in zip(shares[tuibench], shares[before])], 1.0)
    return kept


def htop(bare):
    load = subprocess.Popen([bare, "threads", "8", "0", "2000000000", "0", "/dev/null"],
                            stdout=subprocess.DEVNULL)
    terminal = Terminal(HTOP)
    result = share(terminal)
    terminal.send(b"q")
    terminal.wait(10)
    load.kill()
    load.wait()
    return result


def first_frame(argv, text):
    terminal = Terminal(argv)
    shown = terminal.pump(10, until=text)
    assert shown, argv
    took = shown - terminal.started
    terminal.send(b"q")
    terminal.wait(10)
    return took


def key_effect(tuibench):
    """Returns the time from the key `?` until the help is on the screen, while every core is busy."""
    terminal = Terminal([tuibench, *WORK])
    terminal.pump(1.5)
    sent = time.monotonic()
    terminal.send(b"?")
    shown = terminal.pump(5, until=b"Esc closes")
    assert shown
    terminal.send(b"\x1b")
    terminal.pump(0.3)
    terminal.send(b"q")
    terminal.wait(10)
    return shown - sent


def longest_still(tuibench):
    """Returns the longest time without a frame, over SECONDS in which each frame has something to move."""
    terminal = Terminal([tuibench, *TREES])
    terminal.pump(2)
    times = [time.monotonic()]
    while times[-1] - times[0] < SECONDS:
        shown = terminal.pump(SECONDS, until=FRAME)
        times.append(shown or time.monotonic())
    terminal.send(b"q")
    terminal.wait(10)
    return max(later - earlier for earlier, later in zip(times, times[1:]))


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def show(what, values, unit, scale, bound):
    value = median(values) * scale
    kept = value <= bound
    print(f"{what}: median {value:.2f} {unit} ({min(values) * scale:.2f} – "
          f"{max(values) * scale:.2f}), at most {bound} {unit}: "
          f"{'kept' if kept else 'EXCEEDED'}", flush=True)
    return kept


def main():
    tuibench, bare = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 11
    before = os.environ.get("TUIBENCH_BEFORE")
    kept = compare_with(before, tuibench, pairs) if before else True
    if not shutil.which("htop"):
        print("htop is not installed: nothing to compare with")
        if not before:
            return 77
        return 0 if kept else 1
    a, b, c, d, e = [], [], [], [], []
    with processes_of_a_desktop():
        for i in range(pairs):
            a.append(ours(tuibench))
            b.append(htop(bare))
            c.append(recorded(tuibench))
            d.append(ours(tuibench, LONG))
            e.append(ours(tuibench, [*WORK, *PROGRAMS]))
    kept &= show("CPU of the front end, 120x36, 8 workers", [x[0] for x in a], "% of a core",
                100, 1.0)
    kept &= show("the same with the recording, less the same without",
                 [y[0] - x[0] for x, y in zip(a, c)], "% of a core", 100, 0.2)
    show("CPU of htop -d 1", [x[0] for x in b], "% of a core", 100, 100)
    kept &= report("CPU: tuibench / htop", [x[0] / y[0] for x, y in zip(a, b)], 0.3)
    kept &= report("CPU with runs of a second: tuibench / htop", [x[0] / y[0] for x, y in zip(d, b)], 0.2)
    kept &= report("CPU with two programs: tuibench / htop", [x[0] / y[0] for x, y in zip(e, b)], 0.3)
    kept &= report("resident memory: tuibench / htop", [x[1] / y[1] for x, y in zip(a, b)], 2.0)
    # Subtract the time of Python's fork, which takes longer than tuibench does.
    frames = in_turn({"bare": lambda: first_frame(["sh", "-c", "echo Swp; read q"], b"Swp"),
                      "tuibench": lambda: first_frame([tuibench, *WORK], b"measures this machine"),
                      "htop": lambda: first_frame(HTOP, b"Swp"),
                      "whole": lambda: first_frame([tuibench, *WORK], b"cores")}, pairs)
    bare = median(frames["bare"])
    show("first frame", [x - bare for x in frames["tuibench"]], "ms", 1000, 50)
    kept &= report("first frame: tuibench / htop",
                   [(x - bare) / (y - bare)
                    for x, y in zip(frames["tuibench"], frames["htop"])], 0.25)
    report("first frame with the session and its cores: tuibench / htop",
           [(x - bare) / (y - bare) for x, y in zip(frames["whole"], frames["htop"])], 0.25)
    kept &= show("a key's effect while all cores are busy",
                 [key_effect(tuibench) for _ in range(pairs)], "ms", 1000, 100)
    kept &= show("the longest time without a frame, trees",
                 [longest_still(tuibench) for _ in range(pairs)], "ms", 1000, 300)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
