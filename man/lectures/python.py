#!/usr/bin/env python3
"""The same work at once: python.py threads|interpreters|processes

`tuibench python` compares them. The environment says how many workers run
(WORKERS, else one for each CPU; -s env:WORKERS=1,2,4) and how much each
does (SIZE).
"""
import multiprocessing
import os
import sys
import threading

WORKERS = int(os.environ.get("WORKERS") or len(os.sched_getaffinity(0)))
SIZE = int(os.environ.get("SIZE") or 1000000)

WORK = """
total = 0
for i in range({}):
    total += i * i % 7
""".format(SIZE)


def work():
    exec(WORK, {})


def interpret():
    """Each has a lock of its own since Python 3.12."""
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
    interpreters.run_string(interpreters.create(), WORK)


def main():
    ways = {
        "threads": (threading.Thread, work),
        "interpreters": (threading.Thread, interpret),
        "processes": (multiprocessing.get_context("fork").Process, work),
    }
    if len(sys.argv) != 2 or sys.argv[1] not in ways:
        sys.exit(__doc__)
    worker, target = ways[sys.argv[1]]
    workers = [worker(target=target) for _ in range(WORKERS)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()


if __name__ == "__main__":
    main()
