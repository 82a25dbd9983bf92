#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares tuibench's clients with wrk, in turn: the same event loop as server on one CPU, and the same
connections from another CPU. Each request computes for about 20 us, so that the server is the limit.
Without this work, the CPU of the client would be the limit, and wrk also parses HTTP. With a single
client the server waits between two requests, where wrk makes three more system calls. So these requests
compute for 200 us. Then both programs measure the server and not the client.

wrk prints percentiles of more requests than it sent. If a request took more than twice the mean time
between two requests of a connection, wrk adds the requests that it could not send meanwhile
(stats_correct() in its stats.c): one stall of 4 ms becomes a hundred requests. This program takes them
out again, because tuibench counts only the requests that were sent.

    bench_server.py TUIBENCH [PAIRS]
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from statistics import median

from terminal import in_turn, report

MOST = 1.05
LOADS = ((1, 100000), (4, 10000), (16, 10000), (64, 10000))  # clients, steps
SECONDS = 3  # so long that a stall of the host is only one request of a thousand
SERVER = ("server", "-m", "events", "-b", "--no-log", "--format", "json", "--warmup", "0", "--trials", "1",
          "-s", "cores=1", "-s", "request=41")  # bytes that wrk sends to a port with five digits
FIGURES = ("requests/s", "median in ms", "p99 in ms")
# wrk calls done() at its end. It prints the duration in us, and for each latency in us how many requests had it.
SCRIPT = """
function done(summary, latency)
    io.write("sent ", summary.duration, " ", summary.requests, "\\n")
    for i = 1, #latency do
        local us, n = latency(i)
        io.write("took ", us, " ", n, "\\n")
    end
end
"""


def ours(tuibench, clients, steps, rate):
    """Runs about SECONDS at `rate`. Returns requests a second, and the median and 99th percentile in ms."""
    each = max(round(rate * SECONDS / clients), 1)
    done = subprocess.run([tuibench, *SERVER, "-s", f"clients={clients}", "-s", f"keep-alive={each}", "-s",
                           f"tasks={clients * each}", "-s", f"work={steps}"], check=True, capture_output=True,
                          text=True, timeout=120)
    one = json.loads(done.stdout)["runs"][0]
    assert (one["status"], one["requests"]) == ("ok", clients * each), one
    return one["requests_per_second"], one["request_p50_ms"], one["request_p99_ms"]


def clients_of(server):
    """Waits for the process of a session's clients. Returns its PID and its parent's."""
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
    """Returns the server's port, from the socket that both /proc/PID/fd and /proc/net/tcp have."""
    sockets = {os.readlink(f"/proc/{runner}/fd/{fd}") for fd in os.listdir(f"/proc/{runner}/fd")}
    with open("/proc/net/tcp", encoding="utf-8") as file:
        for row in [line.split() for line in file][1:]:
            if row[3] == "0A" and f"socket:[{row[9]}]" in sockets:
                return int(row[1].split(":")[1], 16)
    raise AssertionError("it does not listen")


def uncorrected(took, interval):
    """Counts the requests that wrk sent, by their latency in us. The requests that wrk added for a request are
    shorter than it, so begin with the longest request, which was certainly sent."""
    took = Counter(took)
    for us in sorted(took, reverse=True):
        for added in range(us - interval, interval, -interval):
            took[added] -= took[us]
    return +took


def percentile(took, percent):
    """Returns the percentile of the latencies in ms."""
    left = sum(took.values()) * percent / 100
    for us in sorted(took):
        left -= took[us]
        if left <= 0:
            return us / 1000
    raise AssertionError("no requests")


def theirs(tuibench, clients, steps, script):
    """Like ours(), with wrk, while tuibench's clients are stopped. Also returns the p99 that wrk prints."""
    server = subprocess.Popen([tuibench, *SERVER, "-s", "clients=1", "-s", "keep-alive=1000000", "-s",
                               "tasks=4000000", "-s", f"work={steps}"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        own, runner = clients_of(server)
        time.sleep(0.2)
        os.kill(own, signal.SIGSTOP)
        cpus = ",".join(map(str, os.sched_getaffinity(own)))
        said = subprocess.run(["taskset", "-c", cpus, "wrk", "-t1", f"-c{clients}", f"-d{SECONDS}s", "-s", script,
                               f"http://127.0.0.1:{port_of(runner)}/"], check=True, capture_output=True,
                              text=True, timeout=60).stdout
    finally:
        server.terminate()
        server.wait()
    duration, requests = map(int, re.search(r"^sent (\d+) (\d+)", said, re.M).groups())
    printed = {int(us): int(n) for us, n in re.findall(r"^took (\d+) (\d+)", said, re.M)}
    took = uncorrected(printed, duration // (requests // clients))
    assert sum(took.values()) == requests, (sum(took.values()), requests)
    return requests / duration * 1e6, percentile(took, 50), percentile(took, 99), percentile(printed, 99)


def main():
    tuibench = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    kept = True
    if not shutil.which("wrk") or len(os.sched_getaffinity(0)) < 2:
        print("skipped: needs wrk and two CPUs")
        return 77
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT)
        script.flush()
        for clients, steps in LOADS:
            rate = theirs(tuibench, clients, steps, script.name)[0]
            found = in_turn({"ours": lambda: ours(tuibench, clients, steps, rate),
                             "wrk": lambda: theirs(tuibench, clients, steps, script.name)}, pairs)
            for i, name in enumerate(FIGURES):
                ratios = [a[i] / b[i] for a, b in zip(found["ours"], found["wrk"])]
                print(f"  {clients} clients, {name}: {median(a[i] for a in found['ours']):.3f}, "
                      f"wrk {median(b[i] for b in found['wrk']):.3f}")
                kept &= report(f"{clients} clients, {name}: tuibench / wrk", ratios, MOST)
                kept &= report(f"{clients} clients, {name}: wrk / tuibench", [1 / ratio for ratio in ratios], MOST)
            print(f"  {clients} clients, p99 that wrk prints: {median(b[3] for b in found['wrk']):.3f} ms")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
