#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Our clients beside wrk, in turn: the same loop of events on one CPU, and the same connections from
another. Each request computes for about 20 us, so that the server is the limit: without work it is the
client's own CPU, and wrk also reads HTTP. Ours then count how often they are served, not how fast they
are.

    bench_server.py TUIBENCH [PAIRS]
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from statistics import median

from terminal import in_turn, report

MOST = 1.05
SERVER = ("server", "-m", "events", "-b", "--no-log", "--format", "json", "--warmup", "0", "--trials", "1",
          "-s", "cores=1", "-s", "request=41")  # what wrk sends to a port of five digits
UNITS = {"us": 1e-3, "ms": 1, "s": 1e3}


def ours(tuibench, clients):
    """Requests a second, and the 99th percentile in ms."""
    each = 25600 // clients
    done = subprocess.run([tuibench, *SERVER, "-s", f"clients={clients}", "-s", f"keep-alive={each}", "-s",
                           f"tasks={clients * each}"], check=True, capture_output=True, text=True, timeout=120)
    one = json.loads(done.stdout)["runs"][0]
    assert (one["status"], one["requests"]) == ("ok", clients * each), one
    return one["requests_per_second"], one["request_p99_ms"]


def clients_of(server):
    """The clients of a session and their parent, once they are there."""
    while server.poll() is None:
        tasks = [line.split() for line in subprocess.run(
            ["ps", "-e", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout.splitlines()]
        parents = {task[0]: task[1] for task in tasks}
        for pid, parent, *name in tasks:
            if name == ["tuibench-client"] and parents.get(parent) == str(server.pid):
                return int(pid), int(parent)
        time.sleep(0.01)
    raise AssertionError("the session has ended")


def port_of(runner):
    """Where it listens: the socket that /proc/PID/fd and /proc/net/tcp both name."""
    sockets = {os.readlink(f"/proc/{runner}/fd/{fd}") for fd in os.listdir(f"/proc/{runner}/fd")}
    with open("/proc/net/tcp", encoding="utf-8") as file:
        for row in [line.split() for line in file][1:]:
            if row[3] == "0A" and f"socket:[{row[9]}]" in sockets:
                return int(row[1].split(":")[1], 16)
    raise AssertionError("it does not listen")


def theirs(tuibench, clients):
    """wrk in the place of our clients, which are stopped meanwhile."""
    server = subprocess.Popen([tuibench, *SERVER, "-s", "clients=1", "-s", "keep-alive=1000000", "-s",
                               "tasks=4000000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        own, runner = clients_of(server)
        time.sleep(0.2)
        os.kill(own, signal.SIGSTOP)
        cpus = ",".join(map(str, os.sched_getaffinity(own)))
        said = subprocess.run(["taskset", "-c", cpus, "wrk", "-t1", f"-c{clients}", "-d1s", "--latency",
                               f"http://127.0.0.1:{port_of(runner)}/"], check=True, capture_output=True,
                              text=True, timeout=60).stdout
    finally:
        server.terminate()
        server.wait()
    p99 = re.search(r"99%\s*([\d.]+)(us|ms|s)", said)
    return float(re.search(r"Requests/sec:\s*([\d.]+)", said)[1]), float(p99[1]) * UNITS[p99[2]]


def main():
    tuibench = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    kept = True
    if not shutil.which("wrk") or len(os.sched_getaffinity(0)) < 2:
        print("skipped: needs wrk and two CPUs")
        return 77
    for clients in (1, 4, 16, 64):
        found = in_turn({"ours": lambda: ours(tuibench, clients),
                         "wrk": lambda: theirs(tuibench, clients)}, pairs)
        for i, name in enumerate(("requests/s", "p99 in ms")):
            ratios = [a[i] / b[i] for a, b in zip(found["ours"], found["wrk"])]
            print(f"  {clients} clients, {name}: {median(a[i] for a in found['ours']):.2f}, "
                  f"wrk {median(b[i] for b in found['wrk']):.2f}")
            kept &= report(f"{clients} clients, {name}: tuibench / wrk", ratios, MOST)
            kept &= report(f"{clients} clients, {name}: wrk / tuibench", [1 / ratio for ratio in ratios], MOST)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
