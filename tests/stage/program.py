# SPDX-License-Identifier: MIT
"""The real program for tests/system/*.py: what it says, what the kernel says of it, seeds."""

import csv
import functools
import glob
import io
import itertools
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# What nohup(1), or a script's background job, has ignored would be ignored by all that is started.
for ignored in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, signal.SIG_DFL)

# Most tests look at all tasks there are, and want none but those of runs. test_kernel does.
os.environ.setdefault("TUIBENCH_KERNEL", "tables")
# Nor the options of who runs them.
os.environ["TUIBENCH_CONFIG"] = "none"
# Nor more trials than they ask for, which a crowded machine would have.
os.environ["TUIBENCH_REPEATS"] = "0"

# A third of what a sanitized session takes is the search for leaks at its end, by a process of its own,
# which some tests would count. These have it for what is exported, what starts programs and what fails,
# beside all tests in C and in sh.
if os.path.basename(sys.argv[0]) not in ("test_command.py", "test_exports.py", "test_limits.py", "test_mistakes.py"):
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"

TUIBENCH = os.path.abspath(sys.argv.pop(1))
with open(TUIBENCH, "rb") as program_bytes:
    SANITIZED = b"__asan_init" in program_bytes.read()
# In seconds, for what takes one on a quiet machine: only a defect reaches it.
DEADLINE = 900
# A user of nobody else's, nor of another test's: what it may have, it has for itself.
NOBODY = itertools.count(30000 + os.getpid() % 20000)
# The runs that were asked for, in the order of the models, and no others.
PLAIN = ("--warmup", "0", "--order", "fixed")


def run(*args, status=0, program=TUIBENCH, **more):
    """A batch; its two outputs."""
    plain = PLAIN if "--trials" in args else ()
    done = subprocess.run([program, "--batch", *plain, *args], capture_output=True, text=True,
                          timeout=DEADLINE, check=False, **more)
    if done.returncode != status:
        raise AssertionError(f"{args}: status {done.returncode}, not {status}: {done.stderr}")
    return done.stdout, done.stderr


def result(*args, **more):
    """The same after JSON."""
    return json.loads(run("--no-log", "--format", "json", *args, **more)[0])


def stolen_ticks():
    """What the host of a virtual machine has stolen so far."""
    with open("/proc/stat", encoding="utf-8") as file:
        return int(file.readline().split()[8])


class Steal:
    """Whether the host has stolen 1 % of the cores' time since then, and a tick at least."""

    def __init__(self):
        self.ticks, self.begin = stolen_ticks(), time.monotonic()

    def counts(self):
        ticks, s = stolen_ticks() - self.ticks, time.monotonic() - self.begin
        return ticks >= max(1, 0.01 * s * os.cpu_count() * os.sysconf("SC_CLK_TCK"))

    def most_us(self):
        """What the host can have stolen since then, in us: the kernel counts whole ticks."""
        ticks = stolen_ticks() - self.ticks
        begun = 1 if self.ticks > 0 else 0
        return (ticks + begun) * 1e6 / os.sysconf("SC_CLK_TCK")


def outlast(i):
    """Before a try: what spoils them comes in bursts of seconds."""
    if i > 1:
        time.sleep(min(i / 2, 5))


def agree(test, once, tries=20):
    """
    Until once() finds nothing. A CPU clock leaves out what a host withholds meanwhile, a slice has
    it: then another try, and where the host did so in half of them, nothing can be told.
    """
    stolen = 0
    for i in range(tries):
        outlast(i)
        mark = Steal()
        found = once()
        if not found:
            return
        stolen += mark.counts()
    if stolen >= tries / 2:
        test.skipTest(f"the host withholds the cores: {found}")
    test.fail(f"in each of {tries} tries: {found}")


def matches(test, once, tries=5):
    """
    Until once() raises no AssertionError. For figures of one clock or count, which no host
    withholds: where a stall or a stranger spoiled them, they are measured anew.
    """
    for i in range(tries - 1):
        outlast(i)
        try:
            once()
            return
        except AssertionError as error:
            print(f"{test.id()}: once more: {error}", file=sys.stderr)
    once()


def workers(*args):
    """All that the log has of each worker in the end, by run and number."""
    rows = {}
    for row in csv.DictReader(io.StringIO(run("--trials", "1", "--log", "-", *args)[0])):
        if row["record"] == "worker":
            known = rows.setdefault((int(row["run"]), int(row["id"])), {})
            known.update({name: value for name, value in row.items() if value != ""})
    return rows


def quiet(*args, **more):
    """A batch that goes on, and is the caller's to end."""
    return subprocess.Popen([TUIBENCH, "--batch", "--no-log", *PLAIN, *args], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, **more)


def strace(test, calls, *args):
    """What the kernel was asked for in a batch of one trial, by its own account."""
    if not shutil.which("strace"):
        test.skipTest("strace is not installed")
    with tempfile.NamedTemporaryFile("r") as file:
        done = subprocess.run(["strace", "-f", "-qq", "-o", file.name, "-e", f"trace={calls}",
                               TUIBENCH, "--batch", "--no-log", *PLAIN, "--trials", "1",
                               *args],
                              capture_output=True, text=True, timeout=DEADLINE, check=False)
        if "ptrace" in done.stderr:
            test.skipTest("strace may not trace here")
        test.assertEqual(done.returncode, 0, done.stderr)
        # Who traces it has not stopped it: the run counts.
        test.assertNotIn("has stopped", done.stderr)
        return file.read()


def created(trace):
    """How many tasks the kernel created, those calls that it broke off aside."""
    return len(re.findall(r"(?:clone3?|v?fork)(?:\(| resumed).*\) += [1-9]", trace))


def as_nobody(test, limits):
    """For subprocess: a user with these limits and without tasks of its own; or skips the test."""
    if os.geteuid() != 0:
        test.skipTest("needs root to become a user without tasks of its own")

    nobody = next(NOBODY)

    def become():
        for which, value in limits.items():
            resource.setrlimit(which, (value, value))
        os.setgroups([])
        os.setresgid(nobody, nobody, nobody)
        os.setresuid(nobody, nobody, nobody)
    try:
        if subprocess.run(["test", "-x", TUIBENCH], preexec_fn=become,
                          check=False).returncode != 0:
            test.skipTest("another user cannot run this build")
    except subprocess.SubprocessError:
        test.skipTest("cannot become another user")
    return {"preexec_fn": become}


def name_of(pid):
    """Of a process, as the kernel has it; "" where it is gone."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def children(pid):
    """None also where the process is gone."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def started_by(pid):
    """By any of its threads."""
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path, encoding="utf-8") as file:
                found += [int(child) for child in file.read().split()]
        except OSError:
            continue
    return found


def below(pid):
    found = []
    for child in started_by(pid):
        try:
            with open(f"/proc/{child}/comm", encoding="utf-8") as file:
                found.append((child, file.read().strip()))
        except FileNotFoundError:
            continue
        found += below(child)
    return found


def first_child(pid):
    """Waits until it is there."""
    until = time.monotonic() + DEADLINE
    while time.monotonic() < until:
        for child in children(pid):
            return child
    raise AssertionError(f"{pid} has no child")


def tasks_below(pid):
    """Of a process and its descendants, by task: what /proc/PID/stat has behind the name."""
    found = {}
    try:
        for tid in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{tid}/stat", encoding="utf-8", errors="replace") as file:
                found[int(tid)] = file.read().rsplit(")", 1)[1].split()
    except OSError:
        pass
    for child in children(pid):
        found.update(tasks_below(child))
    return found


def await_work(test, runner, count):
    """Until so many tasks that a runner created have been on a core for 50 ms: they work."""
    until = time.monotonic() + DEADLINE
    while sum(int(stat[11]) + int(stat[12]) >= 5 for tid, stat in tasks_below(runner).items()
              if tid != runner) < count:
        test.assertLess(time.monotonic(), until, "nobody works")
        time.sleep(0.01)


def members(group):
    """Number, name and state of each process in the group, zombies too."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        state, _, pgrp = rest.split()[:3]
        if int(pgrp) == group:
            found.append((int(pid), name, state))
    return found


def alive(group):
    """Those that are no zombies: what init has not reaped is no orphan."""
    return [one for one in members(group) if one[2] != "Z"]


def await_end_of(test, group):
    until = time.monotonic() + DEADLINE
    while alive(group):
        test.assertLess(time.monotonic(), until, f"orphans: {alive(group)}")
        time.sleep(0.01)


def moments(n, seconds):
    """So many moments, one at random in each n-th part of that time."""
    seed = int(os.environ.get("TUIBENCH_SEED", 1))
    print(f"drawn with TUIBENCH_SEED={seed}", file=sys.stderr)
    draw = random.Random(seed)
    return [seconds * (i + draw.random()) / n for i in range(n)]


@functools.cache
def python_with(module):
    """The interpreter that has it; None: none has."""
    return next((python for python in dict.fromkeys((sys.executable, "/usr/bin/python3"))
                 if subprocess.run([python, "-c", f"import {module}"], capture_output=True,
                                   check=False).returncode == 0), None)


VALIDATE = """
import json, sys
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
for i, result in enumerate(json.load(sys.stdin)):
    error = best_match(Draft202012Validator(schema).iter_errors(json.loads(result)))
    if error:
        print(i, error.json_path, error.message[-300:])
"""


def against_schema(test, schema, *results):
    """Fails where a text of JSON is not as the schema says; False if nothing here can check that."""
    python = python_with("jsonschema")
    if python:
        done = subprocess.run([python, "-c", VALIDATE, schema], input=json.dumps(results), capture_output=True,
                              text=True, timeout=DEADLINE, check=False)
        test.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
    return python is not None


def page_data(page):
    """What a page of --export html holds."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page,
                                re.DOTALL).group(1))


def texts(value):
    """All texts in what JSON says, with a space between them."""
    if isinstance(value, str):
        return value
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return " ".join(filter(None, map(texts, items)))
