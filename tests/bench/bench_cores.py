#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the cost of the front end on a machine with many CPUs with the cost of htop at the same rate:
CPU time and greatest memory, in a terminal of 120x36, with the same 1,000 threads. /proc/stat and /sys
are replaced by those of a machine with 128 CPUs. Also compares the cost of a thousand workers with the
cost of eight. Skipped if no mount namespace can be created.

    bench_cores.py TUIBENCH BARE [PAIRS]
"""

import shutil
import subprocess
import sys
import time

from many_cpus import ManyCpus, alone
from terminal import Terminal, in_turn, report

CPUS, WORKERS, FEW = 128, 1000, 8
SETTLE, SECONDS = 3, 6
SIZE = "2000000000"


def cost(terminal):
    """Returns the CPU time over SECONDS as a share of one core, and VmHWM after that."""
    terminal.pump(SETTLE)
    begin, cpu = time.monotonic(), terminal.cpu_seconds()
    terminal.pump(SECONDS)
    return (terminal.cpu_seconds() - cpu) / (time.monotonic() - begin), terminal.hwm_kib()


def ours(tuibench, workers, width=120, height=36):
    terminal = Terminal([tuibench, "-m", "threads", "-w", "cpu=" + str(workers),
                         "-s", f"cpu.size={SIZE}", "--trials", "1", "--warmup", "0",
                         "--no-log"], width, height)
    result = cost(terminal)
    terminal.send(b"q")
    terminal.wait(20)
    return result


def htop(bare, workers):
    load = subprocess.Popen([bare, "threads", str(workers), "0", SIZE, "0", "/dev/null"],
                            stdout=subprocess.DEVNULL)
    terminal = Terminal(["htop", "-d", "1"])
    result = cost(terminal)
    terminal.send(b"q")
    terminal.wait(10)
    load.kill()
    load.wait()
    return result


def ratios(found, a, b, i):
    return [x[i] / y[i] for x, y in zip(found[a], found[b])]


def main():
    tuibench, bare = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    if not shutil.which("htop") or not alone():
        print("needs htop and a mount namespace of its own (root)")
        return 77
    machine = ManyCpus(CPUS)
    try:
        found = in_turn({"ours": lambda: ours(tuibench, WORKERS),
                         "htop": lambda: htop(bare, WORKERS),
                         "few": lambda: ours(tuibench, FEW),
                         "large": lambda: ours(tuibench, WORKERS, 240, 72)}, pairs)
    finally:
        machine.end()
    for name, values in found.items():
        cpu, kib = sorted(v[0] for v in values), sorted(v[1] for v in values)
        print(f"{name}: median {cpu[pairs // 2] * 100:.2f} % of a core "
              f"({cpu[0] * 100:.2f} – {cpu[-1] * 100:.2f}), VmHWM {kib[pairs // 2]} KiB")
    kept = report(f"CPU, {CPUS} CPUs, {WORKERS} threads: tuibench / htop",
                  ratios(found, "ours", "htop", 0), 0.29)
    kept &= report("VmHWM: tuibench / htop", ratios(found, "ours", "htop", 1), 2.0)
    kept &= report(f"CPU: {WORKERS} workers / {FEW}", ratios(found, "ours", "few", 0), 2.0)
    kept &= report("CPU: 240x72 / 120x36", ratios(found, "large", "ours", 0), 4.0)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
