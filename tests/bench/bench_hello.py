#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what the front end costs with hello, whose runs are the shortest: its CPU time as a share of
one core on the screen (120x36) and in batch, the part of it that samples take during runs, and the CPU
time of the process that drains the workers' pipe.

    bench_hello.py TUIBENCH [TIMES]
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

from terminal import Terminal

SECONDS = 5
MODELS = ("threads", "processes", "hybrid")
TOOK = re.compile(r"tuibench used (\d+) us of CPU time, (\d+) of them")
HELLO = ["hello", "--no-log"]


def on_screen(tuibench, model):
    terminal = Terminal([tuibench, *HELLO, "-m", model, "-n", "200"])
    terminal.pump(1.5)
    begin, cpu = time.monotonic(), terminal.cpu_seconds()
    terminal.pump(SECONDS)
    share = (terminal.cpu_seconds() - cpu) / (time.monotonic() - begin)
    terminal.send(b"q")
    assert terminal.wait(10) == 0
    return share


def in_batch(tuibench, model):
    """Returns shares of one core during runs (front end, samples, drain), and ms of the front end a run."""
    with tempfile.NamedTemporaryFile() as debug:
        shown = subprocess.run([tuibench, "-b", "--format", "json", *HELLO, "-m", model, "-n", "6"],
                               check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               env={**os.environ, "TUIBENCH_DEBUG": debug.name})
        took = TOOK.findall(debug.read().decode())
    runs = json.loads(shown.stdout)["runs"]
    wall = sum(run["elapsed_ms"] + run["held_ms"] for run in runs)
    whole = sum(int(us) for us, _ in took) / 1e3
    samples = sum(int(us) for _, us in took) / 1e3
    drain = sum(run["drain_cpu_ms"] for run in runs)
    return whole / wall, samples / wall, drain / wall, whole / len(took)


def show(what, values, unit, scale, bound=None):
    values = sorted(values)
    n = len(values)
    value = (values[(n - 1) // 2] + values[n // 2]) / 2 * scale
    kept = bound is None or value <= bound
    goal = "" if bound is None else f", at most {bound} {unit}: {'kept' if kept else 'EXCEEDED'}"
    print(f"{what}: median {value:.2f} {unit} ({values[0] * scale:.2f} – "
          f"{values[-1] * scale:.2f}){goal}", flush=True)
    return kept


def main():
    tuibench = sys.argv[1]
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    screens = {model: [] for model in MODELS}
    batches = {model: [] for model in MODELS}
    for _ in range(times):
        for model in MODELS:
            screens[model].append(on_screen(tuibench, model))
            batches[model].append(in_batch(tuibench, model))
    kept = True
    for model in MODELS:
        whole, samples, drain, a_run = zip(*batches[model])
        kept &= show(f"{model}: samples, batch", samples, "% of a core", 100, 2.0)
        show(f"{model}: front end, batch", whole, "% of a core", 100)
        show(f"{model}: front end, a run", a_run, "ms", 1)
        show(f"{model}: front end, 120x36", screens[model], "% of a core", 100)
        show(f"{model}: the drain", drain, "% of a core", 100)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
